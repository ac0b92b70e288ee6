/**
 * The tab's title and icon and the app's badge say whose turn it is while people look elsewhere. And a screen that
 * stays lit.
 */
import { all } from './speech.js';

const SITE = ' | Pubdice';
/** @type {WakeLockSentinel | null | undefined} */
let lock;
let wanted = false;

/**
 * said: whose turn it is, or how it ended.
 * @param {string} said
 * @param {string} game
 * @param {boolean} mine
 */
export function tell(said, game, mine) {
  document.title = `${said.replace(/[.!]$/, '')} – ${game}${SITE}`;
  for (const icon of all('link[rel=icon]')) {
    icon.dataset.usual ??= icon.href;
    icon.href = mine ? icon.dataset.usual.replace('icon.svg', 'turn.svg') : icon.dataset.usual;
  }
  if (mine) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

async function hold() {
  if (!wanted || document.hidden || lock) return;
  try {
    lock = await navigator.wakeLock.request('screen');
    lock.addEventListener('release', () => (lock = null));
  } catch {
    // the device has no wake lock, or refuses it now
    lock = null;
  }
}

/**
 * Keeps the screen lit while a match is played, or lets it go dark.
 * @param {boolean} playing
 */
export function keepAwake(playing) {
  wanted = playing;
  if (playing) hold();
  else lock?.release();
}

document.addEventListener('visibilitychange', hold);
