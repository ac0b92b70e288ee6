/** Advice for a network that keeps phones apart: a hotspot, with drawings of the place of its switch. */
import { learn, put, say } from '../shell_words.js';
import { WORDS } from './words.js';

learn(WORDS);

const FILLED = 'fill="currentColor" stroke="none"';
const SWITCH = `<path d="M89-9h18a9 9 0 0 1 0 18H89A9 9 0 0 1 89-9zm18 3a6 6 0 0 0 0 12 6 6 0 0 0 0-12z" ${FILLED}/>`;
const CHEVRON = '<path d="m107-5 5 5-5 5"/>';
const LINE = '<path d="M14 0h40" opacity=".5"/>';

/**
 * A row of the settings.
 * @param {number} at its height in the drawing
 * @param {string} drawn the drawing at its end
 * @param {string[]} words its lines
 */
const rowOf = (at, drawn, ...words) => {
  const said = words.map(
    (word, line) => `<text x="14" y="${line * 15 - words.length * 7 + 11}" ${FILLED} data-say="${word}"/>`,
  );
  const end = `<path d="M14 ${at + 21}h102" opacity=".5"/>`;
  return `<g transform="translate(0 ${at})">${said.join('') || LINE}${drawn}</g>${end}`;
};

/**
 * A phone with its settings open.
 * @param {string} name
 * @param {string} label the drawing in words
 * @param {string} rows
 */
const drawing = (name, label, rows) => `<svg viewBox="0 0 130 208" width="118" role="img" fill="none"
  stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" data-label="${label}">
  <rect x="1" y="1" width="128" height="184" rx="16"/><path d="M54 10h22"/>
  <g ${FILLED} font-size="13"><text x="14" y="38" font-weight="700" data-say="hotspot_settings"/>
  <text x="65" y="203" text-anchor="middle">${name}</text></g>
  <g font-size="13">${rows}</g></svg>`;

const ANDROID = rowOf(66, CHEVRON, 'hotspot_network') + rowOf(108, CHEVRON, 'hotspot_hotspot') + rowOf(150, SWITCH);
const IPHONE = rowOf(66, '') + rowOf(108, CHEVRON, 'hotspot_personal', 'hotspot_personal_2') + rowOf(150, SWITCH);

/** A sentence and two drawings. */
export function hotspot() {
  /** @type {any} */
  const advice = document.createElement('div');
  advice.innerHTML = `<p data-say="hotspot_what"></p><div class="row">
    ${drawing('Android', 'hotspot_on_android', ANDROID)}${drawing('iPhone', 'hotspot_on_iphone', IPHONE)}</div>`;
  for (const node of advice.querySelectorAll('[data-say]')) put(node, node.dataset.say);
  for (const node of advice.querySelectorAll('svg')) node.setAttribute('aria-label', say(node.dataset.label));
  return [...advice.children];
}
