/**
 * The names of this folder's storage in this browser. A host may have several folders, and they share its storage,
 * locks and channels. So every name contains the folder's path.
 */

/** The folder's path on its host, with a slash at its end. */
export const HOME = new URL('../', import.meta.url).pathname;
const NAME = encodeURIComponent(HOME); // for names of files and folders, as those can't contain a slash

/**
 * Returns an address in this folder, without its host, as the browser reads it; '' for an address elsewhere. Browsers
 * drop tabs and line breaks, take \\ for / and resolve dots. So "/<tab>/elsewhere" and "/\\elsewhere" are other hosts.
 * @param {string} text
 * @param {string} home
 */
export function ownPath(text, home = new URL('../', import.meta.url).href) {
  try {
    const [{ origin, pathname, search, hash }, own] = [new URL(text, home), new URL(home)];
    // "/.//elsewhere" keeps two slashes, and they begin the address of another host
    const isOwn = origin === own.origin && pathname.startsWith(own.pathname) && !pathname.startsWith('//');
    return isOwn ? `${pathname}${search}${hash}` : '';
  } catch {
    return '';
  }
}

/** The folder of tables, evening, book, seals and cookies, in the origin private file system. */
export const FILES = `pubdice files ${NAME}`;
/** The folder of snapshots of the interpreter's memory, in the origin private file system. */
export const MEMORY = `pubdice memory ${NAME}`;
/** The lock of the tab that plays, and the channel on which tabs ask for it. */
export const LOCK = `pubdice engine ${HOME}`,
  CHANNEL = `pubdice shell ${HOME}`;

/**
 * @template T
 * @param {IDBRequest<T>} asked
 * @returns {Promise<T>}
 */
export const done = asked =>
  new Promise((resolve, reject) => Object.assign(asked, { onsuccess: () => resolve(asked.result), onerror: reject }));

/**
 * Opens a database of this folder, in IndexedDB.
 * @param {string} name
 * @param {(made: IDBDatabase) => unknown} make creates the stores of a new database
 */
export async function database(name, make) {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => make(opening.result);
  return done(opening);
}
