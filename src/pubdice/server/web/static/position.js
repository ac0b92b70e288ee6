/**
 * A position, answered as at a table. Tapped dice choose the answer that keeps them, and a button names it. The list of
 * answers stays for keys and screen readers. Without this script it is the only way. With few choices, such as to stop
 * or to roll on, the list is plainer than dice.
 */
import { isByPlace } from './keys.js';
import { deeds } from './paper_keys.js';
import { say, word } from './speech.js';

const form = /** @type {any} */ (document.querySelector('form:has(.answers)'));
const list = form.querySelector('.answers');
const dice = [...form.querySelectorAll('.free > [data-face]')];
const answers = [...list.querySelectorAll('button')];

/** @param {any[]} some */
const written = some => `k${some.sort().join('') || '-'}`;
const kept = () => dice.filter(die => die.matches('.kept'));
/** @param {any[]} some */
const faces = some => some.map(die => die.dataset.face);

/**
 * A button for fingers alone: keys and screen readers have the list.
 * @param {string} className
 * @param {() => void} onclick
 */
function made(className, onclick) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className, onclick, tabIndex: -1 });
  button.setAttribute('aria-hidden', 'true');
  list.after(button);
  return button;
}

const pips = dice.every(die => !die.textContent.trim()); // other dice show their faces in words
if (pips && answers.length > 3 && answers.every(({ value }) => /^k(-|[1-9]+)$/.test(value))) {
  /** @type {any} */
  let chosen;
  const button = made('main', () => chosen?.click());
  button.id = 'main';
  /** @param {any} answer */
  const choose = answer => {
    chosen = answer;
    button.textContent = answer ? answer.textContent : list.dataset.tap;
    button.setAttribute('aria-disabled', `${!answer}`);
  };
  form.classList.add('taps');
  for (const die of dice)
    die.onclick = () => {
      die.classList.toggle('kept');
      choose(answers.find(({ value }) => value === written(faces(kept()))));
    };
  const none = answers.find(({ value }) => value === 'k-');
  if (none) made('second', () => none.click()).textContent = none.textContent;
  list.addEventListener('focusin', (/** @type {any} */ { target }) => {
    form.classList.add('listed'); // the list stays, because a click would miss an element that moves
    const left = [...target.value];
    for (const die of dice) {
      const at = left.indexOf(die.dataset.face);
      die.classList.toggle('kept', at > 0);
      if (at > 0) left.splice(at, 1);
    }
    choose(target);
  });
  choose(null);
  const tell = () => say([!chosen && faces(kept()).join(' '), button.textContent]);
  deeds.main = () => (chosen ? chosen.click() : tell());
  deeds.digit = (number, shift) => {
    const same = dice.filter((die, at) => (shift || !isByPlace() ? +die.dataset.face : at + 1) === number);
    const die = same.find(one => !one.matches('.kept')) ?? same[0];
    if (!die) return say([word('nothing')]);
    die.onclick();
    tell();
  };
  deeds.undo = () => {
    for (const die of kept()) die.onclick();
    tell();
  };
}
