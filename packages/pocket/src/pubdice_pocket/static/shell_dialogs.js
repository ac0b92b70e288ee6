/**
 * The dialogs over the house. showModal() would make the frame inert, and remove it from the accessibility tree. When
 * the frame comes back, Orca no longer links its page to it, and does not read the page (Chromium). So the frame stays,
 * and its page is inert. A dialog has an aria-label: a heading that labels it would stay in the tree while the dialog
 * is closed, and would be lost in the same way. In all other respects such a dialog works as a modal one.
 */
import { goOn } from './shell_page.js';
import { announce } from './shell_speech.js';

const OPENS_MS = 500;
const BACK_MS = 300;
// the time, in ms since the page began, from which a screen reader knows the dialog
let heardFrom = 0;
/**
 * The watcher for Android's back gesture, which closes a dialog.
 * @type {any}
 */
let wayBack;
/**
 * The element, here or in the house's page, that had the focus before a dialog came.
 * @type {any}
 */
let held = null;

/** Returns the dialog in front. */
export const inFront = () => [...document.querySelectorAll('dialog[open]')].at(-1);

/** Makes everything behind a dialog inert, if there is one. Call it again for each new page behind the dialog. */
export function shield() {
  const dialog = inFront();
  for (const node of /** @type {any} */ (document.body.children))
    if (node.localName === 'iframe') {
      node.tabIndex = dialog ? -1 : 0;
      // an inert page does not make a modal dialog in it inert
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
 * Opens a dialog over the house, and focuses its heading.
 * @param {PageElement} dialog
 */
export function openDialog(dialog) {
  if (!dialog.open) {
    /** @type {any} */
    const { activeElement } = document;
    // an element of a page loses the focus when the page becomes inert
    if (!inFront()) held ??= activeElement?.contentDocument?.activeElement ?? activeElement;
    dialog.show();
    shield();
    watchWayBack();
    heardFrom = performance.now() + OPENS_MS;
  }
  dialog.querySelector('h2').focus();
}

/**
 * Gives the focus back to the element from before the dialogs, or to the house. In the house's page it waits a moment:
 * a screen reader does not know an element at once that was inert, and would not read it.
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
    // until the browser renders, the focus is still in the closed dialog
    const isElsewhere = activeElement?.closest('dialog') === (dialog ?? null);
    if (isElsewhere && activeElement !== body && activeElement?.localName !== 'iframe') return;
    if (dialog) dialog.querySelector('h2').focus();
    else giveBack();
  },
  true,
);

/**
 * Announces a sentence of the open dialog, once a screen reader knows the dialog. The dialog takes the focus from an
 * element that disappears, and Orca follows without a word.
 * @param {string} text
 */
export const aloud = text => announce(text, heardFrom);
