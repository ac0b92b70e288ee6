/**
 * Token buckets by the generic cell rate algorithm (GCRA), as the house's own rate limits are (server/web/limits.py).
 * Of each only the moment is kept at which it will be full again, so no timer fills it.
 */
export class Buckets {
  /**
   * most: buckets that are kept; the least lately used is forgotten first.
   * @param {number} per_s
   * @param {number} burst
   * @param {number} most
   */
  constructor(per_s, burst, most) {
    this.cost_ms = 1000 / per_s;
    this.depth_ms = burst * this.cost_ms;
    this.most = most;
    /** @type {Map<string, number>} */
    this.fullAt = new Map();
  }

  /**
   * Takes so many tokens; false, and none is taken, if there are too few.
   * @param {string} key
   * @param {number} count
   * @param {number} now_ms
   */
  take(key, count = 1, now_ms = performance.now()) {
    const fullAt = Math.max(this.fullAt.get(key) ?? 0, now_ms) + count * this.cost_ms;
    // sums of fractions
    if (fullAt > now_ms + this.depth_ms + 1e-6) return false;
    this.fullAt.delete(key);
    this.fullAt.set(key, fullAt);
    if (this.fullAt.size > this.most) this.fullAt.delete(this.fullAt.keys().next().value ?? '');
    return true;
  }
}
