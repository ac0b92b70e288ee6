/**
 * A position, answered as at a table. Tapped dice choose the answer that keeps them, and a button names it. The list of
 * answers stays for keys and screen readers. Without this script it is the only way. With few choices, such as to stop
 * or to roll on, the list is plainer than dice.
 */
const form = /** @type {any} */ (document.querySelector('form:has(.answers)'));
const list = form.querySelector('.answers');
const dice = [...form.querySelectorAll('.free > [data-face]')];
const answers = [...list.querySelectorAll('button')];

/** @param {any[]} faces */
const written = faces => `k${faces.sort().join('') || '-'}`;
const kept = () => written(dice.filter(die => die.matches('.kept')).map(die => die.dataset.face));

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
      choose(answers.find(({ value }) => value === kept()));
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
}
