/**
 * What is heard: the page's words, its live regions, the story.
 *
 * A screen reader takes what is added to a live region in its own time: nodes added together are read in any order
 * (Orca with Chromium) or all but the last are lost (with Firefox), a polite one still waiting when an urgent one comes
 * is lost, and so is a text equal to the one before. So an update is one node with all its lines, never changed;
 * updates keep a gap; what waits for it goes out together; and equal texts differ by a no-break space. A busy reader
 * (Orca with Firefox) also drops what was added to a node to which more was added since: so updates go round several
 * nodes of a region. In a pocket the page round the frame says all this (repeat in the pocket's shell_speech.js).
 */
const GAP_MS = 300;
const LASTS_MS = 5_000;
const MOST_WAITING = 1000;
const MOST_TOLD = 200;
const NODES = 8;
const MOST_SINCE = 40;
/** @type {Record<string, string>} */
let words;

/** Reads the page's sentences, which are others at a table of another game. */
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
 * Lets a die, a slot or a small die show a face: pips, or the name it has on dice that are not the usual ones.
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
 * A sentence of the page, with its {facts}; if the page lacks it, its name, as silence would hide the mistake.
 * @param {string} name
 * @param {Record<string, any>} [facts]
 */
export const word = (name, facts) => (words[name] ?? name).replace(/\{(\w+)\}/g, (_, fact) => facts?.[fact]);

/**
 * Writes a text into an element, if there is one and it says something else.
 * @param {Element | null} node
 * @param {string} said
 */
export function put(node, said) {
  if (node && node.textContent !== said) node.textContent = said;
}

/**
 * Sounds come with the first touch, before which browsers play none.
 * @type {typeof import('./sound.js') | null | undefined}
 */
let sounds;

for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, wake, true);

async function wake() {
  // A page without them is silent.
  sounds ??= await import('./sound.js').catch(() => null);
  sounds?.wake();
}

/**
 * Plays a sound, by its name in sound.js, once what is heard is seen: to work out its wave takes longer than a frame.
 * @param {'chime' | 'door' | 'glass' | 'glasses' | 'low' | 'rattle' | 'tick' | 'wood'} name
 * @param {any[]} of
 */
export const sound = (name, ...of) => inTwoFrames(() => sounds?.[name](...of));

/**
 * A line for the people at this page: in the second person where it is about them. What is told to one seat alone is
 * told at a phone that this seat shares, too.
 * @param {{text: string, own?: Record<number, string>}} line
 */
export function own({ text, own }) {
  const { told, seats } = at('table').dataset;
  const seat = seats.split(' ').find((/** @type {any} */ seat) => own?.[seat]);
  return own?.[told] ?? (text || (seat && own?.[seat])) ?? '';
}

/**
 * With a stop at its end, so that the next line is not read as part of it.
 * @param {string} line
 */
const stopped = line => (/[.!?:…]["”“»)]?$/.test(line) ? line : `${line}.`);

/** The nodes of a region; named, as Firefox leaves out those without a name. */
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
// Whether something was added lately: what comes waits for its turn.
let rests = false;

/** Adds what waits, the urgent first, as one node. Line ends are read as spaces. */
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
 * Browsers tell a screen reader of what was added as they draw a frame. On a busy device frames are late, and what is
 * told of in one is read in any order.
 * @param {() => void} deed
 */
function inTwoFrames(deed) {
  // a page that is hidden draws none
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

/** What was said since the last action on this page, in order. */
export const since = () => story;

/** Somebody acted on this page: `since` tells what is said from now on. */
export const acted = () => (story = []);

/**
 * Says what an update brings, up to a level of wordiness.
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
 * Writes a line into the story. Its box keeps its end in view by itself (`.scroll`): to ask where it stands would have
 * all styles worked out before the rest of the page is drawn.
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
