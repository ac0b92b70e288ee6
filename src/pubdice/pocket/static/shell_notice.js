/** The notice bar below the house: one notice at a time, each gone once somebody has answered it. */
import { put } from './shell_words.js';

const MOST = 6, HEARD_MS = 100; // a screen reader hears what changes in a place that it knows already
const [bar, told, choices] = ['notice', 'told', 'choices'].map(id => document.getElementById(id));
let waiting = [], leave = () => {};

/** after: called when the bar goes, so that the focus can go on from it. */
export const whenAnswered = after => { leave = after; };

function show() {
  const [notice] = waiting, held = bar.contains(document.activeElement), fill = () => put(told, waiting[0]?.key ?? '', waiting[0]?.facts);
  if (notice && bar.hidden) setTimeout(fill, HEARD_MS);
  else fill();
  bar.hidden = !notice;
  choices.replaceChildren();
  for (const [key, action] of notice?.answers ?? []) {
    const button = choices.appendChild(document.createElement('button'));
    button.type = 'button';
    put(button, key);
    button.onclick = () => {
      waiting = waiting.filter(other => other !== notice);
      show();
      action?.();
    };
  }
  if (held && notice) choices.querySelector('button').focus();
  else if (held) leave();
}

/** Says something, with buttons: [word, action] each. What is said already is not said twice. */
export function tell(key, answers = [['ok']], facts = {}) {
  if (waiting.some(notice => notice.key === key) || waiting.length >= MOST) return;
  waiting.push({ key, answers, facts });
  show();
}
