/** The panel about this device: what is kept and how surely, and everything saved to a file or read back. */
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
 * The engine, which saves and reads back; and what is called once it has read a file back.
 * @type {ReturnType<typeof import('./shell_engine.js').runEngine> | null}
 */
let engine = null;
let renew = () => {};
// Whether the tables that are shown are another phone's.
let isGuest = false;
// Whether anything is stored here, and whether the browser was asked to keep it.
let kept = true;
let asked = false;
/**
 * Answers the question whether a file may replace what is here, while it stands there.
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

/** What this browser lacks, as the sentence about it. */
export function lacks() {
  if (typeof WebAssembly !== 'object') return 'no_wasm';
  if (!navigator.serviceWorker) return 'no_worker';
  return navigator.locks && globalThis.BroadcastChannel ? '' : 'no_locks';
}

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
/** @param {boolean | null} answer */
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

/**
 * Nothing is stored here: in the panel, and said once.
 * @param {boolean} isSaid
 */
export function keepsNothing(isSaid = true) {
  kept = false;
  if (isSaid) tell('not_kept');
}

let openings = 0;

/** Shows and says where the tables are that are shown, and how surely they are kept. */
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
  // files that are not here yet come first
  put(at('offline'), (await complete()) ? 'offline_yes' : 'offline_no');
  const { usage } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  put(at('space'), usage ? 'space' : '', { used: megabytes(usage ?? 0) });
  speak('offline', 'space');
}

/**
 * Asks whether a file may replace what is here: the answer that changes nothing has the focus, and Escape gives it too.
 * Where no table is, nothing warns, and the other answer has the focus.
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
 * Without an engine of this device nothing can be saved or read back. restored: called when a file has been read back.
 * @param {any} running
 * @param {() => void} [restored]
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

// Saving everything to a file, and reading it back. The worker answers {save: true} with {saved: bytes, name, large}
// (large: a phone can't read it back, only a house can), and {restore: bytes} with {restored: true}; {look: bytes} is
// answered with {looked: {here, there}}, how many tables are here and in the file. Each may be answered with {refused:
// sentence}, in the language of the tag that is sent along.

const MOST_BYTES = 100e6;

/**
 * Saves everything; says so by told(key, facts), or told('', {}, sentence) with a sentence of the house.
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
 * Reads a file back; true if what it holds is here now. A refusal has changed nothing. sure: asked, once the file has
 * been looked at, whether it may replace what is here; it gets the facts and resolves to true or false.
 * @param {any} engine
 * @param {File} file
 * @param {(key: string, facts?: Record<string, unknown>, sentence?: string) => void} told
 * @param {(facts: Record<string, unknown>) => Promise<boolean>} sure
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
  // an engine that has ended says so, and may have replaced everything
  else told(answer ? 'not_restored' : '');
  return !!answer?.restored;
}
