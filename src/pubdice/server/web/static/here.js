/**
 * This page's table as it stands here: how far it has come, and who moves on this page, which is one seat, or each in
 * turn of several that share a phone.
 */
import { placesIn } from './dice.js';
import { at } from './speech.js';

/** The table's element, which stays; and its address, which is that of the next table after a match. */
export const main = at('table');
export const here = () => main.dataset.here;

export const state = {
  // The last event that was heard of: what the stream goes on from.
  heard: +main.dataset.seq,
  // The event that the page shows, which is ahead of it where the page was fetched again.
  drawn: +main.dataset.seq,
  /**
   * The last view that came.
   * @type {Wire.View | undefined}
   */
  view: undefined,
  /**
   * Whether this page moves in it.
   * @type {boolean | undefined}
   */
  mine: undefined,
  // When the match ended, and when a shared phone was passed on: a key that was meant for the move before does nothing.
  ended: -1000,
  passed: -1000,
};

/**
 * What several who share a phone see.
 * @type {typeof import('./phone.js') | undefined}
 */
let phone;

/**
 * What this tab keeps under a name, which becomes this value, if there is one; null where the browser keeps nothing.
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

// The seat in whose hands the phone was last, where several share it.
let held = +(kept(here()) ?? 0);

/**
 * The page shows another table now. heard: the last of its events that was heard of.
 * @param {number} heard
 */
export function begin(heard) {
  Object.assign(state, { heard, drawn: +main.dataset.seq, view: undefined, mine: undefined });
  held = +(kept(here()) ?? 0);
}

/** The seats of this page. */
export const seats = () => placesIn(main.dataset.seats);

/** The seat in whose hands the phone is: the first of those who sit here has it to begin with. */
const holder = () => (seats().includes(held) ? held : seats()[0]);

/** @param {Wire.View} view */
const isOwn = view =>
  view.ask === 'draw' ? seats().length > 0 : view.mover !== null && seats().includes(view.mover) && !view.by_bot;

/**
 * Whether the phone must be passed on first.
 * @param {Wire.View} view
 */
export const isPassed = view => seats().length > 1 && view.ask !== 'draw' && isOwn(view) && view.mover !== holder();

/**
 * Whether this page moves in a view.
 * @param {Wire.View} view
 */
export const isMine = view => isOwn(view) && !isPassed(view);

/** The mover has the phone. */
export function hold() {
  held = state.view?.mover ?? held;
  kept(here(), `${held}`);
}

/** Has what several who share a phone need come, where they do: a module of its own. */
export async function loadPhone() {
  if (seats().length > 1) phone ??= await import('./phone.js');
}

/**
 * "Pass the phone to Bob"; nothing where it lies between them.
 * @param {Wire.View} view
 */
export const passing = view => isPassed(view) && phone?.passing(view);

/**
 * Draws what only several who share a phone see.
 * @param {Wire.View} view
 */
export const drawPhone = view => phone?.draw(view, seats(), isPassed(view) && holder());
