/**
 * The dialogs over the house. showModal() makes the frame inert, and so takes it out of the accessibility tree; once it
 * is there again, Orca no longer finds where its page belongs, and says nothing of it (Chromium). So the frame stays,
 * and its page is inert. A dialog has a name of its own: a heading that names it would stay in that tree while the
 * dialog is closed, and be lost in the same way. In all else such a dialog works as a modal one.
 */
import { goOn } from './shell_page.js';
import { announce } from './shell_speech.js';

const OPENS_MS = 500;
const BACK_MS = 300;
// A screen reader knows the dialog from then on.
let heardFrom = 0;
/**
 * Android's way back, which closes a dialog.
 * @type {any}
 */
let wayBack;
/**
 * What had the focus, here or in the house's page, before a dialog came.
 * @type {any}
 */
let held = null;

/** The dialog in front. */
export const inFront = () => [...document.querySelectorAll('dialog[open]')].at(-1);

/** Lets nobody come to what lies behind a dialog, if there is one. To be called for each page that comes there, too. */
export function shield() {
  const dialog = inFront();
  for (const node of /** @type {any} */ (document.body.children))
    if (node.localName === 'iframe') {
      node.tabIndex = dialog ? -1 : 0;
      // a modal dialog there is not inert by what it lies in
      for (const each of node.contentDocument?.querySelectorAll('html, dialog') ?? []) each.inert = !!dialog;
    } else if (node.className !== 'unseen') node.inert = !!dialog && node !== dialog;
  if (document.activeElement?.localName === 'iframe') dialog?.querySelector('h2').focus();
}

function watchWayBack() {
  const { CloseWatcher } = /** @type {any} */ (globalThis);
  const dialog = inFront();
  wayBack?.destroy();
  wayBack = dialog && CloseWatcher && Object.assign(new CloseWatcher(), { onclose: () => dialog.close() });
}

/**
 * Opens a dialog over the house; its heading gets the focus.
 * @param {PageElement} dialog
 */
export function openDialog(dialog) {
  if (!dialog.open) {
    /** @type {any} */
    const { activeElement } = document;
    // what is focused in a page loses the focus once the page is inert
    if (!inFront()) held ??= activeElement?.contentDocument?.activeElement ?? activeElement;
    dialog.show();
    shield();
    watchWayBack();
    heardFrom = performance.now() + OPENS_MS;
  }
  dialog.querySelector('h2').focus();
}

/**
 * The focus goes back to where it was before the dialogs, or to the house; in the house's page a moment later, since
 * what was inert is not yet there for a screen reader, which then says nothing of it.
 */
function giveBack() {
  const node = held;
  held = null;
  const isHere = node?.ownerDocument === document;
  if (isHere) node.focus({ preventScroll: true });
  if (!isHere || document.activeElement === document.body) goOn();
  if (!isHere) setTimeout(() => inFront() || node?.focus({ preventScroll: true }), BACK_MS);
}

document.addEventListener('keydown', ({ key }) => key === 'Escape' && inFront()?.close());
document.addEventListener(
  'close',
  () => {
    const { activeElement, body } = document;
    const dialog = inFront();
    watchWayBack();
    shield();
    // until the browser draws the page, the focus is still in the dialog that has gone
    const isElsewhere = activeElement?.closest('dialog') === (dialog ?? null);
    if (isElsewhere && activeElement !== body && activeElement?.localName !== 'iframe') return;
    if (dialog) dialog.querySelector('h2').focus();
    else giveBack();
  },
  true,
);

/**
 * Says a sentence of the dialog that is open, once a screen reader knows the dialog: it takes the focus from what goes
 * away, and Orca follows in silence.
 * @param {string} text
 */
export const aloud = text => announce(text, heardFrom);
