/**
 * House rules with their prices. The player asks under house rules if they are fair. Then each choice shows the chances
 * that it leaves the first player. Without this script a button leads to a page with them.
 */
const QUIET_MS = 400;
const MOST_ASKED = 200;
const COMES_MS = 10_000;
const AGAIN_MS = 2000;

let asked = 0;
let shown = false;

/**
 * The choice with these fields in the form, if the form has the numbers that belong to the choice.
 * @param {PageElement} form
 * @param {Record<string, string>} fields
 */
function choiceOf(form, fields) {
  const [[name, value] = [], ...numbers] = Object.entries(fields);
  const same = numbers.every(([key, number]) => form.elements[key]?.value === number);
  return same && form.querySelector(`[name="${name}"][value="${value}"]`);
}

/**
 * Shows an answer. isLast: no further answer comes, so prices missing in it go.
 * @param {PageElement} box
 * @param {PageElement} form
 * @param {Record<string, any>} answer
 * @param {boolean} isLast
 */
function show(box, form, { told, why, prices = [] }, isLast) {
  const [line, order, take] = box.querySelectorAll('.told, .fairest, [type=button]');
  const fair = prices.find((/** @type {any} */ part) => part.rule === 'fair');
  const best = Object.entries(fair?.choices[fair.best]?.fields ?? {});
  line.textContent = told ?? why;
  order.hidden = !fair;
  order.textContent = fair?.told;
  take.hidden = best.every(([name, value]) => form.elements[name]?.value === value);
  take.onclick = () => {
    for (const [name, value] of best) {
      const field = form.elements[name];
      if (field?.options && ![...field.options].some(option => option.value === value)) field.add(new Option(value));
      if (field) field.value = value;
    }
    ask(box);
  };
  const left = new Set(form.querySelectorAll('.price'));
  for (const { fields, beside } of prices.flatMap((/** @type {any} */ part) => (part === fair ? [] : part.choices))) {
    const label = beside && choiceOf(form, fields)?.labels?.[0];
    if (!label) continue;
    const price = label.querySelector('.price') ?? label.appendChild(document.createElement('span'));
    price.className = 'hint price';
    price.textContent = beside;
    left.delete(price);
  }
  if (isLast) for (const price of left) price.remove();
  shown = !!form.querySelector('.price');
}

/**
 * Asks for the prices of the form's rules until all are worked out, the rules change, or they are closed.
 * @param {any} box
 */
async function ask(box) {
  const mine = ++asked;
  const { form } = box.querySelector('select');
  /** @type {string} */
  let where = box.dataset.ask;
  /** @type {any} */
  const fields = new FormData(form);
  /** @type {RequestInit} */
  let how = { method: 'POST', body: new URLSearchParams(fields) };
  let wait = QUIET_MS;
  // the prices of other rules would mislead
  for (const price of form.querySelectorAll('.price')) price.textContent = '…';
  for (let left = MOST_ASKED; wait && left; left--) {
    await new Promise(done => setTimeout(done, wait));
    let found = { why: box.dataset.failed };
    wait = 0;
    // Safari before 17.4 has no checkVisibility
    if (mine !== asked || !(box.checkVisibility?.() ?? box.offsetParent)) return;
    const limit = new AbortController();
    const late = setTimeout(() => limit.abort(), COMES_MS);
    try {
      const answer = await fetch(where, { ...how, headers: { Accept: 'application/json' }, signal: limit.signal });
      found = await answer.json();
      wait = 1000 * Number(answer.headers.get('retry-after'));
      if (answer.redirected) [where, how] = [answer.url, {}];
    } catch {
      // say so, and ask again
      wait = AGAIN_MS;
    }
    clearTimeout(late);
    if (mine === asked) show(box, form, found, !wait);
  }
}

/** @param {Element} node */
const boxOf = node => node.closest('form')?.querySelector('[open] > .priced');

addEventListener('toggle', ({ target }) => target.open && target.matches('.fair') && ask(boxOf(target)), true);
addEventListener('input', ({ target }) => {
  if (/\.|^(game|players)$/.test(target.name) && boxOf(target)) ask(boxOf(target));
});

// When a player sits down, the house's page replaces a table's page, and has no prices.
new MutationObserver(() => {
  const box = shown && document.querySelector('[open] > .priced');
  if (!box || box.closest('form').querySelector('.price')) return;
  shown = false;
  ask(box);
}).observe(document.body, { childList: true, subtree: true });

document.querySelectorAll('[open] > .priced').forEach(ask);
