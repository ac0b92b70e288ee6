/**
 * What moves, and for how long: dice thrown, kept, won; a winner's dice. Only by the animation API, as the page allows
 * no inline style. A tap or a key ends every animation at once; with reduced motion there is a short fade instead.
 */
import { all, at } from './speech.js';

const THROW_MS = 420;
const APART_MS = 45;
const SETTLE_MS = 120;
const SHAKE_MS = 220;
const WIN_MS = 260;
const FADE_MS = 120;
const RISE_MS = 70;
const DRAW_MS = 400;
const LAND = 'cubic-bezier(.2, .8, .3, 1.1)';
const SLIDE = 'cubic-bezier(.3, 0, .1, 1)';
// metres a second, each second
const SHAKEN = 18;
const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * @param {Element} node
 * @param {any} [ms]
 */
const fade = (node, ms = FADE_MS) => node.animate({ opacity: [0, 1] }, ms);

/** The cup rocks twice. */
export function shake() {
  const cup = at('cup')?.querySelector('svg');
  if (!calm())
    cup?.animate(
      { rotate: ['0deg', '8deg', '-8deg', '8deg', '-8deg', '0deg'] },
      { duration: SHAKE_MS, easing: 'ease-in-out' },
    );
}

/**
 * Dice fly in from below, and come to rest. pace: 1 for one's own, less for others'.
 * @param {PageElement[]} dice
 * @param {number} pace
 */
export function roll(dice, pace) {
  dice.forEach((die, nth) => {
    const pips = die.querySelector('.pips');
    const spin = 200 + ((67 * (+die.dataset.place + 1)) % 140);
    if (calm()) {
      fade(pips);
      return;
    }
    pips.animate(
      [
        { transform: `translate(${40 - nth * 15}%, 45vh) rotate(${-spin}deg)`, opacity: 0, easing: LAND },
        { transform: 'translateY(-6px)', opacity: 1, offset: THROW_MS / (THROW_MS + SETTLE_MS) },
        { transform: 'none' },
      ],
      { duration: (THROW_MS + SETTLE_MS) * pace, delay: nth * APART_MS * pace, fill: 'backwards' },
    );
  });
}

/** Where the chosen dice lie now; call it before they are won. */
export const places = () =>
  all('#dice [data-status=marked] .pips').map(pips => ({
    face: pips.parentElement.dataset.face,
    box: pips.getBoundingClientRect(),
  }));

/**
 * Dice slide from where they lay into these slots of the rail.
 * @param {PageElement[]} slots
 * @param {{face: string, box: DOMRect}[]} from
 * @param {number} pace
 */
export function win(slots, from, pace) {
  for (const slot of slots) {
    const at = from.findIndex(({ face }) => face === slot.dataset.face);
    const pips = slot.querySelector('.pips');
    if (at < 0) continue;
    if (calm()) {
      fade(pips);
      continue;
    }
    const [{ box }] = from.splice(at, 1);
    const to = pips.getBoundingClientRect();
    // see tablet.js
    const way = document.documentElement.classList.contains('turned') ? -1 : 1;
    const slide = `translate(${way * (box.left - to.left)}px, ${way * (box.top - to.top)}px)`;
    const start = `${slide} scale(${box.width / to.width || 1})`;
    pips.animate({ transform: [start, 'none'] }, { duration: WIN_MS * pace, easing: SLIDE });
  }
}

/** The end of a match, once. */
export function cheer() {
  const still = calm();
  const line = all('.underline path')[0];
  all('#won > *').forEach((die, nth) => {
    if (still) fade(die);
    else
      die.animate(
        { transform: ['translateY(60px)', 'none'], opacity: [0, 1] },
        { duration: 300, delay: nth * RISE_MS, easing: LAND, fill: 'backwards' },
      );
  });
  if (!still)
    line?.animate({ strokeDasharray: ['0 220', '220 220'] }, { duration: DRAW_MS, delay: 300, fill: 'backwards' });
}

/**
 * A few words rise, stay and go; done is called when they have gone.
 * @param {PageElement} node
 * @param {number} stays_ms
 * @param {() => void} done
 */
export function bubble(node, stays_ms, done) {
  if (!calm()) node.animate({ opacity: [0, 1], transform: ['translateY(8px)', 'none'] }, 160);
  return setTimeout(done, stays_ms);
}

function finish() {
  for (const one of document.getAnimations()) one.finish();
}

for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, finish, true);

/**
 * Calls when the phone is shaken and that is wanted, once in so many ms.
 * @param {() => unknown} isWanted
 * @param {() => void} shaken
 * @param {number} rests_ms
 */
export function listen(isWanted, shaken, rests_ms) {
  let last = 0;
  addEventListener('devicemotion', ({ acceleration }) => {
    const { x, y, z } = acceleration ?? {};
    const now = Date.now();
    if (!isWanted() || !(Math.hypot(x, y, z) >= SHAKEN) || now - last < rests_ms) return;
    last = now;
    shaken();
  });
}
