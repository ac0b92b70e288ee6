/** Every seat's chances, at tables that show them: the house's panel. It is drawn once its dice lie still. */
import { here, state } from './here.js';
import { setting } from './keys.js';
import { grow } from './page.js';
import { at, own, say, word } from './speech.js';

/**
 * The latest news, with its table.
 * @type {Wire.ChanceNews | undefined}
 */
let latest;
let table = here();
/** True if the player asked for chances that were not worked out yet. */
let isAsked = false;

/** @param {Wire.ChanceNews | undefined} news */
function take(news) {
  if (table !== here()) latest = undefined;
  if (table !== here()) isAsked = false;
  table = here();
  if (news && news.seq >= (latest?.seq ?? 0)) latest = news;
}

/** The chances in a line, as this page's player hears them. "" if none are known, or dice have fallen since. */
const line = () => (latest && latest.seq >= (state.view?.dice_version ?? 0) ? own(latest.line) : '');

/**
 * Draws a panel. A panel that is older than the last one, or than the dice, is dropped.
 * @param {Wire.ChanceNews} news
 */
export async function show(news) {
  take(news);
  const dice = at('dice')?.getAnimations({ subtree: true }) ?? [];
  await Promise.allSettled(dice.map((/** @type {Animation} */ one) => one.finished));
  const panel = at('chances');
  if (!panel || news !== latest || table !== here()) return;
  const fresh = new DOMParser().parseFromString(news.html, 'text/html').getElementById('chances');
  if (document.querySelector('.big-screen')) for (const more of fresh.querySelectorAll('svg, details')) more.remove();
  grow(panel, fresh);
  if (!line()) return;
  if (isAsked) say([line()]);
  else if (news.say && setting('wording') !== 'brief')
    say([word('way', { name: panel.querySelector('h2').textContent, choice: line() })]);
  isAsked = false;
}

/** Tells the chances of the dice as they lie. If they are still being worked out, says so, and tells them later. */
export function tell() {
  take(undefined);
  isAsked = !line();
  say([line() || (at('chances').querySelector('.hint')?.textContent ?? word('sending'))]);
}
