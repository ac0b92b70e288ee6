/**
 * Small texts that this browser keeps by name. They lie in local storage, which is read at once, and in IndexedDB too:
 * a browser writes local storage to the disk seconds or minutes later, and if it is killed before, they are gone there.
 */
import { HOME } from './places.js';

const DATABASE = `pubdice notes ${HOME}`;
/** How many texts were kept, as local storage knows it: of those in IndexedDB with a higher number it knows nothing. */
const ORDER = `pubdice order ${HOME}`;
/** A browser whose database does not answer opens the house without it. */
const MOST_MS = 1000;

/**
 * @param {IDBTransactionMode} mode
 * @returns {Promise<IDBObjectStore>}
 */
const notes = mode =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('notes');
    opening.onerror = reject;
    opening.onsuccess = () => {
      resolve(opening.result.transaction('notes', mode).objectStore('notes'));
      opening.result.close(); // once that is done
    };
  });

const order = () => Number(localStorage.getItem(ORDER));

/**
 * Keeps a text. Raises what local storage raises.
 * @param {string} name
 * @param {string} text
 */
export function keepNote(name, text) {
  if (localStorage.getItem(name) === text) return;
  const number = order() + 1;
  localStorage.setItem(name, text);
  localStorage.setItem(ORDER, `${number}`);
  notes('readwrite')
    .then(store => store.put({ name, text, number }, name))
    .catch(() => {}); // it lies in local storage alone
}

/** @returns {Promise<{name: string, text: string, number: number}[]>} */
async function all() {
  const asked = (await notes('readonly')).getAll();
  await new Promise((resolve, reject) => Object.assign(asked, { onsuccess: resolve, onerror: reject }));
  return asked.result;
}

/** Puts back what local storage has lost. */
export async function findNotes() {
  try {
    /** @type {Awaited<ReturnType<typeof all>>} */
    const found = await Promise.race([all(), new Promise(later => setTimeout(later, MOST_MS, []))]);
    const lost = found.filter(({ number }) => number > order()).sort((one, other) => one.number - other.number);
    for (const { name, text, number } of lost) {
      localStorage.setItem(name, text);
      localStorage.setItem(ORDER, `${number}`);
    }
  } catch {
    // a browser that keeps nothing
  }
}
