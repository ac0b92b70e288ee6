/**
 * Keys and choices of #keys and #sound, kept on this device; the page's controls show the defaults. A key does nothing
 * here while somebody types, in a combination, or on a control that needs it.
 */
import { isSeen } from './page.js';
import { all, at, say, since, word } from './speech.js';

const STORE = 'pubdice';
const USUAL = {
  roll: 'r',
  bank: 'b',
  main: ' ',
  hand: 'h',
  scores: 's',
  beat: 't',
  whose: 'w',
  last: 'l',
  chances: 'c',
  undo: 'u',
  help: '?',
};
/** @param {any} control */
const side = control => (control?.type === 'checkbox' ? 'checked' : 'value');
/** @type {Record<string, any>} */
let chosen = {};

try {
  chosen = JSON.parse(localStorage.getItem(STORE) ?? '{}');
} catch {
  // The device keeps nothing.
}

/**
 * A choice; if none was made, what its control shows.
 * @param {string} name
 */
export function setting(name) {
  const [control] = all(`[name=${name}]`);
  return chosen[name] ?? control?.[side(control)];
}

/** Whether number keys choose dice by their places. */
export const isByPlace = () => setting('keys') && setting('digits') !== 'face';

const keys = () => ({ ...USUAL, ...setting('map') });
/** @param {string} key */
export const deedOf = key => key && Object.entries(keys()).find(([, its]) => its === key)?.[0];

/**
 * The name of the key that does this, as it is said; "" where none does.
 * @param {string} deed
 */
export function nameOf(deed) {
  const key = keys()[deed];
  return key === ' ' ? word('space') : key === '?' ? word('question') : key.toUpperCase();
}

/** Shows the choices in the page's controls. */
export function show() {
  for (const name in chosen) for (const control of all(`[name=${name}]`)) control[side(control)] = chosen[name];
  for (const field of all('[data-key-for]')) field.value = keys()[field.dataset.keyFor].toUpperCase();
}

/**
 * Makes a choice, which this device keeps.
 * @param {string} name
 * @param {unknown} value
 */
export function choose(name, value) {
  chosen[name] = value;
  show();
  try {
    localStorage.setItem(STORE, JSON.stringify(chosen));
  } catch {
    // The choice lasts until the page is closed.
  }
}

const TOLD = 'told';

/** Says the keys, and the way to them, once on this device. */
export function introduce() {
  const hint = at('keys-hint');
  if (chosen[TOLD] || !hint || !setting('keys')) return;
  choose(TOLD, true);
  say([hint.textContent]);
  // Or a screen reader that reads the page out says it again.
  hint.ariaHidden = 'true';
}

/** After a match Space goes on to the next one, wherever the focus is, as the page says. */
const isOver = () => at('table')?.dataset.stage === 'over';
const TAKES_SPACE = 'button, a, summary, input';

/** @param {Element} target */
const isTyping = target => target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]');
/** @param {Element} target */
const takesSpace = target => target.closest(isOver() ? `:is(${TAKES_SPACE}):not(#main)` : TAKES_SPACE);

/**
 * The key that does a deed from where the focus is, by name; "" where none does.
 * @param {string} deed
 */
export function keyFor(deed) {
  const { activeElement, body } = document;
  const held = activeElement && isSeen(activeElement) ? activeElement : body;
  const isTaken = !setting('keys') || isTyping(held) || (keys()[deed] === ' ' && takesSpace(held));
  return isTaken ? '' : nameOf(deed);
}

/**
 * The key that does a deed from where the focus is, by name, or else the word for a button.
 * @param {string} deed
 */
export const means = deed => keyFor(deed) || word('button');

// Whether the page came from a match to the next: there nothing has the focus, and the space bar is the board's.
let isFromMatch = false;

/** The page has come from a match to the next one. */
export const followMatch = () => (isFromMatch = true);

/**
 * The space bar where it does nothing by itself. Away from the board a screen reader's reading cursor may have sent it
 * unmeant: there it comes to the main button, which says what it would do, and presses it the next time.
 * @param {Element} target
 * @param {Record<string, () => unknown>} deeds
 */
function space(target, { main, whose }) {
  const button = at('main');
  if (target.closest('#play') || isOver() || (isFromMatch && target === document.body)) main();
  else if (button && isSeen(button)) button.focus();
  else whose();
}

/**
 * deeds: by the names in USUAL. digit(number, keep): keep is Shift. named(letter): chooses a move that has this letter.
 * @param {Record<string, (...of: any[]) => unknown>} deeds
 * @param {(number: number, keep: boolean) => unknown} digit
 * @param {(letter: string) => boolean} named
 */
export function listen(deeds, digit, named) {
  addEventListener('keydown', event => {
    const { target, code } = event;
    const undoes = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const key = undoes || event.key === 'Backspace' ? keys().undo : event.key;
    if (key === 'Escape' && target.closest('#menu, #keys')) deeds.leave();
    if (event.repeat || event.isComposing || event.altKey || !setting('keys') || isTyping(target)) return;
    if ((event.ctrlKey || event.metaKey) && !undoes) return;
    const number = /^(Digit|Numpad)([0-9])$/.exec(code);
    const deed = deedOf(key.toLowerCase());
    if (number && (number[1] === 'Digit' || key === number[2])) digit(+number[2], event.shiftKey);
    else if (deed === 'last' && event.shiftKey) say(since().length ? since() : [word('nothing')]);
    else if (key === ' ' && takesSpace(target)) return deeds.opens(target.parentElement);
    else if (key === ' ' && deed === 'main') space(target, deeds);
    else {
      const isNamed = named(key.toLowerCase());
      if (!isNamed && !deed) return;
      if (!isNamed && deed) deeds[deed]();
    }
    event.preventDefault();
  });
  // The menu lies over the page, and would hide what has the focus.
  addEventListener('focusin', ({ target }) => {
    const menu = at('menu');
    if (menu?.open && !menu.contains(target)) menu.open = false;
  });
  addEventListener('change', ({ target }) => {
    if (target.matches('#keys [name], .switches [name]')) choose(target.name, target[side(target)]);
  });
  addEventListener('input', ({ target, data }) => {
    // Ctrl and Z undoes in a field that one has left, too
    if (target.dataset.keyFor && target === document.activeElement)
      deeds.change(target, (data ?? '').slice(-1).toLowerCase());
  });
  addEventListener('focusin', ({ target }) => target.dataset.keyFor && target.select());
  show();
}
