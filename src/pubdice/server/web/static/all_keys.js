/**
 * What few people press: undo, chances, what each key does, by the page's settings and in its game's words. The keys'
 * settings come along.
 */
import { state } from './here.js';
import { help } from './key_settings.js';
import { nameOf, setting } from './keys.js';
import { all, at, say, word } from './speech.js';
import { drawMain, ofMoves } from './view.js';

export { change, leave } from './key_settings.js';

/** @param {string} text */
const first = text => text.replace(/\. .*$/s, '.');

/** @param {PageElement} field */
function told(field) {
  const key = nameOf(field.dataset.keyFor);
  const choice = field.dataset.does || field.labels[0].textContent.replace(/ \(.*\)$/, '');
  return key && word('way', { name: key, choice });
}

/** Says all keys; or that they are switched off. */
function tell() {
  const digits = at('digits');
  const numbers = digits
    ? word('way', { name: digits.labels[0].textContent, choice: digits.selectedOptions[0].textContent })
    : first(at('keys-numbers').textContent);
  say(setting('keys') ? [...all('[data-key-for]').map(told), numbers] : [word('keys_off')]);
}

/** The seq of the event at which the open moves were last told. */
let toldAt = -1;

/** Tells the moves that are open; the second time, or where none is, all the keys, and comes to their settings. */
export function tellKeys() {
  const moves = ofMoves()?.told() ?? [];
  if (moves.length && toldAt !== state.view?.seq) {
    toldAt = state.view?.seq ?? -1;
    say(moves);
    return;
  }
  help();
  tell();
}

/** Tells everybody's chances, at a table that shows them. */
export async function tellChances() {
  if (at('chances')) (await import('./chances.js')).tell();
}

/** Lets go of what is chosen, or takes back what was entered. */
export function undo() {
  const button = [at('back'), at('unmark')].find(one => one && !one.hidden);
  if (button) button.click();
  if (button?.id === 'unmark' || ofMoves()?.untap()) say([word('tapped_none')]);
  else if (!button) say([word('no_undo')]);
  drawMain(state.mine);
}

/**
 * Says whether details are open once a key has changed that: in browse mode a screen reader (Orca) does not. was: how
 * they were as the key was pressed.
 * @param {PageElement} details
 * @param {boolean} was
 */
export function tellOpen(details, was) {
  const name = details.querySelector('summary').textContent.trim();
  const told = () => say([word(details.open ? 'opened' : 'closed', { name })]);
  if (details.open === was) details.addEventListener('toggle', told, { once: true });
  else told();
}
