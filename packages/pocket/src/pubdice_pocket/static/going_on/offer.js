/**
 * Going on as host: offered to a guest whose house does not come back, and told where a table went on in two ways.
 * Loaded once a guest has a table open: to join nothing of it is needed.
 */
import { leave } from '../phones/panel.js';
import { add, button, make, remark, row, show } from '../phones/sheet.js';
import { learn, put } from '../shell_words.js';
import { follow, toGoOn } from './kept.js';
import { WORDS } from './words.js';

learn(WORDS);

/** Until then the guest's pages wait for the line, and a phone that was at the bar is back. */
const LOST_MS = 20_000;
/**
 * The end of the key of the sentence about two courses of a table, by the course in which somebody moved.
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

/**
 * @param {import('./kept.js').Table} other
 * @param {{number: number, further: string}} facts
 */
const parted = (other, facts) =>
  show(sentence(other, facts), ...(other.house ? [] : [row(button('going_on_look', () => leave(other.path)))]));

/**
 * Keeps the log of the table that a page of a guest has open.
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
 * Keeps the log of a table of this phone's own, so that it knows the table again where it meets it. Both tables stand
 * on the front page where both are its own.
 * @param {import('./kept.js').Ask} ask
 * @param {string} target
 */
export const keepOwn = (ask, target) => follow('', ask, target, (other, facts) => remark(sentence(other, facts)));

/**
 * Offers to go on as host, once the house has been out of reach for so long; or says why that can't be.
 * @param {import('../phones/visiting.js').Visiting} visiting
 * @param {PageElement} body where the panel says why it is open
 * @param {(tables: object[]) => unknown} goOn
 */
export async function offer(visiting, body, goOn) {
  const place = make('div', '');
  body.append(place);
  await new Promise(later => setTimeout(later, visiting.lostAt + LOST_MS - performance.now()));
  // what came last is on the disk by now
  const { tables, isSealed } = await toGoOn(visiting.house).catch(() => ({ tables: [], isSealed: false }));
  if (!place.isConnected) return;
  const goes = [make('p', 'going_on_what'), row(button('going_on_here', () => goOn(tables), 'main'))];
  add(place, ...(tables.length ? goes : []), ...(isSealed ? [make('p', 'going_on_sealed')] : []));
}

/** That nothing goes on here. */
export const refuse = () => show(make('p', 'going_on_not'));
