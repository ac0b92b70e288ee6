/** The settings of the keys: a new key for an action, and the way to the settings and back. */
import { choose, deedOf, setting } from './keys.js';
import { at, say, word } from './speech.js';

/**
 * The element that had the focus before the keys' settings.
 * @type {PageElement}
 */
let came;

/**
 * Sets a field's key, or none. Refuses a key that is taken.
 * @param {PageElement} field
 * @param {string} key
 */
export function change(field, key) {
  const deed = field.dataset.keyFor;
  const taken = /\d/.test(key) || (deedOf(key) || deed) !== deed;
  say([word(taken ? 'key_taken' : 'key_set')], taken);
  choose('map', taken ? setting('map') : { ...setting('map'), [deed]: key });
  // This module may load late: by now the player may be in another field.
  if (field === document.activeElement) field.select();
}

/** Opens #keys and the sections around it, and moves the focus there. `leave` moves it back. */
export function help() {
  came = document.activeElement;
  for (let node = at('keys'); node; node = node.parentElement.closest('details')) node.open = true;
  at('keys').querySelector('summary').focus();
}

/** Closes the settings, and moves the focus back. */
export function leave() {
  for (let node = at('keys'); node; node = node.parentElement.closest('details')) node.open = false;
  /** @type {PageElement} */
  const held = document.activeElement;
  held.blur();
  came?.focus();
  came = null;
  // the element is gone, or lies in the closed menu
  if (document.activeElement === document.body) at('menu')?.querySelector('summary').focus();
}
