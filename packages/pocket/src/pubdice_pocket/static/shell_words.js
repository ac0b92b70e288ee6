import { keepNote } from './notes.js';
import { HOME } from './places.js';

/**
 * Every sentence of the shell, by language. The shell needs them before the engine, with the house's catalogues, is
 * there. The build puts them here, from the "shell" of each words/CODE.json.
 * @type {Record<string, Record<string, string>>}
 */
const WORDS = {};
/** Languages whose script runs from right to left. */
const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur'];
const STORE = `pubdice shell ${HOME}`;
/** The name until version 0.8. All folders of the host shared it. */
const STORE_BEFORE = 'pubdice shell';

/**
 * Adds the sentences of a part of the shell that is loaded later.
 * @param {Record<string, Record<string, string>>} more
 */
export function learn(more) {
  for (const [tongue, words] of Object.entries(more)) Object.assign(WORDS[tongue], words);
}

/** Returns the shell's notes on this device: {lang, theme, said, guest}. Empty if the browser stores nothing. */
export function noted() {
  try {
    return { ...JSON.parse(localStorage.getItem(STORE) ?? localStorage.getItem(STORE_BEFORE) ?? '{}') };
  } catch {
    return {};
  }
}

/** @param {any} fact */
export function note(fact) {
  try {
    keepNote(STORE, JSON.stringify({ ...noted(), ...fact }));
  } catch {
    // then the note is lost
  }
}

/** @param {string | null | undefined} tag */
const codeOf = tag => Object.keys(WORDS).find(code => code === tag?.toLowerCase().split('-')[0]);
let code = codeOf(noted().lang) ?? navigator.languages.map(codeOf).find(Boolean) ?? 'en';

/**
 * Returns a sentence, with its values filled in.
 * @param {string} key
 * @param {Record<string, any>} [facts]
 */
export const say = (key, facts = {}) => WORDS[code][key].replace(/\{(\w+)\}/g, (_, name) => facts[name]);

/**
 * Returns a size in megabytes with one decimal, in the language's format.
 * @param {number} bytes
 */
export const megabytes = bytes =>
  (bytes / 1e6).toLocaleString(code, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * Puts a sentence into an element, and remembers its key for a change of language.
 * @param {PageElement} node
 * @param {string} key
 * @param {Record<string, unknown>} [facts]
 */
export function put(node, key, facts = {}) {
  if (key) Object.assign(node.dataset, { say: key, facts: JSON.stringify(facts) });
  else delete node.dataset.say;
  node.textContent = key && say(key, facts);
}

/**
 * Changes the language. A language that the shell lacks changes nothing.
 * @param {string} [tag]
 */
export function speak(tag) {
  code = codeOf(tag) ?? code;
  if (document.documentElement.lang === code && tag) return;
  document.documentElement.lang = code;
  document.documentElement.dir = RIGHT_TO_LEFT.includes(code) ? 'rtl' : '';
  for (const node of document.querySelectorAll('[data-say]'))
    put(node, node.dataset.say, JSON.parse(node.dataset.facts ?? '{}'));
  for (const node of document.querySelectorAll('[data-label]'))
    node.setAttribute('aria-label', say(node.dataset.label));
}
