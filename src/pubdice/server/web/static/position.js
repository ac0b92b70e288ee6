/**
 * A position is answered as at a table: tapping dice chooses the answer that keeps them, and the button says which. The
 * list of answers stays for keys and for the ear; without this script it is all there is. Where there is little to
 * choose from, such as to stop or to roll on, the list is plainer than dice.
 */
const form = /** @type {any} */ (document.querySelector('form:has(.answers)'));
const dice = [...form.querySelectorAll('.free > [data-face]')];
const answers = [...form.querySelectorAll('.answers input')];
const button = form.querySelector('.main');

/** @param {any[]} faces */
const written = faces => `k${faces.sort().join('') || '-'}`;
const kept = () => written(dice.filter(die => die.matches('.kept')).map(die => die.dataset.face));
/** @param {any} answer */
const nameOf = answer => answer.labels[0].textContent;

/** Says what the button does now, or what is still to be done. */
function tell() {
  const chosen = answers.find(answer => answer.checked);
  button.textContent = chosen ? nameOf(chosen) : button.dataset.tap;
  button.setAttribute('aria-disabled', `${!chosen}`);
}

/** Lays the dice as the chosen answer keeps them. */
function lay() {
  const left = [...(answers.find(answer => answer.checked)?.value ?? '')];
  for (const die of dice) {
    const at = left.indexOf(die.dataset.face);
    die.classList.toggle('kept', at > 0);
    if (at > 0) left.splice(at, 1);
  }
  tell();
}

/** Chooses the answer that keeps the dice that are up, if there is one. */
function choose() {
  for (const answer of answers) answer.checked = answer.value === kept();
  tell();
}

const pips = dice.every(die => !die.textContent.trim()); // dice of other faces are written in another way
if (pips && answers.length > 3 && answers.every(({ value }) => /^k(-|[1-9]+)$/.test(value))) {
  form.classList.add('taps');
  form.noValidate = true; // the button says what is missing, and where one looks
  for (const die of dice)
    die.onclick = () => {
      die.classList.toggle('kept');
      choose();
    };
  const none = answers.find(({ value }) => value === 'k-');
  if (none) {
    const all = document.createElement('button');
    Object.assign(all, { type: 'button', className: 'second', textContent: nameOf(none), tabIndex: -1 });
    all.setAttribute('aria-hidden', 'true');
    all.onclick = () => {
      for (const die of dice) die.classList.remove('kept');
      choose();
    };
    button.before(all);
  }
  form.onchange = lay;
  form.addEventListener('focusin', (/** @type {any} */ { target }) => {
    if (answers.includes(target)) form.classList.add('listed'); // and stays, or a click would miss what moves
  });
  form.onsubmit = (/** @type {Event} */ event) => answers.some(({ checked }) => checked) || event.preventDefault();
  lay();
}
