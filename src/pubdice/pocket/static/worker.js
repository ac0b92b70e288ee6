/** The engine's worker: CPython in WebAssembly with the house in it. Answers what the service worker passes on. */
import { closePool, keptFileSystem, openPool } from './kept_files.js';
import { openInterpreter } from './interpreter.js';
import { romMix } from './rom_mix.js';

const FOLDER = '/pocket', POOL = 'pubdice', FULL_EVERY_MS = 30_000;
const told = (stage, more) => postMessage({ stage, ...more });

let pool, toldFull = -FULL_EVERY_MS;

/** The files of this device; null where it keeps none, which the page is told. Rejects if another tab has them open. */
async function kept(keeps) {
  try {
    return keeps ? await openPool(POOL) : null;
  } catch (error) {
    if (error.name === 'NoModificationAllowedError') throw error;
    postMessage({ kept: false });
    return null;
  }
}

/** No room is left on the device: what is answered is stored, and nothing more is until there is room. */
function full() {
  if (performance.now() < toldFull + FULL_EVERY_MS) return;
  toldFull = performance.now();
  postMessage({ full: true });
}

/** Opens the house. start: the version of the folder of files; keeps: whether there is storage; prefix, origin: where it is. */
async function begin({ start: version, keeps, prefix, origin }) {
  told('files');
  const [files, zip] = await Promise.all([
    kept(keeps),
    fetch(new URL('./house.zip', import.meta.url)).then(answer => answer.arrayBuffer()),
  ]);
  pool = files;
  const { python, opened } = await openInterpreter(version, zip, told);
  python.FS.mkdirTree(FOLDER);
  if (files) python.FS.mount(keptFileSystem(python.FS, files, full), {}, FOLDER);
  told('house');
  const engine = await python.pyimport('pubdice.pocket.browser.js_engine').open_engine(FOLDER, prefix, origin, romMix);
  told('ready');
  opened(); // nobody waits for it
  return engine;
}

/** Writes what waits, and lets another tab open the files. */
async function end() {
  await (await engine).end();
  if (pool) closePool(pool);
  postMessage({ ended: true });
}

/** One request, from the service worker through a port of its own: its answer's head, then its parts. */
async function answer(engine, asked, port) {
  const begin = (status, headers) => port.postMessage({ status, headers });
  const part = (bytes, more) => port.postMessage({ part: bytes, more });
  const task = engine.answer(asked, begin, part), cancel = task.cancel.copy(); // awaiting a task destroys its proxy
  port.onmessage = () => cancel();
  try {
    await task;
  } catch (error) {
    port.postMessage({ failed: String(error) });
  }
  port.onmessage = null;
  port.close();
  cancel.destroy();
}

/** Everything as one file, or a file read back: {saved, name}, {restored: true}, or {refused}: a sentence that says why. */
async function files({ save, restore }) {
  const python = await engine, tag = navigator.language;
  if (save) {
    const saved = python.save(tag);
    return typeof saved === 'string' ? { refused: saved } : { saved, name: `pubdice-${new Date().toISOString().slice(0, 10)}.zip` };
  }
  const refused = await python.restore(new Uint8Array(restore), tag);
  return refused ? { refused } : { restored: true };
}

let engine;
onmessage = async ({ data, ports }) => {
  if (data.start) {
    engine = begin(data);
    engine.catch(error => told('failed', { why: String(error) }));
  } else if (data.end) await end();
  else if (data.save || data.restore) postMessage(await files(data));
  else await answer(await engine, data, ports[0]);
};
