/** What each key does here, as ? tells it: by the page's own settings, and in the words of its game. */
import { nameOf, setting } from './keys.js';
import { all, at, say, word } from './speech.js';

/** @param {string} text */
const first = text => text.replace(/\. .*$/s, '.');

/** @param {PageElement} field */
function told(field) {
  const key = nameOf(field.dataset.keyFor);
  const choice = field.dataset.does || field.labels[0].textContent.replace(/ \(.*\)$/, '');
  return key && word('way', { name: key, choice });
}

/** Says all keys; or that they are switched off. */
export function tell() {
  const digits = at('digits');
  const numbers = digits
    ? word('way', { name: digits.labels[0].textContent, choice: digits.selectedOptions[0].textContent })
    : first(at('keys-numbers').textContent);
  say(setting('keys') ? [...all('[data-key-for]').map(told), numbers] : [word('keys_off')]);
}
