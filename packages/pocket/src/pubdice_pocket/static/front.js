/**
 * The front page as this device's house last drew it. The next start shows it first (`sw/front.js`). Any write to the
 * house deletes it.
 */

/** The page's path in the pool of files. It lies with the tables, so a browser keeps both or erases both. */
const KEPT = 'front';

/** An answer of the engine, recorded while it is passed on. */
class Noted {
  status = 0;
  /** @type {string[][]} */
  headers = [];
  body = '';
  #text = new TextDecoder();

  /** @param {number} since the number of writes to the house before this answer */
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
   * The pool's file with the current front page.
   * @type {import('./kept_files.js').KeptFile | undefined}
   */
  #kept;
  #writes = 0;

  /**
   * @param {import('./kept_files.js').KeptFile[]} pool the files of this device
   * @param {string} version the folder's version
   * @param {string} target the address of the front page
   */
  constructor(pool, version, target) {
    this.pool = pool;
    // if the browser's languages change, the page and the rest of the house would be in different languages
    this.version = `${version} ${navigator.languages}`;
    this.target = target;
    /** The page to show before the engine is there: true for a house without tables, null for none. */
    this.shown = this.#read() ?? (pool.every(({ path }) => path === '') || null);
  }

  /**
   * Returns the kept page. Null if there is none, or if its version or languages differ from the current ones.
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
      // the file is damaged; the first write deletes it
    }
    return null;
  }

  /** Deletes the page before the engine writes, as the write may change it. */
  writing() {
    this.#writes += 1;
    this.#kept?.call('', 0);
    this.#kept = undefined;
  }

  /** Returns the request for the front page, as this phone's page makes it. Null if the page is kept already. */
  asks() {
    const headers = [
      ['accept', 'text/html'],
      ['accept-language', navigator.languages.join()],
    ];
    const asked = { method: 'GET', target: this.target, headers, body: new Uint8Array(), ofPage: true };
    return this.#kept ? null : asked;
  }

  /**
   * Returns a recorder for the answer, if the request is for this phone's own front page. Else null, also if the page
   * is kept already.
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
      // an incomplete page is removed, as moves need the room
      if (spare.write(bytes, 0) < bytes.length) return spare.truncate(0);
      spare.call(KEPT, 1);
      this.#kept = spare;
    } catch {
      // the device has no room for the page
    }
  }
}
