/** Shakes of the phone. Loaded if the player wants to roll by them. */

// metres a second, each second
const SHAKEN = 18;

/**
 * Calls `shaken` at a shake, if that is wanted, once in `rests_ms`.
 * @param {() => unknown} isWanted
 * @param {() => void} shaken
 * @param {number} rests_ms
 */
export function listen(isWanted, shaken, rests_ms) {
  let last = Number.NEGATIVE_INFINITY;
  addEventListener('devicemotion', ({ acceleration }) => {
    const { x, y, z } = acceleration ?? {};
    const now = performance.now();
    if (!isWanted() || !(Math.hypot(x, y, z) >= SHAKEN) || now - last < rests_ms) return;
    last = now;
    shaken();
  });
}
