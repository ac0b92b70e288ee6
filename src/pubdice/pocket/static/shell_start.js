/** The start page: how far loading is, and in one sentence why it does not go on. */
import { announce } from './shell_heard.js';
import { megabytes, put, say } from './shell_words.js';

const at = id => document.getElementById(id);
const start = at('start');
const status = at('status');
const bar = at('bar');
const amount = at('amount');
const again = at('again');
const STAGES = ['files', 'interpreter', 'imports', 'house'];
const BRIEF = ['begin', 'files', 'house', 'ready']; // over in a moment: they are shown, and not said
let arriving = false;
let reached = '';
let over = false; // over: it goes no further, so what still comes is not shown

/** Writes the sentence. said: whether a screen reader says it by itself. */
function write(key, said) {
  put(status, key);
  if (said) announce(say(key));
}

/** What is being done; a screen reader says the sentence when it changes, and the numbers only when somebody asks. */
function show(key, done, of) {
  if (status.dataset.say !== key) resume(key);
  [bar.max, bar.value] = [of, Math.min(done, of)];
}

/** So many bytes of the folder's files are here. */
export function installing(done, of) {
  if (start.hidden || over) return;
  arriving = done < of;
  show('installing', done, of);
  put(amount, 'bytes', { loaded: megabytes(done), of: megabytes(of) });
  if (!arriving) starting(reached);
}

/** The engine's steps; two of them are left out once it has a snapshot of its memory. */
export function starting(stage) {
  const step = STAGES.indexOf(stage);
  reached = stage;
  if (step < 0 || arriving || over) return; // the engine begins while its files come
  show(stage, step, STAGES.length);
  put(amount, 'step', { step: step + 1, of: STAGES.length });
}

/** Says a sentence instead of the progress. button: [word, action]; cause: what the browser said, for those who ask. */
export function stop(key, button, cause = '') {
  const takes = button && document.activeElement === document.body; // the house had the focus, and is gone
  over = key !== 'slow';
  start.hidden = false;
  at('loading').hidden = true;
  write(key, !takes); // the sentence describes the button, and is said with it
  status.className = 'refusal';
  again.hidden = !button;
  if (button) {
    put(again, button[0]);
    again.onclick = button[1];
  }
  at('why').hidden = !cause;
  at('cause').textContent = cause;
  if (takes && key !== 'moved_away') again.focus(); // then another tab is in front: here Tab comes to it first
}

/** Shows the progress again. */
export function resume(key) {
  start.hidden = over = false;
  at('loading').hidden = false;
  bar.removeAttribute('value');
  put(amount, '');
  at('why').hidden = again.hidden = true;
  status.className = '';
  write(key, !BRIEF.includes(key));
}

/** Goes, as the house is there. True if it had the focus. */
export function leave() {
  const held = start.contains(document.activeElement) || document.activeElement === document.body;
  start.hidden = true;
  return held;
}
