/**
 * Where this folder keeps what it keeps in this browser. A host may have several folders, and its storage, its locks
 * and its channels are one for all: so every name there has the folder's path in it.
 */

/** The folder's path on its host, with a slash at its end. */
export const HOME = new URL('../', import.meta.url).pathname;
const NAME = encodeURIComponent(HOME); // of a file or a folder, which may have no slash

/**
 * An address in this folder, without its host, as the browser reads it; '' if it lies elsewhere. A browser drops tabs
 * and line breaks, takes \\ for / and resolves dots, so that "/<tab>/elsewhere" and "/\\elsewhere" are other hosts.
 * @param {string} text
 * @param {string} home
 */
export function ownPath(text, home = new URL('../', import.meta.url).href) {
  try {
    const [{ origin, pathname, search, hash }, own] = [new URL(text, home), new URL(home)];
    // of "/.//elsewhere" two slashes are left, which begin the address of another host
    const isOwn = origin === own.origin && pathname.startsWith(own.pathname) && !pathname.startsWith('//');
    return isOwn ? `${pathname}${search}${hash}` : '';
  } catch {
    return '';
  }
}

/** Tables, evening, book, seals and cookies, in the origin private file system. */
export const FILES = `pubdice files ${NAME}`;
/** The interpreter's memory, in the origin private file system. */
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
 * A database of this folder, in IndexedDB.
 * @param {string} name
 * @param {(made: IDBDatabase) => unknown} make what a new one has
 */
export async function database(name, make) {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => make(opening.result);
  return done(opening);
}
