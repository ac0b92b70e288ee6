/** Shows whose turn it is in the tab's title and icon and in the app's badge. Also keeps the screen lit. */
import { all } from './speech.js';

const SITE = ' | Pubdice';
/** @type {WakeLockSentinel | null | undefined} */
let lock;
let isAsked = false;
let isWanted = false;

/**
 * Shows the turn or the result in the title. said: the text, or '' if this page does not know it but another tab does.
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
