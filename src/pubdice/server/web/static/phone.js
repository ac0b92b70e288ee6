/** The parts for players who share a phone: the screen between two of them, and a tablet's page turned to the mover. */
import { state } from './here.js';
import { means, setting } from './keys.js';
import { at, own, say, word } from './speech.js';
import { turn } from './tablet.js';
import { offer } from './view.js';

/**
 * "Pass the phone to Bob". Nothing if the phone lies between the players.
 * @param {Wire.View} view
 */
export function passing({ seats, mover }) {
  const { name } = seats[mover ?? -1];
  return !setting('tablet') && word('passing', { name, key: means('main') });
}

/**
 * Draws both parts. mine: the seats of this page. holder: the player who hands the phone on, or false.
 * @param {Wire.View} view
 * @param {number[]} mine
 * @param {number | false} holder
 */
export function draw(view, mine, holder) {
  turn(view, mine);
  const screen = at('pass');
  const isOn = holder !== false;
  if (!screen) return;
  const isNew = isOn && screen.hidden;
  at('play').toggleAttribute('data-pass', isOn);
  screen.hidden = !isOn;
  if (!isOn) return;
  const { name } = view.seats[view.mover ?? -1];
  at('heading').textContent = setting('tablet') ? own(view.heading) : word('pass', { name });
  at('main').hidden = true;
  const undoes = view.back_by === null || mine.includes(view.back_by);
  const label = word('undo_by', { name: view.seats[holder].name });
  offer(at('back'), undoes && view.back && { ...view.back, label });
  for (const shape of screen.querySelectorAll('[data-seat]')) shape.hidden = +shape.dataset.seat !== view.mover;
  screen.querySelector('a').textContent = word('take', { name });
  if (!isNew) return;
  state.passed = performance.now();
  say([passing(view)]);
}
