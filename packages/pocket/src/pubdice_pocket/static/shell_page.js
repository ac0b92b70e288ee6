/** What the shell itself shows: the start page, and the notices below the house. */
import { announce } from './shell_speech.js';
import { megabytes, put, say } from './shell_words.js';

/** @param {string} id */
const at = id => document.getElementById(id);

// The start page: how far loading is, and in one sentence why it does not go on.

const start = at('start');
const status = at('status');
const bar = at('bar');
const amount = at('amount');
const rest = at('rest');
const again = at('again');
const STAGES = ['files', 'interpreter', 'imports', 'house'];
// Over in a moment: they are shown, and not said.
const BRIEF = ['begin', 'files', 'imports', 'house', 'ready'];
// A start is told in one of these, and that it is ready.
const LOADS = ['installing', 'interpreter'];
let isTold = false;

// Whether the folder's files are still coming.
let arriving = false;
// The step of the engine that was told last.
let reached = '';
// It goes no further, so what still comes is not shown.
let over = false;

/**
 * Writes the sentence. said: whether a screen reader says it by itself.
 * @param {string} key
 * @param {boolean} said
 */
function writeStatus(key, said) {
  put(status, key);
  if (said) announce(say(key));
}

/**
 * What is being done; a screen reader says the sentence when it changes, and the numbers only when somebody asks.
 * @param {string} key
 * @param {number} done
 * @param {number} of
 */
function showStep(key, done, of) {
  if (!start.hidden && status.dataset.say !== key) resume(key);
  for (const shown of [bar, at('rest-bar')]) [shown.max, shown.value] = [of, Math.min(done, of)];
}

/**
 * How far it is, in numbers.
 * @param {string} key
 * @param {Record<string, unknown>} facts
 */
function showAmount(key, facts) {
  for (const shown of [amount, at('rest-amount')]) put(shown, key, facts);
}

/**
 * So many bytes of the folder's files are here.
 * @param {number} done
 * @param {number} of
 */
export function installing(done, of) {
  // the last bytes are told twice: by the file that brought them, and once all is checked
  if ((start.hidden && rest.hidden) || over || (done >= of && !arriving)) return;
  arriving = done < of;
  showStep('installing', done, of);
  showAmount('bytes', { loaded: megabytes(done), of: megabytes(of) });
  if (!arriving) starting(reached);
}

/**
 * The engine's steps; two of them are left out once it has a snapshot of its memory.
 * @param {string} stage
 */
export function starting(stage) {
  const step = STAGES.indexOf(stage);
  reached = stage;
  // the engine begins while its files come
  if (step < 0 || arriving || over) return;
  showStep(stage, step, STAGES.length);
  showAmount('step', { step: step + 1, of: STAGES.length });
}

/**
 * Says a sentence instead of the progress. button: [word, action]; cause: what the browser said, for those who ask.
 * @param {string} key
 * @param {[string, () => unknown] | undefined} button
 * @param {string} [cause]
 */
export function stop(key, button, cause = '') {
  // the house had the focus, and is gone
  const takes = button && document.activeElement === document.body;
  over = key !== 'slow';
  start.hidden = false;
  at('loading').hidden = true;
  // the sentence describes the button, and is said with it
  status.ariaHidden = null;
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

/**
 * Shows the progress again.
 * @param {string} key
 */
export function resume(key) {
  start.hidden = false;
  over = false;
  at('loading').hidden = false;
  bar.removeAttribute('value');
  put(amount, '');
  at('why').hidden = true;
  again.hidden = true;
  status.className = '';
  const loads = LOADS.includes(key);
  // a screen reader that reads the page as it loads would tell it a second time ("Ready." is told with a heading)
  status.ariaHidden = loads || key === 'ready' ? 'true' : null;
  writeStatus(key, !BRIEF.includes(key) && !(loads && isTold));
  isTold = loads || (isTold && BRIEF.includes(key));
}

/** Goes, as the house is there. True if it had the focus. */
export function leaveStart() {
  const held = start.contains(document.activeElement) || document.activeElement === document.body;
  start.hidden = true;
  return held;
}

const SOON_MS = 1500;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

/**
 * Whether the front page is shown and the engine is still to come: if it does not come soon, that is said, and how far
 * it is is shown below; what somebody has asked for meanwhile is answered at once. Returns what stood there.
 * @param {boolean} coming
 * @param {'coming' | 'chosen'} [key]
 */
export function tellRest(coming, key = 'coming') {
  const stood = rest.hidden ? '' : at('rest-told').dataset.say;
  const show = () => {
    rest.hidden = false;
    put(at('rest-told'), key);
    announce(say(key));
  };
  clearTimeout(soon);
  if (!coming) {
    rest.hidden = true;
    untell('slow');
  } else if (key === 'chosen') show();
  else soon = setTimeout(show, SOON_MS);
  return stood;
}

// The notices below the house: one notice at a time, each gone once somebody has answered it. It lies over nothing:
// the house gets what height it leaves. What can wait until a match is over does so.

/**
 * @typedef {object} Notice
 * @property {string} key the word of its sentence
 * @property {Record<string, unknown>} facts what is filled in
 * @property {[string, (() => unknown)?][]} answers its buttons: a word, and what it does
 * @property {() => void} heard called once it is said
 * @property {boolean} [said]
 */

const MOST_NOTICES = 6;
const CAN_WAIT = ['persisted', 'not_persisted', 'persist_unknown', 'week', 'new_version', 'host_goes'];
const notices = at('notice');
const told = at('told');
const choices = at('choices');

/**
 * The notices that nobody has answered, and the one of them that is shown.
 * @type {Notice[]}
 */
let waiting = [];
/** @type {Notice | undefined} */
let shown;
// Whether the house is there, and whether a match is being played in it.
let begun = false;
let playing = false;
// Called when the last notice or a dialog goes while it has the focus.
export let goOn = () => {};

/**
 * after: called when the notices or a dialog go, so that the focus can go on from them.
 * @param {() => void} after
 */
export const whenAnswered = after => {
  goOn = after;
};

/** What has the focus in the house stays in sight, as the house is less high now. */
function keepInSight() {
  const page = document.querySelector('iframe')?.contentDocument;
  if (page && page.activeElement !== page.body)
    page.activeElement?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

/**
 * Once: one that was there before a match comes back after it.
 * @param {Notice} notice
 */
function sayIt(notice) {
  if (notice.said) return;
  notice.said = true;
  announce(say(notice.key, notice.facts));
  notice.heard();
}

function showNotice() {
  const notice = waiting.find(({ key }) => (begun || key === 'slow') && !(playing && CAN_WAIT.includes(key)));
  const held = notices.contains(document.activeElement);
  if (notice === shown) return;
  shown = notice;
  const key = notice?.key ?? '';
  put(told, key, notice?.facts);
  notices.hidden = !notice;
  choices.replaceChildren();
  for (const [word, action] of notice?.answers ?? []) {
    const button = choices.appendChild(document.createElement('button'));
    button.type = 'button';
    put(button, word);
    button.onclick = () => {
      untell(key);
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
 * The house is there, before which nothing is said but that this takes long. match: whether one is being played: then
 * only what cannot wait is said.
 * @param {boolean} match
 */
export function hush(match) {
  begun = true;
  playing = match;
  showNotice();
}

/**
 * Says something, with buttons: [word, action] each; heard: called once it is said. What is said already is not said
 * twice.
 * @param {string} key
 * @param {[string, (() => unknown)?][]} [answers]
 * @param {{facts?: Record<string, unknown>, heard?: () => void}} [more]
 */
export function tell(key, answers = [['ok']], { facts = {}, heard = () => {} } = {}) {
  if (waiting.some(notice => notice.key === key) || waiting.length >= MOST_NOTICES) return;
  waiting.push({ key, answers, facts, heard });
  showNotice();
}

/**
 * Takes back what was said: it is answered, or true no more.
 * @param {string} key
 */
export function untell(key) {
  waiting = waiting.filter(notice => notice.key !== key);
  showNotice();
}
