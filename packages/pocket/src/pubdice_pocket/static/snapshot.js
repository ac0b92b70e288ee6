/**
 * A snapshot of the interpreter's memory after all imports. Later starts begin with it. It lies in the origin private
 * file system, one file for a version of the folder. Its first bytes are written last.
 */
import { MEMORY } from './places.js';

const MOST_TRIES = 3; // a device without enough memory for it is left alone after that
const HEAD = 32;
const MARK = 'pubdice memory 2';
const PRIME = 0x01000193; // HEAD: the bytes of the mark and the checksum

/**
 * A checksum of whole words (32-bit FNV-1a), against a faulty disk: damaged memory may not crash, but do anything.
 * @param {Uint8Array} bytes
 */
function sum(bytes) {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  let found = 0x811c9dc5;
  // 17 ms for 40 MB, SHA-256 takes 70
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
   * True if something may be tried, and counts a try. A try that ends with a closed tab counts, too. A success resets
   * the count.
   * @param {'make' | 'start'} what
   */
  async mayTry(what) {
    let tries = 0;
    for await (const name of this.folder.keys()) tries += name.startsWith(`${this.version}.${what}`) ? 1 : 0;
    if (tries < MOST_TRIES) await this.folder.getFileHandle(`${this.version}.${what}${tries}`, { create: true });
    return tries < MOST_TRIES;
  }

  /** Its file; null if there is none. */
  find() {
    return this.folder.getFileHandle(this.name).catch(() => null);
  }

  /**
   * The bytes of its file. Rejects if starts with it do not complete, or if the checksum is wrong.
   * @param {FileSystemFileHandle} kept
   */
  async read(kept) {
    if (!(await this.mayTry('start'))) throw new Error('Starts did not come to an end');
    const handle = await kept.createSyncAccessHandle(); // a blob would come in parts from another process
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

  /** Deletes the counts of tries, as Python has started with it. */
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
