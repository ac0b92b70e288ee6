/**
 * Small texts that this browser keeps by name. They lie in local storage, which is read at once, and in IndexedDB too:
 * a browser writes local storage to the disk seconds or minutes later, and if it is killed before, they are gone there.
 */
import { database, done, HOME } from './places.js';

const DATABASE = `pubdice notes ${HOME}`;
/** How many texts were kept, as local storage knows it: of those in IndexedDB with a higher number it knows nothing. */
const ORDER = `pubdice order ${HOME}`;
/** A browser whose database does not answer opens the house without it. */
const MOST_MS = 5000;
/** Texts of this session: they are newer than any that IndexedDB has of before. */
const changed = new Set();
/** Those of them that are not in IndexedDB yet, or were refused there. */
const unwritten = new Set();

/** @param {IDBTransactionMode} mode */
async function notes(mode) {
  const opened = await database(DATABASE, made => made.createObjectStore('notes'));
  const store = opened.transaction('notes', mode, { durability: 'strict' }).objectStore('notes');
  opened.close(); // once that is done
  return store;
}

const order = () => Number(localStorage.getItem(ORDER));

/** Puts back what local storage has lost. */
async function look() {
  const found = await done((await notes('readonly')).getAll());
  const lost = found.filter(({ number }) => number > order()).sort((one, other) => one.number - other.number);
  for (const { name, text, number } of lost) {
    if (!changed.has(name)) localStorage.setItem(name, text);
    localStorage.setItem(ORDER, `${number}`);
  }
}

const looked = look().catch(() => {}); // a browser that keeps nothing

/** Waits until local storage has what it had lost. */
export const findNotes = () => Promise.race([looked, new Promise(later => setTimeout(later, MOST_MS))]);

/**
 * Keeps a text. Raises what local storage raises.
 * @param {string} name
 * @param {string} text
 */
export function keepNote(name, text) {
  if (localStorage.getItem(name) === text && !unwritten.has(name)) return;
  changed.add(name);
  unwritten.add(name);
  localStorage.setItem(name, text);
  write(name, text).catch(() => {}); // it lies in local storage alone
}

/**
 * @param {string} name
 * @param {string} text
 */
async function write(name, text) {
  await looked; // so that its number is the highest
  const number = order() + 1;
  localStorage.setItem(ORDER, `${number}`);
  await done((await notes('readwrite')).put({ name, text, number }, name));
  if (localStorage.getItem(name) === text) unwritten.delete(name);
}
