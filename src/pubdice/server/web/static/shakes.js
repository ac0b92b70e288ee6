/** Shakes of the phone, where somebody wants to roll by them; loaded then. */

// metres a second, each second
const SHAKEN = 18;

/**
 * Calls when the phone is shaken and that is wanted, once in so many ms.
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
