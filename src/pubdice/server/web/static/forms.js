/** Forms of a table's page: a form as the request that the house reads, and the refusal it gets. */
import { at, say } from './speech.js';

const NUMBERS = ['seat', 'ms', 'phrase', 'to'];
const LASTS_MS = 20_000;
// the last refusal
let refused;
const places = text => text.split(' ').filter(Boolean).map(Number);

/** The request made of a form's fields and the button pressed. */
export function read(form, submitter) {
  const asked = {};
  for (const [name, value] of new FormData(form, submitter)) {
    if (name === 'marks') asked.marks = places(value);
    else if (name === 'seat' && / ./.test(value))
      Object.assign(asked, { seat: parseInt(value, 10), name: value.replace(/^\d+ /, '') });
    else if (name === 'mark') Object.assign(asked, { do: 'mark', marks: places(value) });
    else if (value && name !== 'key') asked[name] = NUMBERS.includes(name) ? +value : value === 'true' || value;
  }
  if (asked.do !== 'enter') delete asked.dice;
  return asked;
}

/** Shows a refusal beside its form, and returns its field and its place; '' takes the refusal away. */
function show(why, form) {
  let node = at('refusal');
  if (form && form.id !== 'act') {
    node = form.querySelector('.refusal') ?? form.appendChild(document.createElement('p'));
    node.className = 'refusal';
    node.id ||= `${form.id}-why`;
  }
  node.textContent = why;
  node.hidden = !why;
  const field = [...(form?.elements ?? [])].find(one => one.type === 'text' && !one.hidden);
  for (const [name, value] of [
    ['aria-invalid', 'true'],
    ['aria-describedby', node.id],
  ])
    if (why) field?.setAttribute(name, value);
    else field?.removeAttribute(name);
  return [field, node];
}

/** Shows and says a refusal beside its form, and focuses the field that is wrong; '' takes the refusal away. */
export function complain(why, form) {
  refused = { why, form, until: Date.now() + LASTS_MS };
  const [field, node] = show(why, form);
  const { activeElement, body } = document;
  say([why], true);
  if (!why) return;
  if (field && (activeElement === body || activeElement.form === form)) field.focus();
  node.scrollIntoView({ block: 'nearest' });
}

/** Shows the last refusal again, if the page was renewed before anybody could read it. */
export const keepRefusal = () =>
  refused?.why && refused.form?.isConnected && Date.now() < refused.until && show(refused.why, refused.form);
