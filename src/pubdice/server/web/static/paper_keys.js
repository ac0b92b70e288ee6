/**
 * The table's keys on pages of choices: the review of a match, and a position to answer. Parts of the page name the
 * keys that say them (data-says), and each key has a button (data-deed).
 */
import { deedOf, listen, nameOf, setting } from './keys.js';
import { all, at, say, word } from './speech.js';

const WORST = 'm';
const steps = all('#choices li');
let place = -1;

/** The choice that is marked. A page with one choice has none. */
const here = () => steps[place] ?? document;

/**
 * Says the parts of the choice, or of the page, that belong to a key.
 * @param {string} key
 */
function tell(key) {
  if (steps.length && place < 0) return go(0);
  const said = [...here().querySelectorAll(key ? `[data-says~=${key}]` : ':scope > :not(.hint)')];
  say(said.length ? said.map(part => part.textContent) : [word('nothing')]);
}

/**
 * Marks a choice, brings it into view, and says it.
 * @param {number} to
 */
function go(to) {
  if (!steps[to]) return say([word(steps.length ? 'end' : 'nothing', { most: steps.length })]);
  steps[place]?.removeAttribute('aria-current');
  place = to;
  steps[place].setAttribute('aria-current', 'step');
  steps[place].scrollIntoView({ block: 'nearest' });
  tell('');
}

/** @param {PageElement} button */
const keyOf = ({ dataset: { deed } }) => (deed === 'worst' ? WORST.toUpperCase() : nameOf(deed ?? 'main'));

function help() {
  const ways = all('[data-deed], #main').map(
    one => keyOf(one) && word('way', { name: keyOf(one), choice: one.textContent }),
  );
  say(setting('keys') ? [...ways, at('keys-numbers')?.textContent] : [word('keys_off')]);
}

/**
 * The deeds of the keys. A page with dice to choose has its own.
 * @type {Record<string, (...of: any[]) => unknown>}
 */
export const deeds = {
  ...Object.fromEntries(['bank', 'hand', 'scores', 'beat', 'whose', 'chances'].map(key => [key, () => tell(key)])),
  main: () => (steps.length ? go(place + 1) : at('main') ? at('main').click() : tell('hand')),
  roll: () => deeds.main(),
  undo: () => go(place - 1),
  worst: () => (all('.worst')[0] ? go(steps.findIndex(step => step.matches('.worst'))) : say([word('none')])),
  last: () => tell(steps.length ? '' : 'last'),
  opens: () => {},
  leave: () => {},
  help,
  digit(number, shift) {
    if (steps.length) return go(number + (shift ? 10 : 0) - 1);
    const choice = all('.answers button, .choice [type=radio]')[number - 1];
    choice?.focus();
    if (choice?.type === 'radio') choice.checked = true;
  },
};

for (const button of all('[data-deed]')) button.onclick = () => deeds[button.dataset.deed]();
listen(
  deeds,
  (number, shift) => deeds.digit(number, shift),
  key => {
    if (key !== WORST || deedOf(key) || !steps.length) return false;
    deeds.worst();
    return true;
  },
);
document.documentElement.classList.add('js');
