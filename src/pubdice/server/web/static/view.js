/**
 * A wire.View into the page, in place: nothing that has the focus is replaced. A mark shows at once, and stands over the
 * view until that is as new (`settle`), the mark is refused (`forget`), or the dice are others.
 */
import { all, at, own, say, word } from './speech.js';

const TEXTS = ['heading', 'status', 'whose', 'beat', 'scores', 'standing'];
const PARTS = ['name', 'note', 'score', 'points', 'hand'];
const FACTS = ['kind', 'turn', 'here', 'out'];
const SOON_S = 10;

let wish, shown = {};

/** Whether a die may be chosen and is not. */
export const isFree = ({ status }) => status === 'free' || status === 'reroll';

export const dice = () => all('#dice .die:not([hidden])');

/** As the player sees them, places from 0. */
export const marks = () =>
  dice().filter(({ dataset }) => dataset.status === 'marked').map(({ dataset }) => dataset.place - 1);

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

export const settle = seq => wish && (wish.until = seq);
export const forget = () => (wish = undefined);

function drawDice(mine) {
  const { rolls, mover, seq } = shown;
  if (wish && (wish.rolls !== rolls || wish.mover !== mover || seq >= wish.until)) forget();
  for (const button of all('#dice .die')) {
    const place = +button.dataset.place, die = shown.dice.find(one => one.place === place);
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

/** A second action, which asks first; another roll closes the question. */
function question(asked, rolled) {
  const node = at('sure');
  if (!node) return;
  node.hidden = !asked;
  if (rolled || !asked) node.open = false;
  if (!asked) return;
  for (const [part, said] of [['summary', asked.label], ['.question', asked.question], ['.yes', asked.yes], ['.no', asked.no]])
    put(node.querySelector(part), said);
  node.querySelector('.yes').value = asked.do;
}

/** Shows a button that is offered. One the keyboard is on stays till it is left, or the place would be lost. */
function offer(button, offered) {
  if (offered) {
    button.hidden = false;
    button.ariaDisabled = offered.ready ? null : true;
    button.toggleAttribute('data-waiting', !offered.ready);
    button.value = offered.do;
    put(button, offered.label);
  } else if (!button.hidden && button === document.activeElement) {
    button.ariaDisabled = true;
    button.onblur = () => (button.hidden ||= !!button.ariaDisabled);
  } else button.hidden = true;
}

function drawSeat(node, seat) {
  for (const name of FACTS) node.dataset[name] = seat[name];
  const mine = node.dataset.seat === at('table').dataset.seat, hand = (mine && seat.own_hand) || seat.hand;
  for (const name of PARTS) if (seat.name || name !== 'name') put(node.querySelector(`.${name}`), { ...seat, hand }[name]);
  node.querySelector('.dice').replaceChildren(...seat.dice.map(face => {
    const mini = document.createElement('span');
    mini.className = 'mini';
    mini.dataset.face = face;
    return mini;
  }));
}

/** Where the focus goes that a drawing has hidden: to the dice, or what is to be done with them. */
function regain(held, kept) {
  const free = dice().find(({ dataset }) => isFree(dataset)), { activeElement, body } = document;
  if (kept && (activeElement === body || at('play').contains(held))) at('enter').focus();
  else if (at('play').contains(held) && !held.checkVisibility())
    (free ?? all('#main:not([hidden], [aria-disabled])')[0] ?? at('play-head')).focus();
}

/** Who has just rolled sees all the dice, and the question above them. */
function scroll() {
  const last = dice().at(-1), bar = at('main').getBoundingClientRect(), bottom = last?.getBoundingClientRect().bottom;
  const most = bar.bottom >= innerHeight ? Math.min(bar.top, innerHeight) : innerHeight, { activeElement, body } = document;
  if (!(bottom > most) || (activeElement !== body && !at('play').contains(activeElement))) return;
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
  at('play').scrollIntoView({ behavior });
}

/** Draws a view; mine: who looks is to move. going: the page will be another. Returns how many dice fell since the last. */
export function draw(view, mine, going) {
  const held = document.activeElement, { side } = view.seats[view.mover] ?? {};
  const kept = mine && view.ask === 'enter' && shown.ask === 'keep' && shown.mover === view.mover;
  const rolled = view.rolls && view.rolls !== +at('dice').dataset.rolls;
  at('dice').dataset.rolls = view.rolls;
  shown = view;
  const texts = { counter: view.counter, last: view.last.map(own).join(' ') };
  for (const id of TEXTS) texts[id] = own(view[id]);
  for (const id of [...TEXTS, 'counter', 'last']) {
    put(at(id), texts[id]);
    at(id).hidden = !texts[id];
  }
  for (const node of all('#side')) {
    put(node, side ?? '');
    node.hidden = !side;
    node.dataset.side = view.mover;
  }
  drawDice(mine);
  for (const id of ['main', 'bank', 'back']) offer(at(id), mine && view[id]);
  question(mine && view.sure, rolled);
  for (const node of all('#enter, [for=enter]')) node.hidden = !mine || view.ask !== 'enter';
  for (const node of all('#nudge')) node.hidden = mine || view.seats[view.mover]?.kind !== 'person';
  view.seats.forEach((seat, number) => all(`#seats [data-seat="${number}"]`).forEach(node => drawSeat(node, seat)));
  for (const node of all('.vote')) {
    const seat = view.seats[node.value];
    node.hidden = !seat?.votable || seat.voted.some(own => `${own}` === at('table').dataset.seat);
  }
  follow(view, mine);
  if (!going) regain(held, kept);
  if (!rolled) return 0;
  if (mine) scroll();
  for (const die of dice()) die.classList.remove('tumble');
  void at('dice').offsetWidth; // so that they move anew
  const fell = all('#dice [data-fresh]');
  for (const die of fell) die.classList.add('tumble');
  return fell.length;
}

let deadline, ticking, due;

/** Runs the turn's clock, by the house's time; the mover hears of it at half and near the end. */
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
