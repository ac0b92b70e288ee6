/** A call across the table, in a bubble that rises, stays for a while and goes. */
import { calm } from './motion.js';
import { at } from './speech.js';

const STAYS_MS = 4000;

/**
 * The timer of the bubble.
 * @type {ReturnType<typeof setTimeout> | undefined}
 */
let staying;

/**
 * Shows a call.
 * @param {Wire.React} react
 * @param {Wire.View} view
 */
export function showCalled({ seat, text }, { seats }) {
  const node = at('bubble');
  if (!node) return;
  clearTimeout(staying);
  node.textContent = `${seats[seat].name}: ${text}`;
  if (!calm()) node.animate({ opacity: [0, 1], transform: ['translateY(8px)', 'none'] }, 160);
  staying = setTimeout(() => {
    node.textContent = '';
  }, STAYS_MS);
}
