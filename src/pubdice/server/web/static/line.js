/**
 * The connection to the house: an event stream and commands, with timeout, reconnect and retry.
 *
 * EventSource does not do: it hides the house's heartbeat (comment lines), waits without end on a half-open connection,
 * and after some answers it never reconnects.
 */
const LEAST_MS = 500;
const MOST_MS = 8000;
const LOST_MS = 2000;
const RESTART_MS = 6000;
const LATE_MS = 1500;
const TRIES = 2;

/**
 * The wait after a number of failures: exponential backoff with jitter, so pages do not all reconnect at once.
 * @param {number} failures
 */
const wait_ms = failures => Math.min(MOST_MS, LEAST_MS * 2 ** failures) * (0.75 + Math.random() / 2);
/** @param {number} ms */
const sleep = ms => new Promise(done => setTimeout(done, ms));
/** @param {number} failures */
export const backoff = failures => sleep(wait_ms(failures));

/**
 * Parses events from text in pieces. The house sends one line of data an event, with \n as line end.
 * @param {(event: string | undefined, data: string) => void} take
 */
function reader(take) {
  let rest = '';
  return (/** @type {string} */ text) => {
    const events = (rest + text).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      /** @param {string} name */
      const field = name => new RegExp(`^${name}: ?(.*)`, 'm').exec(event)?.[1];
      const data = field('data');
      if (data) take(field('event'), data);
    }
  };
}

/**
 * Listens to `address()`.
 * @param {() => string} address
 * @param {number} patience_ms Silence after which the connection counts as dead.
 * @param {(event: string | undefined, data: string) => boolean} take Returns false if an earlier event is missing.
 * @param {(isLost: boolean) => void} notice Gets true after a silence, false when something comes again.
 */
export function listen(address, patience_ms, take, notice) {
  /** @type {AbortController | null | undefined} */
  let line;
  /** @type {number} */
  let heard;
  let tries = 0;
  let told = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let next;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let lost;

  const drop = () => {
    line?.abort();
    line = null;
    clearTimeout(next);
  };
  const alive = (most_ms = patience_ms) => {
    heard = Date.now();
    clearTimeout(next);
    next = setTimeout(() => {
      missing(patience_ms / 4);
      // A random wait, so pages do not all reconnect at once. New data cancels it, because the house may only need
      // time for so many pages.
      if (tries) renew();
      else next = setTimeout(renew, (Math.random() * patience_ms) / 5, patience_ms / 4);
    }, most_ms);
  };
  /** @param {boolean} isLost */
  const tell = isLost => {
    told = isLost;
    notice(isLost);
  };
  /** @param {number} grace_ms */
  const missing = grace_ms => {
    lost ??= setTimeout(tell, grace_ms, true);
  };
  const calm = () => {
    clearTimeout(lost);
    lost = undefined;
  };

  async function renew(more_ms = 0) {
    drop();
    missing(LOST_MS);
    // Short at first: browsers reuse dead connections.
    alive(patience_ms / 4 + more_ms + wait_ms(tries++ - 2));
    const mine = new AbortController();
    line = mine;
    /** @type {number | undefined} */
    let rest_ms;
    try {
      const answer = await fetch(address(), { signal: mine.signal, cache: 'no-store' });
      if (!answer.headers.get('Content-Type')?.startsWith('text/event-stream') || !answer.body) throw answer;
      const source = answer.body.getReader();
      const text = new TextDecoder();
      const read = reader((event, data) => {
        if (event === 'closing') rest_ms = 300 + Math.random() * 1200;
        if (rest_ms || !take(event, data)) throw event;
      });
      for (;;) {
        alive();
        calm();
        if (told) tell(false);
        const { done, value } = await source.read();
        if (done || mine !== line) break;
        read(text.decode(value, { stream: true }));
        tries = 0;
      }
    } catch {
      // Reconnect, from the last event that the page has.
    }
    if (mine !== line) return;
    drop();
    missing(rest_ms ? RESTART_MS : LOST_MS);
    next = setTimeout(renew, rest_ms ?? wait_ms(tries));
  }

  return {
    renew,
    isLost: () => told,
    /** The device says that it has no network. */
    gone: () => {
      if (told) return;
      calm();
      missing(0);
      renew();
    },
    /** Reconnects if the connection may be dead, as the page is in view again. */
    check: () => (told || !line || Date.now() - heard > patience_ms) && renew(),
    /** Disconnects a page that is out of view, because a browser allows only a few connections to a house. */
    stop: () => {
      drop();
      calm();
    },
  };
}

/**
 * @typedef {{key: string, to: string, request: Record<string, any>, form: PageElement, sent?: boolean, late?: boolean}}
 *   Job
 */

/**
 * An idempotency key: 48 bits of time, then 56 random bits. With the time first, the store's index of keys grows at its
 * end (as with a UUIDv7). A random key there costs the house up to a half more a move.
 */
const freshKey = () =>
  Date.now().toString(16).padStart(12, '0') +
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(7)))).replace(
    /[+/=]/g,
    char => ({ '+': '-', '/': '_' })[char] ?? '',
  );

/**
 * Sends commands one at a time, in order, and retries each under its own idempotency key until it has an answer. After
 * no answer, a malformed one or a 5xx, the outcome is unknown. A retry is safe, as a command sent twice counts once. A
 * command that came too fast is sent again once the house takes it, unless the wait is long.
 * @param {() => string} address
 * @param {(job: any, status: number, body: any) => void} answered Gets the answer.
 * @param {() => void} late Called once for a command that waits for its answer.
 * @param {() => void} slow Called for a command that is sent a third time.
 */
export function asker(address, answered, late, slow) {
  /** @type {Job[]} */
  let queue = [];
  let busy = false;

  /**
   * @param {string} to
   * @param {string} body
   */
  async function once(to, body) {
    try {
      const answer = await fetch(to, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(MOST_MS + LOST_MS),
        body,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      });
      const { status } = answer;
      const rest_ms = 1000 * Number(answer.headers.get('Retry-After'));
      if (status === 429 && rest_ms && rest_ms <= MOST_MS) return sleep(rest_ms);
      const said = await answer.json().catch(() => ({}));
      return (said.why || said.seq >= 0 || (status >= 400 && status < 500)) && [status, said];
    } catch {
      return null;
    }
  }

  async function run() {
    if (busy) return;
    for (busy = true; queue.length; queue.shift()) {
      const [job] = queue;
      let answer;
      job.sent = true;
      for (let tries = 0; !answer || (answer[0] >= 500 && tries <= TRIES); tries++) {
        if (tries) await backoff(tries - 1);
        if (tries === 2) slow();
        const waits = setTimeout(() => {
          if (!job.late) late();
          job.late = true;
        }, LATE_MS);
        answer = await once(job.to, JSON.stringify({ key: job.key, ...job.request }));
        clearTimeout(waits);
      }
      const [status, said] = answer;
      queueMicrotask(() => answered(job, status, said));
    }
    busy = false;
  }

  /** Queues a command. False if the same one waits already, unless `again`. Of unsent marks only the last stay. */
  return (/** @type {Job['request']} */ request, /** @type {PageElement} */ form, /** @type {boolean} */ again) => {
    const same = JSON.stringify(request);
    if (request.do === 'mark') queue = queue.filter(job => job.sent || job.request.do !== 'mark');
    else if (!again && queue.some(job => JSON.stringify(job.request) === same)) return false;
    queue.push({ key: freshKey(), to: address(), request, form });
    run();
    return true;
  };
}
