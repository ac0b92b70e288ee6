/**
 * The notice bar below the house: one notice at a time, each gone once somebody has answered it. It lies over nothing:
 * the house gets what height it leaves. What can wait until a match is over does so.
 */
import { announce } from './shell_heard.js';
import { put, say } from './shell_words.js';

const MOST = 6;
const CAN_WAIT = ['persisted', 'not_persisted', 'persist_unknown', 'week', 'new_version'];
const [bar, told, choices] = ['notice', 'told', 'choices'].map(id => document.getElementById(id));
let waiting = [];
let shown;
let begun = false;
let playing = false;
let leave = () => {};

/** after: called when the bar goes, so that the focus can go on from it. */
export const whenAnswered = after => {
  leave = after;
};

/** What has the focus in the house stays in sight, as the house is less high now. */
function keepInSight() {
  const page = document.querySelector('iframe')?.contentDocument;
  if (page && page.activeElement !== page.body)
    page.activeElement?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

/** Once: one that was there before a match comes back after it. */
function sayIt(notice) {
  if (notice.said) return;
  notice.said = true;
  announce(say(notice.key, notice.facts));
  notice.heard();
}

function show() {
  const notice = waiting.find(({ key }) => begun && !(playing && CAN_WAIT.includes(key)));
  const held = bar.contains(document.activeElement);
  if (notice === shown) return;
  shown = notice;
  put(told, notice?.key ?? '', notice?.facts);
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
  if (!notice) return;
  keepInSight();
  sayIt(notice);
}

/**
 * The house is there, before which nothing is said. match: whether one is being played: then only what cannot wait is
 * said.
 */
export function hush(match) {
  begun = true;
  playing = match;
  show();
}

/**
 * Says something, with buttons: [word, action] each; heard: called once it is said. What is said already is not said
 * twice.
 */
export function tell(key, answers = [['ok']], { facts = {}, heard = () => {} } = {}) {
  if (waiting.some(notice => notice.key === key) || waiting.length >= MOST) return;
  waiting.push({ key, answers, facts, heard });
  show();
}
