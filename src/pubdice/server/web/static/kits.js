/**
 * The front page's form. It has the house rules of the chosen game alone. The rules of another game come from the house
 * when the player first looks at them, with their prices, and choices in them stay. Without this script a button asks
 * for the page with them.
 *
 * Also dice that a tap throws, for the chosen game, with a module of their own. Also the tables and public games,
 * fetched again while the page is seen.
 */
const form = document.getElementById('open');
const house = document.getElementById('house');
const address = form.querySelector('.other button').formAction;
const { classList } = document.documentElement;
const COMES_MS = 10_000;
const AGAIN_MS = 2000;
/** @type {Record<string, PageElement[]>} */
const known = {};

// The game with rules on their way.
let asked = '';

/**
 * The parts of a page for one game: its rules, and its entries under "More".
 * @param {ParentNode} page
 * @returns {PageElement[]}
 */
const pieces = page => [...page.querySelectorAll('#house [data-game]')];

/**
 * The rules of a game. Nothing if they do not come in time.
 * @param {string} game
 */
async function fetched(game) {
  /** @type {any} */
  const fields = new FormData(form);
  const limit = new AbortController();
  const late = setTimeout(() => limit.abort(), COMES_MS);
  try {
    const how = { method: 'POST', body: new URLSearchParams(fields), signal: limit.signal };
    const page = new DOMParser().parseFromString(await (await fetch(address, how)).text(), 'text/html');
    const found = pieces(page);
    return found[0]?.dataset.game === game ? found : null;
  } catch {
    return null;
  } finally {
    clearTimeout(late);
  }
}

/** Shows the rules of the chosen game, once they are in view. */
async function show() {
  const game = form.elements.game.value;
  const shown = pieces(form);
  const its = shown[0].dataset.game;
  if (!house.open) return;
  if ('prices' in house.dataset) import('./prices.js');
  known[its] = shown;
  // the player may come back to these while the others are on their way
  for (const piece of shown) piece.hidden = its !== game;
  // these rules are shown, even if the others do not come
  if (its === game) classList.add('js');
  if (its === game || asked === game) return;
  asked = game;
  /** @type {PageElement[] | null} */
  let kit = known[game] ?? (await fetched(game));
  while (!kit && form.elements.game.value === game) {
    // meanwhile the page is as without this script
    classList.remove('js');
    await new Promise(done => setTimeout(done, AGAIN_MS));
    kit = await fetched(game);
  }
  if (asked === game) asked = '';
  if (!kit || form.elements.game.value !== game) return;
  classList.add('js');
  const come = kit;
  pieces(form).forEach((piece, nth) => {
    come[nth].hidden = false;
    piece.replaceWith(come[nth]);
  });
  // its prices are asked for beside it
  form.querySelector('[name=game]:checked').dispatchEvent(new Event('input', { bubbles: true }));
}

const front = document.getElementById('page');
const again = () => document.hidden || import('./page.js').then(({ renew }) => renew(front)).catch(() => {});
// neither a night's form nor an answer to a form names that script
if (document.querySelector('link[href$="page.js"]')) {
  setInterval(again, 15_000);
  // in a pocket, too, once the engine is there
  addEventListener('online', again);
}

const trial = document.getElementById('trial');
// the form of a night has no dice to throw
trial?.addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  import('./trial.js').then(
    ({ go }) => go(trial, event.submitter),
    () => trial.submit(),
  );
});

form.addEventListener('change', show);
house.addEventListener('toggle', show);
classList.add('js');
show();
