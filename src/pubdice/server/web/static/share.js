/** Handing on: the table's address, and a finished match as a picture or in words. */
import { all, at, say, word } from './speech.js';

/**
 * Hands an address over, or copies it, in the way that works without https too.
 * @param {DOMStringMap} address
 */
export function give({ copy, share }) {
  if (share !== undefined) return navigator.share({ title: document.title, url: share }).catch(() => {});
  copied(copy ?? '');
}

/** @param {string} text */
function copied(text) {
  /** @type {PageElement} */
  const held = document.activeElement;
  const field = document.createElement('textarea');
  document.body.append(field);
  field.value = text;
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  held.focus();
  say([done ? word('copied') : text]);
}

/** Shares how a match ended: a picture where pictures can be shared, else words; copied where nothing can. */
export async function shareResult() {
  const lead = at('heading').textContent.trim();
  const rest = all('.rest')[0]?.textContent.trim().replace(/\s+/g, ' ') ?? '';
  const text = `${lead} ${rest}`.trim();
  if (!navigator.share) return copied(text);
  const { card } = await import('./result_card.js');
  const files = [new File([await card(lead, rest)], 'pubdice.png', { type: 'image/png' })];
  navigator.share(navigator.canShare?.({ files }) ? { files, text } : { text }).catch(() => {});
}
