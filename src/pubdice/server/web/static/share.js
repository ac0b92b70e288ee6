/** Handing on: the table's address, and a finished match as a picture or in words. */
import { all, at, put, say, word } from './speech.js';

const MARKED_MS = 2000;

/**
 * Hands an address over, or copies it, in the way that works without https too.
 * @param {PageElement} button
 */
export function give(button) {
  const { copy, share } = button.dataset;
  if (share !== undefined) return navigator.share({ title: document.title, url: share }).catch(() => {});
  copied(copy ?? '', button);
}

/**
 * Copies a text; the button says so for a while. Else the text is said.
 * @param {string} text
 * @param {PageElement} button
 */
function copied(text, button) {
  const field = document.createElement('textarea');
  button.after(field);
  field.value = text;
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  button.focus();
  say([done ? word('copied') : text]);
  if (!done) return;
  button.dataset.label ??= button.textContent;
  put(button, word('copied_mark'));
  setTimeout(() => put(button, button.dataset.label), MARKED_MS);
}

/** Shares how a match ended as a picture: handed over where that can be, else shown, to be saved. */
export async function shareResult() {
  const lead = at('heading').textContent.trim();
  const rest = all('.rest')[0]?.textContent.trim().replace(/\s+/g, ' ') ?? '';
  const text = `${lead} ${rest}`.trim();
  const { card } = await import('./result_card.js');
  /** @type {any} */
  const picture = card(lead, rest);
  const blob = await new Promise(done => picture.toBlob(done));
  const files = [new File([blob], 'pubdice.png', { type: 'image/png' })];
  if (navigator.canShare?.({ files })) return navigator.share({ files, text }).catch(() => {});
  const dialog = at('carding').content.firstElementChild.cloneNode(true);
  /** @param {string} name */
  const part = name => dialog.querySelector(`[data-${name}]`);
  document.body.append(dialog);
  dialog.prepend(picture);
  part('copy').dataset.copy = text;
  part('close').onclick = () => dialog.close();
  part('save').onclick = () =>
    Object.assign(document.createElement('a'), { href: picture.toDataURL(), download: 'pubdice.png' }).click();
  dialog.onclose = () => dialog.remove();
  dialog.showModal();
}
