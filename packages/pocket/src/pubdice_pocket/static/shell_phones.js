/**
 * Other phones, as the page round the engine sees them: whether this phone is their house, and at which table. The rest
 * comes with the panel, once it is opened.
 */
import { HOME } from './places.js';
import { stop, tell, untell } from './shell_page.js';
import { announce } from './shell_speech.js';
import { say } from './shell_words.js';

const TABLE = /^t\/[^/?#]+/;
/** The part of an address that is another phone's code. */
const CODE = /^#phones=([\w-]+)$/;

/**
 * isOpen: whether this phone is the house of others: no guest outlives this page, nor another tab that plays. table:
 * the path of the table that it is at, or was at last, and to which guests come.
 */
export const inn = { isOpen: false, table: '' };
// The table that a guest's host went to last.
let hosts = '';
/**
 * The page whose form opens a table for friends: the page that comes next is for their phones, too.
 * @type {Document | null}
 */
let opener = null;
/** @type {Promise<typeof import('./phones/panel.js')> | null} */
let loading = null;

/** The code in the address, or in what stands behind the # of another; '' if there is none. */
export const codeHere = ({ hash } = /** @type {{hash: string}} */ (location)) => CODE.exec(hash)?.[1] ?? '';

/**
 * The table of a path; '' for other pages.
 * @param {string} path
 */
const tableOf = path => (path.startsWith(HOME) && TABLE.exec(path.slice(HOME.length))?.[0]) || '';

/**
 * @typedef {object} Tab
 * @property {() => any} engine
 * @property {() => PageElement} frame
 * @property {() => boolean} isReady whether the engine is there
 * @property {() => boolean} plays whether this is the tab that plays
 * @property {() => any} close ends the house, and returns its engine
 * @property {(alone: boolean) => unknown} begin
 * @property {() => Promise<void>} take has this tab play, in place of another
 * @property {() => unknown} lookAgain the page asks the house again
 * @property {(guest: any, then: () => void) => Promise<void>} visit
 * @property {(taken: any) => void} goesOn
 */

/**
 * The panel about other phones, and what it does to a tab.
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
        // other pages are not all there in both: a house of others opens no record, and this phone's alone no night
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
        // the page is one of the other phone's tables
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
    loading = null; // the next tap asks for its files once more
  });
  return loading;
}

/** The panel, if it was opened. */
export const loadedPanel = () => loading;

/**
 * A form of a page of this phone's own house is sent. way: what its button says.
 * @param {Document} page
 * @param {string} way
 */
export const sent = (page, way) => {
  opener = way === 'friends' ? page : null;
};

/**
 * Whether a page is drawn for other phones, too. One that follows the form of a table for friends is: it is theirs from
 * then on. A form that was refused shows another page before.
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
 * A page is shown, or has changed: its title, or the stage of its match.
 * @param {string} path
 * @param {boolean} isGuest
 */
export function shows(path, isGuest) {
  const table = tableOf(path);
  const isNews = table !== '' && table !== inn.table && !isGuest;
  if (isNews) inn.table = table;
  // the offer stays until it is answered, or until the guest is there
  if (!isGuest || (table && table === hosts)) untell('host_goes');
  loading?.then(panel => panel.shows(isNews));
}

/**
 * The host is at another table: a guest that looks at the front page goes there, and others may.
 * @param {PageElement | null} frame
 * @param {string} path
 */
function follow(frame, path) {
  // in place of a page that did not come the browser has one of its own, which can't be read
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
 * Sits down under the name that was given on the way in.
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
