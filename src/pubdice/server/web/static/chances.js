/** Every seat's chances, at tables that show them: the house's panel, drawn once the dice it is about lie still. */
import { here } from './here.js';
import { grow } from './page.js';

let latest = -1;
/** The table that it is of. */
let table = here();

/**
 * tell: says lines. A panel that comes late, after a newer one, is not drawn.
 * @param {Wire.ChanceNews} chances
 * @param {(lines: string[]) => unknown} tell
 */
export async function show({ seq, html, say }, tell) {
  if (table !== here()) latest = -1;
  table = here();
  latest = Math.max(latest, seq);
  /** @type {Element | null} */
  const dice = document.getElementById('dice');
  await Promise.allSettled(
    (dice?.getAnimations({ subtree: true }) ?? []).map((/** @type {Animation} */ one) => one.finished),
  );
  const panel = document.getElementById('chances');
  if (!panel || seq < latest || table !== here()) return;
  const fresh = new DOMParser().parseFromString(html, 'text/html').getElementById('chances');
  if (document.querySelector('.big-screen')) for (const more of fresh.querySelectorAll('svg, details')) more.remove();
  grow(panel, fresh);
  if (say) tell([say]);
}
