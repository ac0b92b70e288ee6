/** The announcements for screen readers: the shell's own, and those of the house's pages in the frame. */

/** @param {string} id */
const at = id => document.getElementById(id);

// Each sentence is added as a node of its own, with a gap before the next, and is removed again. If a text changes in
// place, Orca leaves out some of the changes (it did not say "Ready."). The regions are the first in the page: at its
// end, a reader that reads on would read an announcement again.

const GAP_MS = 300;
const LASTS_MS = 5000;
const region = at('heard');

/**
 * The sentences still to announce, each with its earliest time in ms since the page began.
 * @type {[string, number][]}
 */
const unsaid = [];
const MOST_UNSAID = 20;
// True during the gap after a sentence. A busy browser fires timers late, so a gap begins when a sentence is added.
let rests = false;

/**
 * Adds a line to a live region, and removes it later.
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
 * Announces a sentence.
 * @param {string} text
 * @param {number} [from] the earliest time, in ms since the page began
 */
export function announce(text, from = 0) {
  if (unsaid.push([text, from]) > MOST_UNSAID) unsaid.shift();
  if (!rests) sayNext();
}

// The announcements of the house's pages. As in its speech.js, lines go to several named nodes in turn, as Firefox
// leaves out some of those in one node. Equal lines differ by a no-break space.

const LIVE = '[aria-live=polite], [aria-live=assertive]';
const NODES = 8;
// limits, as a page may come from another phone's house
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
 * Announces the text of some nodes at once.
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
 * Announces in this page the texts of the live regions of the frame's page, and silences those regions. Orca may hear
 * of a page before its frame (Chromium). Then it takes the page for another tab's, and leaves out its announcements. It
 * also drops a line that equals its last one, even if the region is "off". So the page's regions lose role and
 * aria-live. Behind a dialog a page is silent.
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
    add([region]); // lines from before the page was complete
  }
}
