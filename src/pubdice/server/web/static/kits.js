/**
 * House rules of the chosen game alone. Those of another come from the house when they are first looked at, and what
 * was chosen in them stays. Without this script a button asks for the page with them.
 */
const form = document.getElementById('open');
const house = document.getElementById('house');
const address = form.querySelector('.other button').formAction;
/** @type {Record<string, PageElement>} */
const known = {};

/** @param {string} game */
async function fetched(game) {
  /** @type {any} */
  const fields = new FormData(form);
  const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(fields) });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return page.querySelector(`.kit[data-game="${game}"]`);
}

/** Shows the rules of the chosen game, once somebody looks at them. */
async function show() {
  const game = form.elements.game.value;
  const shown = form.querySelector('.kit');
  if (!house.open) return;
  known[shown.dataset.game] = shown;
  // while those of another are on their way, people may come back to these
  shown.hidden = shown.dataset.game !== game;
  if (!shown.hidden) return;
  const kit = known[game] ?? (await fetched(game).catch(() => null));
  if (!kit || form.elements.game.value !== game) return;
  kit.hidden = false;
  form.querySelector('.kit').replaceWith(kit);
  // its prices are asked for beside it
  form.querySelector('[name=game]:checked').dispatchEvent(new Event('input', { bubbles: true }));
}

form.addEventListener('change', show);
house.addEventListener('toggle', show);
document.documentElement.classList.add('js');
show();
