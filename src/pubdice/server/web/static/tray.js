/**
 * The mover's dice in their places. A mark shows at once and is asked for behind it; it stands over the house's view until
 * that is as new as the mark (`settle`), the mark is refused (`forget`) or the dice are others. Knows no rules.
 */
import { word } from './speech.js';

/** @type {?{marks: number[], rolls: number, mover: number, until: number}} */
let wish = null;
let shown = {};

/** The dice on the table, as buttons. */
export const dice = () => [...document.querySelectorAll('#dice .die:not([hidden])')];

/** The marks as the player sees them, places from 0. */
export const marks = () => dice().filter(({ dataset }) => dataset.status === 'marked').map(({ dataset }) => dataset.place - 1);

/** "Die 3, five: kept." */
export const told = die => word('die', { die: die.ariaLabel, word: die.querySelector('.word').textContent });

function put(die, status, said = word(status === 'marked' ? 'kept' : 'free')) {
  die.dataset.status = status;
  die.ariaPressed = status === 'marked' || status === 'locked';
  die.querySelector('.word').textContent = said;
}

/** Draws the dice of a view; mine: they may be pressed. */
export function draw(view, mine) {
  shown = view;
  if (wish && (wish.rolls !== view.rolls || wish.mover !== view.mover || view.seq >= wish.until)) wish = null;
  for (const button of document.querySelectorAll('#dice .die')) {
    const at = button.dataset.place - 1, die = view.dice.find(({ place }) => place === at + 1);
    button.hidden = button.parentElement.hidden = !die;
    button.toggleAttribute('data-fresh', !!die?.fresh);
    if (!die) continue;
    button.dataset.face = die.face;
    button.ariaLabel = die.label;
    if (die.marks !== null && wish) put(button, wish.marks.includes(at) ? 'marked' : 'free');
    else put(button, die.status, die.word);
    button.ariaDisabled = mine && die.marks !== null ? null : true;
  }
}

/** Marks a die or frees it, before the house knows. */
export function toggle(die) {
  put(die, die.dataset.status === 'marked' ? 'free' : 'marked');
  wish = { marks: marks(), rolls: shown.rolls, mover: shown.mover, until: Infinity };
}

/** The house has done the last wish with this event. */
export const settle = seq => wish && (wish.until = seq);

/** It was refused. */
export const forget = () => (wish = null);

/** Has the dice that fell move, each time anew; how, and whether at all, is the stylesheet's affair. Returns how many. */
export function tumble() {
  const fell = dice().filter(({ dataset }) => 'fresh' in dataset);
  for (const die of fell) {
    die.classList.remove('tumble');
    void die.offsetWidth;
    die.classList.add('tumble');
  }
  return fell.length;
}
