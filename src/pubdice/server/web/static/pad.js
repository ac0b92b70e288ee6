/** Real dice: faces to tap. */
import { add, called, empty, enter, entered, missing, shorten, show, wanted } from './faces.js';
import { all, at, say, word } from './speech.js';

export { missing, ordered } from './faces.js';

let roll = '';
/**
 * The camera's module, from the first press of its button on.
 * @type {typeof import('./camera.js') | undefined}
 */
let camera;

/**
 * Draws the pad for a roll of a number of dice. Another roll empties it: the faces were those of the roll before.
 * @param {number} number
 * @param {string} [of]
 */
export function expect(number, of = '') {
  if (number === wanted() && of === roll) show();
  else {
    camera?.close(at('heading'));
    roll = of;
    empty(number);
  }
  camera?.ring();
}

/** @param {number} face */
function tap(face) {
  add(face);
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
      enter(undefined, +slot.dataset.slot);
    } else if (target.closest('#pad .camera')) {
      import('./camera.js')
        .then(loaded => {
          camera = loaded;
          return loaded.press(changed);
        })
        .catch(() => say([word('failed')]));
      return;
    } else if (target.closest('#pad .delete')) {
      shorten();
      say([word('deleted', { number: missing() })]);
      if (!entered()) all('#pad .faces button')[0].focus();
    } else return;
    camera?.ring();
    changed();
  });
}
