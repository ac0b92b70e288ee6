/**
 * The engine's worker: CPython in WebAssembly with the house in it. It answers the requests that the service worker
 * passes on.
 */

import { Front } from './front.js';
import { openInterpreter } from './interpreter.js';
import { closePool, keptFileSystem, openPool } from './kept_files.js';
import { FILES } from './places.js';
import { Turns } from './turns.js';

const FOLDER = '/pocket';
const FULL_EVERY_MS = 30_000;
const QUIET_MS = 2000;
const WAITS_MS = 30_000;
/**
 * @param {string} stage
 * @param {string} [why]
 */
const told = (stage, why) => postMessage({ stage, why });

/** @type {Awaited<ReturnType<typeof openPool>> | null} */
let pool;
/** @type {Front} */
let front;
let isThere = false;
let toldFull = -FULL_EVERY_MS;

/**
 * Opens the files of this device. Resolves to null, and tells the page, if the device stores none. Rejects if another
 * tab has the files open.
 * @param {boolean} keeps
 */
async function kept(keeps) {
  try {
    return keeps ? await openPool(FILES) : null;
  } catch (/** @type {any} */ error) {
    // reported, because an empty house would look as if all tables were lost
    if (error.isThere || !(error instanceof DOMException)) throw error;
    postMessage({ kept: false });
    return null;
  }
}

/** Tells the page that the device is full. All answered moves are stored, but no more moves until there is room. */
function full() {
  if (performance.now() < toldFull + FULL_EVERY_MS) return;
  toldFull = performance.now();
  postMessage({ full: true });
}

/**
 * Starts a worker that prepares a quick start for the next time. This is called after players had time to begin.
 * @param {string} version
 */
const keepSnapshot = version =>
  new Worker(new URL('./snapshot_worker.js', import.meta.url), { type: 'module' }).postMessage({ version });

/**
 * Opens the house.
 *
 * - start: the version of the folder of files
 * - keeps: true if there is storage
 * - prefix, origin: the folder's path and host
 * @param {{start: string, keeps: boolean, prefix: string, origin: string}} asked
 */
async function begin({ start: version, keeps, prefix, origin }) {
  told('files');
  const opened = kept(keeps);
  const begun = openInterpreter(version, opened, told);
  // if another tab has the files open, only that error is reported
  begun.catch(() => {});
  pool = await opened;
  front = new Front(pool ?? [], version, `${prefix}/`);
  if (front.shown) postMessage({ front: front.shown });
  const { python, snapshot, cold } = await begun;
  python.FS.mkdirTree(FOLDER);
  if (pool)
    python.FS.mount(
      keptFileSystem(python.FS, pool, full, () => front.writing()),
      {},
      FOLDER,
    );
  told('house');
  try {
    const engine = await python.pyimport('pubdice_pocket.browser.js_engine').open_engine(FOLDER, prefix, origin);
    // first, as the requests that wait are of one player, and this answer brings the cookie of their identity
    if (front.shown) await drawFront(engine);
    isThere = true;
    told('ready');
    // nothing waits for this
    snapshot?.worked();
    if (cold && pool) setTimeout(keepSnapshot, QUIET_MS, version);
    return engine;
  } catch (error) {
    // the snapshot's contents may be the cause
    await snapshot?.forget();
    throw error;
  }
}

/** Writes all pending data, and closes the files for another tab. */
async function end() {
  await (await engine).end();
  if (pool) closePool(pool);
  postMessage({ ended: true });
}

/**
 * Handles an error. An error of Python concerns only one request. After any other error the interpreter is dead, so the
 * page is told.
 * @param {any} error
 */
function failed(error) {
  if (error?.name !== 'PythonError') told('failed', String(error));
}
// Python's event loop runs in promises
addEventListener('unhandledrejection', ({ reason }) => failed(reason));

/**
 * A request from the service worker or a guest, with its own port for the answer. `end` is called if the answer is no
 * longer read.
 * @typedef {{asked: any, port: MessagePort, end: () => void}} Request
 */

/**
 * The requests of pages that are not answered yet. They are listed because no port reports it if the browser ends the
 * service worker that passed them on.
 * @type {Set<Request>}
 */
const ofPages = new Set();

/**
 * Sends the answer to one request: the head, then the parts of the body.
 * @param {any} engine
 * @param {Request} request
 * @param {() => void} [begun] called once the head is there
 */
async function answer(engine, request, begun) {
  const { asked, port } = request;
  const noted = front.noting(asked);
  /**
   * @param {number} status
   * @param {string[][]} headers
   */
  const begin = (status, headers) => {
    noted?.begin(status, headers);
    port.postMessage({ status, headers });
    begun?.();
  };
  /**
   * @param {Uint8Array} bytes
   * @param {number} more
   */
  const part = (bytes, more) => {
    noted?.part(bytes);
    port.postMessage({ part: bytes, more });
  };
  /** @type {any} */
  let cancel = null;
  try {
    const task = engine.answer({ near: false, guest: '', phone: '', ...asked }, begin, part);
    // awaiting a task destroys its proxy
    cancel = task.cancel.copy();
    request.end = () => cancel();
    await task;
    if (noted) front.keep(noted);
  } catch (error) {
    port.postMessage({ failed: String(error) });
    failed(error);
  }
  request.end = () => {};
  port.close();
  ofPages.delete(request);
  cancel?.destroy();
}

/**
 * Makes the engine draw the front page for the next start, unless it is kept already.
 * @param {any} engine
 */
async function drawFront(engine) {
  const { port1, port2 } = new MessageChannel();
  const asked = front.asks();
  if (asked) await answer(engine, { asked, port: port1, end() {} });
  port2.close();
}

/**
 * The forms that wait for the engine, by address.
 * @type {Map<string, MessagePort>}
 */
const sent = new Map();

/**
 * Hands a request to the engine. Resolves when its answer has begun, or failed.
 * @param {Request} request
 */
const begun = request =>
  new Promise(done => {
    engine.then(python => answer(python, request, () => done(true))).finally(() => done(false));
  });

const turns = new Turns(begun);

/**
 * Queues a request, which the engine answers in its turn.
 * @param {any} asked
 * @param {MessagePort} port
 */
async function request(asked, port) {
  const phone = asked.phone ?? '';
  let isGone = false;
  const request = {
    asked,
    port,
    end() {
      isGone = true;
      turns.drop(phone, request);
      ofPages.delete(request);
      port.close();
    },
  };
  port.onmessage = () => request.end();
  if (asked.ofPage) ofPages.add(request);
  if (!isThere) {
    // if a page sends a form twice, only the last is answered, as the browser waits for no other
    const isForm = asked.ofPage && asked.method === 'POST';
    if (isForm) sent.set(asked.target, port);
    // the service worker gives up on an answer after a long silence
    const waiting = setInterval(() => port.postMessage({ waits: true }), WAITS_MS);
    await engine.finally(() => clearInterval(waiting));
    if (isForm && sent.get(asked.target) !== port) {
      port.postMessage({ failed: 'sent again' });
      return request.end();
    }
  }
  if (!isGone && !turns.add(phone, request)) {
    port.postMessage({ failed: 'too many wait' });
    request.end();
  }
}

/**
 * Saves everything as one file, checks a file or reads it back: {saved, name, large}, {looked: {here, there}} in
 * tables, {restored: true}, or {refused}. `refused` is the reason as a sentence in the tag's language, "" if it is
 * unknown. With `goOn`, goes on with tables that this phone kept as a guest: {wentOn: their paths}.
 * @param {{save?: boolean, look?: ArrayBuffer, restore?: ArrayBuffer, goOn?: string, tag?: string}} asked
 */
async function files({ save, look, restore, goOn, tag = navigator.language }) {
  const python = await engine;
  if (goOn) return { wentOn: await python.go_on(goOn) };
  if (save) {
    const saved = python.save(tag);
    if (typeof saved === 'string') return { refused: saved };
    return { saved: saved[0], large: !saved[1], name: `pubdice-${new Date().toISOString().slice(0, 10)}.zip` };
  }
  if (look) {
    const looked = await python.look(new Uint8Array(look), tag);
    return typeof looked === 'string' ? { refused: looked } : { looked: { here: looked[0], there: looked[1] } };
  }
  const refused = await python.restore(new Uint8Array(restore ?? []), tag);
  return refused ? { refused } : { restored: true };
}

/** @type {Promise<any>} */
let engine;
self.onmessage = async ({ data, ports }) => {
  if (data.start) {
    engine = begin(data);
    engine.catch(error => told('failed', String(error)));
  } else if (data.end) await end();
  else if (data.save || data.look || data.restore || data.goOn) {
    postMessage(
      await files(data).catch(error => {
        failed(error);
        return { refused: '' };
      }),
    );
  } else if (data.unheard) {
    for (const each of [...ofPages]) each.end();
  } else if (data.keepFront) {
    await drawFront(await engine);
  } else await request(data, ports[0]);
};
