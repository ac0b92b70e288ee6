/**
 * A view into the page, in place: nothing that has the focus is replaced, or goes under a finger on a key. Knows the ids
 * of the page and the fields of wire.View; what must be built anew is the house's page (page.js).
 */
import { at, say, word } from './speech.js';
import * as tray from './tray.js';

const TEXTS = ['whose', 'prompt', 'beat', 'counter', 'scores', 'standing'];
const PARTS = ['name', 'note', 'score', 'points', 'hand'];
const FACTS = ['kind', 'turn', 'here', 'out'];
const SOON_S = 10;

function put(node, said) {
  if (node && node.textContent !== said) node.textContent = said;
}

function text(id, said) {
  put(at(id), said);
  at(id).hidden = !said;
}

/** A button that is offered, or not. One the keyboard is on stays till it is left: with it the place would be lost. */
function offer(button, offered) {
  if (offered) {
    button.hidden = false;
    button.ariaDisabled = null;
    button.value = offered.do;
    put(button, offered.label);
  } else if (!button.hidden && button.matches(':focus-visible')) {
    button.ariaDisabled = true;
    button.onblur = () => (button.hidden ||= !!button.ariaDisabled);
  } else button.hidden = true;
}

function drawSeat(node, seat) {
  for (const name of FACTS) node.dataset[name] = seat[name];
  for (const name of PARTS) if (seat.name || name !== 'name') put(node.querySelector(`.${name}`), seat[name]);
  node.querySelector('.dice').replaceChildren(...seat.dice.map(({ face }) => {
    const mini = document.createElement('span');
    mini.className = 'mini';
    mini.dataset.face = face;
    return mini;
  }));
  const vote = node.querySelector('.vote');
  if (vote) vote.hidden = !seat.votable;
}

/** Draws a view; mine: the one who looks is to move. Returns how many dice fell since the last. */
export function draw(view, mine) {
  const rolled = view.counter && at('counter').textContent !== view.counter;
  for (const id of TEXTS) text(id, view[id]);
  text('last', view.last.join(' '));
  text('wait', mine ? '' : view.wait);
  tray.draw(view, mine);
  for (const id of ['main', 'bank', 'back']) offer(at(id), mine && view[id]);
  const enter = at('enter'), nudge = at('nudge');
  for (const node of enter ? [enter, ...enter.labels] : []) node.hidden = !mine || view.ask !== 'enter';
  if (nudge) nudge.hidden = mine || view.seats[view.mover]?.kind !== 'person';
  for (const node of document.querySelectorAll('#seats [data-seat]')) drawSeat(node, view.seats[node.dataset.seat]);
  follow(view, mine);
  return rolled ? tray.tumble() : 0;
}

let deadline = null, ticking, due = [];

/** The turn's clock runs on here, by the house's time; whom it runs against hears of it at half and near the end. */
function follow({ clock, now }, mine) {
  const ahead_ms = now - Date.now(), left = () => Math.max(0, Math.ceil((clock - Date.now() - ahead_ms) / 1000));
  if (clock !== deadline) due = [Math.floor(left() / 2), SOON_S].filter(s => s >= SOON_S && s < left());
  deadline = clock;
  const tick = () => {
    const s = left();
    put(at('clock'), word('clock', { time: `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}` }));
    if (s > due[0]) return;
    if (due.shift() && mine && s) say([word('left', { number: s })]);
  };
  clearInterval(ticking);
  at('clock').hidden = !clock;
  if (!clock) return;
  tick();
  ticking = setInterval(tick, 1000);
}
