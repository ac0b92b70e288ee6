/**
 * Keys and choices of #keys and #sound, kept on this device. The page's controls show the defaults. A key does nothing
 * here while the player types, in a combination, or on a control that needs it.
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
  // The device stores nothing, so the defaults hold.
}

/**
 * A choice, or the control's own value if none was made.
 * @param {string} name
 */
export function setting(name) {
  const [control] = all(`[name=${name}]`);
  return chosen[name] ?? control?.[side(control)];
}

/** True if number keys choose dice by their places. */
export const isByPlace = () => setting('keys') && setting('digits') !== 'face';

const keys = () => ({ ...USUAL, ...setting('map') });
/** @param {string} key */
export const deedOf = key => key && Object.entries(keys()).find(([, its]) => its === key)?.[0];

/**
 * The spoken name of an action's key. "" if it has none.
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
 * Makes a choice, and keeps it on this device.
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
  // Otherwise a screen reader that reads the page out says it again.
  hint.ariaHidden = 'true';
}

/**
 * The key as it is printed on the device. A keyboard of other letters has the Latin one too, on the same key. In a page
 * from right to left, that keyboard has signs on Q and W.
 * @param {KeyboardEvent} event
 */
function latin({ key, code }) {
  const isForeign = /^(?!\p{sc=Latin})\p{L}$/u.test(key) || (document.dir && /^\W$/.test(key));
  return (isForeign && /^Key(.)/.exec(code)?.[1].toLowerCase()) || key;
}

/** True after a match, and off a table. Then Space goes on from any focus, as the page says. */
const isOver = () => (at('table')?.dataset.stage ?? 'over') === 'over';
const TAKES_SPACE = 'button, a, summary, input';

/** @param {Element} target */
const isTyping = target =>
  target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]');
/** @param {Element} target */
const takesSpace = target => target.closest(isOver() ? `:is(${TAKES_SPACE}):not(#main)` : TAKES_SPACE);

/** The buttons that answer another player's question here. Number keys press them in this order. */
export const answers = () => all('#agreeing button, #declining button');

/**
 * The name of an action's key for the current focus. "" if it has none.
 * @param {string} deed
 */
export function keyFor(deed) {
  const { activeElement, body } = document;
  const held = activeElement && isSeen(activeElement) ? activeElement : body;
  const isTaken = !setting('keys') || isTyping(held) || (keys()[deed] === ' ' && takesSpace(held));
  return isTaken ? '' : nameOf(deed);
}

/**
 * The name of an action's key for the current focus, or the word for a button.
 * @param {string} deed
 */
export const means = deed => keyFor(deed) || word('button');

/**
 * Tells an action and its key here: "R: Roll 3 dice."
 * @param {string} deed
 * @param {PageElement} button
 */
export const way = (deed, button) => word('way', { name: means(deed), choice: button.textContent });

// True if the page came from a match to the next one. There nothing has the focus, and Space belongs to the board.
let isFromMatch = false;

/** Notes that the page has come from a match to the next one. */
export const followMatch = () => (isFromMatch = true);

/**
 * The space bar, if the focus has no use for it. Away from the board, a screen reader's reading cursor may have sent it
 * by mistake. So the first press moves the focus to the main button, which says its action. The next press is a press
 * of the button.
 * @param {Element} target
 * @param {Record<string, () => unknown>} deeds
 */
function space(target, { main, whose }) {
  const button = at('main');
  const isBoard = target.closest('#play') || (isFromMatch && target === document.body);
  if (isBoard || isOver() || answers().length) main();
  else if (button && isSeen(button)) button.focus();
  else whose();
}

/**
 * Listens to keys. deeds: by the names in USUAL. digit(number, keep): keep is Shift. named(letter): chooses the move
 * with this letter.
 * @param {Record<string, (...of: any[]) => unknown>} deeds
 * @param {(number: number, keep: boolean) => unknown} digit
 * @param {(letter: string) => boolean} named
 */
export function listen(deeds, digit, named) {
  addEventListener('keydown', event => {
    const { target, code } = event;
    const typed = deedOf(event.key.toLowerCase()) ? event.key : latin(event);
    const undoes = typed === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const key = undoes || event.key === 'Backspace' ? keys().undo : typed;
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
  // The open menu would cover the focused element.
  addEventListener('focusin', ({ target }) => {
    const menu = at('menu');
    if (menu?.open && !menu.contains(target)) menu.open = false;
  });
  addEventListener('change', ({ target }) => {
    if (target.matches('#keys [name], .switches [name]')) choose(target.name, target[side(target)]);
  });
  addEventListener('input', ({ target, data }) => {
    // Ctrl+Z also undoes in a field that has lost the focus
    if (target.dataset.keyFor && target === document.activeElement)
      deeds.change(target, (data ?? '').slice(-1).toLowerCase());
  });
  addEventListener('focusin', ({ target }) => target.dataset.keyFor && target.select());
  show();
}
