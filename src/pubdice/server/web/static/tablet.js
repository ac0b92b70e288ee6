/**
 * A tablet on the table between people who share it. The mover's controls are turned to the mover's side, and one line
 * across the table says whose turn it is. Every second player sits opposite. Only the picture is turned: order, focus,
 * keys and speech stay as they are.
 */
import { setting } from './keys.js';
import { at, own } from './speech.js';

const TURNED = 'turned';
/** @type {Wire.View} */
let view;
/** @type {number[]} */
let seats;

/** Loads the styles for a tablet, which only few tables need. */
function dress() {
  const href = new URL('./tablet.css', import.meta.url).href;
  const has = [...document.head.querySelectorAll('link')].some(link => link.href === href);
  if (!has) document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
}

function lay() {
  const { classList } = document.documentElement;
  const across = at('across');
  const on = setting('tablet') && view.stage === 'playing';
  const side = seats.indexOf(view.mover ?? -1);
  const was = classList.contains(TURNED);
  // for a bot's turn the page stays as it is
  const opposite = !!on && (side < 0 ? was : side % 2 === 1);
  if (on) dress();
  if (across) {
    across.hidden = !on;
    across.textContent = [own(view.heading), own(view.status)].filter(Boolean).join(' \u00b7 ');
  }
  if (opposite === was) return;
  classList.toggle(TURNED, opposite);
  // the top of a turned element is at its lower edge
  if (opposite)
    document
      .querySelector(matchMedia('(min-width: 58em)').matches ? '#play' : '.board')
      .scrollIntoView({ block: 'end' });
  else scrollTo(0, 0);
}

/**
 * Shows a view to the mover's side. mine: the seats on this device.
 * @param {Wire.View} next
 * @param {number[]} mine
 */
export function turn(next, mine) {
  [view, seats] = [next, mine];
  lay();
}

addEventListener('change', ({ target }) => target.id === 'tablet' && lay());
