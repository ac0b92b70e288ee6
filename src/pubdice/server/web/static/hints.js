/** The best choice, at a table with lessons: a hint that the player asks for, from the house. */
import { state } from './here.js';
import { at, say, word } from './speech.js';

const ASKS_AGAIN_MS = 2000;

/**
 * The number of rolls in the view in which a hint was asked for.
 * @type {number | undefined}
 */
let askedAt = -1;

/** Notes that a hint was asked for. */
export const expect = () => (askedAt = state.view?.rolls);

/** Forgets the request, as the page shows another table. */
export const forget = () => (askedAt = -1);

/**
 * Shows and says the best choice. said: a new hint. If it is left out, an older hint stays.
 * @param {string | undefined} [said]
 */
export function draw(said) {
  const form = at('hinting');
  const { mine, view } = state;
  if (!form || !view) return;
  const node = form.querySelector('.hint');
  const isAsked = mine && ['keep', 'move'].includes(view.ask);
  at('ask-hint').hidden = !isAsked;
  const isHinted = isAsked && view.rolls === askedAt;
  if (isHinted && said === undefined) return;
  const hint = (isHinted && said) || '';
  const isOnItsWay = hint === word('sending');
  if (!isOnItsWay || node.textContent !== hint) say([hint]);
  node.textContent = hint;
  // The house is still working the hint out. Ask again, unless the player has moved on.
  if (isOnItsWay) setTimeout(() => view.rolls === state.view?.rolls && at('ask-hint').click(), ASKS_AGAIN_MS);
}
