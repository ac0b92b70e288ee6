/** The panel about this device: the state of its storage, and saving everything to a file or reading it back. */
import { aloud, openDialog } from './shell_dialogs.js';
import { complete } from './shell_engine.js';
import { download } from './shell_frame.js';
import { tell } from './shell_page.js';
import { megabytes, note, noted, put } from './shell_words.js';

/** @param {string} id */
const at = id => document.getElementById(id);
const panel = at('panel');
const answer = at('answer');

/**
 * The engine, which saves and reads back. `renew` is called after a file was read back.
 * @type {ReturnType<typeof import('./shell_engine.js').runEngine> | null}
 */
let engine = null;
let renew = () => {};
// true if the tables in sight are on another phone
let isGuest = false;
// True if this browser stores the tables. `asked` is true if the browser was asked to keep them.
let kept = true;
let asked = false;
/**
 * Answers the question, while it is open, whether a file may replace the data here.
 * @type {((goesOn: boolean) => void) | null}
 */
let decide = null;

/**
 * @param {string} key
 * @param {Record<string, unknown>} [facts]
 * @param {any} [sentence]
 */
const told = (key, facts = {}, sentence = '') => {
  put(answer, key, facts);
  if (sentence) answer.textContent = sentence;
};

/** Returns the key of the sentence about a feature that this browser lacks; '' if it lacks none. */
export function lacks() {
  if (typeof WebAssembly !== 'object') return 'no_wasm';
  if (!navigator.serviceWorker) return 'no_worker';
  return navigator.locks && globalThis.BroadcastChannel ? '' : 'no_locks';
}

/** Resolves to true if there is storage. Some private windows deny it, and old browsers lack it. */
export const canKeep = () =>
  navigator.storage?.getDirectory?.().then(
    () => true,
    () => false,
  ) ?? Promise.resolve(false);

const persisted = () => navigator.storage?.persisted?.().catch(() => null) ?? Promise.resolve(null);
/**
 * True for Safari (it has GestureEvent) outside an installed app. It erases a site's storage after a week without a
 * visit, even if it has promised to keep it.
 */
const forgetsInAWeek = () =>
  !!globalThis.GestureEvent && !navigator.standalone && !matchMedia('(display-mode: standalone)').matches;
/** @param {boolean | null} answer */
const word = answer =>
  forgetsInAWeek() ? 'week' : answer === null ? 'persist_unknown' : answer ? 'persisted' : 'not_persisted';

/** Asks the browser, once a table is open, to keep the storage. Tells the player the answer if it has changed. */
export async function askToKeep() {
  if (!kept || asked) return;
  asked = true;
  const said = word(await (navigator.storage?.persist?.().catch(() => null) ?? null));
  if (noted().said !== said) tell(said, [['ok']], { heard: () => note({ said }) });
}

/**
 * Notes for the panel that this browser stores nothing. Tells the player once, with `isSaid`.
 * @param {boolean} isSaid
 */
export function keepsNothing(isSaid = true) {
  kept = false;
  if (isSaid) tell('not_kept');
}

let openings = 0;

/** Shows and announces the place of the tables in sight, and the safety of their storage. */
async function describe() {
  const mine = ++openings;
  /** @param {string[]} ids */
  const speak = (...ids) => {
    if (mine !== openings || !panel.open) return;
    for (const { textContent } of ids.map(at)) if (textContent) aloud(textContent);
  };
  put(at('where'), isGuest ? 'guest' : 'stays');
  const own = kept ? word(await persisted()) : 'not_kept';
  const copies = kept ? 'guest_keeps' : '';
  put(at('kept'), isGuest ? copies : own);
  speak('where', 'kept');
  // fetches missing files first
  put(at('offline'), (await complete()) ? 'offline_yes' : 'offline_no');
  const { usage } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  put(at('space'), usage ? 'space' : '', { used: megabytes(usage ?? 0) });
  speak('offline', 'space');
}

/**
 * Asks if a file may replace the data here. The answer "no" has the focus, and Escape gives it, too. If there is no
 * table here, there is no warning, and the answer "yes" has the focus.
 * @param {Record<string, unknown>} facts
 */
function sure(facts) {
  const isEmpty = facts.here === 0;
  put(at('question'), isEmpty ? 'sure_empty' : 'sure', facts);
  put(at('replace'), isEmpty ? 'take' : 'replace');
  at('question').classList.toggle('refusal', !isEmpty);
  at('stay').classList.toggle('main', !isEmpty);
  at('replace').classList.toggle('main', isEmpty);
  at('sure').hidden = false;
  at(isEmpty ? 'replace' : 'stay').focus();
  return new Promise(resolve => {
    decide = goesOn => {
      decide = null;
      at('sure').hidden = true;
      at('read').focus();
      resolve(goesOn);
    };
  });
}

/** Shows the way to the documents, if the web server has them beside this folder and can be reached. */
async function showDocuments() {
  const { href } = new URL('../docs/', import.meta.url);
  const { status } = await fetch(href, { method: 'HEAD' }).catch(() => ({ status: 0 }));
  at('documents').href = href;
  at('documents').parentElement.hidden = status !== 200;
}

/** Opens the panel. */
export function openPanel() {
  at('licences').href = new URL('licences.html', import.meta.url).href;
  showDocuments();
  told('');
  openDialog(panel);
  describe();
}

/**
 * Sets the engine. Nothing can be saved or read back without an engine on this device.
 * @param {any} running
 * @param {() => void} [restored] called after a file was read back
 */
export function useEngine(running, restored = () => {}) {
  decide?.(false);
  isGuest = !!running?.isGuest;
  engine = isGuest ? null : running;
  renew = restored;
  for (const id of ['save', 'read']) at(id).parentElement.hidden = !engine;
}

at('device').onclick = openPanel;
at('close').onclick = () => panel.close();
at('save').onclick = () => save(engine, told);
at('read').onclick = () => at('file').click();
at('replace').onclick = () => decide?.(true);
at('stay').onclick = () => decide?.(false);
panel.addEventListener('close', () => decide?.(false));
/** @param {any} event */
at('file').onchange = async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  decide?.(false);
  if (await restore(engine, file, told, sure)) renew();
  target.value = '';
};

// Saving everything to a file, and reading it back. The worker answers {save: true} with {saved: bytes, name, large},
// and `large` is true if only a house can read it back, no phone. It answers {restore: bytes} with {restored: true},
// and {look: bytes} with {looked: {here, there}}, the numbers of tables here and in the file. Each can be answered with
// {refused: sentence}, in the language of the tag in the question.

const MOST_BYTES = 100e6;

/**
 * Saves everything. Reports by told(key, facts), or by told('', {}, sentence) with a sentence of the house.
 * @param {any} engine
 * @param {(key: string, facts?: Record<string, unknown>, sentence?: string) => void} told
 */
export async function save(engine, told) {
  told('saving');
  const answer = await engine.ask({ save: true, tag: document.documentElement.lang });
  if (answer?.refused) return told('', {}, answer.refused);
  if (!answer?.saved) return told('not_saved');
  download(answer.saved, answer.name);
  return told(answer.large ? 'saved_large' : 'saved', { name: answer.name, of: megabytes(MOST_BYTES) });
}

/**
 * Reads a file back. Resolves to true if its contents are here now. After a refusal nothing has changed.
 * @param {any} engine
 * @param {File} file
 * @param {(key: string, facts?: Record<string, unknown>, sentence?: string) => void} told
 * @param {(facts: Record<string, unknown>) => Promise<boolean>} sure asked if the checked file may
 *   replace the data here
 */
export async function restore(engine, file, told, sure) {
  if (file.size > MOST_BYTES) {
    told('too_large', { of: megabytes(MOST_BYTES) });
    return false;
  }
  told('reading', { name: file.name });
  /** @param {string} what */
  const ask = async what => {
    const bytes = await file.arrayBuffer().catch(() => null);
    return bytes ? engine.ask({ [what]: bytes, tag: document.documentElement.lang }, [bytes]) : {};
  };
  let answer = await ask('look');
  if (answer?.looked) {
    told('');
    if (!(await sure({ name: file.name, ...answer.looked }))) {
      told('stayed');
      return false;
    }
    told('reading', { name: file.name });
    answer = await ask('restore');
  }
  if (answer?.restored) told('restored', { name: file.name });
  else if (answer?.refused) told('', {}, answer.refused);
  // an engine that has ended is reported elsewhere, and may have replaced everything
  else told(answer ? 'not_restored' : '');
  return !!answer?.restored;
}
