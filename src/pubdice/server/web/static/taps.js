/** A seed from taps on a shared phone: each person taps their own, for their own seat. */
import { say } from './speech.js';

const TAPS = 12;
const WORDS = 4;
/** @type {string | undefined} */
let name;
/** @type {number} */
let left;
let pool = new Uint32Array(WORDS);
let at = 0;

const fresh = () => crypto.getRandomValues(new Uint32Array(WORDS));
/** @param {Iterable<number>} words */
const text = words => [...words].map(word => word.toString(36)).join('');

/**
 * Stirs numbers into the seed. The browser's random numbers are added at the end with XOR, so the seed is as good
 * as the better of both.
 * @param {...number} numbers
 */
function stir(...numbers) {
  for (const number of numbers) {
    at = (at + 1) % WORDS;
    pool[at] = Math.imul(pool[at] ^ pool[(at + 1) % WORDS] ^ (1e3 * number), 0x9e3779b1);
    pool[at] ^= pool[at] >>> 15;
  }
}

/** @param {PageElement} pad */
function show(pad) {
  pad.textContent = pad.dataset.left.replace('{number}', left);
  return pad.textContent;
}

/**
 * Begins for the person named on the page. give(name, seed) is called once, with the seed of the taps.
 * @param {PageElement} pad
 * @param {(name: string, seed: string) => void} give
 */
export function begin(pad, give) {
  const drawn = document.getElementById('drawn');
  // the buttons work from here on
  for (const button of [pad, drawn]) button.removeAttribute('aria-disabled');
  if (name === pad.dataset.name) return show(pad);
  [name, left, pool] = [pad.dataset.name, TAPS, fresh()];
  if (pad.onclick) say([document.querySelector('#seed-head span:last-child').textContent]);
  const stirred = (/** @type {PointerEvent} */ event) => {
    stir(event.clientX, event.clientY, event.pressure, event.timeStamp);
  };
  pad.onpointerdown = stirred;
  pad.onpointerup = stirred;
  // a tap, a key and a screen reader's press all end in a click
  pad.onclick = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    stir(clientX, clientY, performance.now());
    if (--left > 0) return say([show(pad)]);
    name = undefined;
    give(pad.dataset.name, text(fresh().map((word, place) => word ^ pool[place])));
  };
  drawn.onclick = () => {
    name = undefined;
    give(pad.dataset.name, text(fresh()));
  };
}
