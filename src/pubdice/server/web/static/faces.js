/** The faces of real dice tapped so far. The field that works without scripts holds them. */
import { all, at, turnTo, word } from './speech.js';

/** @type {number[]} */
let faces = [];
let due = 0;
let changing = -1;

/** The number of dice to enter. */
export const wanted = () => due;

/** The number of dice still missing. */
export const missing = () => due - faces.length;

/** The faces tapped so far, in the order of the taps. */
export const entered = () => faces.map(called).join(' ');

/** The faces tapped so far, from the lowest up, as the main button says them. */
export const ordered = () =>
  [...faces]
    .sort((one, other) => one - other)
    .map(called)
    .join(' ');

/**
 * A face's name, from its button.
 * @param {number} face
 */
export const called = face => all(`#pad .faces [data-face="${face}"]`)[0].ariaLabel;

/**
 * Enters faces. slot: the next tap changes this die.
 * @param {number[]} [read]
 */
export function enter(read = faces, slot = -1) {
  faces = read.slice(0, due);
  changing = slot;
  show();
}

/**
 * Empties the field for a roll of a number of dice.
 * @param {number} number
 */
export function empty(number) {
  due = number;
  enter([]);
}

/**
 * Enters a tapped face.
 * @param {number} face
 */
export function add(face) {
  if (changing >= 0) faces[changing] = face;
  else if (missing()) faces.push(face);
  enter();
}

/** Takes the last face away. */
export const shorten = () => enter(faces.slice(0, -1));

/** Draws a place for each die, and the faces in them. */
export function show() {
  const [list] = all('#pad .entered');
  if (!list) return;
  /** @type {PageElement} */
  const held = document.activeElement;
  const had = held?.dataset.slot;
  list.replaceChildren(
    ...Array.from({ length: due }, (_, slot) => {
      const item = document.createElement('li');
      const button = document.createElement('button');
      const face = faces[slot];
      button.type = 'button';
      button.dataset.slot = `${slot}`;
      if (face) {
        button.toggleAttribute('data-red', all(`#pad .faces [data-face="${face}"]`)[0].hasAttribute('data-red'));
        button.append(Object.assign(document.createElement('span'), { className: 'pips' }));
        turnTo(button, face);
      }
      button.ariaLabel = face
        ? word('slot_full', { number: slot + 1, face: called(face) })
        : word('slot_empty', { number: slot + 1 });
      if (slot === (changing < 0 ? faces.length : changing)) button.className = 'next';
      button.disabled = !face;
      item.append(button);
      return item;
    }),
  );
  if (had) list.querySelector(`[data-slot="${had}"]`)?.focus();
  at('enter').value = entered();
  all('#pad .delete')[0].hidden = !faces.length;
}
