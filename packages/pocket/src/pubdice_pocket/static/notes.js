/**
 * Small texts that this browser keeps by name. Local storage has them, as it is read synchronously, and IndexedDB too:
 * a browser writes local storage to the disk seconds or minutes later, and loses it if it is killed before.
 */
import { database, done, HOME } from './places.js';

const DATABASE = `pubdice notes ${HOME}`;
/** The number of texts kept, by local storage. A text in IndexedDB with a higher number is missing in local storage. */
const ORDER = `pubdice order ${HOME}`;
/** The time limit for IndexedDB. After it, the house opens without it. */
const MOST_MS = 5000;
/** The names of texts changed in this session. They are newer than any in IndexedDB. */
const changed = new Set();
/** The names of texts that are not in IndexedDB yet, or that it refused. */
const unwritten = new Set();

/** @param {IDBTransactionMode} mode */
async function notes(mode) {
  const opened = await database(DATABASE, made => made.createObjectStore('notes'));
  const store = opened.transaction('notes', mode, { durability: 'strict' }).objectStore('notes');
  opened.close(); // takes effect after the transaction
  return store;
}

const order = () => Number(localStorage.getItem(ORDER));

/** Restores the texts that local storage has lost. */
async function look() {
  const found = await done((await notes('readonly')).getAll());
  const lost = found.filter(({ number }) => number > order()).sort((one, other) => one.number - other.number);
  for (const { name, text, number } of lost) {
    if (!changed.has(name)) localStorage.setItem(name, text);
    localStorage.setItem(ORDER, `${number}`);
  }
}

const looked = look().catch(() => {}); // fails in a browser that stores nothing

/** Waits until local storage has its lost texts back. */
export const findNotes = () => Promise.race([looked, new Promise(later => setTimeout(later, MOST_MS))]);

/**
 * Keeps a text. Throws the errors of local storage.
 * @param {string} name
 * @param {string} text
 */
export function keepNote(name, text) {
  if (localStorage.getItem(name) === text && !unwritten.has(name)) return;
  changed.add(name);
  unwritten.add(name);
  localStorage.setItem(name, text);
  write(name, text).catch(() => {}); // local storage has it in any case
}

/**
 * @param {string} name
 * @param {string} text
 */
async function write(name, text) {
  await looked; // so the number is higher than all restored ones
  const number = order() + 1;
  localStorage.setItem(ORDER, `${number}`);
  await done((await notes('readwrite')).put({ name, text, number }, name));
  if (localStorage.getItem(name) === text) unwritten.delete(name);
}
