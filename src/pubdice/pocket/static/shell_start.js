/** The start page: how far loading is, and in one sentence why it does not go on. */
import { megabytes, put } from './shell_words.js';

const at = id => document.getElementById(id);
const start = at('start'), status = at('status'), bar = at('bar'), amount = at('amount'), again = at('again');
const STAGES = ['files', 'interpreter', 'imports', 'house'];
let arriving = false, reached = '';

/** What is being done; a screen reader says the sentence when it changes, and the numbers only when somebody asks. */
function show(key, done, of) {
  if (status.dataset.say !== key) resume(key);
  [bar.max, bar.value] = [of, Math.min(done, of)];
}

/** So many bytes of the folder's files are here. */
export function installing(done, of) {
  if (start.hidden) return;
  arriving = done < of;
  show('installing', done, of);
  put(amount, 'bytes', { loaded: megabytes(done), of: megabytes(of) });
  if (!arriving) starting(reached);
}

/** The engine's steps; two of them are left out once it has a snapshot of its memory. */
export function starting(stage) {
  const step = STAGES.indexOf(stage);
  reached = stage;
  if (step < 0 || arriving) return; // the engine begins while its files come
  show(stage, step, STAGES.length);
  put(amount, 'step', { step: step + 1, of: STAGES.length });
}

/** Says a sentence instead of the progress. button: [word, action]; cause: what the browser said, for those who ask. */
export function stop(key, button, cause = '') {
  start.hidden = false;
  at('loading').hidden = true;
  put(status, key);
  status.className = 'refusal';
  again.hidden = !button;
  if (button) {
    put(again, button[0]);
    again.onclick = button[1];
  }
  at('why').hidden = !cause;
  at('cause').textContent = cause;
  if (button && document.activeElement === document.body) again.focus(); // the house had the focus, and is gone
}

/** Shows the progress again. */
export function resume(key) {
  start.hidden = false;
  at('loading').hidden = false;
  bar.removeAttribute('value');
  put(amount, '');
  at('why').hidden = again.hidden = true;
  status.className = '';
  put(status, key);
}

/** Goes, as the house is there. True if it had the focus. */
export function leave() {
  const held = start.contains(document.activeElement) || document.activeElement === document.body;
  start.hidden = true;
  return held;
}
