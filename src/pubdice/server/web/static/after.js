/** A match that is over: the ways on from there, as they are told, and the page of the next table. */
import { forgetAll } from './commands.js';
import { begin, main } from './here.js';
import { followMatch, setting } from './keys.js';
import { AFTER, way } from './presses.js';
import { at, readWords, say, word } from './speech.js';

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
  if (at('turned')?.matches('.needs-js')) import('./turn.js').then(({ awaitTurn }) => awaitTurn(), reportError);
}

/**
 * The page shows the next table. Where no dice have fallen, all that has happened there is still to be heard, and the
 * story is empty until then: nothing stands in it that is said as well. Returns whether that is so.
 */
export function enter() {
  const isNew = at('dice')?.dataset.rolls === '0';
  begin(isNew ? 0 : +main.dataset.seq);
  if (isNew) at('log').replaceChildren();
  forgetAll();
  readWords();
  followMatch();
  return isNew;
}
