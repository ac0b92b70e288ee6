/**
 * Moves of a game that keeps no dice: buttons, a list, or tiles to tap. The tapped tiles choose a move. Only this page
 * knows them.
 */
import { all, at, put, say, word } from './speech.js';

/**
 * The view with the drawn moves. isMine: true if this page moves in it.
 * @type {Wire.View}
 */
let shown = Object.create(null);
let isMine = false;
/** The numbers of the tapped tiles. */
const tapped = new Set();
/** The moves and the rolls that were open when the tiles were tapped. */
let tappedFor = '';

/** @param {number[]} numbers */
const together = numbers => `${[...numbers].sort((one, other) => one - other)}`;

/** True if the tapped tiles choose a move: each move takes some tiles, and no two moves take the same tiles. */
const isTapped = () => {
  const { moves } = shown;
  return (
    moves.length > 0 &&
    new Set(moves.map(({ takes }) => together(takes))).size === moves.length &&
    moves.every(({ takes }) => takes.length)
  );
};

/** The moves that this page may choose. */
const open = () => (isMine ? shown.moves : []);

/** The move that takes exactly the tapped tiles. */
const meant = () =>
  open().find(({ takes }) => takes.length === tapped.size && takes.every(number => tapped.has(number)));

/**
 * True if some move takes all these tiles.
 * @param {number[]} numbers
 */
const leadsOn = numbers => open().some(({ takes }) => numbers.every(number => takes.includes(number)));

/** The main button after a tap on tiles: it plays their move. Nothing if moves are not chosen by tiles. */
export function mainMove() {
  if (!open().length || !isTapped()) return null;
  const move = meant();
  if (!move) return { do: '', label: word('take_tiles'), ready: false, gold: false };
  return { do: 'choose', move: move.move, label: move.label, ready: true, gold: true };
}

/** The open moves in words, each after its key. */
export const told = () =>
  open().map(({ key: letter, label }, nth) => (isTapped() ? label : `${letter.toUpperCase() || nth + 1}: ${label}`));

/**
 * A tile's label in the game, or its number if it has none.
 * @param {number} number
 */
const labelOf = number => shown.things?.tiles.find(tile => tile.number === number)?.label ?? `${number}`;

/** @param {number[]} numbers */
const labelsOf = numbers => numbers.map(labelOf).join(', ');

/**
 * The labels of tiles of which one may be taken: "3 or 4".
 * @param {number[]} numbers
 */
const anyOf = numbers =>
  numbers.length < 2
    ? labelsOf(numbers)
    : word('or', { some: labelsOf(numbers.slice(0, -1)), last: labelsOf(numbers.slice(-1)) });

/**
 * Tells the choice made by number keys, and the next key: the key that plays the move, or the other tiles of a move.
 * key: the key that plays it, "" if there is none.
 * @param {string} key
 */
export function chosen(key) {
  if (!isTapped()) return told();
  const tiles = labelsOf([...tapped].sort((one, other) => one - other));
  const move = meant()?.label;
  const more = (shown.things?.tiles ?? []).map(({ number }) => number).filter(number => isNext(number));
  if (!tiles) {
    const easy = open().find(({ takes }) => takes.every(number => number < 10));
    return [word('tapped_none'), ...(easy ? [word('tap_by_key', { tiles: labelsOf(easy.takes) })] : told())];
  }
  if (!move) return [word('tapped_more', { tiles, more: anyOf(more) })];
  return [key ? word('tapped_move', { tiles, key, move }) : word('tapped', { tiles })];
}

/**
 * True if a move takes this tile besides the tapped ones.
 * @param {number} number
 */
const isNext = number => !tapped.has(number) && leadsOn([...tapped, number]);

function drawTiles() {
  const { things } = shown;
  const tiles = things?.tiles ?? [];
  for (const button of all('#things .tile')) {
    const tile = tiles.find(({ number }) => `${number}` === button.dataset.number);
    const number = +button.dataset.number;
    const may = !!tile && open().length > 0 && isTapped() && (tapped.has(number) || isNext(number));
    button.ariaDisabled = may ? null : true;
    button.toggleAttribute('data-off', isMine && isTapped() && !may);
    button.toggleAttribute('data-down', !tile?.up);
    button.ariaPressed = `${tapped.has(number)}`;
    button.ariaLabel = tile?.up ? tile.label : word('tile_down', { tile: tile?.label });
  }
}

function drawThings() {
  const { things } = shown;
  const node = at('things');
  if (!node) return;
  node.hidden = !things;
  if (!things) return;
  put(node.querySelector('.said'), things.said);
  all('#things .amount').forEach((node, nth) => {
    put(node, things.counts[nth].amount);
  });
}

function drawMoves() {
  const node = at('moves');
  node.hidden = !open().length;
  node.classList.toggle('nojs', isTapped());
  node.toggleAttribute('data-few', shown.moves.length <= 4);
  const buttons = all('#moves button');
  /** @type {(move: Wire.Offer, nth: number) => boolean} */
  const isDrawn = ({ move, label }, nth) => buttons[nth].value === move && buttons[nth].textContent === label;
  // the page's own buttons stay: a finger may lie on one
  if (buttons.length === open().length && open().every(isDrawn)) return;
  node.replaceChildren(
    ...open().map(({ move, label }) => {
      const button = Object.assign(document.createElement('button'), {
        className: 'second',
        name: 'move',
        value: move,
      });
      button.textContent = label;
      return button;
    }),
  );
}

/**
 * Draws the moves of a view, and the tiles.
 * @param {Wire.View} view
 * @param {boolean} mine
 */
export function draw(view, mine) {
  shown = view;
  isMine = mine;
  const now = `${view.rolls} ${JSON.stringify(open())}`;
  if (now !== tappedFor) tapped.clear();
  tappedFor = now;
  drawThings();
  drawTiles();
  drawMoves();
}

/**
 * Taps a tile, or undoes the tap. Refuses a tile that no move takes now. Returns true if it is done.
 * @param {number} number
 */
export function tap(number) {
  const button = all('#things .tile').find(({ dataset }) => +dataset.number === number);
  const may = !!button && !button.ariaDisabled;
  if (!may) say([word('no_tile', { tile: labelOf(number) })]);
  else if (!tapped.delete(number)) tapped.add(number);
  drawTiles();
  return may;
}

/** Frees the tapped tiles. False if there are none. */
export function untap() {
  const had = tapped.size > 0;
  tapped.clear();
  drawTiles();
  return had;
}

/**
 * Chooses by a number: a tile, or the move at that place from 1. Does nothing without an open move. key: the key that
 * plays the choice.
 * @param {number} number
 * @param {string} key
 */
export function choose(number, key) {
  if (!open().length) return false;
  if (isTapped()) {
    if (tap(number)) say(chosen(key));
    return true;
  }
  const button = all('#moves button')[number - 1];
  if (button) button.click();
  else say(told());
  return true;
}

/**
 * Chooses a move by its letter. Nothing if no move has it.
 * @param {string} letter
 */
export function named(letter) {
  const nth = open().findIndex(move => move.key && move.key === letter);
  if (nth < 0) return false;
  all('#moves button')[nth].click();
  return true;
}
