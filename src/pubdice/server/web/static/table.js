/**
 * A table's page, kept as the house has it; without this it works by forms. Here the parts meet: updates are said and
 * drawn, forms and keys become commands. `have` is the last event heard of; `drawn` the one that the page shows, which
 * is ahead where the page was fetched again.
 */

import { keepAwake, tell } from './awake.js';
import { complain, keepRefusal, read } from './forms.js';
import { help, introduce, listen as listenToKeys, setting } from './keys.js';
import { asker, backoff, listen } from './line.js';
import { bubble, cheer, listen as listenToShakes, shake } from './motion.js';
import { clear, listen as listenToPad } from './pad.js';
import { renew } from './page.js';
import { give, shareResult } from './share.js';
import { chime, door, glass, glasses, low, rattle, tick, wood } from './sound.js';
import { acted, all, at, hear, own, say, word, write } from './speech.js';
import {
  dice,
  draw,
  drawMain,
  enters,
  forget,
  isAhead,
  isFree,
  lose,
  marks,
  offerBack,
  settle,
  toggle,
  told,
  unmark,
} from './view.js';

const main = at('table');
const here = main.dataset.here;
const SOON_MS = 3000;
const MOST_GAPS = 3;
const BUBBLE_MS = 4000;
// a key meant for the last move is not one for the next match
const RESTS_MS = 1000;
// the house runs on this device: it needs no network, and has one thread
const pocket = 'pocket' in main.dataset;
const MOVES = ['roll', 'reroll', 'bank', 'enter', 'draw', 'back'];

let have = +main.dataset.seq;
let drawn = have;
let awaited = 0;
let gaps = 0;
let wanted = 0;
let rolls = -1;
// rolls when a move and a hint were asked for
let hintedAt = -1;
let view;
let mine;
let held;
let ended = 0;
// the last view; whether this page moves in it; what had the focus; when the match ended, and when the phone was passed
let passed = 0;
// in whose hands the phone is, where several share it
let holder = +(sessionStorage.getItem(here) ?? main.dataset.seats.split(' ')[0]);

document.documentElement.classList.add('js');

const seats = () => main.dataset.seats.split(' ').filter(Boolean).map(Number);

const line = listen(
  () => `${here}/events?from=${have}`,
  1000 * main.dataset.patience,
  take,
  lost => {
    const said = word(lost ? 'lost' : 'back');
    notice(lost && said);
    say([said], lost);
  },
);

function notice(said) {
  at('connection').textContent = said || '';
  at('connection').hidden = !said;
  lose(line.isLost(), mine);
}

/** Takes an event; false if one before it is missing. */
function take(event, data) {
  if (event === 'reload') return location.reload();
  if (event === 'chances')
    return import('./chances.js').then(({ show }) =>
      show(JSON.parse(data), lines => setting('wording') === 'brief' || say(lines)),
    );
  const { seq, log, say: says, view: next, react } = JSON.parse(data);
  const news = event !== 'view';
  if (seq < have || (seq === have && news)) return true;
  if (news) {
    if (log.length !== seq - have) {
      if (++gaps > MOST_GAPS) location.reload();
      return false;
    }
    main.dataset.seq = have = seq;
    gaps = 0;
  }
  try {
    if (!react || !setting('mute')) hear(says, setting('wording') === 'brief' ? 0 : 1 + isMine(next));
    if (react) called(react, next);
    if (news) write(says);
    show(next);
    expect(seq);
  } catch (fault) {
    // neither hidden nor in the way of what comes next
    reportError(fault);
  }
  return true;
}

/** The house has this event: if the stream does not bring it soon, the stream is dead. */
const expect = seq => seq > have && setTimeout(() => seq > have && line.renew(), SOON_MS);

function show(next) {
  if (next.seq < view?.seq) return;
  const other = view && view.rematch !== next.rematch;
  const { activeElement, body } = document;
  if (activeElement !== body) held = activeElement;
  if (view && view.stage !== next.stage) ended = Date.now();
  if (
    view &&
    next.stage === 'gathering' &&
    next.seats.filter(({ kind }) => kind !== 'empty').length > view.seats.filter(({ kind }) => kind !== 'empty').length
  )
    door();
  const gathers = next.stage === 'gathering' && next.seq > drawn;
  view = next;
  if (view.seq >= drawn && (other || gathers || `${view.shape}` !== main.dataset.shape)) refresh();
  redraw();
}

/** Somebody called something across the table: it stands in a bubble for a while. */
function called({ seat, text }, { seats }) {
  const node = at('bubble');
  if (!node || setting('mute')) return;
  clearTimeout(called.gone);
  node.textContent = `${seats[seat].name}: ${text}`;
  called.gone = bubble(node, BUBBLE_MS, () => (node.textContent = ''));
}

const isOwn = ({ ask: asks, mover, seats: all }) =>
  asks === 'draw' ? seats().length > 0 : seats().includes(mover) && all[mover].kind === 'person';
const isPassed = view => seats().length > 1 && view.ask !== 'draw' && isOwn(view) && view.mover !== holder;
const isMine = view => isOwn(view) && !isPassed(view);

function redraw() {
  if (!view || view.seq < drawn) return;
  const was = mine;
  mine = isMine(view);
  const { fell, won, whole } = draw(view, mine, wanted);
  pass(view, isPassed(view));
  if (seats().length > 1) import('./tablet.js').then(({ turn }) => turn(view, seats()));
  if (at('hinting')) hint(at('hinting'), view.rolls === hintedAt && view.ask === 'keep' && mine ? null : '');
  if (fell) rattle(fell);
  else if (whole) glass();
  else if (won) wood();
  if (mine && was === false) chime();
  if (mine) introduce();
  keepAwake(view.stage === 'playing');
  tell(mine && seats().length < 2 ? word('your_turn') : at('heading').textContent, word('game'), mine);
}

/** Shows and says what is best, at a table with lessons; "" once it is out of date, null to leave it. */
function hint(form, said) {
  const [node, button] = [form.querySelector('.hint'), form.querySelector('button')];
  button.hidden = !mine || view.ask !== 'keep';
  if (said === null) return;
  node.textContent = said;
  say([said]);
}

async function refresh() {
  if (wanted++) return;
  for (let tries = 0; wanted; ) {
    const now = wanted;
    const { stage } = main.dataset;
    try {
      drawn = +(await renew(main, held)).dataset.seq;
      held = null;
      keepRefusal();
      main.dataset.seq = have;
      wanted -= now;
      dress();
      redraw();
      if (stage !== main.dataset.stage) arrive();
    } catch {
      await backoff(tries++);
    }
  }
}

/** Another stage is a new page: its heading gets the focus, unless somebody is typing. */
function arrive() {
  const { activeElement: active } = document;
  if (!active?.matches('input, select, textarea')) at('heading').focus({ preventScroll: true });
  scrollTo(0, 0);
  if (main.dataset.stage !== 'over') return;
  cheer();
  glasses(view.won.length);
}

const ask = asker(here, answered, late, () => say([word('unsent')]));

function late() {
  say([word('sending')]);
  if (!line.isLost()) notice(word('sending'));
}

/** A move was sent and the page does not show it yet: its dice may be gone. */
const moving = () => rolls === view?.rolls || awaited > have;
const wait = () => say([word(line.isLost() ? 'lost' : 'sending')]);

function command(request, form) {
  complain('', form);
  if (['roll', 'bank'].includes(request.do) && dice().length) request.marks = marks();
  if (request.do === 'hint') hintedAt = view?.rolls;
  const move = MOVES.includes(request.do);
  // dice that this page has not shown are not chosen among
  request.seen = Math.max(drawn, view?.seq ?? 0);
  if ((move && moving()) || !ask(request, form, move)) wait();
  else if (move) {
    rolls = view?.rolls;
    acted();
  }
  if (request.do === 'roll' && !at('cup')?.hidden) shake();
}

function answered({ request, form }, status, { seq, go, said, why = word('failed') }) {
  const move = MOVES.includes(request.do);
  if (!line.isLost()) notice();
  if (move) rolls = -1;
  if (status >= 300) {
    if (!move) forget();
    redraw();
    complain(why, form);
    return low();
  }
  if (go && go !== here) {
    // ready there, once its seed is in (seal.js)
    if (!request.change) sessionStorage.setItem('again', go);
    return location.assign(go);
  }
  // as another person
  if (go) line.renew();
  if (request.do === 'enter') clear();
  if (['rename', 'share', 'seed'].includes(request.do)) form.reset();
  if (form?.closest('#menu')) at('menu').open = false;
  if (request.do === 'hint') hint(form, view.rolls === hintedAt && view.ask === 'keep' ? said : '');
  else if (request.do === 'type') {
    form.elements.text.value = '';
    say([said]);
    if (seq > have) acted();
  } else if (move) awaited = seq;
  else if (request.do === 'mark') settle(seq, request.marks);
  // some of it is on this page alone
  else refresh();
  expect(seq);
}

addEventListener('submit', event => {
  const { target: form, submitter } = event;
  if (form.method !== 'post' || form.id === 'changing' || new URL(form.action).pathname !== here) return;
  event.preventDefault();
  // it shows the marks that the house knew of
  const waits = submitter?.ariaDisabled && !(submitter.id === 'main' && isAhead());
  if (waits) return 'waiting' in submitter.dataset ? say([submitter.textContent]) : whose();
  const asked = read(form, submitter);
  if (submitter?.id === 'unmark') unmark();
  if (submitter?.closest('#sure')) at('sure').open = false;
  command(asked, form);
});

addEventListener('click', event => {
  if (event.target.closest('#sure .no')) {
    event.preventDefault();
    at('sure').open = false;
    at('sure').querySelector('summary').focus();
  }
  const die = event.target.closest('#dice .die');
  const link = event.target.closest('[data-copy], [data-share]');
  if (link) give(link.dataset);
  if (event.target.closest('[data-card]')) shareResult();
  if (event.target.closest('#cup')) at('main').click();
  if (event.target.closest('#pass a')) {
    event.preventDefault();
    takePhone();
  }
  if (!die) return;
  event.preventDefault();
  press(die);
});

// Commands that ask first: the question replaces the heading, and the dice show what would become of them.
addEventListener(
  'toggle',
  ({ target }) => {
    if (target.id === 'change') price();
    if (target.id !== 'sure' || !view?.sure) return;
    at('heading').textContent = target.open ? view.sure.question : own(view.heading);
    if (!target.open) return (at('main').hidden ? at('heading') : at('main')).focus();
    say([view.sure.question]);
    target.querySelector('.no').focus();
  },
  true,
);

const passing = () => !setting('tablet') && word('passing', { name: view.seats[view.mover].name });

/**
 * The phone is in the hands of the player whose turn it is: what they do first is said. The link that may have had the
 * focus goes, and a screen reader is silent about what it comes to then (Orca).
 */
function takePhone() {
  sessionStorage.setItem(here, (holder = view.mover));
  redraw();
  at('heading').focus();
  if (at('main').hidden) asked();
  else say([at('main').textContent]);
}

/** The screen between two who share a phone. */
function pass({ mover }, on) {
  const screen = at('pass');
  if (!screen) return;
  if (on && screen.hidden) {
    passed = Date.now();
    say([passing()]);
  }
  at('play').toggleAttribute('data-pass', on);
  screen.hidden = !on;
  if (!on) return;
  const { name } = view.seats[mover];
  at('heading').textContent = setting('tablet') ? own(view.heading) : word('pass', { name });
  at('main').hidden = true;
  offerBack(view.seats[holder].name);
  for (const shape of screen.querySelectorAll('[data-seat]')) shape.hidden = +shape.dataset.seat !== mover;
  screen.querySelector('a').textContent = word('take', { name });
}

listenToPad(() => drawMain(mine));

listenToShakes(
  () => setting('shake') && mine,
  () => view.ask === 'roll' && pressMain(),
  RESTS_MS,
);

// Enter in a field presses a form's first button, and here that is a die.
addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.target.id !== 'enter') return;
  event.preventDefault();
  at('main').click();
});

function press(die, aloud) {
  if (die.dataset.status === 'locked') return say([word('locked')]);
  if (die.ariaDisabled) return whose();
  if (moving()) return wait();
  toggle(die);
  tick();
  // a focused button tells it itself
  if (aloud && document.activeElement !== die) say([told(die)]);
  command({ do: 'mark', marks: marks() });
}

function dress() {
  for (const button of all('[data-share]')) button.hidden = !navigator.share;
  for (const kbd of all('#keyline [data-key]')) kbd.textContent = at(`key-${kbd.dataset.key}`).value.toUpperCase();
  // Sealed dice need more than other tables: it is loaded there alone. Where that fails, the field for a seed is shown.
  if (at('seal'))
    import('./seal.js').then(
      ({ listen }) => listen(at('seal'), at('own-seed'), () => command({ do: 'ready' })),
      () => at('own-seed')?.closest('.nojs')?.classList.remove('nojs'),
    );
  if (at('change')?.open) price();
  const wide = matchMedia('(min-width: 58em)').matches;
  const story = at('story');
  if (story && wide && !('seen' in story.dataset)) story.open = story.dataset.seen = true;
}

/** Prices beside rules, where a house works them out: in a pocket every move would wait for them. */
const price = () => pocket || import('./prices.js');

const telling = lines => () => {
  if (!view) return wait();
  const said = lines();
  say(said.some(Boolean) ? said : [word('nothing')]);
};
const whose = telling(() => [own(view.whose), isPassed(view) && passing()]);
const asked = telling(() => [own(view.heading).replace(/[^.!?]$/, '$&.'), own(view.status)]);

/** What only the mover does, or who enters a bot's dice; others hear whose turn it is. */
const moves =
  (deed, may = () => mine) =>
  (...how) =>
    may() ? deed(...how) : whose();
const plays = () => mine || (view && enters());

/** What the wide button is after a match: the next one. */
function goOn() {
  const next = at('main');
  if (next && Date.now() - ended > RESTS_MS) next.click();
  else whose();
}

const pressMain = () => (!at('main') || at('main').hidden ? asked() : at('main').click());

function roll() {
  if (view.ask === 'draw') pressMain();
  else if (view.ask === 'enter') {
    all('#pad .faces button')[0].focus();
    asked();
  } else command({ do: 'roll' });
}

/** Keeps one more die of a face; when all are kept, frees them, but for Shift. */
function byFace(face, keep) {
  const same = dice().filter(({ dataset }) => +dataset.face === face);
  const kept = same.filter(({ dataset }) => dataset.status === 'marked');
  const free = same.find(({ dataset }) => isFree(dataset)) ?? (kept.length ? null : same[0]);
  if (free) press(free, true);
  else if (!same.length) say([word('no_face', { number: face })]);
  else if (keep) say(kept.map(told));
  else for (const die of kept) if (die.dataset.status === 'marked') press(die, true);
}

/** number: as people count the places, from 1. */
function byPlace(number) {
  const die = all('#dice .die').find(({ dataset }) => +dataset.place === number - 1 && dataset.face !== '0');
  if (die && (die.dataset.status === 'locked' || !die.parentElement.hidden)) press(die, true);
  else say([word(dice().length ? 'no_place' : 'no_dice', { number })]);
}

listenToKeys(
  {
    roll: moves(roll, plays),
    bank: moves(() => command({ do: 'bank' })),
    main() {
      if (view?.stage === 'over') goOn();
      else if (view && isPassed(view) && Date.now() - passed > RESTS_MS) takePhone();
      else moves(pressMain, plays)();
    },
    hand: telling(() => {
      const { seats, mover } = view;
      // on a shared phone each hand is told by name
      const mine = seats[main.dataset.told || -1];
      return [mine?.dice.length ? mine.own_hand || mine.hand : seats[mover]?.hand || word('no_dice')];
    }),
    scores: telling(() => [own(view.scores), own(view.standing)]),
    beat: telling(() => [own(view.beat)]),
    whose,
    last: telling(() => view.last.map(own)),
    help,
  },
  moves((number, keep) => (keep || setting('digits') === 'face' ? byFace : byPlace)(number, keep)),
);

addEventListener('pagehide', line.stop);
if (!pocket) addEventListener('offline', line.gone);
for (const sign of ['pageshow', 'online']) addEventListener(sign, line.check);
document.addEventListener('visibilitychange', () => document.hidden || line.check());
dress();
if (document.activeElement === document.body && ['', '#play'].includes(location.hash))
  at('heading').focus({ preventScroll: true });
line.check();
