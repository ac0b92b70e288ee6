/**
 * A view into the page, in place: nothing that has the focus is replaced, or goes under a finger on a key. Knows the ids
 * of the page and the fields of wire.View, but no rules; what must be built anew is the house's page (page.js).
 *
 * A mark shows at once and is asked for behind it. It stands over the house's view until that is as new as the mark
 * (`settle`), the mark is refused (`forget`), or the dice are others.
 */
import { at, say, word } from './speech.js';

const TEXTS = ['whose', 'prompt', 'beat', 'counter', 'scores', 'standing'];
const PARTS = ['name', 'note', 'score', 'points', 'hand'];
const FACTS = ['kind', 'turn', 'here', 'out'];
const SOON_S = 10;
const all = selector => [...document.querySelectorAll(selector)];

/** @type {?{marks: number[], rolls: number, mover: number, until: number}} */
let wish = null;
let shown = {};

/** The dice on the table, as buttons. */
export const dice = () => all('#dice .die:not([hidden])');

/** The marks as the player sees them, places from 0. */
export const marks = () => dice().filter(({ dataset }) => dataset.status === 'marked').map(({ dataset }) => dataset.place - 1);

/** "Die 3, five: kept." */
export const told = die => word('die', { die: die.ariaLabel, word: die.querySelector('.word').textContent });

function put(node, said) {
  if (node && node.textContent !== said) node.textContent = said;
}

function mark(die, status, said = word(status === 'marked' ? 'kept' : 'free')) {
  die.dataset.status = status;
  die.ariaPressed = status === 'marked' || status === 'locked';
  put(die.querySelector('.word'), said);
}

/** Marks a die or frees it, before the house knows. */
export function toggle(die) {
  mark(die, die.dataset.status === 'marked' ? 'free' : 'marked');
  wish = { marks: marks(), rolls: shown.rolls, mover: shown.mover, until: Infinity };
}

/** The house has done the last wish with this event. */
export const settle = seq => wish && (wish.until = seq);

/** It was refused. */
export const forget = () => (wish = null);

function drawDice(mine) {
  const { rolls, mover, seq } = shown;
  if (wish && (wish.rolls !== rolls || wish.mover !== mover || seq >= wish.until)) wish = null;
  for (const button of all('#dice .die')) {
    const place = Number(button.dataset.place), die = shown.dice.find(one => one.place === place);
    button.hidden = button.parentElement.hidden = !die;
    button.toggleAttribute('data-fresh', !!die?.fresh);
    if (!die) continue;
    button.dataset.face = die.face;
    button.ariaLabel = die.label;
    if (die.marks !== null && wish) mark(button, wish.marks.includes(place - 1) ? 'marked' : 'free');
    else mark(button, die.status, die.word);
    button.ariaDisabled = mine && die.marks !== null ? null : true;
  }
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
  for (const vote of node.querySelectorAll('.vote')) vote.hidden = !seat.votable;
}

/** Draws a view; mine: the one who looks is to move. Returns how many dice fell since the last. */
export function draw(view, mine) {
  shown = view;
  const rolled = view.counter && at('counter').textContent !== view.counter;
  const texts = { ...view, last: view.last.join(' '), wait: mine ? '' : view.wait };
  for (const id of [...TEXTS, 'last', 'wait']) {
    put(at(id), texts[id]);
    at(id).hidden = !texts[id];
  }
  drawDice(mine);
  for (const id of ['main', 'bank', 'back']) offer(at(id), mine && view[id]);
  for (const node of all('#enter, [for=enter]')) node.hidden = !mine || view.ask !== 'enter';
  for (const node of all('#nudge')) node.hidden = mine || view.seats[view.mover]?.kind !== 'person';
  for (const node of all('#seats [data-seat]')) drawSeat(node, view.seats[node.dataset.seat]);
  follow(view, mine);
  if (!rolled) return 0;
  for (const die of dice()) die.classList.remove('tumble');
  void at('dice').offsetWidth; // it is seen to be gone, and moves the dice anew
  const fell = all('#dice [data-fresh]');
  for (const die of fell) die.classList.add('tumble');
  return fell.length;
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
    if (s <= due[0] && due.shift() && mine) say([word('left', { number: s })]);
  };
  clearInterval(ticking);
  at('clock').hidden = !clock;
  if (!clock) return;
  tick();
  ticking = setInterval(tick, 1000);
}
