/** What stands behind the page: the engine, in one tab of this browser, and the service worker with its version. */
import { CHANNEL, LOCK } from './places.js';
import { installing, resume, tell } from './shell_page.js';

// The engine: one worker, in the one tab of this browser that holds its lock (Web Locks, BroadcastChannel).

const LEAVING_MS = 700;
const TAKING_MS = 8000;
const ENDING_MS = 4000;
const TAKEN_MS = 3000;
const QUIET_MS = 45_000;
const MOST_TRIES = 4;
const AGAIN_MS = 300;
/** How the browser says that files are still open in a page that is just being closed. */
const HELD = /NoModificationAllowed|access handle/i;

const channel = globalThis.BroadcastChannel && new BroadcastChannel(CHANNEL);

/**
 * Holds the lock until `release` is called; resolves to null if another tab has it. within_ms: how long to wait for it,
 * as a page that is reloaded may still have it. steal: take it in any case. lost: called if another tab does so.
 * @param {() => void} lost
 * @param {{within_ms?: number, steal?: boolean}} [how]
 */
export function hold(lost, { within_ms = LEAVING_MS, steal = false } = {}) {
  if (!navigator.locks) return Promise.resolve({ release() {} });
  return new Promise(resolve => {
    let isHeld = false;
    const until = steal ? { steal } : { signal: AbortSignal.timeout(within_ms) };
    /** @type {() => Promise<void>} */
    const free = () =>
      new Promise(release => {
        isHeld = true;
        resolve({ release });
      });
    navigator.locks.request(LOCK, until, free).catch(() => (isHeld ? lost() : resolve(null)));
  });
}

/**
 * Asks the tab that has the engine to end it, and takes the lock, in the end without its leave: it may be asleep.
 * @param {() => void} lost
 */
export async function take(lost) {
  channel?.postMessage({ take: true });
  return (await hold(lost, { within_ms: TAKING_MS })) ?? hold(lost, { steal: true });
}

/**
 * Calls `end` when another tab asks for the engine.
 * @param {() => unknown} end
 */
export const whenAsked = end => channel?.addEventListener('message', ({ data }) => data?.take && end());

/** The start of the service worker that has the engine's port. */
let servedStart = '';

/**
 * Lets a service worker pass requests on: through a port, which it gets. Resolves once it has it: until then it would
 * wait for the engine of a tab that is closed. It answers messages in their order.
 * @param {ServiceWorker | null} serviceWorker
 * @param {(asked: any, port: MessagePort) => void} ask takes a request, and a port for the answer
 * @param {string} [first] the language that is asked for before the browser's own
 */
export function serveBy(serviceWorker, ask, first) {
  const passed = new MessageChannel();
  const taken = new MessageChannel();
  passed.port1.onmessage = ({ data, ports }) => {
    // Chromium adds it after the service worker
    const others = data.headers.filter((/** @type {string[]} */ [name]) => name !== 'accept-language');
    const tongues = [first, ...navigator.languages].filter(Boolean).join();
    ask({ ...data, headers: [...others, ['accept-language', tongues]] }, ports[0]);
  };
  serviceWorker?.postMessage({ engine: true }, [passed.port2]);
  return new Promise(done => {
    taken.port1.onmessage = ({ data }) => {
      servedStart = data.start;
      done(undefined);
    };
    setTimeout(done, TAKEN_MS);
    serviceWorker?.postMessage({ version: true }, [taken.port2]);
  });
}

/**
 * The engine's worker. told(event): {stage}, {front} (what the front page is), {asked: true} (a page waits for the
 * engine), {kept: false}, {full: true}, {slow: true}, or {failed: cause, ran, held}, after which it is gone (held:
 * another page has its files open). asked: its first message; isNear: whether a page is for other phones, too.
 * @param {URL} url
 * @param {unknown} asked
 * @param {(event: any) => void} told
 * @param {(asked: any) => boolean} isNear
 */
export function runEngine(url, asked, told, isNear) {
  /** @type {Worker} */
  let worker;
  let ran = false;
  let tries = 0;
  let quiet = 0;
  let later = 0;
  /** @type {((answer: any) => void) | null} */
  let waits = null;
  const watch = () => {
    clearTimeout(quiet);
    if (!ran) quiet = setTimeout(() => told({ slow: true }), QUIET_MS);
  };

  function gone() {
    worker.onmessage = worker.onerror = null;
    worker.terminate();
    clearTimeout(quiet);
    worker.postMessage = () => waits?.(null); // as ask() expects an answer
    waits?.(null);
  }

  /** @param {string} cause */
  function fail(cause) {
    gone(); // a crash tells more than once
    const held = !ran && HELD.test(cause);
    if (held && ++tries < MOST_TRIES) later = setTimeout(begin, AGAIN_MS * tries);
    else told({ failed: cause, ran, held });
  }

  /** @param {any} event */
  function hear({ data }) {
    watch();
    if (data.stage === 'failed') return fail(data.why);
    if (['saved', 'looked', 'restored', 'wentOn', 'refused', 'ended'].some(answer => answer in data))
      return waits?.(data);
    if (data.stage === 'ready') ran = true;
    if (ran) clearTimeout(quiet);
    told(data);
  }

  function begin() {
    worker = new Worker(url, { type: 'module' });
    worker.onmessage = hear;
    worker.onerror = event => fail(event.message || String(event.type));
    worker.onmessageerror = () => fail('messageerror');
    worker.postMessage(asked);
    watch();
  }

  /**
   * One question at a time; null if the engine breaks first. A slow device takes minutes to read back a large file, and
   * nobody may be told meanwhile that nothing has changed.
   * @param {unknown} message
   * @param {Transferable[]} [transfer]
   */
  async function ask(message, transfer = []) {
    while (waits) await new Promise(done => setTimeout(done, 50));
    const found = await new Promise(done => {
      waits = done;
      worker.postMessage(message, transfer);
    });
    waits = null;
    return found;
  }

  begin();
  return {
    ask,
    /**
     * Passes a request on to the engine, with a port for the answer.
     * @param {any} asked
     * @param {MessagePort} port
     */
    pass: (asked, port) => worker.postMessage(asked, [port]),
    /** Keeps the front page as it is now for the next start. */
    keepFront: () => worker.postMessage({ keepFront: true }),
    /** @param {ServiceWorker | null} serviceWorker */
    serve: serviceWorker =>
      serveBy(serviceWorker, (asked, port) => {
        // told here: the worker is busy while it starts Python
        if (!ran && asked.navigates) told({ asked: true });
        worker.postMessage({ ...asked, near: isNear(asked), ofPage: true }, [port]);
      }),
    /** Ends the answers to pages, which nobody reads any more. */
    unheard: () => worker.postMessage({ unheard: true }),
    /** Ends it: what waits is written, and its files are closed. */
    async end() {
      clearTimeout(later);
      if (ran) await Promise.race([ask({ end: true }), new Promise(done => setTimeout(done, ENDING_MS))]);
      gone();
    },
  };
}

// The service worker, seen from the shell: how far it has come, and a new version, which waits until somebody wants it.

const { serviceWorker } = navigator;
const LOOK_MS = 3_600_000;
const SWITCH_MS = 5000;
const CLAIM_MS = 1500;
const WORKER_ANSWER_MS = 5000;
const FORCED = 'pubdice forced reload';
/** @type {Record<string, string>} */
const LACKS = { network: 'no_network', full: 'no_room', differs: 'other_files', damaged: 'damaged' };

/**
 * The service worker's registration, and when a new version was looked for last.
 * @type {ServiceWorkerRegistration}
 */
let registration;
let looked = Date.now();
/**
 * Resolves to the word that says why the first service worker was not installed.
 * @type {Promise<string>}
 */
let refused;

/**
 * A service worker's answer, through a port of its own.
 * @param {ServiceWorker} worker
 * @param {unknown} what
 * @returns {Promise<any>}
 */
export const askWorker = (worker, what) =>
  new Promise(told => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => told(data);
    worker.postMessage(what, [port2]);
  });

/** @param {string} answer */
const late = answer => new Promise(done => setTimeout(done, WORKER_ANSWER_MS, answer));

/**
 * The word that says why a file did not come that a service worker needed; '' if none was missing.
 * @param {ServiceWorker} worker
 */
const lackOf = async worker => LACKS[(await askWorker(worker, { why: true })).why] ?? '';

/** The word that says why a file of this version did not come; '' if none was missing, or nobody knows. */
export const lacksFiles = () =>
  serviceWorker.controller ? Promise.race([lackOf(serviceWorker.controller), late('')]) : '';

/**
 * Resolves to the word that says why a service worker was not installed; to none as long as it may be.
 * @param {ServiceWorker | null} worker
 */
const refusal = worker =>
  new Promise(resolve => {
    if (!worker) return;
    lackOf(worker).then(word => word && resolve(word));
    // the browser ended it
    worker.addEventListener('statechange', () => worker.state === 'redundant' && late('failed').then(resolve));
  });

/**
 * A game is never interrupted: this only says that there is a new version.
 * @param {() => unknown} end
 */
function offer(end) {
  const { waiting, active } = registration;
  if (waiting && active) tell('new_version', [['use_it', () => use(waiting, end)], ['later']]);
}

/**
 * @param {ServiceWorker} waiting
 * @param {() => unknown} end
 */
async function use(waiting, end) {
  resume('begin');
  await end();
  serviceWorker.addEventListener('controllerchange', () => location.reload());
  setTimeout(() => location.reload(), SWITCH_MS);
  waiting.postMessage({ skipWaiting: true });
}

/**
 * The service workers of other folders of the host speak to their own pages; what they say here is not heard.
 * @param {any} event
 * @param {URL} root
 * @param {string} version
 * @param {any} tab
 */
function heard({ data, source }, root, version, { serve, unheard, damaged }) {
  if (source?.scriptURL !== new URL('sw.js', root).href) return;
  if (data.engineWanted) {
    if (servedStart && servedStart !== data.engineWanted) unheard();
    servedStart = data.engineWanted;
    serve(source);
  }
  if (data.damaged) damaged();
  // another comes while this one works
  if (data.installing?.version === version) installing(data.installing.done, data.installing.of);
}

/**
 * Sees to the service worker of a version, and looks for a new version when somebody looks at the page, once an hour at
 * most. serve: called with a service worker that wants the engine, as one that the browser ended has forgotten it.
 * unheard: called when it was ended, and nobody reads any more what it had asked for. end: ends the engine. damaged:
 * called when a file is damaged and can't be fetched. Rejects where there can be no service worker.
 * @param {URL} root
 * @param {string} version
 * @param {{serve: (worker: ServiceWorker | null) => void, unheard: () => void, end: () => unknown,
 *   damaged: () => void}} tab
 */
export async function keepVersion(root, version, tab) {
  const { serve, end } = tab;
  serviceWorker.addEventListener('message', event => heard(event, root, version, tab));
  serviceWorker.addEventListener('controllerchange', () => serve(serviceWorker.controller));
  serviceWorker.startMessages();
  const register = () => serviceWorker.register(new URL('sw.js', root), { scope: root.pathname });
  registration = await import('./begin.js').then(({ registering }) => registering, register);
  // nobody could ask that one any more
  if (!registration.installing && !registration.waiting && !registration.active) registration = await register();
  refused = refusal(registration.active ? null : registration.installing);
  offer(end);
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing;
    coming?.addEventListener('statechange', () => coming.state === 'installed' && offer(end));
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || !navigator.onLine || Date.now() - looked < LOOK_MS) return;
    looked = Date.now();
    registration.update().catch(() => {});
  });
}

/**
 * Waits until this page has a service worker, which hands out the engine's files; resolves to '' then, or to the word
 * that says why it gets none. A page that was reloaded past its service worker (Shift) is reloaded once more.
 */
export async function control() {
  const trouble = serviceWorker.controller ? '' : await Promise.race([refused, controlled()]);
  if (!trouble) sessionStorage.removeItem(FORCED);
  return trouble;
}

function controlled() {
  return new Promise(resolve => {
    serviceWorker.addEventListener('controllerchange', () => resolve(''), { once: true });
    serviceWorker.ready.then(() =>
      setTimeout(() => {
        if (serviceWorker.controller) return;
        if (sessionStorage.getItem(FORCED)) resolve('no_worker');
        else {
          sessionStorage.setItem(FORCED, 'yes');
          location.reload();
        }
      }, CLAIM_MS),
    );
  });
}

/** Has the files fetched that nothing has asked for yet; whether all of this version are on this device then. */
export const complete = async () =>
  !!serviceWorker.controller && (await askWorker(serviceWorker.controller, { complete: true })).complete;
