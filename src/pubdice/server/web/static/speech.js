/**
 * Speech: the page's sentences, its live regions, the story.
 *
 * A screen reader takes additions to a live region in its own time, and loses some. Nodes added together are read in
 * any order (Orca with Chromium), or all but the last are lost (with Firefox). A polite node that still waits is lost
 * when an urgent one comes. A text equal to the one before is lost, too.
 *
 * So an update is one node with all its lines, and never changes. Updates keep a gap, and all updates that wait go out
 * together. Equal texts differ by a no-break space. A busy reader (Orca with Firefox) also drops an addition to a node
 * that gets a further one: so updates rotate over several nodes of a region. In a pocket the page around the frame says
 * all this (repeat in the pocket's shell_speech.js).
 */
const GAP_MS = 300;
const LASTS_MS = 5_000;
const MOST_WAITING = 1000;
const MOST_TOLD = 200;
const NODES = 8;
const MOST_SINCE = 40;
/** @type {Record<string, string>} */
let words;

/** Reads the page's sentences, which differ at a table of another game. */
export function readWords() {
  words = JSON.parse(document.body.dataset.words ?? '{}');
}

readWords();

/**
 * The element with this id.
 * @param {string} id
 */
export const at = id => document.getElementById(id);

/**
 * Shows a face on a die, a slot or a small die: pips, or the face's name on unusual dice.
 * @param {PageElement} node
 * @param {number} face
 */
export function turnTo(node, face) {
  const names = at('table').dataset.faces?.split(' ');
  node.dataset.face = `${face}`;
  if (names) (node.querySelector('.pips') ?? node).textContent = names[face - 1] ?? '';
}

/**
 * All elements for a selector, as an array.
 * @param {string} selector
 */
export const all = selector => [...document.querySelectorAll(selector)];

/**
 * A sentence of the page, with its {facts}. If the page lacks the sentence, returns its name: silence would hide the
 * mistake.
 * @param {string} name
 * @param {Record<string, any>} [facts]
 */
export const word = (name, facts) => (words[name] ?? name).replace(/\{(\w+)\}/g, (_, fact) => facts?.[fact]);

/**
 * Writes a text into an element, if there is one and its text differs.
 * @param {Element | null} node
 * @param {string} said
 */
export function put(node, said) {
  if (node && node.textContent !== said) node.textContent = said;
}

/**
 * A line for the people at this page, in the second person if it is about them. A line for one seat is also told at a
 * phone that the seat shares.
 * @param {{text: string, own?: Record<number, string>}} line
 */
export function own({ text, own }) {
  const { told, seats } = at('table').dataset;
  const seat = seats.split(' ').find((/** @type {any} */ seat) => own?.[seat]);
  return own?.[told] ?? (text || (seat && own?.[seat])) ?? '';
}

/**
 * A line with a full stop, so the next line is not read as part of it.
 * @param {string} line
 */
const stopped = line => (/[.!?:…]["”“»)]?$/.test(line) ? line : `${line}.`);

/** The nodes of a region. They have names, as Firefox leaves out nodes without one. */
const rounds = Object.fromEntries(
  ['assertive', 'polite'].map(name => [
    name,
    Array.from({ length: NODES }, (_, number) => {
      const node = Object.assign(document.createElement('div'), { id: `${name}-${number}` });
      at(name)?.append(node);
      return node;
    }),
  ]),
);

let updates = 0;
/** @type {Record<string, string[]>} */
const waiting = { assertive: [], polite: [] };
let last = '';
// True for a while after an addition. Further lines wait.
let rests = false;

/** Adds the waiting lines as one node, the urgent first. Line ends are read as spaces. */
function add() {
  const region = ['assertive', 'polite'].find(name => waiting[name].length);
  rests = !!region;
  if (!region) return;
  const text = waiting[region].join('\n');
  const node = document.createElement('p');
  waiting[region] = [];
  node.textContent = last = text === last ? `${text}\u00a0` : text;
  node.dataset.update = `${++updates}`;
  rounds[region][updates % NODES].append(node);
  setTimeout(() => node.remove(), LASTS_MS);
  setTimeout(inTwoFrames, GAP_MS, add);
}

/**
 * Runs `deed` after two frames. Browsers report additions to a screen reader as they draw a frame. On a busy device
 * frames are late, and the additions of one frame are read in any order.
 * @param {() => void} deed
 */
export function inTwoFrames(deed) {
  // a hidden page draws no frames
  if (document.hidden) deed();
  else requestAnimationFrame(() => requestAnimationFrame(deed));
}

/**
 * Says lines, in order, in one go.
 * @param {(string | false | null | undefined)[]} lines
 * @param {boolean} [urgent]
 */
export function say(lines, urgent) {
  const region = urgent ? 'assertive' : 'polite';
  const said = lines.map(line => (line || '').trim()).filter(Boolean);
  waiting[region] = [...waiting[region], ...said.map(stopped)].slice(-MOST_WAITING);
  if (!rests) add();
}

/** @type {string[]} */
let story = [];

/** The lines said since the last action on this page, in order. */
export const since = () => story;

/** Starts a new list for `since`, after an action on this page. */
export const acted = () => (story = []);

/**
 * Says the lines of an update, up to a level of wordiness.
 * @param {Wire.Say[]} says
 * @param {number} most
 */
export function hear(says, most) {
  for (const now of [true, false]) {
    const lines = says.filter(line => line.urgent === now && line.level <= most).map(own);
    story = [...story, ...lines].slice(-MOST_SINCE);
    say(lines, now);
  }
}

/**
 * Writes a line into the story. Its box keeps its end in view by itself (`.scroll`): reading the scroll position would
 * make the browser compute all styles before the rest of the page is drawn.
 * @param {Wire.Say[]} says
 */
export function write(says) {
  const log = at('log');
  // nothing is told before the match
  if (!log) return;
  for (const line of says)
    if (!line.level) log.append(Object.assign(document.createElement('li'), { textContent: own(line) }));
  while (log.childElementCount > MOST_TOLD) log.firstElementChild.remove();
}
