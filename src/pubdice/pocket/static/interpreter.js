/**
 * CPython in WebAssembly, begun quickly. What takes long is to import: so the first start keeps the memory of an
 * interpreter that has imported all that is plain Python, and later starts begin with it.
 *
 * The snapshot is a private part of Pyodide, so it has to match the engine's build to the byte (Pyodide checks that), and
 * nothing depends on it: without one, or with one that does not work, Python starts as it always does.
 */
import { loadPyodide } from './engine/pyodide.mjs';
import createModule from './engine/pyodide.asm.mjs';
import { MEMORY } from './places.js';

const ENGINE = new URL('./engine/', import.meta.url).href, PACKAGES = '/house';
const IMPORTS = 'from pubdice.pocket.browser.plain_python import prepare; prepare()';
const HEAD = 32, MARK = 'pubdice memory 2', PRIME = 0x01000193; // HEAD: bytes, of the mark and a sum
const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];

/** The files of a zip that is not compressed: pairs of path and bytes, which are not copied. */
export function* stored(zip) {
  const view = new DataView(zip), text = new TextDecoder();
  let end = zip.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error('house.zip is cut off');
  for (let left = view.getUint16(end + 10, true), at = view.getUint32(end + 16, true); left--;) {
    if (view.getUint32(at, true) !== CENTRAL || view.getUint16(at + 10, true)) throw new Error('house.zip is damaged');
    const [size, name, extra, comment] = [view.getUint32(at + 24, true), ...[28, 30, 32].map(one => view.getUint16(at + one, true))];
    const header = view.getUint32(at + 42, true), path = text.decode(new Uint8Array(zip, at + 46, name));
    if (view.getUint32(header, true) !== LOCAL) throw new Error('house.zip is damaged');
    const begin = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    if (!path.endsWith('/')) yield [path, new Uint8Array(zip, begin, size)];
    at += 46 + name + extra + comment;
  }
}

/** Puts pubdice and its libraries where Python imports from. */
function unpack({ FS }, zip) {
  const made = new Set();
  for (const [path, bytes] of stored(zip)) {
    const folder = `${PACKAGES}/${path.slice(0, path.lastIndexOf('/') + 1)}`;
    if (!made.has(folder)) FS.mkdirTree(folder);
    made.add(folder);
    FS.writeFile(`${PACKAGES}/${path}`, bytes, { canOwn: true });
  }
}

/** A sum of whole words (32-bit FNV-1a), against what a disk spoils: damaged memory need not crash, it may do anything. */
function sum(bytes) {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  let found = 0x811c9dc5;
  for (let at = 0; at < words.length; at++) found = Math.imul(found ^ words[at], PRIME); // 17 ms for 40 MB; SHA-256 takes 70
  return (found >>> 0).toString(16).padStart(8, '0');
}

const headOf = bytes => MARK + sum(bytes);

/** The snapshot of one version of the folder, in a file whose first bytes are written last. */
class Snapshot {
  static async open(version) {
    const root = await navigator.storage.getDirectory(), folder = await root.getDirectoryHandle(MEMORY, { create: true });
    for await (const name of folder.keys()) if (!name.startsWith(`${version}.`)) await folder.removeEntry(name).catch(() => {});
    return Object.assign(new Snapshot(), { folder, name: `${version}.memory`, trial: `${version}.trial` });
  }

  /** Its bytes; null without any, and after a start with it that never came to an end. */
  async read() {
    const found = name => this.folder.getFileHandle(name).catch(() => null);
    const kept = await found(this.name);
    if (!kept) return null;
    if (await found(this.trial)) return this.forget();
    await this.folder.getFileHandle(this.trial, { create: true });
    const bytes = new Uint8Array(await (await kept.getFile()).arrayBuffer());
    const memory = bytes.subarray(Math.min(HEAD, bytes.length)), head = headOf(memory);
    return new TextDecoder().decode(bytes.subarray(0, head.length)) === head ? memory : this.forget();
  }

  /** Python has started with it. */
  async worked() {
    await this.folder.removeEntry(this.trial).catch(() => {});
  }

  async forget() {
    for (const name of [this.name, this.trial]) await this.folder.removeEntry(name).catch(() => {});
    return null;
  }

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

/** An interpreter that can import pubdice, begun from a snapshot or not. */
async function begin(settings, zip) {
  const python = await loadPyodide({ indexURL: ENGINE, ...settings });
  unpack(python, zip);
  python.runPython(`import sys; sys.path.insert(0, '${PACKAGES}'); sys.dont_write_bytecode = True`);
  return python;
}

async function fromSnapshot(memory, zip) {
  const createPyodideModule = async settings => {
    const module = await createModule(settings);
    if (memory.length > module.HEAP8.length) module.growMemory(memory.length); // Pyodide takes any to fit into what it begins with
    return module;
  };
  const python = await begin({ _loadSnapshot: memory, createPyodideModule }, zip);
  python.runPython('import random; random.seed()'); // else each start would draw the same numbers
  return python;
}

/**
 * Python with pubdice. version: of the folder. zip: house.zip. told: called with the name of each step.
 * Returns it, and what to do when the house is open: to keep a snapshot for the next start, or say that this one worked.
 */
export async function openInterpreter(version, zip, told) {
  const snapshot = await Snapshot.open(version).catch(() => null), memory = (await snapshot?.read()) ?? null; // null: no storage
  if (memory) {
    try {
      return { python: await fromSnapshot(memory, zip), opened: () => snapshot.worked() };
    } catch (error) {
      console.warn('Start without the snapshot:', error);
      await snapshot.forget();
    }
  }
  told('interpreter');
  const python = await begin({ _makeSnapshot: !!snapshot }, zip);
  told('imports');
  python.runPython(IMPORTS);
  if (!snapshot) return { python, opened() {} };
  const made = python.makeMemorySnapshot();
  return { python, opened: () => snapshot.write(made).catch(error => console.warn('No snapshot is kept:', error)) };
}
