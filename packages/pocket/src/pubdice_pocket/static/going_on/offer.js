/**
 * Offers a guest whose house does not come back to go on as host, and tells players if a table went on at two phones.
 * Loaded only when a guest has a table open, as joining does not need it.
 */
import { add, button, make, panel, remark, row, show } from '../phones/sheet.js';
import { learn, put } from '../shell_words.js';
import { follow, toGoOn } from './kept.js';
import { WORDS } from './words.js';

learn(WORDS);

/** The wait before going on is offered. A guest's pages wait as long. A host who went to the bar is back by then. */
const LOST_MS = 20_000;
/**
 * The suffix of the sentence's key, by the course of the table that has later moves (`parting`).
 * @type {Record<string, string>}
 */
const FURTHER = { both: '', here: '_ahead', there: '_behind' };

/**
 * @param {import('./kept.js').Table} other
 * @param {{number: number, further: string}} facts
 */
function sentence({ house }, facts) {
  const told = make('p', '');
  put(told, `going_on_${house ? 'other' : 'own'}${FURTHER[facts.further]}`, facts);
  return told;
}

/** @param {string} detail the path of a table of this phone's own, shown instead of the house whose guest it is */
const look = detail => panel.dispatchEvent(new CustomEvent('leave', { detail }));

/**
 * @param {import('./kept.js').Table} other
 * @param {{number: number, further: string}} facts
 */
const parted = (other, facts) =>
  show(sentence(other, facts), ...(other.house ? [] : [row(button('going_on_look', () => look(other.path)))]));

/**
 * Keeps the log of the table that a guest's page has open.
 * @param {import('../phones/visiting.js').Visiting} visiting
 * @param {string} target
 */
export function keepAsGuest(visiting, target) {
  const { house } = visiting;
  /** @type {import('./kept.js').Ask} */
  const ask = (asked, port) =>
    house === visiting.house ? visiting.ask(asked, port) : port.postMessage({ failed: 'ended' });
  return follow(house, ask, target, parted);
}

/**
 * Keeps the log of this phone's own table, to recognise the table if it has gone on elsewhere. If both
 * courses are this phone's, the front page lists both.
 * @param {import('./kept.js').Ask} ask
 * @param {string} target
 */
export const keepOwn = (ask, target) => follow('', ask, target, (other, facts) => remark(sentence(other, facts)));

/**
 * Offers to go on as host when the house has been out of reach for LOST_MS, or tells the reason why this phone can't.
 * @param {import('../phones/visiting.js').Visiting} visiting
 * @param {PageElement} body the panel's place for it
 * @param {(tables: object[]) => unknown} goOn
 */
export async function offer(visiting, body, goOn) {
  const place = make('div', '');
  body.append(place);
  await new Promise(later => setTimeout(later, visiting.lostAt + LOST_MS - performance.now()));
  // by now, the last entries are on the disk
  const { tables, isSealed } = await toGoOn(visiting.house).catch(() => ({ tables: [], isSealed: false }));
  if (!place.isConnected) return;
  const goes = [make('p', 'going_on_what'), row(button('going_on_here', () => goOn(tables), 'main'))];
  add(place, ...(tables.length ? goes : []), ...(isSealed ? [make('p', 'going_on_sealed')] : []));
}
