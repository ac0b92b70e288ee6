/**
 * What the shell shows and says: the start page, notices, the house in its frame, and what screen readers hear of it.
 */
import { megabytes, note, put, say } from './shell_words.js';

const at = id => document.getElementById(id);

// What screen readers say of the shell by themselves. Each sentence is added as a node of its own, with a gap before
// the next, and goes again: of a text that changes in a place that stays, Orca leaves out some (it kept "Ready." to
// itself).

const GAP_MS = 300;
const LASTS_MS = 5000;
const region = at('heard');

// When the next sentence may be added.
let freeAt = 0;

/** Says a sentence. */
export function announce(text) {
  const now = performance.now();
  const line = document.createElement('p');
  freeAt = Math.max(now, freeAt) + GAP_MS;
  line.textContent = text;
  setTimeout(
    () => {
      region.append(line);
      setTimeout(() => line.remove(), LASTS_MS);
    },
    freeAt - GAP_MS - now,
  );
}

// The start page: how far loading is, and in one sentence why it does not go on.

const start = at('start');
const status = at('status');
const bar = at('bar');
const amount = at('amount');
const again = at('again');
const STAGES = ['files', 'interpreter', 'imports', 'house'];
// Over in a moment: they are shown, and not said.
const BRIEF = ['begin', 'files', 'house', 'ready'];

// Whether the folder's files are still coming.
let arriving = false;
// The step of the engine that was told last.
let reached = '';
// It goes no further, so what still comes is not shown.
let over = false;

/** Writes the sentence. said: whether a screen reader says it by itself. */
function writeStatus(key, said) {
  put(status, key);
  if (said) announce(say(key));
}

/** What is being done; a screen reader says the sentence when it changes, and the numbers only when somebody asks. */
function showStep(key, done, of) {
  if (status.dataset.say !== key) resume(key);
  [bar.max, bar.value] = [of, Math.min(done, of)];
}

/** So many bytes of the folder's files are here. */
export function installing(done, of) {
  if (start.hidden || over) return;
  arriving = done < of;
  showStep('installing', done, of);
  put(amount, 'bytes', { loaded: megabytes(done), of: megabytes(of) });
  if (!arriving) starting(reached);
}

/** The engine's steps; two of them are left out once it has a snapshot of its memory. */
export function starting(stage) {
  const step = STAGES.indexOf(stage);
  reached = stage;
  // the engine begins while its files come
  if (step < 0 || arriving || over) return;
  showStep(stage, step, STAGES.length);
  put(amount, 'step', { step: step + 1, of: STAGES.length });
}

/** Says a sentence instead of the progress. button: [word, action]; cause: what the browser said, for those who ask. */
export function stop(key, button, cause = '') {
  // the house had the focus, and is gone
  const takes = button && document.activeElement === document.body;
  over = key !== 'slow';
  start.hidden = false;
  at('loading').hidden = true;
  // the sentence describes the button, and is said with it
  writeStatus(key, !takes);
  status.className = 'refusal';
  again.hidden = !button;
  if (button) {
    put(again, button[0]);
    again.onclick = button[1];
  }
  at('why').hidden = !cause;
  at('cause').textContent = cause;
  // then another tab is in front: here Tab comes to it first
  if (takes && key !== 'moved_away') again.focus();
}

/** Shows the progress again. */
export function resume(key) {
  start.hidden = false;
  over = false;
  at('loading').hidden = false;
  bar.removeAttribute('value');
  put(amount, '');
  at('why').hidden = true;
  again.hidden = true;
  status.className = '';
  writeStatus(key, !BRIEF.includes(key));
}

/** Goes, as the house is there. True if it had the focus. */
export function leaveStart() {
  const held = start.contains(document.activeElement) || document.activeElement === document.body;
  start.hidden = true;
  return held;
}

// The notices below the house: one notice at a time, each gone once somebody has answered it. It lies over nothing:
// the house gets what height it leaves. What can wait until a match is over does so.

const MOST_NOTICES = 6;
const CAN_WAIT = ['persisted', 'not_persisted', 'persist_unknown', 'week', 'new_version'];
const notices = at('notice');
const told = at('told');
const choices = at('choices');

// The notices that nobody has answered, and the one of them that is shown.
let waiting = [];
let shown;
// Whether the house is there, and whether a match is being played in it.
let begun = false;
let playing = false;
// Called when the last notice goes while it has the focus.
let goOn = () => {};

/** after: called when the notices go, so that the focus can go on from it. */
export const whenAnswered = after => {
  goOn = after;
};

/** What has the focus in the house stays in sight, as the house is less high now. */
function keepInSight() {
  const page = document.querySelector('iframe')?.contentDocument;
  if (page && page.activeElement !== page.body)
    page.activeElement?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

/** Once: one that was there before a match comes back after it. */
function sayIt(notice) {
  if (notice.said) return;
  notice.said = true;
  announce(say(notice.key, notice.facts));
  notice.heard();
}

function showNotice() {
  const notice = waiting.find(({ key }) => begun && !(playing && CAN_WAIT.includes(key)));
  const held = notices.contains(document.activeElement);
  if (notice === shown) return;
  shown = notice;
  put(told, notice?.key ?? '', notice?.facts);
  notices.hidden = !notice;
  choices.replaceChildren();
  for (const [key, action] of notice?.answers ?? []) {
    const button = choices.appendChild(document.createElement('button'));
    button.type = 'button';
    put(button, key);
    button.onclick = () => {
      waiting = waiting.filter(other => other !== notice);
      showNotice();
      action?.();
    };
  }
  if (held && notice) choices.querySelector('button').focus();
  else if (held) goOn();
  if (!notice) return;
  keepInSight();
  sayIt(notice);
}

/**
 * The house is there, before which nothing is said. match: whether one is being played: then only what cannot wait is
 * said.
 */
export function hush(match) {
  begun = true;
  playing = match;
  showNotice();
}

/**
 * Says something, with buttons: [word, action] each; heard: called once it is said. What is said already is not said
 * twice.
 */
export function tell(key, answers = [['ok']], { facts = {}, heard = () => {} } = {}) {
  if (waiting.some(notice => notice.key === key) || waiting.length >= MOST_NOTICES) return;
  waiting.push({ key, answers, facts, heard });
  showNotice();
}

// Links of the house that save a file. Browsers fetch what such a link names past the service worker, from the host,
// which has no such file: so it is fetched by this page, from the engine, and handed over as a download.

/** Hands bytes to the browser as a download. */
export function download(bytes, name) {
  const link = document.createElement('a');
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves what a link with the attribute "download" names; true if it did. */
export async function saveLink(link) {
  const answer = await fetch(link.href).catch(() => null);
  if (answer?.status !== 200) return false;
  const named = answer.headers.get('content-disposition')?.match(/filename="([^"]+)"/)?.[1];
  const bytes = await answer.arrayBuffer().catch(() => null);
  if (bytes) download(bytes, link.download || named || 'pubdice.txt');
  return !!bytes;
}

// The house in a frame, whose address, title, language and theme the shell takes on as its own.

const DEVICE = '#this-device';

/** The elements that say in which colour a browser draws its own frame. */
const coloursOf = page => [...page.querySelectorAll('meta[name=theme-color]')];
const written = nodes => nodes.map(({ outerHTML }) => outerHTML).join();

/**
 * Where a page opened directly wants to go: its own address, as the service worker shows the shell at all of them.
 * Whole, with its host: a path alone that begins with two slashes would be the address of another.
 */
export function wanted(root) {
  const { href, pathname } = location;
  return pathname.startsWith(root.pathname) && !pathname.endsWith('/index.html') ? href : root.href;
}

/**
 * Shows the house from an address on. shown: called when its first page is there; went: with each page's address, its
 * language, and whether a match is being played there; lost: when a page does not come; device: when somebody wants to
 * know about this device; unsaved: when a link did not save its file. Returns the frame.
 */
export function openFrame(address, { shown, went, lost, device, unsaved }) {
  const frame = document.createElement('iframe');
  const seen = new MutationObserver(() => copy());
  frame.title = say('frame');
  frame.dataset.title = 'frame';
  frame.className = 'waits';

  function copy() {
    const { contentWindow, contentDocument } = frame;
    // It is on its way to another page.
    if (!contentDocument?.documentElement) return;
    const { href } = contentWindow.location;
    const { lang, dataset } = contentDocument.documentElement;
    const { theme } = dataset;
    const own = document.documentElement;
    if (href !== location.href) history.replaceState(history.state, '', href);
    if (document.title !== contentDocument.title) document.title = contentDocument.title;
    if (theme !== own.dataset.theme) {
      if (theme) own.dataset.theme = theme;
      else delete own.dataset.theme;
    }
    const colours = coloursOf(contentDocument);
    if (colours.length && written(colours) !== written(coloursOf(document))) {
      for (const node of coloursOf(document)) node.remove();
      document.head.append(...colours.map(node => document.importNode(node)));
    }
    note({ lang, theme: theme ?? '' });
    went(contentWindow.location, lang, contentDocument.querySelector('main')?.dataset.stage === 'playing');
  }

  function arrived() {
    let page;
    try {
      page = frame.contentDocument;
      if (!page || frame.contentWindow.location.href === 'about:blank') throw page;
    } catch {
      // the browser's own page about an error, or another website
      return lost();
    }
    seen.disconnect();
    seen.observe(page.head, { subtree: true, childList: true, characterData: true });
    seen.observe(page.documentElement, { attributes: true });
    for (const table of page.querySelectorAll('main[data-stage]'))
      seen.observe(table, { attributeFilter: ['data-stage'] });
    if (frame.contentWindow.performance.getEntriesByType('navigation')[0]?.type === 'back_forward')
      // Orca is silent after Alt and an arrow
      announce(page.title);
    frame.contentWindow.addEventListener('hashchange', copy);
    page.addEventListener('click', event => {
      const link = event.target.closest?.('a');
      if (link?.getAttribute('href') === DEVICE) device();
      else if (link?.hasAttribute('download')) saveLink(link).then(saved => saved || unsaved());
      else return;
      event.preventDefault();
    });
    copy();
    if (!frame.classList.contains('waits')) return;
    frame.classList.remove('waits');
    shown();
  }

  frame.addEventListener('load', arrived);
  frame.src = address;
  document.body.prepend(frame);
  return frame;
}
