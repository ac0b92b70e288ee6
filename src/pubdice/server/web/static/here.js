/**
 * This page's table: how far the page has come, and the player who moves on it. A page has one seat, or several that
 * share a phone and move in turn.
 */
import { placesIn } from './dice.js';
import { means, setting } from './keys.js';
import { at, word } from './speech.js';

/** The table's element. It stays in the page, even if the page goes on to the next table and gets its address. */
export const main = at('table');
export const here = () => main.dataset.here;

export const state = {
  // The last event heard. The stream goes on from it.
  heard: +main.dataset.seq,
  // The event that the page shows. It is ahead of `heard` if the page was fetched again.
  drawn: +main.dataset.seq,
  /**
   * The latest view.
   * @type {Wire.View | undefined}
   */
  view: undefined,
  /**
   * True if this page moves in the view.
   * @type {boolean | undefined}
   */
  mine: undefined,
  // The time at which the match ended or a shared phone was passed on. For a while after it, a key does nothing: it was
  // meant for the move before.
  ended: -1000,
  passed: -1000,
};

/**
 * Stores a value for this tab if one is given. Returns the tab's value under a name, or null if the browser keeps
 * nothing.
 * @param {string} name
 * @param {string} [value]
 */
export function kept(name, value) {
  try {
    if (value) sessionStorage.setItem(name, value);
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

// The seat that last held a shared phone.
let held = +(kept(here()) ?? 0);

/**
 * Notes that the page shows another table now. heard: the number of that table's last event that was heard.
 * @param {number} heard
 */
export function begin(heard) {
  Object.assign(state, { heard, drawn: +main.dataset.seq, view: undefined, mine: undefined });
  held = +(kept(here()) ?? 0);
}

/** The seats of this page. */
export const seats = () => placesIn(main.dataset.seats);

/** The seat that holds the phone. At first it is the first of this page's seats. */
export const holder = () => (seats().includes(held) ? held : seats()[0]);

/** @param {Wire.View} view */
const isOwn = view =>
  view.ask === 'draw' ? seats().length > 0 : view.mover !== null && seats().includes(view.mover) && !view.by_bot;

/**
 * True if the phone must be passed on first.
 * @param {Wire.View} view
 */
export const isPassed = view => seats().length > 1 && view.ask !== 'draw' && isOwn(view) && view.mover !== holder();

/**
 * True if this page moves in a view.
 * @param {Wire.View} view
 */
export const isMine = view => isOwn(view) && !isPassed(view);

/** Notes that the mover has the phone. */
export function hold() {
  held = state.view?.mover ?? held;
  kept(here(), `${held}`);
}

/**
 * "Pass the phone to Bob". Nothing if the phone lies between the players.
 * @param {Wire.View} view
 */
export const passing = view =>
  isPassed(view) &&
  !setting('tablet') &&
  word('passing', { name: view.seats[view.mover ?? -1].name, key: means('main') });
