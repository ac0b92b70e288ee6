/**
 * The tab's title and icon and the app's badge say whose turn it is while people look elsewhere. And a screen that
 * stays lit.
 */
import { all } from './speech.js';

const SITE = ' | Pubdice';
/** @type {WakeLockSentinel | null | undefined} */
let lock;
let isAsked = false;
let isWanted = false;

/**
 * said: whose turn it is, or how it ended; '' where the page does not know, but another one does.
 * @param {string} said
 * @param {string} game
 * @param {boolean} mine
 */
export function tell(said, game, mine) {
  document.title = [said.replace(/[.!]$/, ''), game + SITE].filter(Boolean).join(' – ');
  for (const icon of all('link[rel=icon]')) {
    icon.dataset.usual ??= icon.href;
    icon.href = mine ? icon.dataset.usual.replace('icon.svg', 'turn.svg') : icon.dataset.usual;
  }
  if (mine) navigator.setAppBadge?.(1).catch(() => {});
  else if (said) navigator.clearAppBadge?.().catch(() => {});
}

async function hold() {
  if (!isWanted) return lock?.release();
  if (document.hidden || isAsked || lock?.released === false) return;
  isAsked = true;
  // the device may have no wake lock, or refuse it now
  lock = await navigator.wakeLock?.request('screen').catch(() => null);
  isAsked = false;
  if (!isWanted) lock?.release();
}

/**
 * Keeps the screen lit while a match is played, or lets it go dark.
 * @param {boolean} isPlaying
 */
export function keepAwake(isPlaying) {
  isWanted = isPlaying;
  hold();
}

document.addEventListener('visibilitychange', hold);
