/**
 * Ask the house: dice to tap below the fields for dice. The fields hold the tapped dice, and also work without this
 * script.
 */
document.documentElement.classList.add('js');

const said = document.getElementById('tapped');

addEventListener('click', ({ target }) => {
  const button = target.closest('.tap button');
  const field = button && document.getElementById(button.parentElement.dataset.for);
  if (!field) return;
  const { face, add } = button.dataset;
  const named = button.parentElement.matches('[data-named]'); // faces have names here, perhaps longer than a letter
  const next = named && /\w$/.test(field.value) ? ` ${face}` : face;
  if (face && field.value.length + next.length <= field.maxLength) field.value += next;
  else if (add && /[\w-]$/.test(field.value)) field.value += add;
  else if (!face && !add) field.value = field.value.replace(named ? /[\w-]+[\s,.]*$/ : /.[\s,]*$/, '');
  said.textContent = `${field.labels[0].textContent}: ${named ? field.value : field.value.split('').join(' ')}`;
});
