/**
 * The dice of a view, updated in place: an element with the focus is not replaced. A mark shows at once, before the
 * house knows. It overrides the view until the view has it (`settle`), the house refuses it (`forget`), or other dice
 * come.
 */
import { setting } from './keys.js';
import { all, at, own, put, turnTo, word } from './speech.js';

const STAYS_MS = 2000;

/**
 * The view with the dice on the page.
 * @type {Wire.View}
 */
let shown = Object.create(null);
/**
 * The wanted marks: their places, the rolls and the mover they are meant for, and the event that has them.
 * @type {{marks: number[], rolls: number, mover: number | null, until: number} | undefined}
 */
let wish;
/**
 * The number of rolls when a finished turn's dice still lay there, and the timer until they go.
 * @type {number | undefined}
 */
let seenAt;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let leaving;

/**
 * True if a die may be chosen, and is not chosen yet.
 * @param {PageElement} die
 */
export const isFree = ({ dataset: { status } }) => status === 'free' || status === 'reroll';

/**
 * The places in "0 2 3".
 * @param {string} text
 */
export const placesIn = text => text.split(' ').filter(Boolean).map(Number);

/** The dice on the table, as buttons. */
export const dice = () => all('#dice li:not([hidden]) .die');

/** @param {PageElement} die */
const placeOf = die => +die.dataset.place;

/** The marked dice as the player sees them: places from 0. */
export const marks = () =>
  dice()
    .filter(die => die.dataset.status === 'marked')
    .map(placeOf);

/**
 * "Die 3, five: kept."
 * @param {PageElement} die
 */
export function told(die) {
  const { status } = die.dataset;
  const said = status === 'marked' ? 'kept' : status === 'locked' ? 'locked_word' : 'free';
  return word('die', { die: die.ariaLabel, word: word(said) });
}

/**
 * @param {PageElement} die
 * @param {string} status
 * @param {string} said
 */
function mark(die, status, said) {
  die.dataset.status = status;
  die.ariaPressed = status === 'marked' || status === 'locked';
  put(die.querySelector('.word'), said);
}

/**
 * Shows the dice with some of them kept. If no dice are won for good, the others are rolled again.
 * @param {number[]} kept
 */
function choose(kept) {
  const rerolls = kept.length && (!shown.rail || setting('swap'));
  for (const die of dice()) {
    if (die.ariaDisabled && !['idle', 'reroll'].includes(die.dataset.status)) continue;
    const status = kept.includes(placeOf(die)) ? 'marked' : rerolls ? 'reroll' : die.ariaDisabled ? 'idle' : 'free';
    mark(die, status, status === 'marked' ? word('keep') : status === 'reroll' ? word('reroll') : '');
  }
  at('dice').classList.toggle('chosen', !!kept.length);
  for (const node of all('#unmark')) node.hidden = !kept.length || !!shown.back;
}

/**
 * The places of the dice that are marked and freed together with this one.
 * @param {number} place
 */
function group(place) {
  const was = shown.dice.filter(({ status }) => status === 'marked').map(die => die.place);
  const then = placesIn(shown.dice.find(die => die.place === place)?.marks ?? '');
  return [...was.filter(other => !then.includes(other)), ...then.filter(other => !was.includes(other))];
}

/**
 * Marks or frees a die before the house knows. If the player chooses a first die to reroll, all others are kept.
 * @param {PageElement} die
 */
export function toggle(die) {
  const place = placeOf(die);
  const kept = marks();
  const changed = group(place);
  /** @param {number[]} from */
  const without = (/** @type {number[]} */ from) => from.filter(other => !changed.includes(other));
  if (setting('swap') && !kept.length) {
    const choosable = dice().filter(other => !other.ariaDisabled);
    want(without(choosable.map(placeOf)));
  } else want(kept.includes(place) ? without(kept) : [...without(kept), ...changed]);
}

/** Frees all dice. */
export const unmark = () => want([]);

/** @param {number[]} marks */
function want(marks) {
  wish = { marks, rolls: shown.rolls, mover: shown.mover, until: Infinity };
  choose(marks);
}

/**
 * @param {number[]} one
 * @param {number[]} other
 */
const areSame = (one, other) => `${[...one].sort()}` === `${[...other].sort()}`;

/**
 * Notes that the house has these marks since an event. The wish ends, unless the player has changed it since.
 * @param {number} seq
 * @param {number[]} marks
 */
export function settle(seq, marks) {
  if (wish && areSame(marks, wish.marks)) wish.until = seq;
}

/** True if this page shows marks that the house does not have yet. */
export const isAhead = () => !!wish;

/** Returns to the house's marks. */
export function forget() {
  wish = undefined;
}

/**
 * True while the dice of a finished turn still lie there: for a moment, and never on the next roller's own board.
 * @param {Wire.View} view
 * @param {boolean} mine
 */
function stay(view, mine) {
  const { left, rolls } = view;
  if (!left || (mine && own(left) === left.text)) return 0;
  if (seenAt !== rolls) {
    seenAt = rolls;
    clearTimeout(leaving);
    leaving = setTimeout(() => {
      leaving = 0;
      // The match may be over by now, with another page.
      if (at('dice') && shown.rolls === rolls) drawDice(shown, mine);
    }, STAYS_MS);
  }
  return leaving;
}

/**
 * Draws the dice of a view. mine: this page moves.
 * @param {Wire.View} view
 * @param {boolean} mine
 */
export function drawDice(view, mine) {
  const { rolls, mover, seq, rail, red } = view;
  shown = view;
  if (wish && (wish.rolls !== rolls || wish.mover !== mover || seq >= wish.until)) forget();
  // A turn may add one die after another.
  for (const row = at('dice'); row.childElementCount < view.places; ) {
    const more = row.lastElementChild.cloneNode(true);
    more.firstElementChild.dataset.place = row.childElementCount;
    row.append(more);
  }
  const over = !!view.left;
  const stays = stay(view, mine);
  let loose = 0;
  for (const button of all('#dice .die')) {
    const die = view.dice.find(({ place }) => place === placeOf(button));
    const lies = die && (over ? stays : !(rail && die.status === 'locked'));
    button.parentElement.hidden = !lies;
    loose += lies ? 1 : 0;
    button.dataset.status = die?.status ?? 'lying';
    if (!die) continue;
    button.toggleAttribute('data-fresh', die.fresh);
    button.toggleAttribute('data-red', red.includes(die.face));
    turnTo(button, die.face);
    button.ariaLabel = die.label;
    button.ariaDisabled = mine && die.marks !== null ? null : true;
    mark(button, die.status, die.status === 'lying' || die.status === 'free' ? '' : die.word);
  }
  Object.assign(at('dice').dataset, {
    count: Math.min(loose, 6),
    rolls,
    left: view.left && stays ? own(view.left) : '',
  });
  at('cup').hidden = loose > 0 || view.ask !== 'roll';
  if (mine && view.ask === 'keep') choose(wish ? wish.marks : marks());
  else for (const node of all('#unmark')) node.hidden = true;
}
