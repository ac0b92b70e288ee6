/** Sharing: the table's address, and a finished match as a picture or in words. */
import { main } from './here.js';
import { all, put, say, word } from './speech.js';

const MARKED_MS = 2000;
// The delay after a match before the picture is drawn: the page first has more urgent things to do and to fetch.
const AFTER_MS = 3000;

/**
 * Shares an address, or copies it, in a way that also works without https.
 * @param {PageElement} button
 */
export function give(button) {
  const { copy, share } = button.dataset;
  if (share !== undefined) return navigator.share({ title: document.title, url: share }).catch(() => {});
  copied(copy ?? '', button);
}

/**
 * Copies a text. The button says so for a while. If that fails, the text is said.
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
  if (done) mark(button, word('copied_mark'));
}

/**
 * Shows a text on a button for a while.
 * @param {PageElement} button
 * @param {string} said
 */
function mark(button, said) {
  button.dataset.label ??= button.textContent;
  put(button, said);
  setTimeout(() => put(button, button.dataset.label), MARKED_MS);
}

const result = () => import('./result.js');

/** Shares a match's end as a picture. If the picture does not come, the button says so. */
export async function shareResult() {
  try {
    await (await result()).hand();
  } catch {
    say([word('failed')]);
    mark(all('[data-card]')[0], word('failed'));
  }
}

// The picture is begun before the press. If it does not come, the press says so.
const begin = () =>
  main.dataset.stage === 'over' &&
  result().then(
    ({ renew }) => renew(),
    () => {},
  );
const atEnd = () => main.dataset.stage === 'over' && setTimeout(begin, AFTER_MS);
new MutationObserver(atEnd).observe(main, { attributeFilter: ['data-stage'] });
atEnd();
addEventListener('pointerdown', ({ target }) => target instanceof Element && target.closest('[data-card]') && begin());
