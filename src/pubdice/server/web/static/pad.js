/** Real dice: faces to tap, and the faces tapped so far. The field that works without scripts holds them. */
import { all, at, say, turnTo, word } from './speech.js';

/** @type {number[]} */
let faces = [];
let due = 0;
let changing = -1;
/** Called when the faces change. */
let changed = () => {};
/**
 * The camera's module, from the first press of its button on.
 * @type {typeof import('./camera.js') | undefined}
 */
let camera;
// True once the page was not let through the camera, so it asks for a picture.
let isRefused = false;

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

export function clear() {
  faces = [];
  changing = -1;
  camera?.close(at('main'));
  show();
}

/**
 * Enters faces that the camera read.
 * @param {number[]} read
 */
export function fill(read) {
  faces = read.slice(0, due);
  changing = -1;
  show();
  changed();
}

/**
 * Lets the next tap change a die.
 * @param {number} slot
 */
export function change(slot) {
  if (!faces[slot]) return;
  changing = slot;
  show();
}

/**
 * Draws the pad for a number of dice. Another number empties it.
 * @param {number} number
 */
export function expect(number) {
  if (number !== due) {
    faces = [];
    camera?.close(at('heading'));
  }
  due = number;
  show();
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

/** Looks through the camera, or asks for a picture, which is all that a page may over plain http. */
async function shoot() {
  const [picture] = all('#pad .picture');
  if (isRefused || !navigator.mediaDevices) return picture.click();
  camera ??= await import('./camera.js');
  if (await camera.look()) return;
  isRefused = true;
  // a browser opens no choice of pictures long after the press
  if (navigator.userActivation?.isActive === false) say([picture.dataset.failed]);
  else picture.click();
}

/**
 * Listens to the pad.
 * @param {() => void} deed called when the faces change
 */
export function listen(deed) {
  changed = deed;
  addEventListener('change', async ({ target }) => {
    if (!target.matches('#pad .picture') || !target.files[0]) return;
    const [file] = target.files;
    try {
      camera ??= await import('./camera.js');
      await camera.readFile(file);
    } catch {
      say([word('failed')]);
    } finally {
      target.value = '';
    }
  });
  addEventListener('click', ({ target }) => {
    const face = target.closest('#pad .faces button');
    const slot = target.closest('#pad .entered button');
    if (face) tap(+face.dataset.face);
    else if (slot) {
      change(+slot.dataset.slot);
    } else if (target.closest('#pad .camera')) {
      shoot().catch(() => say([word('failed')]));
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
