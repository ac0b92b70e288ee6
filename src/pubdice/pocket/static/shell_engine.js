/** The engine: one worker, in the one tab of this browser that holds its lock (Web Locks, BroadcastChannel). */
import { CHANNEL, LOCK } from './places.js';

const LEAVING_MS = 700;
const TAKING_MS = 8000;
const ENDING_MS = 4000;
const TAKEN_MS = 3000;
const QUIET_MS = 45_000;
const ANSWER_MS = 120_000;
const MOST_TRIES = 4;
const AGAIN_MS = 300;
/** How the browser says that files are still open in a page that is just being closed. */
const HELD = /NoModificationAllowed|access handle/i;

const channel = globalThis.BroadcastChannel && new BroadcastChannel(CHANNEL);

/**
 * Holds the lock until `release` is called; resolves to null if another tab has it. within_ms: how long to wait for it,
 * as a page that is reloaded may still have it. steal: take it in any case. lost: called if another tab does so.
 */
export function hold(lost, { within_ms = LEAVING_MS, steal = false } = {}) {
  if (!navigator.locks) return Promise.resolve({ release() {} });
  return new Promise(resolve => {
    let held = false;
    const until = steal ? { steal } : { signal: AbortSignal.timeout(within_ms) };
    const free = () =>
      new Promise(release => {
        held = true;
        resolve({
          release: () => {
            held = false;
            release();
          },
        });
      });
    navigator.locks.request(LOCK, until, free).catch(() => (held ? lost() : resolve(null)));
  });
}

/** Asks the tab that has the engine to end it, and takes the lock, in the end without its leave: it may be asleep. */
export async function take(lost) {
  channel?.postMessage({ take: true });
  return (await hold(lost, { within_ms: TAKING_MS })) ?? hold(lost, { steal: true });
}

/** Calls `end` when another tab asks for the engine. */
export const whenAsked = end => channel?.addEventListener('message', ({ data }) => data?.take && end());

/**
 * The engine's worker. told(event): {stage}, {kept: false}, {full: true}, {slow: true}, or {failed: cause, ran, held},
 * after which it is gone (held: another page has its files open). url: the worker's; asked: its first message.
 */
export function runEngine(url, asked, told) {
  let worker;
  let ran = false;
  let tries = 0;
  let quiet;
  let waits = null;
  const watch = () => {
    clearTimeout(quiet);
    if (!ran) quiet = setTimeout(() => told({ slow: true }), QUIET_MS);
  };

  function fail(cause) {
    worker.onmessage = worker.onerror = null; // a crash tells more than once
    worker.terminate();
    clearTimeout(quiet);
    waits?.(null);
    const held = !ran && HELD.test(cause);
    if (held && ++tries < MOST_TRIES) setTimeout(begin, AGAIN_MS * tries);
    else told({ failed: cause, ran, held });
  }

  function hear({ data }) {
    watch();
    if (data.stage === 'failed') {
      ran &&= !data.incomplete; // it showed its front page, and no more of it came
      return fail(data.why);
    }
    if (['saved', 'looked', 'restored', 'refused', 'ended'].some(answer => answer in data)) return waits?.(data);
    if (data.stage === 'ready') ran = true;
    clearTimeout(ran && quiet);
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

  /** One question at a time; null if no answer comes. */
  async function ask(message, transfer = [], within_ms = ANSWER_MS) {
    while (waits) await new Promise(done => setTimeout(done, 50));
    const answer = new Promise(done => {
      waits = done;
    });
    const late = setTimeout(() => waits?.(null), within_ms);
    worker.postMessage(message, transfer);
    const found = await answer;
    clearTimeout(late);
    waits = null;
    return found;
  }

  begin();
  return {
    ask,
    /**
     * Lets a service worker pass requests on to the engine: through a port, which it gets. Resolves once it has it:
     * until then it would wait for the engine of a tab that is closed. It answers messages in their order.
     */
    serve(serviceWorker) {
      const passed = new MessageChannel();
      const taken = new MessageChannel();
      passed.port1.onmessage = ({ data, ports }) => worker.postMessage(data, ports);
      serviceWorker?.postMessage({ engine: true }, [passed.port2]);
      return new Promise(done => {
        taken.port1.onmessage = done;
        setTimeout(done, TAKEN_MS);
        serviceWorker?.postMessage({ version: true }, [taken.port2]);
      });
    },
    /** Ends it: what waits is written, and its files are closed. */
    async end() {
      if (ran) await ask({ end: true }, [], ENDING_MS);
      worker.onmessage = worker.onerror = null;
      worker.terminate();
      waits?.(null);
      clearTimeout(quiet);
    },
  };
}
