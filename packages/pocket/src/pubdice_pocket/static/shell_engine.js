/** The engine, in one tab of this browser, and the service worker with its version. */
import { CHANNEL, LOCK } from './places.js';
import { installing, resume, tell } from './shell_page.js';

// The engine: one worker, in the tab of this browser that holds its lock (Web Locks, BroadcastChannel).

const LEAVING_MS = 700;
const TAKING_MS = 8000;
const ENDING_MS = 4000;
const TAKEN_MS = 3000;
const QUIET_MS = 45_000;
const MOST_TRIES = 4;
const AGAIN_MS = 300;
/** The error of a browser if files are still open in a page that is just being closed. */
const HELD = /NoModificationAllowed|access handle/i;

const channel = globalThis.BroadcastChannel && new BroadcastChannel(CHANNEL);

/**
 * Holds the lock until `release` is called. Resolves to null if another tab still has it after `within_ms`. It waits
 * because a page that is being reloaded may still have it. With `steal` it takes the lock in any case.
 * @param {() => void} lost called if another tab takes it
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
 * Asks the tab that has the engine to end it, and takes the lock. If that tab does not answer, it may be asleep, and
 * the lock is stolen.
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

/** The id of the start of the service worker (sw/requests.js) that has the engine's port. */
let servedStart = '';

/**
 * Gives a service worker a port, through which it passes requests on. Resolves when it has the port, as its answer to a
 * later message shows. Until then it would wait for a closed tab's engine.
 * @param {ServiceWorker | null} serviceWorker
 * @param {(asked: any, port: MessagePort) => void} ask takes a request, and a port for the answer
 * @param {string} [first] the language to ask for before the browser's own
 */
export function serveBy(serviceWorker, ask, first) {
  const passed = new MessageChannel();
  const taken = new MessageChannel();
  passed.port1.onmessage = ({ data, ports }) => {
    // Chromium adds this header only after the service worker
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
 * Runs the engine's worker. Calls `told` with an event: {stage}, {front} (the front page to show), {asked: true} (a
 * page waits), {kept: false}, {full: true}, {slow: true}, or last {failed: cause, ran, held} (held: files are open).
 * @param {URL} url
 * @param {unknown} asked its first message
 * @param {(event: any) => void} told
 * @param {(asked: any) => boolean} isNear true if a request's page is for other phones, too
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
    gone(); // a crash is reported more than once
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
   * Asks one question at a time. Resolves to null if the engine breaks first. There is no time limit: a slow device
   * takes minutes to read back a large file, and "nothing has changed" would be wrong meanwhile.
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
        // told here, as the worker is busy while it starts Python
        if (!ran && asked.navigates) told({ asked: true });
        worker.postMessage({ ...asked, near: isNear(asked), ofPage: true }, [port]);
      }),
    /** Ends the answers to pages that no longer read them. */
    unheard: () => worker.postMessage({ unheard: true }),
    /** Ends the engine: it writes all pending data and closes its files. */
    async end() {
      clearTimeout(later);
      if (ran) await Promise.race([ask({ end: true }), new Promise(done => setTimeout(done, ENDING_MS))]);
      gone();
    },
  };
}

// The service worker, as the shell sees it: the progress of its install, and a new version, which waits for the player.

const { serviceWorker } = navigator;
const LOOK_MS = 3_600_000;
const SWITCH_MS = 5000;
const CLAIM_MS = 1500;
const WORKER_ANSWER_MS = 5000;
const FORCED = 'pubdice forced reload';
/** @type {Record<string, string>} */
const LACKS = { network: 'no_network', full: 'no_room', differs: 'other_files', damaged: 'damaged' };

/**
 * The service worker's registration. `looked` is the time of the last check for a new version.
 * @type {ServiceWorkerRegistration}
 */
let registration;
let looked = Date.now();
/**
 * Resolves to the key of the reason why the first service worker was not installed.
 * @type {Promise<string>}
 */
let refused;

/**
 * Asks a service worker. Resolves to the answer.
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
 * Resolves to the key of the reason why a file for a service worker did not come; '' if all files came.
 * @param {ServiceWorker} worker
 */
const lackOf = async worker => LACKS[(await askWorker(worker, { why: true })).why] ?? '';

/** Resolves to the key of the reason why a file of this version did not come; '' if none is known. */
export const lacksFiles = () =>
  serviceWorker.controller ? Promise.race([lackOf(serviceWorker.controller), late('')]) : '';

/**
 * Resolves to the key of the reason why a service worker was not installed. Stays pending while it may still succeed.
 * @param {ServiceWorker | null} worker
 */
const refusal = worker =>
  new Promise(resolve => {
    if (!worker) return;
    lackOf(worker).then(word => word && resolve(word));
    // redundant: the browser has dropped it
    worker.addEventListener('statechange', () => worker.state === 'redundant' && late('failed').then(resolve));
  });

/**
 * Offers a new version. Does not load it yet, so no game is interrupted.
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
 * Handles a service worker's message. Messages of other folders' service workers are ignored.
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
  // other versions' progress is ignored, as they install while this one works
  if (data.installing?.version === version) installing(data.installing.done, data.installing.of);
}

/**
 * Registers the service worker of a version. Looks for a new version when the page comes into sight, at most once an
 * hour. Rejects if there can be no service worker. It calls `serve` with a service worker that wants the engine, as one
 * that the browser has ended forgets it, `unheard` if it was ended, as answers are no longer read, `end` to end the
 * engine, and `damaged` if a file is damaged and can't be fetched.
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
  // register again: a refused service worker can't be asked for its reason
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
 * Waits until this page has a service worker, which serves the engine's files. Then resolves to ''. If the page gets
 * none, resolves to the key of the reason. A page that was reloaded past its service worker (Shift) is reloaded again.
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

/** Fetches the files that were not needed yet. Resolves to true if this device then has all files of this version. */
export const complete = async () =>
  !!serviceWorker.controller && (await askWorker(serviceWorker.controller, { complete: true })).complete;
