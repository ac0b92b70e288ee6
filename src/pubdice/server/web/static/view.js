/**
 * A wire.View into the page, in place: nothing that has the focus is replaced. A mark shows at once, and stands over
 * the view until that is as new (`settle`), the mark is refused (`forget`), or the dice are others.
 */
import { setting } from './keys.js';
import { places, roll, win } from './motion.js';
import { entered, expect, missing } from './pad.js';
import { all, at, own, say, word } from './speech.js';

const TEXTS = ['heading', 'status', 'standing'];
const PARTS = ['note', 'score', 'hand'];
const FACTS = ['kind', 'turn', 'here', 'out'];
const SOON_S = 10;
const NUDGE_MS = 20_000;
const OTHERS_PACE = 0.6;

let wish;
let shown = {};
let lost = false;
const moved = [];
let nudging;

/** Whether a die may be chosen and is not. */
export const isFree = ({ status }) => status === 'free' || status === 'reroll';

export const dice = () => all('#dice li:not([hidden]) .die');

/** As the player sees them, places from 0. */
export const marks = () =>
  dice()
    .filter(({ dataset }) => dataset.status === 'marked')
    .map(({ dataset }) => +dataset.place);

/** "Die 3, five: kept." */
export const told = die =>
  word('die', {
    die: die.ariaLabel,
    word: word({ marked: 'kept', locked: 'locked_word' }[die.dataset.status] ?? 'free'),
  });

function put(node, said) {
  if (node && node.textContent !== said) node.textContent = said;
}

function mark(die, status, said) {
  die.dataset.status = status;
  die.ariaPressed = status === 'marked' || status === 'locked';
  put(die.querySelector('.word'), said);
}

/** How the dice look with some of them kept: where none are won for good, the others are rolled again. */
function choose(kept) {
  const free = kept.length && (!shown.rail || setting('swap')) ? 'reroll' : 'free';
  for (const die of dice()) {
    if (die.ariaDisabled) continue;
    const status = kept.includes(+die.dataset.place) ? 'marked' : free;
    mark(die, status, status === 'free' ? '' : word(status === 'marked' ? 'keep' : 'reroll'));
  }
  at('dice').classList.toggle('chosen', !!kept.length);
  for (const node of all('#unmark')) node.hidden = !kept.length || !!shown.back;
}

/** The places of the dice that are marked and freed with this one: those its press changes. */
function group(place) {
  const was = shown.dice.filter(({ status }) => status === 'marked').map(one => one.place);
  const then = shown.dice
    .find(one => one.place === place)
    .marks.split(' ')
    .filter(Boolean)
    .map(Number);
  return [...was.filter(one => !then.includes(one)), ...then.filter(one => !was.includes(one))];
}

/** Marks a die or frees it, before the house knows. To choose a first die to reroll keeps all the others. */
export function toggle(die) {
  const place = +die.dataset.place;
  const kept = marks();
  const changed = group(place);
  const choosable = dice()
    .filter(one => !one.ariaDisabled)
    .map(({ dataset }) => +dataset.place);
  const without = from => from.filter(one => !changed.includes(one));
  if (setting('swap') && !kept.length) wish = { marks: without(choosable) };
  else wish = { marks: kept.includes(place) ? without(kept) : [...without(kept), ...changed] };
  stand();
}

/** Lets go of all dice. */
export function unmark() {
  wish = { marks: [] };
  stand();
}

function stand() {
  Object.assign(wish, { rolls: shown.rolls, mover: shown.mover, until: Infinity });
  choose(wish.marks);
}

/** The house has these marks as of an event: the wish ends there, unless it has gone on. */
export const settle = (seq, marks) =>
  wish && `${[...marks].sort()}` === `${[...wish.marks].sort()}` && (wish.until = seq);

/** Dice are marked that the house has not shown yet. */
export const isAhead = () => !!wish && !lost;
export const forget = () => (wish = undefined);

function drawDice(mine) {
  const { rolls, mover, seq, rail, red } = shown;
  if (wish && (wish.rolls !== rolls || wish.mover !== mover || seq >= wish.until)) forget();
  let loose = 0;
  for (const row = at('dice'); row.childElementCount < shown.places; ) {
    // a turn that adds die after die
    const more = row.lastElementChild.cloneNode(true);
    more.firstElementChild.dataset.place = row.childElementCount;
    row.append(more);
  }
  for (const button of all('#dice .die')) {
    const place = +button.dataset.place;
    const die = shown.dice.find(one => one.place === place);
    const there = die && !(rail && die.status === 'locked');
    button.parentElement.hidden = !there;
    loose += !!there;
    button.dataset.status = die?.status ?? 'lying';
    if (!die) continue;
    button.toggleAttribute('data-fresh', die.fresh);
    button.toggleAttribute('data-red', red.includes(die.face));
    button.dataset.face = die.face;
    button.ariaLabel = die.label;
    button.ariaDisabled = mine && die.marks !== null ? null : true;
    mark(button, die.status, die.status === 'lying' || die.status === 'free' ? '' : die.word);
  }
  Object.assign(at('dice').dataset, { count: Math.min(loose, 6), rolls });
  at('cup').hidden = loose > 0 || shown.ask !== 'roll';
  if (mine && shown.ask === 'keep') choose(wish ? wish.marks : marks());
  else for (const node of all('#unmark')) node.hidden = true;
}

function emptySlot() {
  const slot = document.createElement('span');
  slot.className = 'slot';
  slot.append(Object.assign(document.createElement('span'), { className: 'pips' }));
  return slot;
}

function drawRail({ rail, red }) {
  at('rail').hidden = !rail;
  if (!rail) return [];
  const [said, label, of, total] = ['.said', '.label', '.of', '.total'].map(part => at('rail').querySelector(part));
  put(said, own(rail.said));
  put(label, own(rail.label));
  put(of, own(rail.total_label));
  put(total, rail.total);
  const line = all('#rail .slots')[0];
  const filled = [];
  while (line.childElementCount > rail.slots.length) line.lastElementChild.remove();
  rail.slots.forEach(({ face, want, preview }, nth) => {
    const slot = line.children[nth] ?? line.appendChild(emptySlot());
    const had = 'won' in slot.dataset;
    const won = !!face && !preview;
    slot.dataset.face = face || want;
    slot.toggleAttribute('data-need', !!want);
    slot.toggleAttribute('data-preview', preview);
    slot.toggleAttribute('data-won', won);
    slot.toggleAttribute('data-red', red.includes(face));
    if (won && !had) filled.push(slot);
  });
  return filled;
}

const SVG = 'http://www.w3.org/2000/svg';
const LONG = 360;

function drawBeam({ beam }) {
  at('beam').hidden = !beam;
  if (!beam) return;
  const unit = LONG / beam.most;
  const end = beam.value * unit;
  const aim = beam.target * unit;
  put(at('beam').querySelector('.said'), own(beam.said));
  const parts = [
    ['rect', { y: 22, width: LONG, height: 12, rx: 6, fill: '#0007' }],
    [
      'rect',
      {
        class: 'fill',
        y: 22,
        width: Math.min(end, LONG),
        height: 12,
        rx: 6,
        fill: beam.value > beam.target ? '#ffb4a8' : '#edb64d',
      },
    ],
    ['rect', { x: aim - 1.5, y: 14, width: 3, height: 28, fill: '#f6f1e4' }],
    ['text', { x: Math.max(end, 24), y: 14, 'text-anchor': 'end' }, beam.value],
    ['text', { x: aim, y: 58, 'text-anchor': 'middle', 'font-weight': 600 }, beam.label],
  ];
  at('beam')
    .querySelector('svg')
    .replaceChildren(
      ...parts.map(([name, facts, text]) => {
        const node = document.createElementNS(SVG, name);
        for (const fact in facts) node.setAttribute(fact, facts[fact]);
        if (text !== undefined) node.textContent = text;
        return node;
      }),
    );
}

/** Shows a button that is offered. instead: its text if it has the focus and is offered no more. */
function offer(button, offered, instead) {
  if (offered) {
    button.hidden = false;
    button.ariaDisabled = offered.ready === false ? true : null;
    button.toggleAttribute('data-waiting', offered.ready === false);
    button.value = offered.do;
    put(button, offered.label);
  } else if (instead && !button.hidden && button === document.activeElement) {
    button.ariaDisabled = true;
    button.removeAttribute('data-waiting');
    put(button, instead);
    button.onblur = () => (button.hidden ||= !!button.ariaDisabled && !('waiting' in button.dataset));
  } else button.hidden = true;
}

/** The main button: what the house offers, with what only the page knows. */
function mainButton({ main, ask }) {
  if (lost) return { do: '', label: word('no_line'), ready: false };
  if (!main || ask !== 'enter' || !at('pad')) return main;
  return missing()
    ? { ...main, label: word('more', { number: missing() }), ready: false }
    : { ...main, label: word('confirm', { dice: [...entered().split(' ')].sort().join(' ') }) };
}

/** Whether real dice are entered here: one's own, or a bot's, which anybody at the table rolls. */
export const enters = mine =>
  shown.ask === 'enter' && (mine || (at('table').dataset.seats && shown.seats[shown.mover].kind !== 'person'));

export function drawMain(mine) {
  if (at('main') && [shown.stage, at('table').dataset.stage].every(stage => stage === 'playing'))
    offer(at('main'), (mine || enters()) && mainButton(shown), own(shown.heading));
}

/** Offers to undo, by name, to the player who hands the phone on. */
export const offerBack = name => offer(at('back'), shown.back && { ...shown.back, label: word('undo_by', { name }) });

/** The connection is lost, or back. */
export function lose(is, mine) {
  lost = is;
  drawMain(mine);
}

function mini(face) {
  const node = document.createElement('span');
  node.className = 'mini';
  node.dataset.face = face;
  node.toggleAttribute('data-red', shown.red.includes(face));
  return node;
}

function drawSeat(node, seat) {
  for (const name of FACTS) node.dataset[name] = seat[name];
  for (const name of PARTS)
    put(
      node.querySelector(`.${name}`),
      name === 'hand' && node.dataset.seat === at('table').dataset.told ? seat.own_hand || seat.hand : seat[name],
    );
  if (!seat.note && seat.turn) put(node.querySelector('.note'), word('rolling'));
  if (seat.name) put(node.querySelector('.name'), seat.name);
  node.querySelector('.dice').replaceChildren(...seat.dice.map(mini));
}

function drawSeats({ seats }) {
  seats.forEach((seat, number) => {
    for (const node of all(`#seats [data-seat="${number}"]`)) drawSeat(node, seat);
    for (const node of all(`#slate [data-of="${number}"] .points`)) put(node, seat.points);
  });
  for (const node of all('#slate')) node.hidden = !seats.some(({ points }) => points && points !== '0');
  for (const node of all('.vote')) {
    const seat = seats[node.value];
    node.hidden = !seat?.votable || seat.voted.some(voter => `${voter}` === at('table').dataset.seat);
  }
}

/** A nudge is offered once somebody has taken their time. */
function drawNudge({ mover, seats, stage }, mine) {
  const [nudge] = all('#nudge');
  const other = seats[mover];
  if (!nudge) return;
  const key = `${mover} ${shown.rolls}`;
  if (nudge.dataset.turn !== key) {
    nudge.dataset.turn = key;
    nudge.hidden = true;
    clearTimeout(nudging);
    if (!mine && stage === 'playing' && other?.kind === 'person') {
      put(nudge, word('nudge', { name: other.name }));
      nudging = setTimeout(() => (nudge.hidden = false), NUDGE_MS);
    }
  }
}

/** Moves the focus, if a drawing has hidden it, to a free die, the main button or the heading. */
function regain(held) {
  if (!at('play').contains(held) || held.checkVisibility()) return;
  const free = dice().find(({ dataset }) => isFree(dataset));
  (free ?? all('#main:not([hidden], [aria-disabled])')[0] ?? at('heading')).focus();
}

/** Draws a view. mine: this page moves. going: another page follows. Returns the dice that fell, and those won. */
export function draw(view, mine, going) {
  const held = document.activeElement;
  const rolled = view.rolls > (shown.rolls ?? at('dice')?.dataset.rolls);
  const from = moved.length ? moved : places();
  shown = view;
  at('table').dataset.mine = mine;
  if (view.stage !== 'playing' || at('table').dataset.stage !== 'playing') {
    drawSeats(view);
    put(
      at('going'),
      view.seats
        .filter(({ kind, note }) => note && kind === 'person')
        .map(({ name, note }) => `${name} ${note}.`)
        .join(' '),
    );
    // the result's page comes
    for (const node of all('[data-stage=playing] :is(#pad, #acts)')) node.hidden = true;
    return { fell: 0, won: 0, whole: false };
  }
  for (const id of TEXTS) {
    put(at(id), own(view[id]));
    if (id === 'status') at(id).hidden = !own(view[id]);
  }
  put(at('counter'), view.counter);
  at('counter').hidden = !view.counter;
  if (at('pad')) {
    at('pad').hidden = !enters(mine);
    expect(enters(mine) ? view.due : 0);
  }
  for (const node of all('#draw fieldset')) node.hidden = view.ask !== 'draw';
  drawDice(mine);
  const filled = drawRail(view);
  drawBeam(view);
  drawMain(mine);
  for (const id of ['bank', 'back'])
    offer(at(id), mine && view[id] && { ...view[id], label: id === 'back' ? word('undo') : view[id].label });
  drawSure(view, mine);
  drawSeats(view);
  drawNudge(view, mine);
  countDown(view);
  follow(view, mine);
  if (!going) regain(held);
  const pace = mine ? 1 : OTHERS_PACE;
  const fell = rolled ? dice().filter(({ dataset }) => 'fresh' in dataset) : [];
  win(filled, from, pace);
  roll(fell, pace);
  return {
    fell: fell.length,
    won: filled.length,
    whole: filled.length && !view.rail.slots.some(({ want, face }) => want && !face),
  };
}

function drawSure({ sure }, mine) {
  const node = at('sure');
  if (!node) return;
  node.hidden = !mine || !sure;
  if (node.hidden || node.dataset.rolls !== `${shown.rolls}`) node.open = false;
  node.dataset.rolls = shown.rolls;
  if (!sure) return;
  put(node.querySelector('summary'), sure.label);
  put(node.querySelector('.question'), sure.question);
  put(node.querySelector('.yes'), sure.yes);
  node.querySelector('.yes').value = sure.do;
  put(node.querySelector('.no'), sure.no);
}

let deadline;
let ticking;
let due;
let waiting;

const minutes = s => `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;

/**
 * Counts down to when the others may vote: in the rows of those who are away, and of the first of them in a sentence.
 */
function countDown({ seats, now }) {
  const ahead_ms = now - Date.now();
  const line = at('away');
  const tick = () => {
    let said = '';
    seats.forEach(({ vote_at, note, name }, number) => {
      const s = Math.ceil((vote_at - Date.now() - ahead_ms) / 1000);
      if (!vote_at || s <= 0) return;
      said ||= word('away', { name, time: minutes(s) });
      for (const node of all(`#seats [data-seat="${number}"] .note`)) put(node, `${note} ${minutes(s)}`);
    });
    put(line, said);
    if (line) line.hidden = !said;
  };
  clearInterval(waiting);
  tick();
  if (!seats.some(({ vote_at }) => vote_at)) return;
  waiting = setInterval(tick, 1000);
}

/** Runs the turn's clock, by the house's time; the mover hears of it at half and near the end. */
function follow({ clock, now }, mine) {
  const ahead_ms = now - Date.now();
  const left = () => Math.max(0, Math.ceil((clock - Date.now() - ahead_ms) / 1000));
  if (clock !== deadline) due = [Math.floor(left() / 2), SOON_S].filter(s => s >= SOON_S && s < left());
  deadline = clock;
  const tick = () => {
    const s = left();
    put(at('clock'), word('clock', { time: minutes(s) }));
    if (s <= due[0] && due.shift() && mine) say([word('left', { number: s })]);
  };
  clearInterval(ticking);
  at('clock').hidden = !clock;
  if (!clock) return;
  tick();
  ticking = setInterval(tick, 1000);
}
