/** A match that is over: the ways on from there, as they are told. */
import { main } from './here.js';
import { setting } from './keys.js';
import { AFTER, way } from './presses.js';
import { at, say, word } from './speech.js';

let told = '';

/**
 * Each way on, after the key that leads there from where the focus is. In the field one types: "rematch" is the button
 * that plays all rounds.
 */
function ways() {
  return Object.entries(AFTER).flatMap(([deed, id]) => {
    const button = at(id);
    if (!button) return [];
    return button.name || document.activeElement !== at('line') ? way(deed, button) : word('type_on');
  });
}

/**
 * Says the ways on where they are others than before. isNews: no reader reads the page out.
 * @param {boolean} isNews
 */
export function tellWays(isNews) {
  const labels = main.dataset.stage === 'over' ? `${Object.values(AFTER).map(id => at(id)?.textContent)}` : '';
  if (labels && labels !== told && isNews && setting('wording') !== 'brief') say(ways());
  told = labels;
}
