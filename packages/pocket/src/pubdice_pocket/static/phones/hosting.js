/**
 * The phone that is the house. Each guest has its own line (a WebRTC connection). The house passes the guests' requests
 * on to its engine. A spare line, agreed in advance, lets a guest come back after its line broke. A door is an offer by
 * which one more phone can come in.
 *
 * A guest's messages:
 *
 * - {ask: number, method, target, headers, body}: a request, with the guest's number for it
 * - {gone: number}: the answer to this request is no longer needed
 * - {door: true, number}: asks for a code for one more phone
 * - {enter: code, number}: the answer of that phone
 * - {spare: code}: the answer to the offer of a spare line
 * - {leave: true}: it stops being a guest
 *
 * The house's messages:
 *
 * - {proof}: it has read the guest's answer (see link.js)
 * - {hello: {home, at}}: the folder's path and the path of the host's table, once on each line
 * - {goes: at}: the host is at another table now
 * - {head: number, status, headers}, then the answer's parts as bytes: its number in four bytes, 1 if more parts come,
 *   the part
 * - {failed: number}: there is no answer
 * - {answer, number}: the code for a guest's {door}, or the resulting word for its {enter}; '' if there is none
 * - {spare: code}: the offer of a spare line
 * - {away: true}: the host sends the guest away
 *
 * Any other message of a guest ends its line. So does exceeding its rate limit.
 */
import { HOME } from '../places.js';
import { Buckets } from './bucket.js';
import { certificate, Link, MOST_MESSAGE, nameOf, readCode } from './link.js';

const MOST_GUESTS = 19;
// requests that one guest may have under way, streams included
const MOST_ASKED = 48;
const MOST_HEADERS = 20;
// A rate limit for each guest (its certificate) on all its lines together. A message counts before it is parsed. The
// limit is as in a house with a server: 600 at once and 60 a second. A page of ours with all its files takes 20
// messages of 0.3 KB, and a reload takes 3. A message counts once for each 2 KB or part of it. So at most 1.2 MB are
// parsed at once, in about 10 ms.
const [SAID_PER_S, SAID_AT_ONCE, OF_SIZE] = [60, 600, 2048];
// opening a line takes this phone about 10 ms
const OF_LINE = 30;
// limited, or guests could let themselves in again and again, under new names
const [PASSES_PER_S, PASSES_AT_ONCE] = [0.1, MOST_GUESTS];
const MOST_COUNTED = 64;
const MEETS_MS = 10_000;
const KNOCK_MS = 5000;
const MOST_KNOCKS = 4;
const HEAD = 5;
// the engine's header with the table's code and the name of the guest's seat (browser/engine.py)
const SEAT = 'pubdice-seat';
const METHODS = ['GET', 'HEAD', 'POST'];
const BUSY = new TextEncoder().encode('Too fast. Wait a moment.');

/**
 * Returns true if a message has the form of our pages' requests. The house decides which of them it allows.
 * @param {any} asked
 */
const isRequest = ({ ask, method, target, headers, body }) =>
  Number.isInteger(ask) &&
  ask >= 0 &&
  ask < 2 ** 32 &&
  METHODS.includes(method) &&
  Array.isArray(headers) &&
  headers.length <= MOST_HEADERS &&
  headers.every(
    header => Array.isArray(header) && header.length === 2 && header.every(text => /^[\x20-\x7e]*$/.test(text)),
  ) &&
  [target, body, ...headers.flat()].every(text => typeof text === 'string') &&
  /^\/[\x21-\x7e]*$/.test(target);

/**
 * Returns an invented IPv6 address for a guest, by which the house's rate limits tell phones apart. The limits count
 * blocks of 56 bits (server/web/limits.py), so 48 bits are of the phone's name. With only 24 bits, as in IPv4, a phone
 * could make certificates until it shares another phone's address.
 * @param {string} name
 */
const addressOf = name => `${`fd${name.slice(0, 12)}00`.match(/.{4}/g)?.join(':')}::1`;

/** The house of this phone with its guests. */
export class Hosting {
  /**
   * The house's functions for this class:
   *
   * - ask: passes a request to the engine, with a port for the answer
   * - at: the page that new guests see first
   * - changed: called when a guest comes or goes
   * - kept: called with the path of a log that a guest gets
   * - may: a promise that this phone's own codes wait for
   * @param {{ask: (asked: any, port: MessagePort) => void, at: () => string, changed: () => void,
   *   kept: (path: string) => void, may: Promise<unknown>}} house
   */
  constructor(house) {
    this.house = house;
    /** @type {RTCCertificate | null} */
    this.own = null;
    /** @type {Map<string, {link: Link, spare: Link | null, label: string, table: string,
     *   asked: Map<number, MessagePort>, lostAt: number}>} */
    this.guests = new Map();
    /** @type {Set<string>} */
    this.sentAway = new Set();
    /** @type {Set<Link>} */
    this.doors = new Set();
    /**
     * The line that belongs to the code shown on this phone.
     * @type {Link | null}
     */
    this.shown = null;
    /**
     * The door last made to show its code on this phone.
     * @type {Promise<Awaited<ReturnType<Hosting['door']>> | null>}
     */
    this.next = Promise.resolve(null);
    this.said = new Buckets(SAID_PER_S, SAID_AT_ONCE, MOST_COUNTED);
    this.passes = new Buckets(PASSES_PER_S, PASSES_AT_ONCE, 1);
    this.ended = false;
    this.knocks = 0;
  }

  /**
   * The guests: [the phone's name, the guest's name in the list, true if the guest is in reach]. A seat's name is
   * unique only at its table. A guest could sit under another guest's name at a table of its own, so the list adds that
   * table's code.
   */
  get present() {
    const here = this.house.at();
    return [...this.guests].map(([name, { label, table, link }]) => {
      const called = !label || here.includes(`/t/${table}`) ? label : `${label} (${table})`;
      return /** @type {const} */ ([name, called, link.isNear]);
    });
  }

  /** The name of the guest that has been out of reach for longest; '' if all guests are in reach. */
  get longestLost() {
    const lost = [...this.guests].filter(([, { link }]) => link.isGone);
    return lost.sort(([, one], [, other]) => one.lostAt - other.lostAt)[0]?.[0] ?? '';
  }

  /**
   * Returns true if a guest of this name may come in, perhaps in place of a guest that is out of reach.
   * @param {string} name
   */
  fits(name) {
    return this.guests.has(name) || this.guests.size < MOST_GUESTS || this.longestLost !== '';
  }

  /**
   * Makes a new line, not connected yet.
   * @param {string} [of] the guest's name, if it is a spare line
   */
  async line(of = '') {
    this.own ??= await certificate();
    const link = new Link(this.own, {
      heard: message => this.hear(link, message),
      lost: () => this.lose(link),
      admits: size => this.said.take(link.other, Math.ceil((size + 1) / OF_SIZE)),
    });
    link.opened.then(() => this.enter(link, of));
    return link;
  }

  /**
   * Makes an offer for one more phone: {link, code, accept}. accept(code) resolves to a word: in, apart, stale, unread,
   * away, full, or far (the code leads to the internet, and the player has not allowed that). `isOwn` is true if this
   * phone shows the code. Doors made for guests never replace this one.
   */
  async door(isOwn = true) {
    const others = [...this.doors].filter(link => link !== this.shown);
    for (const old of others.slice(0, -3)) this.shut(old);
    const link = await this.line();
    this.doors.add(link);
    if (isOwn) this.shown = link;
    const code = await link.offer().catch(() => '');
    if (!code) this.shut(link);
    /**
     * @param {string} text
     * @param {boolean} [mayBeFar]
     */
    const accept = async (text, mayBeFar) => {
      const read = readCode(text, mayBeFar);
      if (!read) return 'unread';
      if (read.isFar) return 'far';
      if (this.sentAway.has(nameOf(read.fingerprint))) return 'away';
      if (!this.fits(nameOf(read.fingerprint))) return 'full';
      if (!this.doors.has(link) || !(await link.accept(read).catch(() => false))) {
        this.knock(read).catch(() => {});
        return 'stale';
      }
      const met = await Promise.race([link.opened, new Promise(late => setTimeout(late, MEETS_MS, false))]);
      this.doors.delete(link);
      if (!met) link.close();
      return met ? 'in' : 'apart';
    };
    return { link, code, accept };
  }

  /**
   * Resolves to the door whose code this phone shows, in the panel and in the table's page. All callers share it until
   * a phone has come in by it. A call waits for earlier calls, which may wait for the browser's question for the
   * camera. If a door can't be made, for example if the browser has no room for one more line, this resolves to null,
   * and the next call tries again. It also resolves to null after the house has ended.
   */
  ownDoor() {
    this.next = Promise.all([this.next, this.house.may]).then(([made]) => {
      if (this.ended) return null;
      return made && this.doors.has(made.link) ? made : this.door().catch(() => null);
    });
    return this.next;
  }

  /**
   * Connects to a phone whose answer came too late. That phone then learns that its code was read, and that another
   * phone came in before.
   * @param {import('./link.js').Code} code
   */
  async knock(code) {
    if (this.knocks >= MOST_KNOCKS || !this.own) return;
    this.knocks++;
    const link = new Link(this.own, { heard() {}, lost() {} });
    setTimeout(() => {
      link.close();
      this.knocks--;
    }, KNOCK_MS);
    await link.answer(code);
  }

  /**
   * Tells all guests that the host is at another table.
   * @param {string} at
   */
  goTo(at) {
    for (const { link } of this.guests.values()) link.send({ goes: at });
  }

  /** @param {Link} link */
  shut(link) {
    this.doors.delete(link);
    link.close();
  }

  /**
   * Makes the phone at the other end of an open line a guest, perhaps again.
   * @param {Link} link
   * @param {string} of
   */
  enter(link, of) {
    this.doors.delete(link);
    const name = link.other;
    if (this.sentAway.has(name)) return this.dismiss({ link, asked: new Map() });
    if (this.ended || (of && of !== name) || !this.fits(name)) return link.close();
    const before = this.guests.get(name);
    if (!before && this.guests.size >= MOST_GUESTS) this.forget(this.longestLost);
    const guest = {
      link,
      spare: null,
      label: before?.label ?? '',
      table: before?.table ?? '',
      asked: new Map(),
      lostAt: 0,
    };
    this.guests.set(name, guest);
    if (before) this.leave(before);
    link.send({ hello: { home: HOME, at: this.house.at() } });
    this.makeSpare(name);
    this.house.changed();
  }

  /**
   * Makes a spare line to a guest, for use if the current line breaks. Both phones have its codes in advance.
   * @param {string} name
   */
  async makeSpare(name) {
    const guest = this.guests.get(name);
    const spare = await this.line(name);
    const code = await spare.offer().catch(() => '');
    if (!code || !guest || guest.link.isGone || this.guests.get(name) !== guest) return spare.close();
    guest.spare = spare;
    guest.link.send({ spare: code });
  }

  /** @param {{link: Link, spare?: Link | null, asked: Map<number, MessagePort>}} guest */
  leave({ link, spare, asked }) {
    for (const port of asked.values()) {
      port.postMessage('gone');
      port.close();
    }
    asked.clear();
    link.close();
    if (spare && !spare.isOpen) spare.close();
  }

  /**
   * Removes a guest, who may come again.
   * @param {string} name
   */
  forget(name) {
    const guest = this.guests.get(name);
    this.guests.delete(name);
    if (guest) this.leave(guest);
    this.house.changed();
  }

  /**
   * Handles a lost line. Its guest stays while a spare line waits and the house has room.
   * @param {Link} link
   */
  lose(link) {
    this.doors.delete(link);
    const guest = this.guests.get(link.other);
    if (!guest || (guest.link !== link && guest.spare !== link)) return;
    if (guest.link === link) guest.lostAt = performance.now();
    else if (!guest.link.isGone) return;
    for (const port of guest.asked.values()) port.postMessage('gone');
    guest.asked.clear();
    if (!guest.spare || guest.spare.isGone) this.guests.delete(link.other);
    this.house.changed();
  }

  /**
   * Sends a guest away. It is not let in again while this phone is the house.
   * @param {string} name
   */
  send(name) {
    const guest = this.guests.get(name);
    this.sentAway.add(name);
    this.guests.delete(name);
    if (guest) this.dismiss(guest);
    this.house.changed();
  }

  /** @param {{link: Link, spare?: Link | null, asked: Map<number, MessagePort>}} guest */
  dismiss({ link, spare, asked }) {
    // a guest that is out of reach is told when it comes back by the spare line
    if (spare) this.doors.add(spare);
    link.send({ away: true });
    // later, so data being sent still goes out
    setTimeout(() => this.leave({ link, asked }), 200);
  }

  end() {
    this.ended = true;
    for (const link of this.doors) link.close();
    for (const guest of this.guests.values()) this.leave(guest);
    this.guests.clear();
  }

  /**
   * Handles a guest's message. Throws if a guest may not send it.
   * @param {Link} link
   * @param {any} message
   */
  hear(link, message) {
    const guest = this.guests.get(link.other);
    if (guest?.link !== link) return;
    const opens = ['door', 'enter', 'spare'].some(what => what in message);
    if (opens && !this.said.take(link.other, OF_LINE)) throw new RangeError('too fast');
    if ('ask' in message) this.ask(guest, message);
    else if ('gone' in message) {
      guest.asked.get(message.gone)?.postMessage('gone');
      guest.asked.delete(message.gone);
    } else if (message.door) this.pass(guest, null, message.number);
    else if (typeof message.enter === 'string') this.pass(guest, message.enter, message.number);
    else if (typeof message.spare === 'string') {
      const read = readCode(message.spare);
      if (!read || nameOf(read.fingerprint) !== link.other) throw new RangeError('another phone');
      guest.spare?.accept(read).catch(() => {});
    } else if (message.leave) this.forget(link.other);
    else throw new RangeError('no message of a guest');
  }

  /**
   * Lets a guest show the code for one more phone, and read that phone's answer.
   * @param {any} guest
   * @param {string | null} code the third phone's answer, or null to ask for a code
   * @param {unknown} number the guest's number for its question
   */
  async pass(guest, code, number) {
    // a guest lets in one phone at a time
    if (guest.passes || (code === null && !this.passes.take(''))) return guest.link.send({ answer: '', number });
    guest.passes = true;
    let answer = '';
    try {
      if (code === null) {
        // if a phone came in, its line is no longer a door, and stays
        if (this.doors.has(guest.door?.link)) this.shut(guest.door.link);
        guest.door = await this.door(false);
        answer = guest.door.code;
      } else answer = (await guest.door?.accept(code)) ?? 'stale';
    } finally {
      guest.passes = false;
      guest.link.send({ answer, number });
    }
  }

  /**
   * @param {any} guest
   * @param {any} message
   */
  ask({ link, asked }, message) {
    if (!isRequest(message) || asked.has(message.ask)) throw new RangeError('no request');
    const { ask, method, target, headers, body } = message;
    /**
     * @param {Uint8Array} bytes
     * @param {boolean} more
     */
    const part = (bytes, more) => {
      for (let at = 0; at === 0 || at < bytes.length; at += MOST_MESSAGE - HEAD) {
        const piece = bytes.subarray(at, at + MOST_MESSAGE - HEAD);
        const framed = new Uint8Array(HEAD + piece.length);
        new DataView(framed.buffer).setUint32(0, ask);
        framed[4] = more || at + piece.length < bytes.length ? 1 : 0;
        framed.set(piece, HEAD);
        link.send(framed);
      }
    };
    if (asked.size >= MOST_ASKED) {
      link.send({
        head: ask,
        status: 429,
        headers: [
          ['content-type', 'text/plain'],
          ['retry-after', '1'],
        ],
      });
      return part(BUSY, false);
    }
    const { port1, port2 } = new MessageChannel();
    asked.set(ask, port1);
    port1.onmessage = ({ data }) => {
      if (data.status) {
        this.call(link.other, data.headers);
        const [path] = target.split('?');
        if (data.status === 200 && path.endsWith('/kept')) this.house.kept(path);
        return link.send({ head: ask, status: data.status, headers: data.headers });
      }
      if (data.failed) link.send({ failed: ask });
      else part(data.part, !!data.more);
      if (data.failed || !data.more) {
        asked.delete(ask);
        port1.close();
      }
    };
    const sent = new TextEncoder().encode(body);
    this.house.ask({ method, target, headers, body: sent, guest: addressOf(link.other), phone: link.other }, port2);
  }

  /**
   * Names a guest by its seat, from a header of the engine.
   * @param {string} name
   * @param {string[][]} headers of an answer to the guest
   */
  call(name, headers) {
    const guest = this.guests.get(name);
    const [, table, label] = /^(\S+) (.*)$/.exec(headers.find(([key]) => key === SEAT)?.[1] ?? '') ?? [];
    if (!guest || !table || (guest.label === label && guest.table === table)) return;
    // without a name, the guest only watches that table
    if (!label && guest.table !== table) return;
    Object.assign(guest, { label, table });
    this.house.changed();
  }
}
