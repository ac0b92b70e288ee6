/**
 * Motion of dice: they tumble, lie, are kept and are won. It uses only the animation API, with transforms and opacity,
 * which need no layout: a phone four times slower keeps 60 frames a second (benchmarks/motion.py). A tap or a key ends
 * every animation. With reduced motion there is a short fade instead. Sounds and the rest for taps go with it.
 */
import { all, at, inTwoFrames, put } from './speech.js';

const THROW_MS = 420;
const APART_MS = 45;
// The pause before the last die of a throw, and before a die thrown alone.
const HUSH_MS = 150;
const ALONE_MS = 450;
const SETTLE_MS = 120;
const SHAKE_MS = 220;
const WIN_MS = 260;
const FADE_MS = 120;
const RESTS_MS = 400;
export const LAND = 'cubic-bezier(.2, .8, .3, 1.1)';
const SLIDE = 'cubic-bezier(.3, 0, .1, 1)';
export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * @param {Element} node
 * @param {any} [ms]
 */
export const fade = (node, ms = FADE_MS) => node.animate({ opacity: [0, 1] }, ms);

/**
 * Sounds come with the first touch. Browsers play none before.
 * @type {typeof import('./sound.js') | null | undefined}
 */
let sounds;

/**
 * The timer until taps count again.
 * @type {ReturnType<typeof setTimeout> | undefined}
 */
let resting;

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
 * The landing time of each die of a throw, in ms.
 * @param {number} dice
 * @param {number} pace
 */
export const landings = (dice, pace) =>
  Array.from(
    { length: dice },
    (_, nth) => pace * (THROW_MS + nth * APART_MS + (nth < dice - 1 ? 0 : dice > 1 ? HUSH_MS : ALONE_MS)),
  );

/**
 * Dice fly in from below, tumbling, and come to rest. pace: 1 for the player's own, less for others'.
 * @param {PageElement[]} dice
 * @param {number} pace
 */
export function roll(dice, pace) {
  const lands = landings(dice.length, pace);
  dice.forEach((die, nth) => {
    const pips = die.querySelector('.pips');
    const way = (67 * (nth + 1)) % 140;
    if (calm()) {
      fade(pips);
      return;
    }
    const from = `translate(${40 - nth * 15}%, 45vh) rotate(${-200 - way}deg)`;
    pips.animate(
      [
        { transform: `${from} rotate3d(1, ${way / 70 - 1}, 0, 540deg)`, opacity: 0, easing: LAND },
        { transform: 'translateY(-6px)', opacity: 1, offset: THROW_MS / (THROW_MS + SETTLE_MS) },
        { transform: 'none' },
      ],
      { duration: (THROW_MS + SETTLE_MS) * pace, delay: lands[nth] - THROW_MS * pace, fill: 'backwards' },
    );
  });
}

/**
 * Counts a sum up to its new value.
 * @param {PageElement} node
 * @param {string} said
 */
export function count(node, said) {
  const from = +node.textContent;
  const more = calm() ? 0 : +said - from;
  if (!(more > 0)) return put(node, said);
  const began = performance.now();
  node.dataset.sum = said;
  /** @param {number} now */
  const step = now => {
    if (node.dataset.sum !== said) return;
    const part = Math.min(1, Math.max(0, now - began) / WIN_MS);
    put(node, `${from + Math.round(more * part)}`);
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** The places of the chosen dice now. Call it before they are won. */
export const places = () =>
  all('#dice [data-status=marked] .pips').map(pips => ({
    face: pips.parentElement.dataset.face,
    box: pips.getBoundingClientRect(),
  }));

/**
 * Slides dice from their places into these slots of the rail. Returns the slots into which no die slides.
 * @param {PageElement[]} slots
 * @param {{face: string, box: DOMRect}[]} from
 * @param {number} pace
 */
export function win(slots, from, pace) {
  // all boxes first: once an animation begins, the browser computes the layout again for the next
  const boxes = slots.map(slot => (calm() ? null : slot.querySelector('.pips').getBoundingClientRect()));
  return slots.filter((slot, nth) => {
    const at = from.findIndex(({ face }) => face === slot.dataset.face);
    const pips = slot.querySelector('.pips');
    const to = boxes[nth];
    if (at < 0) return true;
    if (!to) {
      fade(pips);
      return false;
    }
    const [{ box }] = from.splice(at, 1);
    // see tablet.js
    const way = document.documentElement.classList.contains('turned') ? -1 : 1;
    const slide = `translate(${way * (box.left - to.left)}px, ${way * (box.top - to.top)}px)`;
    const start = `${slide} scale(${box.width / to.width || 1})`;
    pips.animate({ transform: [start, 'none'] }, { duration: WIN_MS * pace, easing: SLIDE });
    return false;
  });
}

/**
 * Plays a sound, by its name in sound.js, after its event is drawn: the wave takes longer than a frame to compute.
 * @param {'chime' | 'door' | 'glass' | 'glasses' | 'low' | 'rattle' | 'tick' | 'wood'} name
 * @param {any[]} of
 */
export const sound = (name, ...of) => inTwoFrames(() => sounds?.[name](...of));

/**
 * Ignores taps for a moment after the elements under a finger have changed: they were meant for the elements before.
 */
export function rest() {
  clearTimeout(resting);
  at('table').dataset.rests = '';
  resting = setTimeout(() => delete at('table').dataset.rests, RESTS_MS);
}

/** Ends every animation, and wakes the sounds. */
async function touch() {
  for (const one of document.getAnimations()) one.finish();
  // If the sounds do not load, the page is silent.
  sounds ??= await import('./sound.js').catch(() => null);
  sounds?.wake();
}

for (const name of ['pointerdown', 'keydown']) addEventListener(name, touch, true);
