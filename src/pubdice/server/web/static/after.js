/** The end of a match: says the buttons that go on from it, with their keys, and shows the next table. */
import { forgetAll } from './commands.js';
import { begin, main } from './here.js';
import { followMatch, setting, way } from './keys.js';
import { AFTER } from './presses.js';
import { at, readWords, say, word } from './speech.js';

let told = '';

/**
 * Each button that goes on, after the key that presses it at the current focus. In the text field people type "rematch"
 * for the button that plays all rounds.
 */
function ways() {
  return Object.entries(AFTER).flatMap(([deed, id]) => {
    const button = at(id);
    if (!button) return [];
    return button.name || document.activeElement !== at('line') ? way(deed, button) : word('type_on');
  });
}

/**
 * Says these buttons if they have changed. isNews: false if a screen reader reads the whole page anyway.
 * @param {boolean} isNews
 */
export function tellWays(isNews) {
  const labels = main.dataset.stage === 'over' ? `${Object.values(AFTER).map(id => at(id)?.textContent)}` : '';
  if (labels && labels !== told && isNews && setting('wording') !== 'brief') say(ways());
  told = labels;
  if (at('turned')?.matches('.needs-js')) import('./turn.js').then(({ awaitTurn }) => awaitTurn(), reportError);
}

/**
 * Shows the next table. Returns true if no dice have fallen there. In that case all its events are still to be said, so
 * the story starts empty: otherwise it would show those lines twice.
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
