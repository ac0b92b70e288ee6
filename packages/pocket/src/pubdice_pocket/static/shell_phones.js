/**
 * Other phones, as far as the page round the engine needs them from its start: if this phone is their house, and at
 * which table. All else comes with the panel, when it is opened.
 */
import { HOME } from './places.js';
import { stop, tell, untell } from './shell_page.js';
import { announce } from './shell_speech.js';
import { say } from './shell_words.js';

const TABLE = /^t\/[^/?#]+/;
/** The part of an address (its hash) that is another phone's code. */
const CODE = /^#phones=([\w-]+)$/;

/**
 * The state of this phone as a house.
 *
 * - isOpen: true if this phone is the house of others. No guest outlives this page, or a change of the tab that plays.
 * - table: the path of the current or last table, to which guests come
 */
export const inn = { isOpen: false, table: '' };
// the table that a guest's host went to last
let hosts = '';
/**
 * The page whose form opens a table for friends. The next page is for their phones, too.
 * @type {Document | null}
 */
let opener = null;
/** @type {Promise<typeof import('./phones/panel.js')> | null} */
let loading = null;

/** Returns the code in this page's address, or in the address given; '' if there is none. */
export const codeHere = ({ hash } = /** @type {{hash: string}} */ (location)) => CODE.exec(hash)?.[1] ?? '';

/**
 * Returns a path's table, such as "t/ABCDEF"; '' for pages of no table.
 * @param {string} path
 */
const tableOf = path => (path.startsWith(HOME) && TABLE.exec(path.slice(HOME.length))?.[0]) || '';

/**
 * @typedef {object} Tab
 * @property {() => any} engine
 * @property {() => PageElement} frame
 * @property {() => boolean} isReady true if the engine is there
 * @property {() => boolean} plays true if this is the tab that plays
 * @property {() => any} close ends the house, and returns its engine
 * @property {(alone: boolean) => unknown} begin
 * @property {() => Promise<void>} take makes this the tab that plays, in place of another
 * @property {() => unknown} lookAgain makes the page ask the house again
 * @property {(guest: any, then: () => void) => Promise<void>} visit
 * @property {(taken: any) => void} goesOn
 */

/**
 * Loads the panel about other phones, and gives it access to a tab.
 * @param {Tab} tab
 */
export function panelOf(tab) {
  const { engine, frame, close, begin } = tab;
  loading ??= import('./phones/panel.js').then(panel => {
    panel.useTab({
      root: new URL(HOME, location.href).href,
      at: () => HOME + inn.table,
      isAtTable: () => tableOf(frame()?.contentDocument?.location.pathname ?? '') !== '',
      place: () => (engine()?.isGuest ? null : frame()?.contentDocument?.getElementById('door')),
      plays: tab.plays,
      take: tab.take,
      ask: (asked, port) => engine()?.pass?.(asked, port),
      openToOthers(open) {
        const isNews = inn.isOpen !== open;
        inn.isOpen = open;
        const place = frame()?.contentDocument?.location;
        if (!isNews || !place || !tab.isReady()) return;
        // the house's other pages change, too: with guests it opens no records, without guests it has no night
        if (tableOf(place.pathname)) place.reload();
        else place.replace(HOME);
      },
      back: () => frame() && tab.lookAgain(),
      follow: path => follow(frame(), path),
      async visit(guest, name) {
        const before = close();
        if (before !== guest) await before?.end();
        await tab.visit(guest, () => sitDown(frame(), name));
      },
      async alone(path) {
        if (!tab.plays()) return stop('other_tab', ['here', () => tab.take().then(() => begin(true))]);
        if (engine() && !engine().isGuest) return;
        await close()?.end();
        // the current address is of the other phone's table
        history.replaceState(history.state, '', new URL(path || HOME, location.href));
        begin(true);
      },
      async goOn(kept) {
        await close()?.end();
        history.replaceState(history.state, '', HOME);
        inn.isOpen = true;
        return new Promise(paths => {
          tab.goesOn({ kept, paths });
          begin(true);
        });
      },
    });
    return panel;
  });
  loading.catch(() => {
    loading = null; // so the next tap fetches the panel's files again
  });
  return loading;
}

/** Returns the panel, if it was opened. */
export const loadedPanel = () => loading;

/**
 * Handles a form that a page of this phone's own house sends.
 * @param {Document} page
 * @param {string} way the value of its button
 */
export const sent = (page, way) => {
  opener = way === 'friends' ? page : null;
};

/**
 * Returns true if a page is for other phones, too. That begins with the page that follows the form of a table for
 * friends. If the house refuses the form, another page comes in between.
 * @param {{method: string, target: string, navigates: boolean}} asked
 * @param {Document | null | undefined} shown the page that is still in sight
 * @param {() => unknown} open
 */
export function isForAll({ method, target, navigates }, shown, open) {
  const comes = opener === shown && shown && navigates && method === 'GET' && tableOf(target);
  if (comes && !inn.isOpen) {
    inn.isOpen = true;
    open();
  }
  if (comes) opener = null;
  return inn.isOpen;
}

/**
 * Handles a page that is shown, or a change of its title or of its match's stage.
 * @param {string} path
 * @param {boolean} isGuest
 */
export function shows(path, isGuest) {
  const table = tableOf(path);
  const isNews = table !== '' && table !== inn.table && !isGuest;
  if (isNews) inn.table = table;
  // the offer to follow the host stays until the guest answers it, or is at that table
  if (!isGuest || (table && table === hosts)) untell('host_goes');
  loading?.then(panel => panel.shows(isNews));
}

/**
 * Follows the host to another table. A guest who sees the front page goes there. Other guests get an offer.
 * @param {PageElement | null} frame
 * @param {string} path
 */
function follow(frame, path) {
  // in place of a page that did not come, the browser shows its own, which scripts can't read
  const here = frame?.contentDocument?.location.pathname ?? '';
  hosts = tableOf(path);
  untell('host_goes');
  if (!frame || tableOf(here) === hosts) return;
  const go = () => {
    frame.src = path;
  };
  if (here !== HOME) return tell('host_goes', [['go_there', go], ['later']]);
  announce(say('host_goes'));
  go();
}

/**
 * Takes a seat under the name that was given when joining.
 * @param {PageElement} frame
 * @param {string} name
 */
function sitDown(frame, name) {
  /** @type {PageElement | null | undefined} */
  const form = frame.contentDocument?.querySelector('form#sit');
  const field = form?.elements.namedItem('name');
  if (!name || !field) return;
  field.value = name;
  form.requestSubmit(form.querySelector('button'));
}
