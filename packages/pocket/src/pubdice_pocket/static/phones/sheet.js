/**
 * The panel over the house: pages of sentences and controls, codes to show, and readers of codes. It dispatches "turn"
 * before each new page, and "leave" with a path when the player chose a table of this phone's own.
 */
import { aloud, openDialog } from '../shell_dialogs.js';
import { learn, put, say } from '../shell_words.js';
import { draw, readByCamera } from './codes.js';
import { WORDS } from './words.js';

learn(WORDS);

const APART = ['phones_apart', 'phones_perhaps'];
const OFFER = /([\w-]+)\s*$/;

/**
 * Makes an element with a sentence, or with children.
 * @param {string} name
 * @param {string} key
 * @param {Record<string, any>} [more]
 * @param {any[]} children
 * @returns {PageElement}
 */
export function make(name, key, more = {}, ...children) {
  const node = Object.assign(document.createElement(name), more);
  if (key) put(node, key);
  node.append(...children);
  return node;
}

/**
 * @param {string} key
 * @param {() => unknown} action
 * @param {string} [className]
 */
export const button = (key, action, className = '') =>
  make('button', key, { type: 'button', onclick: action, className });
/** @param {any[]} buttons */
export const row = (...buttons) => make('p', '', { className: 'row' }, ...buttons);

export const body = make('div', '');
const status = make('p', '', { id: 'phones-status' });
// the place for advice if phones can't reach each other
const help = make('div', '');
const remarks = make('div', '');
export const title = make('h2', 'phones_title', { id: 'phones-title', tabIndex: -1 });
export const panel = make(
  'dialog',
  '',
  { id: 'phones' },
  title,
  status,
  help,
  body,
  remarks,
  row(button('close', () => panel.close(), 'quiet')),
);
panel.dataset.label = 'phones_title';
panel.ariaLabel = say('phones_title');
document.body.append(panel);
document.head.append(make('link', '', { rel: 'stylesheet', href: new URL('panel.css', import.meta.url).href }));

/** @type {(() => void) | null} */
let stopCamera = null;

panel.addEventListener('close', () => {
  remarks.replaceChildren();
  stopCamera?.();
});

/**
 * Shows a result and announces it. '' clears it.
 * @param {string} key
 * @param {Record<string, unknown>} [facts]
 */
export function tell(key, facts) {
  put(status, key, facts);
  help.replaceChildren();
  if (key) aloud(say(key, facts));
  if (!APART.includes(key)) return;
  const drawn = import('../phones_apart/hotspot.js').then(
    ({ hotspot }) => hotspot(),
    // no advice: its script is not stored yet, and the host is out of reach
    () => [],
  );
  drawn.then(nodes => {
    if (status.dataset.say !== key || help.hasChildNodes()) return;
    add(help, ...nodes);
  });
}

/**
 * Adds sentences and controls, and announces the sentences.
 * @param {Element} to
 * @param {any[]} nodes
 */
export function add(to, ...nodes) {
  to.append(...nodes);
  for (const { localName, textContent, dataset } of nodes) if (localName === 'p' && dataset.say) aloud(textContent);
}

/**
 * Shows another page of the panel.
 * @param {any[]} nodes
 */
export function turn(...nodes) {
  stopCamera?.();
  panel.dispatchEvent(new Event('turn'));
  tell('');
  body.replaceChildren(...nodes);
  openDialog(panel);
}

/**
 * Shows another page of the panel, and announces its sentences.
 * @param {any[]} nodes
 */
export function show(...nodes) {
  turn();
  add(body, ...nodes);
}

/**
 * Shows and announces sentences below the panel's page, until the panel is closed.
 * @param {any[]} nodes
 */
export function remark(...nodes) {
  if (!panel.open) return show(...nodes);
  remarks.replaceChildren();
  add(remarks, ...nodes);
}

/**
 * Makes a code's picture, and its text, which can be copied.
 * @param {string} text
 * @param {string} key the label of the text
 */
export function shown(text, key) {
  const field = make('textarea', '', { value: text, readOnly: true, rows: 3, className: 'phones-code' });
  const copy = async () => {
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    // the older way to copy needs a selection, which takes the focus from the button
    if (!copied) field.select();
    if (copied || document.execCommand('copy')) tell('phones_copied');
  };
  return [
    make('p', '', { className: 'qr' }, draw(text)),
    make(
      'details',
      '',
      {},
      make('summary', 'phones_by_copy'),
      make('label', '', {}, make('span', key), field),
      row(button('phones_copy', copy)),
    ),
  ];
}

/**
 * Makes the controls that read the other phone's code, by camera or by hand.
 * @param {(code: string) => unknown} taken
 */
export function reading(taken) {
  const view = make('video', '', { hidden: true, muted: true, playsInline: true, className: 'phones-camera' });
  const field = make('textarea', '', { rows: 3, className: 'phones-code', spellcheck: false, autocapitalize: 'off' });
  const take = (/** @type {string} */ text) => taken(OFFER.exec(text)?.[1] ?? '');
  const look = async () => {
    stopCamera?.();
    tell('');
    const camera = readByCamera(view);
    stopCamera = camera.stop;
    const text = await camera.text.catch(() => null);
    // a second tap has started another reading
    if (stopCamera !== camera.stop) return;
    if (text) take(text);
    else if (text === null) {
      tell('phones_no_camera');
      hand.open = true;
      field.focus();
    }
  };
  const hand = make(
    'details',
    '',
    {},
    make('summary', 'phones_by_hand'),
    make('label', '', {}, make('span', 'phones_paste'), field),
    row(button('phones_take', () => take(field.value))),
  );
  return [row(button('phones_read_it', look, 'main')), view, hand];
}
