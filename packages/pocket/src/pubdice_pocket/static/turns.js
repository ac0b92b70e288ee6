/**
 * Requests that wait for the engine: a queue for each phone, and one for this phone's own pages, served in turns (fair
 * queueing, round robin). So a phone with many requests waits for itself, and another phone's next request waits for
 * one of them. A request that is no longer needed leaves its queue, and costs the engine nothing.
 */
// of one phone. A guest has 48 under way (phones/hosting.js). But a busy engine hears its requests before it hears that
// they were taken back, as each has a port of its own. So there is room for all that a guest may say at once.
const MOST_WAITING = 600;
const PATIENCE_MS = 20;

/** @template T */
export class Turns {
  /**
   * @param {(one: T) => Promise<unknown>} begin hands a request to the engine, and resolves when its answer has begun
   */
  constructor(begin) {
    this.begin = begin;
    /** @type {Map<string, Set<T>>} */
    this.waiting = new Map();
    this.isServing = false;
    this.next = new MessageChannel();
  }

  /**
   * Adds a request to its phone's queue. Returns false if the queue is full.
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
   * Removes a request that is no longer needed. Returns true if the request had not begun.
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
      // the phone's next request waits behind the phones that came meanwhile
      this.waiting.delete(phone);
      if (queue.size) this.waiting.set(phone, queue);
    }
    this.isServing = false;
  }

  /**
   * Starts a request, and waits for its answer to begin, so the next turn goes to the requests that wait then. After
   * PATIENCE_MS it waits no longer, as a hint takes longer: it is computed in parts, and other requests run in between.
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

  /** Waits until all messages sent by now are handled, because one of them may take a request back. */
  heard() {
    return new Promise(done => {
      this.next.port1.onmessage = done;
      this.next.port2.postMessage(null);
    });
  }
}
