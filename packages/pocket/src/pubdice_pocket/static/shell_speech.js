/** What screen readers say by themselves: the shell's own sentences, and what the house's pages in the frame say. */

/** @param {string} id */
const at = id => document.getElementById(id);

// Each sentence is added as a node of its own, with a gap before the next, and goes again: of a text that changes in a
// place that stays, Orca leaves out some (it kept "Ready." to itself). The regions stand first in the page: a reader
// that goes on to its end would come to what was just told.

const GAP_MS = 300;
const LASTS_MS = 5000;
const region = at('heard');

/**
 * What waits to be said, and from when on.
 * @type {[string, number][]}
 */
const unsaid = [];
const MOST_UNSAID = 20;
// Whether something was added lately. A busy browser fires timers late, so each gap begins with what was really added.
let rests = false;

/**
 * Adds a line to a live region; it goes again.
 * @param {Element} place
 * @param {string} text
 */
function addLine(place, text) {
  const line = document.createElement('p');
  line.textContent = text;
  place.append(line);
  setTimeout(() => line.remove(), LASTS_MS);
}

function sayNext() {
  const [text, from] = unsaid[0] ?? [];
  const early = (from ?? 0) - performance.now();
  rests = text !== undefined;
  if (!rests) return;
  if (early > 0) return void setTimeout(sayNext, early);
  addLine(region, text);
  unsaid.shift();
  setTimeout(sayNext, GAP_MS);
}

/**
 * Says a sentence. from: the time before which it is not said, in ms since the page began.
 * @param {string} text
 * @param {number} [from]
 */
export function announce(text, from = 0) {
  if (unsaid.push([text, from]) > MOST_UNSAID) unsaid.shift();
  if (!rests) sayNext();
}

// What the house's pages say. As in its speech.js, what is added goes round several named nodes, as Firefox leaves out
// some of what comes to one, and equal lines differ by a no-break space.

const LIVE = '[aria-live=polite], [aria-live=assertive]';
const NODES = 8;
// A page may be of another phone's house.
const MOST_REGIONS = 4;
const MOST_LINES = 4;
const MOST_LETTERS = 10_000;
const rounds = Object.fromEntries(
  ['assertive', 'polite'].map(name => [
    name,
    Array.from({ length: NODES }, (_, number) => {
      const node = Object.assign(document.createElement('div'), { id: `repeated-${name}-${number}` });
      at(`repeated-${name}`)?.append(node);
      return node;
    }),
  ]),
);
let repeated = 0;
let last = '';

/**
 * Says in one go what nodes of a page hold.
 * @param {string} name the kind of the region
 * @param {Node[]} nodes
 */
function sayAgain(name, nodes) {
  const texts = nodes.map(node => node.isConnected && node.textContent?.trim());
  const said = texts.filter(Boolean).join('\n').slice(0, MOST_LETTERS);
  if (!said) return;
  const node = rounds[name][++repeated % NODES];
  last = said === last ? `${said}\u00a0` : said;
  if (node.childElementCount === MOST_LINES) node.firstElementChild?.remove();
  addLine(node, last);
}

/**
 * Says what the live regions of a page in the frame say, in this page, and has them say nothing themselves. Orca may
 * hear of a page before it hears of its frame (Chromium). Then it takes the page for one of another tab, and leaves out
 * what it says. It also drops a line that equals the last one it got, even from a region that is "off": so the page's
 * regions lose role and aria-live. Behind a dialog a page says nothing.
 * @param {Document} page
 */
export function repeat(page) {
  const regions = [...page.querySelectorAll(LIVE)].filter(region => !region.parentElement?.closest(LIVE));
  for (const region of regions.slice(0, MOST_REGIONS)) {
    const name = `${region.getAttribute('aria-live')}`;
    /** @param {Node[]} nodes */
    const add = nodes => page.documentElement.inert || sayAgain(name, nodes);
    for (const attribute of ['role', 'aria-live', 'aria-relevant']) region.removeAttribute(attribute);
    new MutationObserver(changes => add(changes.flatMap(({ addedNodes }) => [...addedNodes]))).observe(region, {
      subtree: true,
      childList: true,
    });
    add([region]); // what was said before all of the page was there
  }
}
