/** The shell's own display: the start page, and the notices below the house. */
import { announce } from './shell_speech.js';
import { megabytes, put, say } from './shell_words.js';

/** @param {string} id */
const at = id => document.getElementById(id);

// The start page: the progress of loading, or one sentence about the reason why it stopped.

const start = at('start');
const status = at('status');
const bar = at('bar');
const amount = at('amount');
const rest = at('rest');
const again = at('again');
const STAGES = ['files', 'interpreter', 'imports', 'house'];
// these steps are over in a moment, so they are shown, but not announced
const BRIEF = ['begin', 'files', 'imports', 'house', 'ready'];
// a start is announced by one of these steps, and then as ready
const LOADS = ['installing', 'interpreter'];
let isTold = false;

// true while the folder's files are coming
let arriving = false;
// the engine's last reported step
let reached = '';
// true if loading has stopped, so later progress is not shown
let over = false;

/**
 * Writes the sentence.
 * @param {string} key
 * @param {boolean} said true if a screen reader announces it
 */
function writeStatus(key, said) {
  put(status, key);
  if (said) announce(say(key));
}

/**
 * Shows the current step. A screen reader announces the sentence when it changes, and the numbers only on request.
 * @param {string} key
 * @param {number} done
 * @param {number} of
 */
function showStep(key, done, of) {
  if (!start.hidden && status.dataset.say !== key) resume(key);
  for (const shown of [bar, at('rest-bar')]) [shown.max, shown.value] = [of, Math.min(done, of)];
}

/**
 * Shows the progress in numbers.
 * @param {string} key
 * @param {Record<string, unknown>} facts
 */
function showAmount(key, facts) {
  for (const shown of [amount, at('rest-amount')]) put(shown, key, facts);
}

/**
 * Shows the bytes of the folder's files that are here.
 * @param {number} done
 * @param {number} of
 */
export function installing(done, of) {
  // done comes twice, with the last file and after the check of all files; the second time is ignored
  if ((start.hidden && rest.hidden) || over || (done >= of && !arriving)) return;
  arriving = done < of;
  showStep('installing', done, of);
  showAmount('bytes', { loaded: megabytes(done), of: megabytes(of) });
  if (!arriving) starting(reached);
}

/**
 * Shows the engine's step. With a snapshot of its memory it skips two of them.
 * @param {string} stage
 */
export function starting(stage) {
  const step = STAGES.indexOf(stage);
  reached = stage;
  // while files still come, their progress is shown instead
  if (step < 0 || arriving || over) return;
  showStep(stage, step, STAGES.length);
  showAmount('step', { step: step + 1, of: STAGES.length });
}

/**
 * Shows a sentence instead of the progress.
 * @param {string} key
 * @param {[string, () => unknown] | undefined} button its word and action
 * @param {string} [cause] the browser's error, behind a disclosure
 */
export function stop(key, button, cause = '') {
  // true if the house had the focus, and is gone
  const takes = button && document.activeElement === document.body;
  over = key !== 'slow';
  start.hidden = false;
  at('loading').hidden = true;
  // the sentence describes the button, and is announced with it
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
  // not if another tab is in front; the Tab key reaches the button first anyway
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
  // a screen reader that reads the page while it loads would say it twice ("Ready." comes with a heading)
  status.ariaHidden = loads || key === 'ready' ? 'true' : null;
  writeStatus(key, !BRIEF.includes(key) && !(loads && isTold));
  isTold = loads || (isTold && BRIEF.includes(key));
}

/** Hides the start page, as the house is there. Returns true if the start page had the focus. */
export function leaveStart() {
  const held = start.contains(document.activeElement) || document.activeElement === document.body;
  start.hidden = true;
  return held;
}

const SOON_MS = 1500;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

/**
 * Shows or hides that the engine is still to come. The sentence appears below the front page, with the progress, after
 * SOON_MS, or at once if the player has asked for something (`chosen`). Returns the key of the sentence before.
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

// The notices below the house: one at a time, and each disappears when it is answered. A notice covers nothing, as the
// house gets the remaining height. Less urgent notices wait until a match is over.

/**
 * @typedef {object} Notice
 * @property {string} key the key of its sentence
 * @property {Record<string, unknown>} facts the values in it
 * @property {[string, (() => unknown)?][]} answers its buttons: a word and an action
 * @property {() => void} heard called after it is announced
 * @property {boolean} [said]
 */

const MOST_NOTICES = 6;
const CAN_WAIT = ['persisted', 'not_persisted', 'persist_unknown', 'week', 'new_version', 'host_goes'];
const notices = at('notice');
const told = at('told');
const choices = at('choices');

/**
 * The unanswered notices, and the one that is shown.
 * @type {Notice[]}
 */
let waiting = [];
/** @type {Notice | undefined} */
let shown;
// `begun` is true if the house is there, `playing` if a match is played in it.
let begun = false;
let playing = false;
// called when the last notice or a dialog disappears while it has the focus
export let goOn = () => {};

/** @param {() => void} after called when the notices or a dialog disappear, to move the focus on */
export const whenAnswered = after => {
  goOn = after;
};

/** Keeps the focused element of the house in sight, as the house is less high now. */
function keepInSight() {
  const page = document.querySelector('iframe')?.contentDocument;
  if (page && page.activeElement !== page.body)
    page.activeElement?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

/**
 * Announces a notice once. A notice from before a match comes back after it.
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
 * Allows notices, as the house is there. Before, only the notice that loading is slow is shown.
 * @param {boolean} match true if a match is played, so only urgent notices are shown
 */
export function hush(match) {
  begun = true;
  playing = match;
  showNotice();
}

/**
 * Shows a notice, unless it is there already.
 * @param {string} key
 * @param {[string, (() => unknown)?][]} [answers] its buttons: a word and an action
 * @param {{facts?: Record<string, unknown>, heard?: () => void}} [more]
 */
export function tell(key, answers = [['ok']], { facts = {}, heard = () => {} } = {}) {
  if (waiting.some(notice => notice.key === key) || waiting.length >= MOST_NOTICES) return;
  waiting.push({ key, answers, facts, heard });
  showNotice();
}

/**
 * Removes a notice that is answered or no longer true.
 * @param {string} key
 */
export function untell(key) {
  waiting = waiting.filter(notice => notice.key !== key);
  showNotice();
}
