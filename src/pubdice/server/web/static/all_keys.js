/**
 * Keys that few people press: undo, chances, and help for all keys, in the words of the game. The settings of the keys
 * belong to it.
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

/** Says all keys, or that they are switched off. */
function tell() {
  const digits = at('digits');
  const numbers = digits
    ? word('way', { name: digits.labels[0].textContent, choice: digits.selectedOptions[0].textContent })
    : first(at('keys-numbers').textContent);
  say(setting('keys') ? [...all('[data-key-for]').map(told), numbers] : [word('keys_off')]);
}

/** The number of the event at which the open moves were last told. */
let toldAt = -1;

/** Tells the open moves. The second time, or without an open move, tells all keys, and goes to their settings. */
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

/** Tells all players' chances, at a table that shows them. */
export async function tellChances() {
  if (at('chances')) (await import('./chances.js')).tell();
}

/** Frees the chosen dice, or takes back an entry. */
export function undo() {
  const button = [at('back'), at('unmark')].find(one => one && !one.hidden);
  if (button) button.click();
  if (button?.id === 'unmark' || ofMoves()?.untap()) say([word('tapped_none')]);
  else if (!button) say([word('no_undo')]);
  drawMain(state.mine);
}

/**
 * Says if details are open after a key has changed them: in browse mode a screen reader (Orca) does not. was: true if
 * they were open before the key.
 * @param {PageElement} details
 * @param {boolean} was
 */
export function tellOpen(details, was) {
  const name = details.querySelector('summary').textContent.trim();
  const told = () => say([word(details.open ? 'opened' : 'closed', { name })]);
  if (details.open === was) details.addEventListener('toggle', told, { once: true });
  else told();
}
