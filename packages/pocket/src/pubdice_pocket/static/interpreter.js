/**
 * CPython in WebAssembly, started quickly. Imports take the longest. So a worker (snapshot_worker.js) stores the memory
 * of an interpreter that has imported everything, and later starts load it.
 *
 * The snapshot is a private feature of Pyodide. It must match the engine's build to the byte, and Pyodide checks that.
 * Without a snapshot, or with one that fails, Python starts in the usual way.
 *
 * A snapshot holds a compiled library's data, and not its code. So the libraries are loaded before Python starts
 * (Emscripten's dynamicLibraries). Each gets the same address at every start, and finds its data there.
 */

import createModule from './engine/pyodide.asm.mjs';
import { loadPyodide } from './engine/pyodide.mjs';
import { withDataSync } from './kept_files.js';
import { LIBRARIES } from './libraries.js';
import { Snapshot } from './snapshot.js';

const ENGINE = new URL('./engine/', import.meta.url).href;
const PACKAGES = '/house';
const WARM_UP = 'from pubdice_pocket.browser.warm_up import warm_up; await warm_up()';
const instantiate = WebAssembly.instantiateStreaming?.bind(WebAssembly);
const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];

/**
 * Yields the files of an uncompressed zip as pairs of path and bytes. The bytes are not copied.
 * @param {ArrayBuffer} zip
 * @returns {Generator<[string, Uint8Array]>}
 */
export function* stored(zip) {
  const view = new DataView(zip);
  const text = new TextDecoder();
  let end = zip.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error('An archive is cut off');
  for (let left = view.getUint16(end + 10, true), at = view.getUint32(end + 16, true); left--; ) {
    if (view.getUint32(at, true) !== CENTRAL || view.getUint16(at + 10, true)) throw new Error('An archive is damaged');
    const [size, name, extra, comment] = [
      view.getUint32(at + 24, true),
      ...[28, 30, 32].map(one => view.getUint16(at + one, true)),
    ];
    const header = view.getUint32(at + 42, true);
    const path = text.decode(new Uint8Array(zip, at + 46, name));
    if (view.getUint32(header, true) !== LOCAL) throw new Error('An archive is damaged');
    const begin = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    if (!path.endsWith('/')) yield [path, new Uint8Array(zip, begin, size)];
    at += 46 + name + extra + comment;
  }
}

/**
 * Puts an archive's files where Python imports from. Creates the nodes itself, as FS.writeFile is slow.
 * @param {any} python
 * @param {ArrayBuffer} zip
 */
function unpack({ FS }, zip) {
  /** @type {Map<string, any>} */
  const folders = new Map();
  for (const [path, bytes] of stored(zip)) {
    const at = path.lastIndexOf('/') + 1;
    const name = `${PACKAGES}/${path.slice(0, at)}`;
    if (!folders.has(name)) {
      FS.mkdirTree(name);
      folders.set(name, FS.lookupPath(name).node);
    }
    const folder = folders.get(name);
    Object.assign(folder.node_ops.mknod(folder, path.slice(at), 0o100644, 0), {
      contents: bytes,
      usedBytes: bytes.length,
    });
  }
}

/** @param {string | URL} name */
async function file(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`fetch ${name}`);
  return answer.arrayBuffer();
}

/** Pubdice and its libraries, in an uncompressed zip. */
const HOUSE = new URL('./house.zip', import.meta.url);
/** @param {string} library */
const fileOf = library => new URL(library.slice(library.lastIndexOf('/') + 1), ENGINE).href;

/**
 * Makes the engine's WebAssembly module, with the libraries loaded.
 * @param {any} settings
 */
function withLibraries(settings) {
  const places = LIBRARIES.map(path => `${PACKAGES}/${path}`);
  const { locateFile } = settings;
  return createModule({
    ...withDataSync(settings),
    dynamicLibraries: places,
    /**
     * @param {string} name
     * @param {string} folder
     */
    locateFile: (name, folder) => (places.includes(name) ? fileOf(name) : locateFile(name, folder)),
  });
}

/**
 * Starts an interpreter that can import pubdice. Its first request is for the WebAssembly, which takes the longest, and
 * compiles while it loads.
 * @param {Record<string, any>} [how] settings of Pyodide
 */
async function begin({ createPyodideModule = withLibraries, ...settings } = {}) {
  /** @type {any} */
  let asked;
  const others = new Promise(done => {
    asked = done;
  }).then(() => Promise.all([file(HOUSE), ...LIBRARIES.map(path => file(fileOf(path)))]));
  const refused = new Promise((_, refuse) => {
    // if WebAssembly does not come, Pyodide tells only the console, and waits forever
    WebAssembly.instantiateStreaming = (...given) =>
      instantiate(...given).catch(error => {
        refuse(error);
        throw error;
      });
  });
  const loaded = loadPyodide({
    indexURL: ENGINE,
    /** @param {any} given */
    createPyodideModule(given) {
      asked();
      return createPyodideModule(given);
    },
    ...settings,
  });
  const engine = Promise.race([loaded, refused]);
  engine.catch(asked);
  const [python, [zip, ...libraries]] = await Promise.all([engine, others]);
  unpack(python, zip);
  for (const [at, path] of LIBRARIES.entries()) {
    python.FS.writeFile(`${PACKAGES}/${path}`, new Uint8Array(libraries[at]));
  }
  return python;
}

/** @param {any} python */
const importing = python => {
  python.runPython(`import sys; sys.path.insert(0, '${PACKAGES}'); sys.dont_write_bytecode = True`);
  return python;
};

/** @param {any} memory a promise of the snapshot's bytes, as the engine's files come meanwhile */
async function fromSnapshot(memory) {
  memory.catch(() => {}); // a failure is reported below, by the await
  /** @param {any} settings */
  const createPyodideModule = async settings => {
    const module = await withLibraries(settings);
    const { length } = await memory;
    // Pyodide assumes that any snapshot fits into its initial memory
    if (length > module.HEAP8.length) module.growMemory(length);
    return module;
  };
  const python = await begin({ _loadSnapshot: memory, createPyodideModule });
  python.runPython('import random; random.seed()'); // else each start from the snapshot would draw the same numbers
  return python;
}

/**
 * Stores a snapshot for later starts. This takes longer than a start without a snapshot.
 * @param {string} version the folder's version
 */
export async function keepSnapshot(version) {
  const snapshot = await Snapshot.open(version);
  if (!(await snapshot.mayTry('make'))) return;
  const python = importing(await begin({ _makeSnapshot: true }));
  await python.runPythonAsync(WARM_UP);
  await snapshot.write(python.makeMemorySnapshot());
}

/**
 * Starts Python with pubdice, from a snapshot if there is one. Resolves to Python and the snapshot. `cold` is true if
 * Python started without one, and one can be made.
 * @param {string} version the folder's version
 * @param {Promise<unknown>} mayTry resolves when this page has the house's files: a start that ends earlier does not
 *   count as a try of the snapshot
 * @param {(step: string) => void} told called with the name of each step
 */
export async function openInterpreter(version, mayTry, told) {
  const snapshot = await Snapshot.open(version).catch(() => null);
  const kept = await snapshot?.find(); // undefined without storage, null without a file
  if (kept) {
    try {
      return { python: await fromSnapshot(mayTry.then(() => snapshot?.read(kept))), snapshot };
    } catch (error) {
      await mayTry;
      console.warn('Start without the snapshot:', error);
      await snapshot?.forget();
    }
  }
  const python = begin();
  python.catch(() => {}); // a failure is reported below
  await mayTry;
  told('interpreter');
  importing(await python);
  told('imports');
  return { python: await python, cold: !!snapshot };
}
