/**
 * Where this folder keeps what it keeps in this browser. A host may have several folders, and its storage, its locks and
 * its channels are one for all: so every name there has the folder's path in it.
 */

/** The folder's path on its host, with a slash at its end. */
export const HOME = new URL('../', import.meta.url).pathname;
const NAME = encodeURIComponent(HOME); // of a file or a folder, which may have no slash

/** The interpreter's memory, in the origin private file system. */
export const MEMORY = `pubdice memory ${NAME}`;
/** The lock of the tab that plays, and the channel on which tabs ask for it. */
export const LOCK = `pubdice engine ${HOME}`, CHANNEL = `pubdice shell ${HOME}`;

const OWN = `pubdice files ${NAME}`, EARLIER = 'pubdice', EARLIER_MEMORY = 'pubdice-start', KEEPS = 'pubdice keeps ';

/**
 * The name of the folder with this house's files. All folders of a host once shared one, EARLIER: it belongs to the
 * first that asks, which a file with that folder's name in its own says from then on. Rejects if storage is denied.
 */
export const filesPlace = () => navigator.locks.request('pubdice places', async () => {
  const root = await navigator.storage.getDirectory(), names = [];
  for await (const name of root.keys()) names.push(name);
  if (names.includes(EARLIER_MEMORY)) await root.removeEntry(EARLIER_MEMORY, { recursive: true }).catch(() => {});
  const mark = KEEPS + NAME, free = !names.includes(OWN) && !names.some(name => name.startsWith(KEEPS));
  if (!names.includes(EARLIER) || (!names.includes(mark) && !free)) return OWN;
  await root.getFileHandle(mark, { create: true });
  return EARLIER;
});
