/**
 * The line to the house: a stream of events, and commands. Knows silence, coming back and asking again.
 *
 * No EventSource: it hides the house's pulse (comment lines), waits for ever on a line half open, and gives up for good on
 * some answers.
 */
const LEAST_MS = 500, MOST_MS = 8000, LOST_MS = 2000, RESTART_MS = 6000, LATE_MS = 1500, TRIES = 2;

/** After so many failures; at random, so that not all come back at once. */
const wait_ms = failures => Math.min(MOST_MS, LEAST_MS * 2 ** failures) * (0.75 + Math.random() / 2);
export const backoff = failures => new Promise(done => setTimeout(done, wait_ms(failures)));

/** Takes events from text in any pieces; the house's have one line of data, and \n for line ends. */
function reader(take) {
  let rest = '';
  return text => {
    const events = (rest + text).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const field = name => new RegExp(`^${name}: ?(.*)`, 'm').exec(event)?.[1];
      if (field('data')) take(field('event'), field('data'));
    }
  };
}

/**
 * Listens to `address()`. patience_ms: silence after which the line is dead. take(event, data): false if something before
 * it is missing. notice(lost): nothing was heard for a while, or is again.
 */
export function listen(address, patience_ms, take, notice) {
  let line, heard, failures = 0, told = false, next, silence, lost;

  const drop = () => {
    line?.abort();
    line = null;
    clearTimeout(next);
    clearTimeout(silence);
  };
  const alive = (most_ms = patience_ms) => {
    heard = Date.now();
    clearTimeout(silence);
    silence = setTimeout(renew, most_ms);
  };
  const missing = grace_ms => (lost ??= setTimeout(() => notice((told = true)), grace_ms));
  const calm = () => (lost = clearTimeout(lost));

  async function renew() {
    drop();
    missing(LOST_MS);
    alive(patience_ms / 4); // browsers use dead lines again
    const mine = (line = new AbortController());
    let rest_ms;
    try {
      const answer = await fetch(address(), { signal: mine.signal, cache: 'no-store' });
      if (!answer.headers.get('Content-Type').startsWith('text/event-stream')) throw answer;
      const source = answer.body.getReader(), text = new TextDecoder();
      const read = reader((event, data) => {
        if (event === 'closing') rest_ms = 300 + Math.random() * 1200;
        if (rest_ms || !take(event, data)) throw event;
      });
      alive();
      calm();
      if (told) notice((told = false));
      for (;;) {
        const { done, value } = await source.read();
        if (done || mine !== line) break;
        alive();
        read(text.decode(value, { stream: true }));
        failures = 0;
      }
    } catch {
      // On from what the page has.
    }
    if (mine !== line) return;
    drop();
    missing(rest_ms ? RESTART_MS : LOST_MS);
    next = setTimeout(renew, rest_ms ?? wait_ms(failures++));
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
    /** Makes a line anew that may be dead: the page is looked at again. */
    check: () => (told || !line || Date.now() - heard > patience_ms / 2) && renew(),
    /** A page put aside holds none of a browser's few lines to a house. */
    stop: () => {
      drop();
      calm();
    },
  };
}

const freshKey = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    .replace(/[+/=]/g, char => ({ '+': '-', '/': '_' })[char] ?? '');

/**
 * Asks one command at a time, in order, each under its own key until there is an answer: none, a strange one or 5xx leave
 * open what happened, so it is asked again and counts once. answered(job, status, body). late: once for a command that
 * waits for an answer; slow: for one that is asked for the third time.
 */
export function asker(address, patience_ms, answered, late, slow) {
  let queue = [], busy = false;

  async function once(body) {
    try {
      const answer = await fetch(address, {
        method: 'POST', redirect: 'error', signal: AbortSignal.timeout(patience_ms / 2), body,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      });
      const { status } = answer, said = await answer.json().catch(() => ({}));
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
        const waits = setTimeout(() => job.late || late((job.late = true)), LATE_MS);
        answer = await once(JSON.stringify({ key: job.key, ...job.request }));
        clearTimeout(waits);
      }
      queueMicrotask(() => answered(job, ...answer));
    }
    busy = false;
  }

  /** False if just this is being asked, unless it may be. Of marks not sent yet only the last count. */
  return (request, form, again) => {
    const same = JSON.stringify(request);
    if (request.do === 'mark') queue = queue.filter(job => job.sent || job.request.do !== 'mark');
    else if (!again && queue.some(job => JSON.stringify(job.request) === same)) return false;
    queue.push({ key: freshKey(), request, form });
    run();
    return true;
  };
}
