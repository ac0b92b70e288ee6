/**
 * A guest of another phone. The guest's pages send their requests over a line (a WebRTC connection) to the phone that
 * is the house. hosting.js lists the messages. A guest takes the engine's place, so the service worker and the pages
 * need not know of it.
 */

import { keepNote } from '../notes.js';
import { HOME, ownPath } from '../places.js';
import { serveBy } from '../shell_engine.js';
import { noted } from '../shell_words.js';
import { certificate, Link, MOST_MESSAGE, nameOf, readCode } from './link.js';
import { isOurs, isScript, trusted } from './trusted.js';

const STORE = `pubdice guest ${HOME}`;
const MOST_HOUSES = 8;
const MOST_COOKIES = 40;
const MOST_WAITING = 100;
const MOST_KEPT = 2 << 20;
// spare lines, one for each line that broke. A browser has room for 500 lines
const MOST_SPARES = 100;
const MOST_OF_SCRIPT = 1 << 20;
// the time for which requests wait for the line to come back
const BACK_MS = 20_000;
const AGAIN_MS = 1000;
const ANSWER_MS = 15_000;
const SENT_MS = 200;
const IMMUTABLE = /immutable/;

/** The cookies of one house. They are kept apart by house, as a house could misuse another house's cookies. */
class Cookies {
  /** @param {string} house */
  constructor(house) {
    this.house = house;
  }

  all() {
    try {
      return JSON.parse(localStorage.getItem(STORE) ?? '{}');
    } catch {
      return {};
    }
  }

  /** True if this phone has taken a seat in the house. A seat needs a name, which is a cookie. */
  get hasSat() {
    return 'name' in (this.all()[this.house] ?? {});
  }

  get header() {
    return Object.entries(this.all()[this.house] ?? {})
      .map(pair => pair.join('='))
      .join('; ');
  }

  /** @param {string} set the value of a Set-Cookie header */
  take(set) {
    const found = /^([\w-]{1,99})=([^;]{0,999})/.exec(set);
    if (!found) return;
    const { [this.house]: own = {}, ...others } = this.all();
    delete own[found[1]];
    if (!/; *max-age=0/i.test(set) && Object.keys(own).length < MOST_COOKIES) own[found[1]] = found[2];
    const kept = Object.entries(others).slice(-MOST_HOUSES + 1);
    try {
      keepNote(STORE, JSON.stringify({ ...Object.fromEntries(kept), [this.house]: own }));
    } catch {
      // nothing is stored, so the player gives the name again later
    }
  }
}

/** Returns true if this phone has taken a seat in the house that it visited last. */
export const hasSat = () => new Cookies(Object.keys(new Cookies('').all()).at(-1) ?? '').hasSat;

/** @typedef {{method: string, target: string, headers: string[][], body: Uint8Array}} Asked */
/**
 * A request under way. `checks` is true for a script, which is passed on when it is complete and known.
 * @typedef {{asked: Asked, port: MessagePort, status: number, headers: any, parts: Uint8Array<ArrayBuffer>[] | null,
 *   checks: boolean}} Waiting
 */

/** @param {{parts: Uint8Array[] | null}} answer */
const sizeOf = ({ parts }) => (parts ?? []).reduce((sum, part) => sum + part.length, 0);

/** A guest of another phone. */
export class Visiting {
  /**
   * The words for `changed`: here, elsewhere, differs (the house has other scripts), unproved (it has not read
   * this phone's answer), goes (the host is at another table), lost, back, over (a code must be read again), away.
   * @param {(word: string) => void} changed called with a word when the line changes
   * @param {(target: string) => void} [asks] called with the address that a page asks for
   */
  constructor(changed, asks = () => {}) {
    this.changed = changed;
    this.asks = asks;
    // the time of the start, for a phone that was a guest before
    this.lostAt = performance.now();
    this.isGuest = true;
    /** @type {RTCCertificate | null} */
    this.own = null;
    /** @type {Cookies | null} */
    this.cookies = null;
    this.isLooking = false;
    /** @type {ReturnType<typeof readCode>} */
    this.spareOf = null;
    this.house = '';
    this.at = '';
    this.number = 0;
    /** @type {Map<number, Waiting>} */
    this.asked = new Map();
    /** @type {Map<string, {status: number, headers: any, parts: Uint8Array[]}>} */
    this.kept = new Map();
    this.keptBytes = 0;
    /** @type {(() => void)[]} */
    this.held = [];
    /** @type {Link | null} */
    this.link = null;
    /** @type {Link | null} */
    this.spare = null;
    /**
     * The line to a phone that has not proved yet that it is the house of a code. Until then this phone's house stays.
     * @type {Link | null}
     */
    this.coming = null;
    /**
     * The line to the phone whose code was read last, in any state.
     * @type {Link | null}
     */
    this.latest = null;
    // the number of spare lines made since the player last came to a house
    this.spares = 0;
    /** The messages (hello, spare) already received on this line. The house may send each once a line. */
    this.said = new Set();
    this.ended = false;
    this.questions = 0;
    /** @type {Map<number, (answer: string) => void>} */
    this.told = new Map();
    this.look = () => this.link?.isNear || document.hidden || this.retry();
    document.addEventListener('visibilitychange', this.look);
    addEventListener('online', this.look);
  }

  /**
   * Answers the offer in a code. Resolves to the answer's code, which the other phone has to read; '' if the text is no
   * code; null if this phone has left meanwhile, or taken another code.
   * @param {string} text
   * @param {boolean} [mayBeFar] the player allows it to lead to the internet
   */
  async come(text, mayBeFar = false) {
    const code = readCode(text, mayBeFar);
    if (!code || code.isFar) return '';
    this.own ??= await certificate();
    const before = this.coming;
    const link = this.line(mayBeFar);
    this.coming = this.latest = link;
    before?.close();
    const answer = await link.answer(code);
    if (this.ended || this.coming !== link) {
      link.close();
      return null;
    }
    link.opened.then(() => this.arrive(link));
    return answer;
  }

  /** Resolves to true if the phone whose code was read last has read this phone's answer. */
  async isRead() {
    return !!(await this.latest?.isRead().catch(() => false));
  }

  /** Resolves to true if the network lets the two phones meet, even before the other phone has read the answer. */
  async meets() {
    return !!(await this.latest?.meets().catch(() => false));
  }

  line(mayBeFar = false) {
    /** @type {Link} */
    const link = new Link(/** @type {RTCCertificate} */ (this.own), {
      heard: message => this.hear(link, message),
      lost: () => this.lose(link),
    });
    link.mayBeFar = mayBeFar;
    link.peer.addEventListener('connectionstatechange', () => {
      if (link === this.link && link.isOpen && link.peer.connectionState === 'disconnected') this.retry();
    });
    return link;
  }

  /**
   * Handles an open line: the phone at its other end is the house.
   * @param {Link} link
   */
  arrive(link) {
    const { link: before, coming } = this;
    const again = this.house !== '';
    this.link = link;
    this.coming = null;
    this.said.clear();
    if (coming === link) this.spares = 0;
    else coming?.close();
    if (this.spare === link) this.spare = null;
    if (this.house !== link.other) this.forget();
    this.house = link.other;
    this.cookies = new Cookies(this.house);
    this.fail();
    before?.close();
    for (const ready of this.held.splice(0)) ready();
    if (again) this.changed('back');
  }

  /**
   * Handles a lost line. Each page that waits for an answer is told, and asks again with the same idempotency key, as
   * after a restart of the engine.
   * @param {Link} link
   */
  lose(link) {
    if (link === this.spare) this.spare = null;
    if (this.ended) return;
    if (link === this.coming) {
      this.coming = null;
      if (link.refused) this.changed(link.refused);
      else this.retry();
    }
    if (link !== this.link) return;
    this.fail();
    if (!this.house) return;
    this.lostAt = performance.now();
    this.changed('lost');
    this.retry();
  }

  /** Looks for the house while it is out of reach, then comes back by the spare line. */
  async retry() {
    if (this.isLooking || this.ended) return;
    this.isLooking = true;
    const began = performance.now();
    while (!this.ended && this.spare && this.link?.peer.connectionState !== 'connected') {
      const { spare, spareOf } = this;
      // throws if the browser has no room for one more line
      const reaches = async () =>
        spareOf && new Link(/** @type {RTCCertificate} */ (this.own), { heard() {}, lost() {} }).reaches(spareOf);
      if (await reaches().catch(() => false)) {
        await spare.meet().catch(() => {});
        const late = performance.now() + BACK_MS;
        while (this.spare === spare && performance.now() < late)
          await new Promise(again => setTimeout(again, AGAIN_MS));
        if (!spare.isOpen) spare.close();
      } else {
        const pause = Math.max(AGAIN_MS, (performance.now() - began) / 60);
        await new Promise(again => setTimeout(again, Math.min(pause, 10_000)));
      }
    }
    this.isLooking = false;
    if (!this.ended && !this.coming && this.house && this.link?.isGone) this.changed('over');
  }

  /** @param {'lost' | 'ended'} why */
  fail(why = 'lost') {
    for (const { port } of this.asked.values()) {
      port.postMessage({ failed: why });
      port.close();
    }
    this.asked.clear();
  }

  /**
   * @param {Link} link
   * @param {any} message
   */
  hear(link, message) {
    if (this.ended) return;
    if (message instanceof Uint8Array) return this.part(message);
    if (message.hello) {
      this.once('hello');
      this.at = ownPath(`${message.hello.at}`) || HOME;
      this.changed(message.hello.home === HOME ? 'here' : 'elsewhere');
    } else if ('goes' in message) {
      this.at = ownPath(`${message.goes}`) || HOME;
      this.changed('goes');
    } else if ('head' in message) this.head(message);
    else if ('failed' in message) {
      this.asked.get(message.failed)?.port.postMessage({ failed: 'failed' });
      this.asked.delete(message.failed);
    } else if (typeof message.spare === 'string') {
      this.once('spare');
      const code = readCode(message.spare, link.mayBeFar);
      if (!code || nameOf(code.fingerprint) !== link.other) throw new RangeError('another phone');
      // fails if the browser has no room for one more line
      if (this.spares++ < MOST_SPARES) this.keepSpare(link, code).catch(() => {});
    } else if (message.away) {
      this.changed('away');
      this.end();
    } else this.told.get(message.number)?.(`${message.answer}`);
  }

  /**
   * Throws if the house has already sent this message on this line.
   * @param {string} word
   */
  once(word) {
    if (this.said.has(word)) throw new RangeError(`a second ${word}`);
    this.said.add(word);
  }

  /**
   * Prepares this side of a spare line, and sends the house its answer. The answer has no addresses: the house finds
   * them when the phones meet.
   * @param {Link} link
   * @param {import('./link.js').Code} code
   */
  async keepSpare(link, code) {
    const spare = this.line(link.mayBeFar);
    const answer = await spare.answer(code, true);
    if (link.isGone) return spare.close();
    this.spare?.close();
    this.spare = spare;
    this.spareOf = code;
    spare.opened.then(() => this.arrive(spare));
    link.send({ spare: answer });
  }

  /** @param {{head: number, status: number, headers: [string, string][]}} message */
  head({ head, status, headers }) {
    const found = this.asked.get(head);
    if (!found) return;
    for (const [name, value] of headers) if (name.toLowerCase() === 'set-cookie') this.cookies?.take(value);
    const seen = trusted(headers);
    const checks = isScript(seen);
    const stays = status === 200 && headers.some(([name, value]) => name === 'cache-control' && IMMUTABLE.test(value));
    Object.assign(found, { status, headers: seen, parts: stays || checks ? [] : null, checks });
    if (!checks) found.port.postMessage({ status, headers: seen });
  }

  /** @param {Uint8Array} bytes */
  part(bytes) {
    const number = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    const found = this.asked.get(number);
    if (!found) return;
    const piece = bytes.slice(5);
    const more = bytes[4] === 1;
    found.parts?.push(piece);
    const isLarge = sizeOf(found) > MOST_OF_SCRIPT;
    if (!found.checks) found.port.postMessage({ part: piece, more });
    else if (isLarge) {
      this.asked.delete(number);
      return found.port.postMessage({ failed: 'failed' });
    }
    if (isLarge) found.parts = null;
    if (more) return;
    if (found.checks) {
      this.asked.delete(number);
      return void this.check(found);
    }
    found.port.close();
    this.asked.delete(number);
    if (found.parts) this.keep(found.asked.target, found);
  }

  /**
   * Passes a script on to the page if this phone's folder also has it.
   * @param {Waiting} found
   */
  async check(found) {
    const { asked, port, status, headers, parts } = found;
    const bytes = new Uint8Array(await new Blob(parts ?? []).arrayBuffer());
    if (await isOurs(asked.target, bytes)) {
      port.postMessage({ status, headers });
      port.postMessage({ part: bytes, more: false });
      this.keep(asked.target, found);
    } else {
      port.postMessage({ failed: 'failed' });
      this.changed('differs');
    }
    port.close();
  }

  /**
   * Keeps a file that never changes, so it is requested only once.
   * @param {string} target
   * @param {any} answer
   */
  keep(target, { status, headers, parts }) {
    const size = sizeOf({ parts });
    if (this.keptBytes + size > MOST_KEPT) this.forget();
    this.keptBytes += size;
    this.kept.set(target, { status, headers, parts });
  }

  forget() {
    this.kept.clear();
    this.keptBytes = 0;
  }

  /**
   * Sends a page's request to the house.
   * @param {Asked} asked
   * @param {MessagePort} port
   */
  ask(asked, port) {
    const kept = asked.method === 'GET' ? this.kept.get(asked.target) : null;
    if (kept) {
      port.postMessage({ status: kept.status, headers: kept.headers });
      for (const part of kept.parts) port.postMessage({ part, more: true });
      return port.postMessage({ part: new Uint8Array(), more: false });
    }
    if (this.link?.isOpen && !this.ended) return this.pass(asked, port);
    if (this.ended || this.held.length >= MOST_WAITING)
      return port.postMessage({ failed: this.ended ? 'ended' : 'lost' });
    const { house } = this;
    const ready = () => {
      clearTimeout(late);
      // a request to one house must not go to another
      if (this.ended || (house && house !== this.house)) port.postMessage({ failed: 'ended' });
      else this.pass(asked, port);
    };
    const late = setTimeout(() => {
      this.held = this.held.filter(each => each !== ready);
      port.postMessage({ failed: 'lost' });
    }, BACK_MS);
    this.held.push(ready);
  }

  /**
   * @param {Asked} asked
   * @param {MessagePort} port
   */
  pass(asked, port) {
    const number = this.number++;
    const cookie = this.cookies?.header ?? '';
    const message = {
      ask: number,
      method: asked.method,
      target: asked.target,
      headers: [
        ...asked.headers.filter(([name]) => name !== 'content-length'),
        ...(cookie ? [['cookie', cookie]] : []),
      ],
      body: new TextDecoder().decode(asked.body),
    };
    if (JSON.stringify(message).length > MOST_MESSAGE) {
      port.postMessage({ status: 413, headers: [['content-type', 'text/plain']] });
      return port.postMessage({ part: new Uint8Array(), more: false });
    }
    this.asks(asked.target);
    this.asked.set(number, { asked, port, status: 0, headers: null, parts: null, checks: false });
    port.onmessage = () => {
      this.asked.delete(number);
      this.link?.send({ gone: number });
    };
    this.link?.send(message);
  }

  /**
   * Asks the house for something other than a page. Resolves to '' if it does not answer.
   * @param {object} message
   * @returns {Promise<string>}
   */
  question(message) {
    const number = this.questions++;
    this.link?.send({ ...message, number });
    return new Promise(resolve => {
      const answer = (/** @type {string} */ text) => {
        clearTimeout(late);
        this.told.delete(number);
        resolve(text);
      };
      const late = setTimeout(answer, ANSWER_MS, '');
      this.told.set(number, answer);
    });
  }

  /**
   * Lets one more phone in, as the house does. Resolves to {code, accept}: the code to show, '' if the house gives
   * none, and a function that takes the other phone's answer.
   */
  async door() {
    const code = await this.question({ door: true });
    return { code: readCode(code) ? code : '', accept: (/** @type {string} */ text) => this.question({ enter: text }) };
  }

  /**
   * Ends the requests of pages whose answers are no longer read. The shell itself asks for kept logs, so those go on.
   */
  unheard() {
    for (const [number, { asked }] of this.asked)
      if (!asked.target.includes('/kept')) {
        this.asked.delete(number);
        this.link?.send({ gone: number });
      }
  }

  /** @param {ServiceWorker | null} serviceWorker */
  serve(serviceWorker) {
    // this phone's language, as another phone's house has no cookie for it
    return serveBy(serviceWorker, (asked, port) => this.ask(asked, port), noted().lang);
  }

  /** Ends being a guest. With `leaves` the player chose to, and the house keeps no place for this phone. */
  async end(leaves = false) {
    if (this.ended) return;
    this.ended = true;
    document.removeEventListener('visibilitychange', this.look);
    removeEventListener('online', this.look);
    this.fail('ended');
    for (const ready of this.held.splice(0)) ready();
    this.spare?.close();
    this.coming?.close();
    const { link } = this;
    if (!leaves || !link?.isOpen) return link?.close();
    link.send({ leave: true });
    // later, so data being sent still goes out. The phone's own house does not wait for that
    setTimeout(() => link.close(), SENT_MS);
  }
}
