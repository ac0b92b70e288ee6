/**
 * A snapshot of the interpreter's memory after all imports, with which later starts begin. It lies in the origin
 * private file system, one file for each version of the folder. The head (its first bytes) is written last, so an
 * incomplete file has none.
 */
import { MEMORY } from './places.js';

const MOST_TRIES = 3; // then no more, as the device may lack the memory for it
const HEAD = 32;
const MARK = 'pubdice memory 2';
const PRIME = 0x01000193; // HEAD is the number of bytes of the mark and the checksum

/**
 * Returns a checksum of the 32-bit words (FNV-1a), against a faulty disk. With damaged memory Python might go on, and
 * compute anything.
 * @param {Uint8Array} bytes
 */
function sum(bytes) {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  let found = 0x811c9dc5;
  // 17 ms for 40 MB; SHA-256 would take 70 ms
  for (let at = 0; at < words.length; at++) found = Math.imul(found ^ words[at], PRIME);
  return (found >>> 0).toString(16).padStart(8, '0');
}

/** @param {Uint8Array} bytes */
const headOf = bytes => MARK + sum(bytes);

/** The snapshot of one version. */
export class Snapshot {
  /**
   * @param {FileSystemDirectoryHandle} folder
   * @param {string} version
   */
  constructor(folder, version) {
    this.folder = folder;
    this.version = version;
    this.name = `${version}.memory`;
  }

  /** @param {string} version */
  static async open(version) {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(MEMORY, { create: true });
    for await (const name of folder.keys())
      if (!name.startsWith(`${version}.`)) await folder.removeEntry(name).catch(() => {});
    return new Snapshot(folder, version);
  }

  /**
   * Counts a try to make the snapshot or to start with it. Resolves to false after too many tries. A try also counts
   * if the tab is closed meanwhile. A success resets the count.
   * @param {'make' | 'start'} what
   */
  async mayTry(what) {
    let tries = 0;
    for await (const name of this.folder.keys()) tries += name.startsWith(`${this.version}.${what}`) ? 1 : 0;
    if (tries < MOST_TRIES) await this.folder.getFileHandle(`${this.version}.${what}${tries}`, { create: true });
    return tries < MOST_TRIES;
  }

  /** Returns the snapshot's file; null if there is none. */
  find() {
    return this.folder.getFileHandle(this.name).catch(() => null);
  }

  /**
   * Returns the memory in its file. Rejects if earlier starts with it did not complete, or if the checksum is wrong.
   * @param {FileSystemFileHandle} kept
   */
  async read(kept) {
    if (!(await this.mayTry('start'))) throw new Error('Starts did not come to an end');
    const handle = await kept.createSyncAccessHandle(); // faster than a blob, which comes in parts from another process
    let bytes;
    try {
      bytes = new Uint8Array(handle.getSize());
      handle.read(bytes, { at: 0 });
    } finally {
      handle.close();
    }
    const memory = bytes.subarray(Math.min(HEAD, bytes.length));
    const head = headOf(memory);
    if (new TextDecoder().decode(bytes.subarray(0, head.length)) !== head) throw new Error('Damaged');
    return memory;
  }

  /** Resets the counts of tries, because Python has started with the snapshot. */
  async worked() {
    for await (const name of this.folder.keys())
      if (name !== this.name) await this.folder.removeEntry(name).catch(() => {});
  }

  async forget() {
    await this.folder.removeEntry(this.name).catch(() => {});
  }

  /** @param {Uint8Array} bytes */
  async write(bytes) {
    const handle = await (await this.folder.getFileHandle(this.name, { create: true })).createSyncAccessHandle();
    try {
      handle.truncate(0);
      if (handle.write(bytes, { at: HEAD }) < bytes.length) return handle.truncate(0);
      handle.flush();
      handle.write(new TextEncoder().encode(headOf(bytes)), { at: 0 });
      handle.flush();
    } finally {
      handle.close();
    }
  }
}
