/**
 * Token buckets by the generic cell rate algorithm (GCRA), like the house's own rate limits (server/web/limits.py).
 * Each stores only the time at which it will be full again, so no timer fills it.
 */
export class Buckets {
  /**
   * @param {number} per_s
   * @param {number} burst
   * @param {number} most the most buckets kept; the least recently used is deleted first
   */
  constructor(per_s, burst, most) {
    this.cost_ms = 1000 / per_s;
    this.depth_ms = burst * this.cost_ms;
    this.most = most;
    /** @type {Map<string, number>} */
    this.fullAt = new Map();
  }

  /**
   * Takes `count` tokens. If there are too few, it takes none and returns false.
   * @param {string} key
   * @param {number} count
   * @param {number} now_ms
   */
  take(key, count = 1, now_ms = performance.now()) {
    const fullAt = Math.max(this.fullAt.get(key) ?? 0, now_ms) + count * this.cost_ms;
    // 1e-6 for rounding in sums of fractions
    if (fullAt > now_ms + this.depth_ms + 1e-6) return false;
    this.fullAt.delete(key);
    this.fullAt.set(key, fullAt);
    if (this.fullAt.size > this.most) this.fullAt.delete(this.fullAt.keys().next().value ?? '');
    return true;
  }
}
