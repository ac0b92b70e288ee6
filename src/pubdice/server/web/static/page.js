/**
 * The house's page, fetched again and merged into the open one. An element in both (by id, seat, place, or a form's
 * request) stays, and takes on new content. So focus, typed text, open details and scrolling stay.
 */

/** Elements and attributes that belong to scripts. The house's page does not overwrite them. */
const OURS = ['log', 'connection', 'refusal', 'clock', 'open', 'find', 'door', 'example', 'shot'];
const KEPT = ['open', 'tabindex'];
const MOST_MS = 3000;
// The longest wait for a page. After it, the page is asked for again. If it is the page of another table, the browser
// goes there by itself instead, and shows the error.
const COMES_MS = 10_000;

/** @param {any} node */
function nameOf(node) {
  const { id, nodeName, nodeType, dataset, elements, name, value } = node;
  if (nodeType !== Node.ELEMENT_NODE) return nodeName;
  const asks = [...(elements ?? [])].map(field => field.name !== 'key' && field.getAttribute('value'));
  return id || nodeName + (dataset.seat ?? dataset.place ?? [name, nodeName === 'BUTTON' && value, asks]);
}

/**
 * Makes an element like another one, and keeps all parts that are the same in both. isOther: the page of another table,
 * without any of the scripts' elements yet.
 * @param {any} old
 * @param {any} fresh
 * @param {boolean} [isOther]
 */
export function grow(old, fresh, isOther) {
  const kept = isOther ? [] : KEPT;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  // A refused form keeps the player's input. It belongs to the table again once it is sent.
  if (!isOther && (OURS.includes(old.id) || old.dataset.kept)) return;
  for (const { name } of [...old.attributes])
    if (!kept.includes(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (!kept.includes(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  const left = [...old.childNodes].map(child => [nameOf(child), child]);
  let next = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const name = nameOf(child);
    const place = left.findIndex(([its]) => its === name);
    const same = place < 0 ? null : left.splice(place, 1)[0][1];
    if (same) grow(same, child, isOther);
    // moving the focused element would take its focus away, so the elements before it move instead, one by one
    if (same && (same === next || same.contains(document.activeElement))) next = same.nextSibling;
    else old.insertBefore(same ?? document.importNode(child, true), next);
  }
  for (const [, child] of left) child.remove();
}

/** @param {any} link */
const hrefOf = link => `link[href="${link.getAttribute('href')}"]`;

/**
 * Loads the styles of a new page before it is drawn. Without them the winners' dice would be as wide as the page.
 * Returns their links, which are in the head.
 * @param {PageElement} page
 */
async function style(page) {
  const come = [...page.querySelectorAll('link')].filter(link => !document.querySelector(hrefOf(link)));
  const links = come.map(link => document.importNode(link));
  const loaded = links.map(
    link =>
      new Promise(done => {
        link.onload = link.onerror = done;
      }),
  );
  document.head.append(...links);
  await Promise.race([Promise.all(loaded), new Promise(late => setTimeout(late, MOST_MS))]);
  return links;
}

/**
 * True if an element is drawn. Also works in older browsers (Safari before 17.4).
 * @param {any} node
 */
export const isSeen = node => node.checkVisibility?.() ?? node.getClientRects().length > 0;

/** @param {Document} page */
const kindOf = page => page.documentElement.lang + page.querySelector('script[src]')?.getAttribute('src');
// as the house sent it: a browser that translates a page writes its own language there
const OWN = kindOf(document);

/**
 * Makes an element like the house's, and returns it. Throws if it can't.
 *
 * was: the element that had the focus, if no element has it now. to: the address of another table, which the page then
 * shows. The focus does not move there: that table's events are said, and a screen reader would leave the mode that
 * passes keys to the page (Orca).
 * @param {PageElement} old
 * @param {any} [was]
 * @param {string} [to]
 */
export async function renew(old, was, to) {
  const signal = AbortSignal.timeout(COMES_MS);
  const answer = await fetch(to || location.pathname, { cache: 'no-store', headers: { Accept: 'text/html' }, signal });
  if (answer.status >= 500 || answer.status === 429) throw new Error(`${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById(old.id);
  // another page, a page of a newer house, or in the language that the player has chosen in another tab
  if (!fresh || kindOf(page) !== OWN) {
    if (to) throw to;
    location.reload();
    return new Promise(() => {});
  }
  const links = await style(fresh);
  const resume = '#resume button';
  const given = old.querySelector(resume);
  const { activeElement, body } = document;
  const round = [];
  const held = activeElement === body ? (was ?? body) : activeElement;
  const bar = document.getElementById('top');
  const ends = to || (fresh.dataset.stage === 'over' && old.dataset.stage !== 'over');
  for (let node = held; old.contains(node) || bar?.contains(node); node = node.parentElement) round.push(node);
  if (to) {
    history.pushState(null, '', to);
    document.body.dataset.words = page.body.dataset.words;
  }
  grow(old, fresh, !!to);
  for (const link of links) old.querySelector(hrefOf(link)).onload = () => link.remove();
  if (bar) grow(bar, page.getElementById(bar.id), !!to);
  const takesBack = !given && old.querySelector(resume);
  if (!takesBack && (!round.length || isSeen(held))) return fresh;
  // At the end of a match the focus stays: see arrive() in table.js.
  if (ends || (takesBack && !round.length)) return fresh;
  const head = round.flatMap(node => [...node.querySelectorAll('h1, h2, summary, legend')]).find(isSeen);
  const place = takesBack || head;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  return fresh;
}
