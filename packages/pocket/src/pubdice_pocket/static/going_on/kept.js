/**
 * Copies of the logs of the tables that this phone has open. If the host's phone dies, a guest can go on with them as
 * host. If a table has gone on at two phones, so there are two courses of one match, the copies show it.
 *
 * IndexedDB has them, updated with each entry: each log's lines, this phone's person (the id of its player), and each
 * person's phone. Once a house has guests, it keeps its own tables in the same way, as those of the house ''.
 */
import { database, done, HOME } from '../places.js';

const DATABASE = `pubdice kept ${HOME}`;
const MOST_TABLES = 12;
// so many recent tables of each house stay until no house has more
const MOST_OF_HOUSE = 4;
// limits for one table
const MOST_BYTES = 1_500_000;
const MOST_LINES = 20_000;
const MOST_PHONES = 64;
// bytes that have come, but are not on the disk yet
const MOST_WAITING = 4 * MOST_BYTES;
// logs that come at a time: each is a request, and a guest may have 48 under way
const MOST_FOLLOWED = 4;
const FULL_MS = 3000;
const MOST_FULL = 200;
const LOST_MS = 200;
const STREAM = /^(.*\/t\/[^/?]+)\/(?:events|kept)(?:\?.*)?$/;
const WENT_ON = /^\d+ wenton ([0-9a-f]+) (\d+) /;
const PERSON = /^[\w-]{1,64}$/;
const MOVE = /^\d+ (?:draw|roll|play) /;

/**
 * A kept table.
 *
 * - key: the table's key in this database
 * - house: the name of the phone that is its house, '' for this phone
 * - path: the table's path in that house
 * - start: a digest of the log's first line, which stays the same if the table goes on elsewhere
 * - at: the time of the last entry, in ms
 * - you: this phone's person
 * - people: each person's phone
 * - no: the reason why nothing is kept (sealed, night, large, gone); '' if it is kept
 * - told: the other courses of this table that the player was told of, by their keys, with the course that is ahead if
 *   only one is
 * @typedef {{key: string, house: string, path: string, start: string, at: number, count: number, bytes: number,
 *   you: string, people: Record<string, string>, no: string, told: string[]}} Table
 */

/** @type {Promise<IDBDatabase> | undefined} */
let opened;
const both = () =>
  (opened ??= database(DATABASE, made => {
    made.createObjectStore('tables', { keyPath: 'key' });
    made.createObjectStore('lines');
  }).catch(error => {
    // so the next call tries again
    opened = undefined;
    throw error;
  }));

/**
 * Begins a transaction on both stores. `done` resolves when it is on the disk.
 * @param {IDBTransactionMode} mode
 */
async function stores(mode) {
  const work = (await both()).transaction(['tables', 'lines'], mode);
  return {
    tables: work.objectStore('tables'),
    lines: work.objectStore('lines'),
    done: new Promise((resolve, reject) => {
      work.oncomplete = resolve;
      work.onabort = reject;
    }),
  };
}

/** @param {string} key */
const linesOf = key => IDBKeyRange.bound([key, 0], [key, Number.POSITIVE_INFINITY]);

/**
 * @param {IDBObjectStore} tables
 * @returns {Promise<Table[]>} the most recently kept first
 */
const allOf = async tables =>
  (await done(tables.getAll())).sort((/** @type {Table} */ one, /** @type {Table} */ other) => other.at - one.at);

export const keptTables = async () => allOf((await stores('readonly')).tables);

/**
 * Returns the kept lines of a log.
 * @param {string} key
 * @returns {Promise<string[]>}
 */
async function readLines(key) {
  const { lines } = await stores('readonly');
  return (await done(lines.getAll(linesOf(key)))).flat();
}

/**
 * Stores a table's new lines in one transaction. If there are too many tables, those not kept for longest are
 * deleted, first those of a house with more than MOST_OF_HOUSE. So a house can't push out the tables of others.
 * @param {Table} table
 * @param {number} from the place of the lines in the log
 * @param {string[]} added
 */
async function keep(table, from, added) {
  const work = await stores('readwrite');
  work.tables.put(table);
  if (table.no) work.lines.delete(linesOf(table.key));
  else if (added.length) work.lines.put(added, [table.key, from]);
  if (!from) {
    const all = await allOf(work.tables);
    const isMany = (/** @type {Table} */ { house }, /** @type {number} */ at) =>
      all.slice(0, at).filter(before => before.house === house).length >= MOST_OF_HOUSE;
    const many = all.filter(isMany);
    for (const { key } of [...all.filter(table => !many.includes(table)), ...many].slice(MOST_TABLES)) {
      work.tables.delete(key);
      work.lines.delete(linesOf(key));
    }
  }
  await work.done;
}

/** @param {string} text */
async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes.subarray(0, 8), byte => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns the place at which two logs of one table part: the number of moves before it, and the log with moves after it
 * (both, here or there). Null if neither has any, or if one log is only the beginning of the other.
 * @param {string[]} here the log of the house that was asked
 * @param {string[]} there a known log of the table elsewhere
 * @param {boolean} own true if `there` is this phone's own table, where people may have gone on or still may
 */
export function parting(here, there, own) {
  let same = 0;
  while (same < here.length && here[same] === there[same]) same++;
  const [after, other] = [here.slice(same), there.slice(same)];
  const wentOn = [after, other].map(lines => lines.map(line => WENT_ON.exec(line)).find(Boolean));
  const isOther = other.some(line => MOVE.test(line) || WENT_ON.test(line));
  if (!isOther && !(own && wentOn[0])) return null;
  if (!after.length && !wentOn[1]) return null;
  const [moved, movedThere] = [after, other].map(lines => lines.some(line => MOVE.test(line)));
  if (!moved && !movedThere) return null;
  const numbers = wentOn.filter(found => found).map(found => Number(found?.[2]));
  const moves = here.slice(0, same).filter(line => MOVE.test(line)).length;
  const further = moved && movedThere ? 'both' : moved ? 'here' : 'there';
  return { number: numbers.length ? Math.min(...numbers) : moves, further };
}

/** @typedef {(asked: any, port: MessagePort) => void} Ask */
/** @type {Map<string, Follower>} tables whose logs come here, by house and path, the one asked for last at the end */
const following = new Map();

/**
 * Returns true if a message has the form of a house's message. Any phone may have sent it.
 * @param {any} message
 */
const isSound = ({ from = 0, lines = [], people = {}, you = '', no = '' }) =>
  Number.isInteger(from) &&
  Array.isArray(lines) &&
  lines.every(line => typeof line === 'string' && !line.includes('\n')) &&
  Object.entries(people).every(([person, phone]) => PERSON.test(person) && /^[0-9a-f]{0,64}$/.test(phone)) &&
  (you === '' || PERSON.test(you)) &&
  /^[a-z]{0,9}$/.test(no);

/**
 * Keeps the log of the table that a page has open, from now on.
 * @param {string} house the name of the house's phone
 * @param {Ask} ask passes a request to the house
 * @param {string} target the address that the page asks for
 * @param {(other: Table, facts: {number: number, further: string}) => void} parted called for each other
 *   known course of the table
 */
export async function follow(house, ask, target, parted) {
  const path = STREAM.exec(target)?.[1];
  const name = `${house} ${path}`;
  if (!path) return;
  const known = following.get(name);
  const follower = known ?? new Follower(house, path, parted);
  Object.assign(follower, { ask, isAsked: true });
  following.delete(name);
  following.set(name, follower);
  if (known) return;
  for (const [, old] of [...following].slice(0, -MOST_FOLLOWED)) old.end();
  try {
    await follower.run();
  } catch {
    // the next stream that the page asks for starts another try
  } finally {
    following.delete(name);
  }
}

/** A table whose log is copied to this phone. */
class Follower {
  /**
   * @param {string} house
   * @param {string} path
   * @param {(other: Table, facts: {number: number, further: string}) => void} parted
   */
  constructor(house, path, parted) {
    this.house = house;
    this.path = path;
    this.parted = parted;
    /** @type {Table | null} */
    this.table = null;
    this.isFull = false;
    this.isOver = false;
    /** @type {Ask} */
    this.ask = () => {};
    // true if a page has asked for the table's events since the last try began
    this.isAsked = false;
    // true if another known course of the table is ahead, and the two have not parted
    this.isBehind = false;
    this.stop = () => {};
  }

  end() {
    this.isOver = true;
    this.stop();
  }

  /**
   * Follows until the house ends the log. If this phone has no room, it tries again for ten minutes. If the line
   * is lost, it waits for it, and not for a page: a page may move seconds before it asks for its next stream.
   */
  async run() {
    for (let full = 0; !this.isOver; full += Number(this.isFull)) {
      this.isFull = this.isAsked = false;
      try {
        await this.once();
        if (!this.isAsked) return;
      } catch (error) {
        if (error !== 'lost' && !this.isAsked && (!this.isFull || full >= MOST_FULL)) throw error;
      }
      await new Promise(again => setTimeout(again, this.isFull ? FULL_MS : LOST_MS));
    }
  }

  async once() {
    const known = (await keptTables()).find(({ house, path }) => house === this.house && path === this.path);
    this.table = known ?? null;
    let query = '';
    if (known?.count && !known.no) {
      const last = (await readLines(known.key)).at(-1) ?? '';
      query = `?from=${known.count}&last=${await digest(last)}`;
    }
    const { port1, port2 } = new MessageChannel();
    const decoder = new TextDecoder();
    let text = '';
    let waiting = 0;
    let working = Promise.resolve();
    await new Promise((resolve, reject) => {
      this.stop = reject;
      port1.onmessage = ({ data: { failed, status, part, more } }) => {
        if (failed || status > 200) return reject(failed);
        if (!part) return;
        waiting += part.length;
        text += decoder.decode(part, { stream: true });
        const whole = text.split('\n');
        text = whole.pop() ?? '';
        if (text.length > MOST_BYTES || waiting > MOST_WAITING) return this.end();
        // if a line could not be stored, no later line is taken, or the copy would have a gap
        working = working.then(async () => {
          for (const line of whole) await this.hear(JSON.parse(line));
          waiting -= part.length;
        });
        working.then(more ? null : resolve, reject);
      };
      this.ask(
        { method: 'GET', target: `${this.path}/kept${query}`, headers: [], body: new Uint8Array(), near: true },
        port2,
      );
    }).finally(() => {
      port1.onmessage = null;
      port1.postMessage('gone');
      port1.close();
      return working.catch(() => {});
    });
  }

  /**
   * Takes a message of the house: {from, lines, people, you, whole}, {people} or {no}.
   * @param {{from?: number, lines?: string[], people?: Record<string, string>, you?: string, whole?: boolean,
   *   no?: string}} message
   */
  async hear(message) {
    if (!isSound(message)) throw new TypeError('no house of ours says that');
    const { from = -1, lines = [], people = {}, you, whole, no = '' } = message;
    // this is another log, so it gets an entry of its own, and the kept one stays
    if (!this.table || (from === 0 && this.table.count && !this.table.no)) this.table = this.begin();
    if (from === 0) Object.assign(this.table, { start: await digest(lines[0] ?? ''), count: 0, bytes: 0, no: '' });
    const { table } = this;
    if (from >= 0 && from !== table.count) throw new RangeError('a gap');
    table.at = Date.now();
    table.count += lines.length;
    for (const line of lines) table.bytes += line.length + 1;
    table.no = table.bytes > MOST_BYTES || table.count > MOST_LINES ? 'large' : no;
    table.people = Object.fromEntries(Object.entries({ ...table.people, ...people }).slice(-MOST_PHONES));
    if (you) table.you = you;
    await keep(table, table.count - lines.length, lines).catch(error => {
      this.isFull = true;
      throw error;
    });
    if (table.no) this.end();
    else if (whole || (this.isBehind && lines.length)) await this.compare(table);
  }

  /** @returns {Table} */
  begin() {
    const { house, path } = this;
    return {
      key: `${house} ${path} ${crypto.randomUUID()}`,
      house,
      path,
      start: '',
      at: 0,
      count: 0,
      bytes: 0,
      you: '',
      people: {},
      no: '',
      told: [],
    };
  }

  /** @param {Table} table */
  async compare(table) {
    const here = await readLines(table.key);
    this.isBehind = false;
    for (const other of await keptTables()) {
      if (other.key === table.key || other.start !== table.start || other.no) continue;
      const there = await readLines(other.key);
      const found = parting(here, there, !other.house);
      this.isBehind ||= !found && there.length > here.length;
      const told = found?.further === 'both' ? other.key : `${other.key} ${found?.further}`;
      if (!found || table.told.includes(told)) continue;
      table.told.push(told);
      await keep(table, table.count, []);
      this.parted(other, found);
    }
  }
}

/**
 * Returns a house's tables as JSON, in the form that an engine needs to go on with them.
 * @param {string} house its phone's name; '' for the house with the most recently kept table
 */
export async function toGoOn(house) {
  const guests = (await keptTables()).filter(table => table.house);
  const name = house || guests[0]?.house;
  const of = guests.filter(table => table.house === name);
  const latest = of.filter(({ path }, at) => of.findIndex(other => other.path === path) === at);
  const kept = latest.filter(({ no, you }) => !no && you);
  const tables = await Promise.all(
    kept.map(async ({ key, you, people }) => ({
      lines: await readLines(key),
      you,
      // the house names no phone for the people on its own phone
      people: Object.fromEntries(Object.entries(people).map(([person, phone]) => [person, phone || name])),
    })),
  );
  return { tables, isSealed: latest.some(({ no }) => no === 'sealed' || no === 'night') };
}
