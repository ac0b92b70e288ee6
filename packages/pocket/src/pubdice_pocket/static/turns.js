/**
 * Requests that wait for the engine: a queue for each phone, the own pages of this one being one more, served in turns
 * (fair queueing, round robin). So a phone with many waits for itself, and another's next comes after one of them.
 * A request that nobody waits for any more leaves its queue, and costs the engine nothing.
 */
const MOST_WAITING = 100; // of one phone; a guest has 48 under way (phones/hosting.js)
const PATIENCE_MS = 20;

/** @template T */
export class Turns {
  /**
   * begin: hands a request to the engine; resolves once its answer has begun.
   * @param {(one: T) => Promise<unknown>} begin
   */
  constructor(begin) {
    this.begin = begin;
    /** @type {Map<string, Set<T>>} */
    this.waiting = new Map();
    this.isServing = false;
    this.next = new MessageChannel();
  }

  /**
   * Lets a request wait for its turn; false if too many of its phone wait.
   * @param {string} phone
   * @param {T} one
   */
  add(phone, one) {
    const queue = this.waiting.get(phone) ?? new Set();
    if (queue.size >= MOST_WAITING) return false;
    this.waiting.set(phone, queue.add(one));
    if (!this.isServing) this.serve();
    return true;
  }

  /**
   * Nobody waits for a request any more; whether it had not begun.
   * @param {string} phone
   * @param {T} one
   */
  drop(phone, one) {
    return !!this.waiting.get(phone)?.delete(one);
  }

  async serve() {
    this.isServing = true;
    await this.heard();
    for (let [turn] = this.waiting; turn; [turn] = this.waiting) {
      const [phone, queue] = turn;
      const [one] = queue;
      queue.delete(one);
      if (one !== undefined) await this.begun(one);
      // behind all who came meanwhile
      this.waiting.delete(phone);
      if (queue.size) this.waiting.set(phone, queue);
    }
    this.isServing = false;
  }

  /**
   * Begins a request, and waits for its answer to begin, so that the next turn is given by what waits then. One that
   * takes longer holds nobody up: a hint is worked out in parts, and others come in between.
   * @param {T} one
   */
  async begun(one) {
    let late = 0;
    const patience = new Promise(done => {
      late = setTimeout(done, PATIENCE_MS);
    });
    await Promise.race([this.begin(one), patience]);
    clearTimeout(late);
    await this.heard();
  }

  /** Hears first what pages have said until now: a request is taken back by a message, too. */
  heard() {
    return new Promise(done => {
      this.next.port1.onmessage = done;
      this.next.port2.postMessage(null);
    });
  }
}
