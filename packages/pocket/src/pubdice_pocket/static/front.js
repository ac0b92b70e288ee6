/**
 * The front page as this device's house drew it last, with which the next start begins; none if anything was written
 * since. The service worker shows it (`sw/front.js`).
 */

/** The file of the pool in which it is kept: with the tables, so that both are there or neither. */
const KEPT = 'front';

/** An answer of the engine that is taken down as it is passed on. */
class Noted {
  status = 0;
  /** @type {string[][]} */
  headers = [];
  body = '';
  #text = new TextDecoder();

  /** @param {number} since how often the engine had written before */
  constructor(since) {
    this.since = since;
  }

  /**
   * @param {number} status
   * @param {string[][]} headers
   */
  begin(status, headers) {
    Object.assign(this, { status, headers });
  }

  /** @param {Uint8Array} bytes */
  part(bytes) {
    this.body += this.#text.decode(bytes, { stream: true });
  }
}

/** The front page of one start. */
export class Front {
  /**
   * The pool's file with it, as it is now.
   * @type {import('./kept_files.js').KeptFile | undefined}
   */
  #kept;
  #writes = 0;

  /**
   * pool: the files of this device. version: of the folder. target: where the front page is.
   * @param {import('./kept_files.js').KeptFile[]} pool
   * @param {string} version
   * @param {string} target
   */
  constructor(pool, version, target) {
    this.pool = pool;
    // drawn for a browser with other languages it would be half in one and half in another
    this.version = `${version} ${navigator.languages}`;
    this.target = target;
    /** What can be shown before the engine is there: true for a house without tables, null for nothing. */
    this.shown = this.#read() ?? (pool.every(({ path }) => path === '') || null);
  }

  /**
   * What was kept; null without any, and if another version drew it, or for other languages.
   * @returns {{headers: string[][], body: string} | null}
   */
  #read() {
    this.#kept = this.pool.find(({ path }) => path === KEPT);
    if (!this.#kept) return null;
    try {
      const bytes = new Uint8Array(this.#kept.size);
      this.#kept.read(bytes, 0);
      const { version, ...drawn } = JSON.parse(new TextDecoder().decode(bytes));
      if (version === this.version) return drawn;
      this.writing();
    } catch {
      // it is damaged, and gone with the first write
    }
    return null;
  }

  /** The engine writes: the page is not as it was any more, and that is on the disk before what changes it. */
  writing() {
    this.#writes += 1;
    this.#kept?.call('', 0);
    this.#kept = undefined;
  }

  /** The request for it, as this phone's page makes it; null if it is kept. */
  asks() {
    const headers = [
      ['accept', 'text/html'],
      ['accept-language', navigator.languages.join()],
    ];
    const asked = { method: 'GET', target: this.target, headers, body: new Uint8Array(), ofPage: true };
    return this.#kept ? null : asked;
  }

  /**
   * Takes down the answer to a request if it is the front page of this phone alone, and not kept yet.
   * @param {any} asked
   */
  noting({ method, target, near, ofPage }) {
    const isFront = method === 'GET' && target === this.target && ofPage && !near;
    return isFront && !this.#kept ? new Noted(this.#writes) : null;
  }

  /**
   * Keeps the page for the next start, unless something was written while it was drawn.
   * @param {Noted} drawn
   */
  keep({ since, status, headers, body }) {
    const spare = this.pool.find(({ path }) => path === '');
    if (since !== this.#writes || status !== 200 || this.#kept || !spare) return;
    const bytes = new TextEncoder().encode(JSON.stringify({ version: this.version, headers, body }));
    try {
      spare.truncate(0);
      // moves need the room that it has taken
      if (spare.write(bytes, 0) < bytes.length) return spare.truncate(0);
      spare.call(KEPT, 1);
      this.#kept = spare;
    } catch {
      // there is no room for it
    }
  }
}
