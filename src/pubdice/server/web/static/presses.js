/** Presses by finger or key: dice, the main button, and the keys that say a sentence. */

import { command, moving, wait } from './commands.js';
import { dice, isFree, marks, toggle, told } from './dice.js';
import { hold, isPassed, main, passing, state } from './here.js';
import { answers, isByPlace, keyFor, listen as listenToKeys, setting, way } from './keys.js';
import { sound } from './motion.js';
import { all, at, own, say, word } from './speech.js';
import { drawMain, enters, ofMoves } from './view.js';

// For this time after a match keys do nothing: they were meant for the last move, not for the next match.
const RESTS_MS = 1000;

/**
 * An action that says lines about the view.
 * @param {(view: Wire.View) => (string | false | null | undefined)[]} lines
 */
const telling = lines => () => {
  if (!state.view) return wait();
  const said = lines(state.view);
  say(said.some(Boolean) ? said : [word('nothing')]);
};

const tellWhose = telling(view => [own(view.whose), passing(view)]);

/** Says an open question, and whose turn it is. */
export const whose = () => (state.view?.asked ? rarely('tellAsked') : tellWhose)();

/** Says the mover's task. */
const asked = telling(({ heading, status }) => [own(heading).replace(/[^.!?]$/, '$&.'), own(status)]);

/**
 * An action for the mover, or for a player who `may`. Others hear whose turn it is.
 * @param {(...how: any[]) => unknown} deed
 * @param {() => unknown} [may]
 */
const moves =
  (deed, may = () => state.mine) =>
  (/** @type {any[]} */ ...how) =>
    may() ? deed(...how) : whose();

/** True if this page moves, or enters a bot's dice. */
const plays = () => state.mine || (state.view && enters());

/**
 * Marks or frees a die. aloud: says so, unless the die has the focus and so speaks for itself.
 * @param {PageElement} die
 * @param {boolean} [aloud]
 */
export function press(die, aloud) {
  if (die.dataset.status === 'locked') return say([word('locked'), ownHand(state.view?.seats[state.view.mover ?? -1])]);
  if (moving()) return wait();
  if (die.ariaDisabled) return moves(asked)();
  toggle(die);
  sound('tick');
  if (aloud && document.activeElement !== die) say([told(die)]);
  command({ do: 'mark', marks: marks() });
}

/** The name of the key that plays the choice. "" if there is none. */
const playingKey = () => keyFor('main') || keyFor('roll');

/**
 * Says what a button that is not ready waits for. isByKey: it was pressed by a key, so the next key is said.
 * @param {PageElement} button
 * @param {boolean} isByKey
 */
export function sayWaiting(button, isByKey) {
  say((isByKey && state.view?.ask === 'move' && ofMoves()?.chosen(playingKey())) || [button.textContent]);
}

/** The button that an action's key presses once a match is over. */
export const AFTER = { main: 'main', roll: 'again' };

function pressMain() {
  const [main, bank] = [at('main'), at('bank')];
  const told = ofMoves()?.told() ?? [];
  if (!main || main.hidden) told.length ? say(told) : asked();
  else if (state.view?.ask === 'move' && main.ariaDisabled) sayWaiting(main, true);
  else if ('even' in main.dataset && !bank.hidden) {
    say([way('roll', main), way('bank', bank)]);
  } else main.click();
}

/**
 * Chooses a move, or a tile, by its number.
 * @param {number} number
 */
function choose(number) {
  if (state.view?.ask !== 'move') return false;
  const isDone = ofMoves()?.choose(number, playingKey());
  drawMain(state.mine);
  return isDone;
}

/**
 * Taps a tile with a finger.
 * @param {PageElement} tile
 */
export function pressTile(tile) {
  if (!state.mine) return whose();
  if (moving()) return wait();
  ofMoves()?.tap(+tile.dataset.number);
  sound('tick');
  drawMain(state.mine);
}

/**
 * Keys that few people press. Their module comes with the first of them.
 * @param {'change' | 'leave' | 'undo' | 'tellAnswers' | 'tellAsked' | 'tellChances' | 'tellKeys' | 'tellOpen'} deed
 */
export const rarely =
  deed =>
  (/** @type {any[]} */ ...of) =>
    import('./all_keys.js').then((/** @type {any} */ its) => its[deed](...of), reportError);

/**
 * The action of a key after a match: it presses a button of that page.
 * @param {keyof typeof AFTER} deed
 */
function goOn(deed) {
  const button = main.dataset.stage === 'over' && at(AFTER[deed]);
  if (button && performance.now() - state.ended > RESTS_MS) button.click();
  else whose();
}

function roll() {
  const ask = state.view?.ask;
  // R plays the chosen move, as it does with dice
  if (ask === 'draw' || ask === 'move') pressMain();
  else if (ask === 'enter') {
    all('#pad .faces button')[0].focus();
    asked();
  } else command({ do: 'roll' });
}

/**
 * Keeps one more die of a face. If all are kept, frees them, unless Shift is held.
 * @param {number} face
 * @param {boolean} keep
 */
function byFace(face, keep) {
  const same = dice().filter(die => +die.dataset.face === face);
  const kept = same.filter(die => die.dataset.status === 'marked');
  const free = same.find(die => isFree(die)) ?? (kept.length ? null : same[0]);
  if (free) press(free, true);
  else if (!same.length) say([word('no_face', { number: face })]);
  else if (keep) say(kept.map(told));
  // Freeing one may also free dice that are kept only together with it.
  else for (const die of kept) if (die.dataset.status === 'marked') press(die, true);
}

/**
 * Marks or frees the die in a place, counted from 1.
 * @param {number} number
 */
function byPlace(number) {
  const die = all('#dice .die').find(({ dataset }) => +dataset.place === number - 1 && dataset.face !== '0');
  if (die && (die.dataset.status === 'locked' || !die.parentElement.hidden)) press(die, true);
  else say([word(dice().length ? 'no_place' : 'no_dice', { number })]);
}

/** @param {Wire.SeatView | undefined} seat */
const keysOf = seat => isByPlace() && seat?.own_keys;

/** @param {Wire.SeatView | undefined} seat */
const ownHand = seat => keysOf(seat) || seat?.own_hand;

/**
 * The dice of a hand, read out. A player hears their own, with the keys that choose them. A shared phone and a
 * spectator hear the mover's.
 * @param {Wire.View} view
 */
function handOf({ seats, mover }) {
  const [own, moves] = [seats[main.dataset.told || -1], seats[mover ?? -1]];
  if (own?.dice.length) return ownHand(own) || own.hand;
  return (state.mine && keysOf(moves)) || moves?.hand || word('no_dice');
}

/**
 * Listens to keys and to shakes. redraw: draws the last view again. Returns the function that takes a passed phone.
 * @param {() => void} redraw
 */
export function listen(redraw) {
  /**
   * Notes that the mover has the phone now, and says the first task. The link that may have had the focus
   * goes. A screen reader does not read the element that gets the focus then (Orca).
   */
  function takePhone() {
    hold();
    redraw();
    at('heading').focus();
    if (at('main').hidden) asked();
    else say([at('main').textContent]);
  }

  /** The wide key: the main button, the way on after a match, or the passed phone. With a question it says its keys. */
  function wide() {
    const { passed, view } = state;
    if (view?.stage === 'over') goOn('main');
    else if (answers().length) whose();
    else if (view && isPassed(view) && performance.now() - passed > RESTS_MS) takePhone();
    else moves(pressMain, plays)();
  }

  const deeds = {
    roll: () => (state.view?.stage === 'over' ? goOn('roll') : moves(roll, plays)()),
    bank: moves(() => (state.view?.ask === 'move' ? pressMain() : command({ do: 'bank' }))),
    main: wide,
    hand: telling(view => [handOf(view)]),
    scores: telling(view => [own(view.scores), own(view.standing)]),
    beat: telling(view => [own(view.status) || own(view.beat)]),
    whose,
    last: telling(view => view.last.map(own)),
    chances: rarely('tellChances'),
    undo: rarely('undo'),
    /** @param {PageElement} details */
    opens(details) {
      if (details.localName === 'details') rarely('tellOpen')(details, details.open);
    },
    help: rarely('tellKeys'),
    change: rarely('change'),
    leave: rarely('leave'),
  };
  const chosen = moves(
    (number, keep) => choose(keep ? number + 10 : number) || (keep || !isByPlace() ? byFace : byPlace)(number, keep),
  );
  /**
   * @param {number} number
   * @param {boolean} keep
   */
  const digit = (number, keep) => (answers()[number - 1] ?? { click: () => chosen(number, keep) }).click();
  listenToKeys(deeds, digit, letter => !!(state.mine && ofMoves()?.named(letter)));
  let shakes = false;
  async function wantShakes() {
    if (shakes || !setting('shake')) return;
    shakes = true;
    (await import('./shakes.js')).listen(
      () => setting('shake') && state.mine,
      () => state.view?.ask === 'roll' && pressMain(),
      RESTS_MS,
    );
  }
  addEventListener('change', wantShakes);
  wantShakes();
  return takePhone;
}
