/**
 * Keys that few people press: undo, chances, and help for all keys, in the words of the game. The settings of the keys
 * belong to it.
 */
import { passing, state } from './here.js';
import { help } from './key_settings.js';
import { answers, keyFor, nameOf, setting } from './keys.js';
import { all, at, own, say, word } from './speech.js';
import { drawMain, ofMoves } from './view.js';

export { change, leave } from './key_settings.js';

/**
 * The first sentences of a text that has more.
 * @param {string} text
 * @param {number} most
 */
const first = (text, most) => `${text.split('. ', most).join('. ')}.`;

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
    : first(at('keys-numbers').textContent, all('#things .tile').length > 9 ? 2 : 1);
  say(setting('keys') ? [...all('[data-key-for]').map(told), numbers] : [word('keys_off')]);
}

/** The answers to a question, each after its key. In a field they are typed. */
function ways() {
  const buttons = answers();
  if (buttons.length && !keyFor('roll')) return [word('type_answer')];
  return buttons.map((button, nth) => word('way', { name: nth + 1, choice: button.textContent }));
}

/** Another player's question, and the ways to answer it. */
const asked = () => (state.view?.asked ? [own(state.view.asked), ...ways()] : []);

/** Says how to answer a question that has just been heard. */
export const tellAnswers = () => say(ways());

/** Says an open question, and whose turn it is. */
export function tellAsked() {
  if (state.view) say([...asked(), own(state.view.whose), passing(state.view)]);
}

/** The number of the event at which the open moves were last told. */
let toldAt = -1;

/** Tells the open moves. The second time, or without an open move, tells all keys, and goes to their settings. */
export function tellKeys() {
  const moves = [...asked(), ...(ofMoves()?.told() ?? [])];
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
  else if (!button) say(state.view?.asked ? asked() : [word('no_undo')]);
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
