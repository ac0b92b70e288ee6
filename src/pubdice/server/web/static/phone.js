/** The parts for players who share a phone: the screen between two of them, and a tablet's page turned to the mover. */
import { holder, isPassed, passing, seats, state } from './here.js';
import { setting } from './keys.js';
import { at, own, say, word } from './speech.js';
import { turn } from './tablet.js';
import { offer } from './view.js';

/**
 * Draws both parts.
 * @param {Wire.View} view
 */
export function draw(view) {
  const mine = seats();
  turn(view, mine);
  const screen = at('pass');
  const isOn = isPassed(view);
  if (!screen) return;
  const isNew = isOn && screen.hidden;
  at('play').toggleAttribute('data-pass', isOn);
  screen.hidden = !isOn;
  if (!isOn) return;
  const { name } = view.seats[view.mover ?? -1];
  at('heading').textContent = setting('tablet') ? own(view.heading) : word('pass', { name });
  at('main').hidden = true;
  const undoes = view.back_by === null || mine.includes(view.back_by);
  const label = word('undo_by', { name: view.seats[holder()].name });
  offer(at('back'), undoes && view.back && { ...view.back, label });
  for (const shape of screen.querySelectorAll('[data-seat]')) shape.hidden = +shape.dataset.seat !== view.mover;
  screen.querySelector('a').textContent = word('take', { name });
  if (!isNew) return;
  state.passed = performance.now();
  say([passing(view)]);
}
