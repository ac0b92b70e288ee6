/**
 * A trial turn on the front page. Each tap fetches the next page, and merges it into the dice on the page. The house
 * knows the rules. Here dice only fall.
 */
import { landings, roll } from './motion.js';
import { grow } from './page.js';
import { rattle, wake } from './sound.js';

// The longest wait for an answer. Then the browser goes there by itself, and shows the error.
const COMES_MS = 10_000;
const form = document.getElementById('trial');
/** @type {PageElement} */
const games = document.getElementById('open');
const waiting = [...form.childNodes].map(node => node.cloneNode(true));
let tries = 0;

/** Puts six dice back, for a new throw of the chosen game. */
function clear() {
  tries++;
  form.replaceChildren(...waiting.map(node => node.cloneNode(true)));
  delete form.parentElement.dataset.kept;
}

/**
 * @param {PageElement} old
 * @param {PageElement | null} button
 */
export async function go(old, button) {
  const mine = ++tries;
  wake();
  const fields = new URLSearchParams([...new FormData(old)].map(([name, value]) => [name, `${value}`]));
  if (button?.name) fields.append(button.name, button.value);
  // the turn has not begun, so its game is the one chosen now
  if (!fields.has('turn')) old.action = old.action.replace(/[^/]*$/, games.elements.game.value);
  const address = `${old.action}?${fields}`;
  try {
    const answer = await fetch(address, { headers: { Accept: 'text/html' }, signal: AbortSignal.timeout(COMES_MS) });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.getElementById('trial');
    if (mine !== tries) return;
    grow(old, fresh);
  } catch {
    // the browser says why, unless another tap or another game has come since
    if (mine === tries) location.assign(address);
    return;
  }
  // when the page is fetched again, these dice stay
  old.parentElement.dataset.kept = 'true';
  old.reset();
  if (!old.contains(document.activeElement)) old.querySelector('input:not([type=hidden]), button')?.focus();
  const dice = [...old.querySelectorAll('[data-fresh]')];
  if (!dice.length) return;
  roll(dice, 1);
  rattle(landings(dice.length, 1), true);
}

games.addEventListener(
  'change',
  (/** @type {any} */ { target }) => target.name === 'game' && form.elements.turn && clear(),
);
