/**
 * Keys: which does what, changing them, and the page that lists them (#keys). Knows no table: deeds are handed in. None is
 * taken from somebody who types, from a combination, or from a control that needs it itself.
 */
import { choose, setting } from './settings.js';
import { at, say, word } from './speech.js';

const USUAL = { roll: 'r', bank: 'b', main: ' ', hand: 'h', scores: 's', beat: 't', whose: 'w', last: 'l', help: '?' };
const keys = () => ({ ...USUAL, ...setting('map') });
const deedOf = key => key && Object.entries(keys()).find(([, its]) => its === key)?.[0];
let came;

function show() {
  for (const field of document.querySelectorAll('[data-key-for]')) field.value = keys()[field.dataset.keyFor].toUpperCase();
}

/** Sets a field's key, or switches it off with none; one that is taken is refused, in words. */
function change(field, key) {
  const deed = field.dataset.keyFor, taken = /\d/.test(key) || (deedOf(key) ?? deed) !== deed;
  if (key && taken) say([word('key_taken')], true);
  else {
    choose('map', { ...setting('map'), [deed]: key });
    say([word('key_set')]);
  }
  show();
  field.select();
}

/** Opens the page of keys; the focus goes in, and comes back from there. */
export function help() {
  const page = at('keys');
  came = document.activeElement;
  if (page.showModal) page.showModal();
  else {
    page.open = true;
    page.querySelector('summary').focus();
  }
}

function leave(page) {
  page.open = false;
  document.activeElement.blur();
  came?.focus();
}

/** deeds: by the names in USUAL. digit(number, keep): a number key, with Shift or without. */
export function listen(deeds, digit) {
  addEventListener('keydown', event => {
    const { target, key, code } = event, page = at('keys');
    if (key === 'Escape' && page.open && page.contains(target) && !page.showModal) leave(page);
    if (event.repeat || event.isComposing || event.ctrlKey || event.altKey || event.metaKey || setting('keys') === false) return;
    if (target.closest('input, textarea, select, [contenteditable], dialog')) return;
    const number = /^(Digit|Numpad)([1-6])$/.exec(code), deed = deedOf(key.toLowerCase());
    if (number && (number[1] === 'Digit' || key === number[2])) digit(Number(number[2]), event.shiftKey);
    else if (deed && (key !== ' ' || !target.closest('button, a, summary'))) deeds[deed]();
    else return;
    event.preventDefault();
  });
  addEventListener('input', ({ target, data }) => {
    if (target.dataset.keyFor) change(target, (data ?? '').slice(-1).toLowerCase());
  });
  addEventListener('focusin', ({ target }) => target.dataset.keyFor && target.select());
  show();
}
