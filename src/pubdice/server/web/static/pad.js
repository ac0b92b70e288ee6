/** Real dice: faces to tap, and the faces tapped so far. The field that works without scripts holds them. */
import { all, at, say, turnTo, word } from './speech.js';

/** @type {number[]} */
let faces = [];
let due = 0;
let roll = '';
let changing = -1;
/**
 * The camera's module, from the first press of its button on.
 * @type {typeof import('./camera.js') | undefined}
 */
let camera;

const field = () => at('enter');

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
const called = face => all(`#pad .faces [data-face="${face}"]`)[0].ariaLabel;

function clear() {
  camera?.close(at('heading'));
  faces = [];
  enter();
}

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
 * Draws the pad for a roll of a number of dice. Another roll empties it: the faces were those of the roll before.
 * @param {number} number
 * @param {string} [of]
 */
export function expect(number, of = '') {
  if (number === due && of === roll) return show();
  [due, roll] = [number, of];
  clear();
}

function show() {
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
  field().value = entered();
  all('#pad .delete')[0].hidden = !faces.length;
  camera?.ring();
}

/** @param {number} face */
function tap(face) {
  if (changing >= 0) faces[changing] = face;
  else if (missing()) faces.push(face);
  changing = -1;
  show();
  say([missing() ? word('to_go', { face: called(face), number: missing() }) : word('all_in', { dice: entered() })]);
}

/**
 * Listens to the pad. Calls `changed` when the faces change.
 * @param {() => void} changed
 */
export function listen(changed) {
  addEventListener('click', ({ target }) => {
    const face = target.closest('#pad .faces button');
    const slot = target.closest('#pad .entered button');
    if (face) tap(+face.dataset.face);
    else if (slot) {
      enter(faces, +slot.dataset.slot);
    } else if (target.closest('#pad .camera')) {
      import('./camera.js')
        .then(loaded => {
          camera = loaded;
          return loaded.press(changed);
        })
        .catch(() => say([word('failed')]));
      return;
    } else if (target.closest('#pad .delete')) {
      faces.pop();
      changing = -1;
      show();
      say([word('deleted', { number: missing() })]);
      if (!faces.length) all('#pad .faces button')[0].focus();
    } else return;
    changed();
  });
}
