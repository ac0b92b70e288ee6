/**
 * What a person has chosen on this device, and the keys: all that #keys holds, as form controls that stand at the
 * defaults. Knows no table: deeds are handed in. No key is taken from who types, from a combination, or from a control
 * that needs it itself.
 */
import { at, say, word } from './speech.js';

const STORE = 'pubdice', NAMES = ['sound', 'wording', 'digits', 'keys', 'theme'];
const USUAL = { roll: 'r', bank: 'b', main: ' ', hand: 'h', scores: 's', beat: 't', whose: 'w', last: 'l', help: '?' };
const all = selector => [...document.querySelectorAll(`#keys ${selector}`)];
const side = control => (control?.type === 'checkbox' ? 'checked' : 'value');
let chosen = {}, came;

try {
  chosen = JSON.parse(localStorage.getItem(STORE)) ?? {};
} catch {
  // Nothing was kept.
}

/** A choice, or how its control stands. */
export function setting(name) {
  const [control] = all(`[name=${name}]`);
  return chosen[name] ?? control?.[side(control)];
}

const keys = () => ({ ...USUAL, ...setting('map') });
const deedOf = key => key && Object.entries(keys()).find(([, its]) => its === key)?.[0];

function show() {
  for (const control of all('[name]')) if (control.name in chosen) control[side(control)] = chosen[control.name];
  for (const field of all('[data-key-for]')) field.value = keys()[field.dataset.keyFor].toUpperCase();
  if ('theme' in chosen) document.documentElement.dataset.theme = chosen.theme;
}

function choose(name, value) {
  chosen[name] = value;
  show();
  try {
    localStorage.setItem(STORE, JSON.stringify(chosen));
  } catch {
    // It lasts as long as the page.
  }
}

/** Sets a field's key, or switches it off with none; one that is taken is refused, in words. */
function change(field, key) {
  const deed = field.dataset.keyFor, taken = /\d/.test(key) || (deedOf(key) || deed) !== deed;
  say([word(taken ? 'key_taken' : 'key_set')], taken);
  choose('map', taken ? setting('map') : { ...setting('map'), [deed]: key });
  field.select();
}

/** Opens #keys; the focus goes in, and comes back from there. */
export function help() {
  came = document.activeElement;
  at('keys').open = true;
  at('keys').querySelector('summary').focus();
}

function leave() {
  at('keys').open = false;
  document.activeElement.blur();
  came?.focus();
}

/** deeds: by the names in USUAL. digit(number, keep): a number key, with Shift or without. */
export function listen(deeds, digit) {
  addEventListener('keydown', event => {
    const { target, key, code } = event;
    if (key === 'Escape' && target.closest('#keys')) leave();
    if (event.repeat || event.isComposing || event.ctrlKey || event.altKey || event.metaKey || !setting('keys')) return;
    if (target.closest('input, textarea, select, [contenteditable]')) return;
    const number = /^(Digit|Numpad)([1-6])$/.exec(code), deed = deedOf(key.toLowerCase());
    if (number && (number[1] === 'Digit' || key === number[2])) digit(Number(number[2]), event.shiftKey);
    else if (deed && (key !== ' ' || !target.closest('button, a, summary'))) deeds[deed]();
    else return;
    event.preventDefault();
  });
  addEventListener('change', ({ target }) => {
    if (NAMES.includes(target.name) && target.closest('#keys')) choose(target.name, target[side(target)]);
  });
  addEventListener('input', ({ target, data }) => {
    if (target.dataset.keyFor) change(target, (data ?? '').slice(-1).toLowerCase());
  });
  addEventListener('focusin', ({ target }) => target.dataset.keyFor && target.select());
  show();
}
