/** Passes requests to the house on to the page that runs the engine. */
const ENGINE_WITHIN_MS = 20_000;
const HEAD_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 1000;
const MOST_WAITING = 100;
const WITHOUT_BODY = [204, 205, 303, 304];
const ASKED_WITH = ['accept', 'accept-language', 'content-type', 'last-event-id', 'idempotency-key'];

/**
 * The port of the page that runs the engine. `runner` is that page's id.
 * @type {MessagePort | null}
 */
let engine = null;
let runner = '';
// The id of this start of the service worker. The browser may end and restart it, which loses the requests passed on.
const START = crypto.randomUUID();
/**
 * The functions to call with the engine's port (or null), for requests that wait for it.
 * @type {((engine: MessagePort | null) => void)[]}
 */
let waiting = [];

/**
 * Notes the page that runs the engine, and gives its port to waiting requests.
 * @param {MessagePort} port
 * @param {any} page
 */
function runs(port, page) {
  [engine, runner, front] = [port, page, null];
  for (const ready of waiting.splice(0)) ready(engine);
}

/** Resolves to true if the page that runs the engine is open. Its port would not tell that the page is gone. */
const isThere = async () => engine !== null && (await clients.get(runner)) !== undefined;

/** Resolves to the engine's port; null if no page sends one in time. */
async function running() {
  if (await isThere()) return engine;
  tell({ engineWanted: START });
  if (waiting.length >= MOST_WAITING) waiting.shift()?.(null);
  return new Promise(ready => {
    waiting.push(ready);
    setTimeout(ready, ENGINE_WITHIN_MS, null);
  });
}

/**
 * Returns the headers of an answer, with those that every answer gets.
 * @param {[string, string][]} given
 */
function withHeaders(given) {
  const sent = new Headers(given);
  for (const [name, value] of Object.entries(HEADERS)) if (!sent.has(name)) sent.set(name, value);
  return sent;
}

/**
 * @param {any} event
 * @param {string} target
 */
async function asked(event, target) {
  const { request } = event;
  const headers = [...request.headers].filter(([name]) => ASKED_WITH.includes(name));
  const body = request.method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array();
  // Browsers add Origin and Sec-Fetch-Site after the service worker. A fetch comes from a page of ours. A form may come
  // from another website's frame (CSRF), but then its referrer does not begin with our address.
  const own = request.mode !== 'navigate' || request.referrer.startsWith(registration.scope);
  if (request.method === 'POST')
    headers.push(['content-length', String(body.length)], ['sec-fetch-site', own ? 'same-origin' : 'cross-site']);
  const port = await running();
  if (!port) return sorry(request, 'noEngine');
  const { port1, port2 } = new MessageChannel();
  return new Promise(answer => {
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let stream;
    /** @type {(value?: unknown) => void} */
    let ended;
    const parts = new ReadableStream({
      start: sink => {
        stream = sink;
      },
      cancel() {
        port1.postMessage('gone');
        ended();
      },
    });
    event.waitUntil(
      new Promise(resolve => {
        ended = resolve;
      }),
    ); // else the browser would end the worker, which seems idle
    const giveUp = () => setTimeout(() => failed('slow'), HEAD_WITHIN_MS);
    let late = giveUp();
    const looking = setInterval(async () => {
      if (!(await isThere())) failed('noEngine');
    }, LOOK_EVERY_MS);
    const begun = () => {
      clearTimeout(late);
      clearInterval(looking);
    };
    /**
     * @param {string} why
     * @param {number} [status]
     */
    const failed = (why, status) => {
      begun();
      answer(sorry(request, why, status));
      try {
        stream.error(new Error(why));
      } catch {
        /* the answer is complete, or no longer read */
      }
      port1.close();
      ended();
    };
    let isBegun = false;
    let isBare = false;
    /** @param {{status: number, headers: [string, string][]}} head */
    const begin = ({ status, headers }) => {
      isBare = WITHOUT_BODY.includes(status);
      // throws for a status or header that browsers do not allow
      const whole = new Response(isBare ? null : parts, { status, headers: withHeaders(headers) });
      if (isBegun) throw new TypeError('two heads');
      isBegun = true;
      begun();
      front = null; // the engine is there, and the player may go from this answer to a newer front page
      answer(whole);
    };
    /** @param {{part: Uint8Array, more: boolean}} piece */
    const pass = ({ part, more }) => {
      if (!isBegun) throw new TypeError('no head');
      try {
        if (part.length && !isBare) stream.enqueue(part);
        if (!more) stream.close();
      } catch {
        /* no longer read */
      }
      if (more) return;
      port1.close();
      ended();
    };
    port1.onmessage = ({ data }) => {
      if (data.waits) {
        clearTimeout(late);
        late = giveUp();
      } else if (data.failed) failed('slow');
      else {
        try {
          if ('status' in data) begin(data);
          else pass(data);
        } catch {
          // another phone's house may send anything. It is told that the rest of the answer is not read
          port1.postMessage('gone');
          failed('slow', 502);
        }
      }
    };
    const navigates = request.mode === 'navigate';
    port.postMessage({ method: request.method, target, headers, body, navigates }, [port2]);
  });
}
