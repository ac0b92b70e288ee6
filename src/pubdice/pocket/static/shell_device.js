/** The panel about this device: what is kept and how surely, and everything saved to a file or read back. */
import { restore, save } from './shell_files.js';
import { tell } from './shell_notice.js';
import { complete } from './shell_version.js';
import { megabytes, note, noted, put } from './shell_words.js';

const at = id => document.getElementById(id);
const panel = at('panel');
const answer = at('answer');
let engine = null;
let kept = true;
let asked = false;
let renew = () => {};
let decide = null;

const told = (key, facts = {}, sentence = '') => {
  put(answer, key, facts);
  if (sentence) answer.textContent = sentence;
};

/** Whether storage can be had at all: denied in some private windows, and missing in old browsers. */
export const canKeep = () =>
  navigator.storage?.getDirectory?.().then(
    () => true,
    () => false,
  ) ?? Promise.resolve(false);

const persisted = () => navigator.storage?.persisted?.().catch(() => null) ?? Promise.resolve(null);
/**
 * Safari (GestureEvent) erases what a site stored after a week without a visit, whatever it answers, but not an app's.
 */
const forgetsInAWeek = () =>
  !!globalThis.GestureEvent && !navigator.standalone && !matchMedia('(display-mode: standalone)').matches;
const word = answer =>
  forgetsInAWeek() ? 'week' : answer === null ? 'persist_unknown' : answer ? 'persisted' : 'not_persisted';

/**
 * Asks the browser, once a table is open, to keep what is stored, and says what it answers if it said otherwise before.
 */
export async function askToKeep() {
  if (!kept || asked) return;
  asked = true;
  const said = word(await (navigator.storage?.persist?.().catch(() => null) ?? null));
  if (noted().said !== said) tell(said, [['ok']], { heard: () => note({ said }) });
}

/** Nothing is stored here: said once, and in the panel. */
export function keepsNothing() {
  kept = false;
  tell('not_kept');
}

async function describe() {
  put(at('kept'), kept ? word(await persisted()) : 'not_kept');
  put(at('offline'), (await complete()) ? 'offline_yes' : 'offline_no');
  const { usage } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  put(at('space'), usage ? 'space' : '', { used: megabytes(usage ?? 0) });
}

/**
 * Asks whether a file may replace what is here: the answer that changes nothing has the focus, and Escape gives it too.
 */
function sure(facts) {
  put(at('question'), 'sure', facts);
  at('sure').hidden = false;
  at('stay').focus();
  return new Promise(resolve => {
    decide = goesOn => {
      decide = null;
      at('sure').hidden = true;
      at('read').focus();
      resolve(goesOn);
    };
  });
}

/** Opens the panel. */
export function openPanel() {
  at('licences').href = new URL('licences.html', import.meta.url).href;
  told('');
  for (const id of ['save', 'read']) at(id).parentElement.hidden = !engine;
  describe();
  panel.showModal();
  at('panel-title').focus();
}

/** Without an engine nothing can be saved or read back. restored: called when a file has been read back. */
export function useEngine(running, restored = () => {}) {
  decide?.(false);
  engine = running;
  renew = restored;
}

at('device').onclick = openPanel;
at('close').onclick = () => panel.close();
at('save').onclick = () => save(engine, told);
at('read').onclick = () => at('file').click();
at('replace').onclick = () => decide?.(true);
at('stay').onclick = () => decide?.(false);
panel.addEventListener('close', () => decide?.(false));
at('file').onchange = async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  decide?.(false);
  if (await restore(engine, file, told, sure)) renew();
  target.value = '';
};
