/**
 * Ask the house: dice to tap below the fields that take dice. The fields work without this, and hold what was tapped.
 */
document.documentElement.classList.add('js');

const said = document.getElementById('tapped');

addEventListener('click', ({ target }) => {
  const button = target.closest('.tap button');
  const field = button && document.getElementById(button.parentElement.dataset.for);
  if (!field) return;
  const { face, add } = button.dataset;
  if (face && field.value.length < field.maxLength) field.value += face;
  else if (add && /[1-6-]$/.test(field.value)) field.value += add;
  else if (!face && !add) field.value = field.value.replace(/.[\s,]*$/, '');
  said.textContent = `${field.labels[0].textContent}: ${field.value.split('').join(' ')}`;
});
