/** Draws a view of the house (wire.View), in place: an element with the focus is not replaced. */
import { dice, drawDice, isFree, placesIn } from './dice.js';
import { count, places, rest, roll, win } from './motion.js';
import { all, at, own, put, turnTo, word } from './speech.js';

/** @type {('heading' | 'status' | 'standing')[]} */
const TEXTS = ['heading', 'status', 'standing'];
/** @type {('note' | 'score' | 'points')[]} */
const PARTS = ['note', 'score', 'points'];
/** @type {('kind' | 'turn' | 'here' | 'out')[]} */
const FACTS = ['kind', 'turn', 'here', 'out'];
const NUDGE_MS = 20_000;
const OTHERS_PACE = 0.6;
// Elements out of sight. Asking the browser in the middle of drawing would make it compute all styles and boxes.
const GONE = '[hidden], .nojs, details:not([open]) > :not(summary)';

/**
 * The drawn view.
 * @type {Wire.View}
 */
let shown = Object.create(null);
// True if the connection is lost.
let lost = false;
/**
 * The timer until a nudge is offered.
 * @type {ReturnType<typeof setTimeout> | undefined}
 */
let nudging;
/**
 * The pad for real dice: a module that comes with the first page that has one.
 * @type {typeof import('./pad.js') | undefined}
 */
let pad;

/**
 * Loads the pad's module if the page needs it. changed: called once it is there, and when its faces change.
 * @param {() => void} changed
 */
export async function loadPad(changed) {
  if (pad || !at('pad')) return;
  expectDice(); // its buttons do nothing before
  pad = await import('./pad.js');
  pad.listen(changed);
  changed();
}

/**
 * The module for moves of a game without keeps. It comes with the first page that has a place for them.
 * @type {typeof import('./moves.js') | undefined}
 */
let moves;

/**
 * Loads the moves' module if the page needs it. changed: called once it is there.
 * @param {() => void} changed
 */
export async function loadMoves(changed) {
  if (moves || !at('moves')) return;
  moves = await import('./moves.js');
  changed();
}

/** The moves' module, once it is there. */
export const ofMoves = () => moves;

function emptySlot() {
  const slot = document.createElement('span');
  slot.className = 'slot';
  slot.append(Object.assign(document.createElement('span'), { className: 'pips' }));
  return slot;
}

/** @param {Wire.View} view */
function drawRail({ rail }) {
  at('rail').hidden = !rail;
  if (!rail) return [];
  const [said, label, of, total] = ['.said', '.label', '.of', '.total'].map(part => at('rail').querySelector(part));
  put(said, own(rail.said));
  put(label, own(rail.label));
  put(of, own(rail.total_label));
  count(total, rail.total);
  const line = all('#rail .slots')[0];
  /** @type {PageElement[]} */
  const filled = [];
  while (line.childElementCount > rail.slots.length) line.lastElementChild.remove();
  rail.slots.forEach(({ face, want, preview }, nth) => {
    const slot = line.children[nth] ?? line.appendChild(emptySlot());
    const had = 'won' in slot.dataset;
    const won = !!face && !preview;
    turnTo(slot, face || want);
    slot.toggleAttribute('data-need', !!want);
    slot.toggleAttribute('data-preview', preview);
    slot.toggleAttribute('data-won', won);
    if (won && !had) filled.push(slot);
  });
  return filled;
}

/** @type {Promise<typeof import('./clocks.js') | undefined> | undefined} */
let clocks;
// The house's clock minus the page's when the view came: it may be drawn again. The page's clock is never set.
let ahead_ms = 0;

/**
 * Runs the clocks of a turn and of absent players. Their module comes with the first of them.
 * @param {Wire.View} view
 * @param {boolean} mine
 */
async function drawClocks(view, mine) {
  if (view.clock || view.seats.some(({ vote_at }) => vote_at))
    clocks ??= import('./clocks.js').catch(() => (clocks = undefined));
  const loaded = await clocks;
  if (view === shown) loaded?.draw(view, mine, ahead_ms);
}

/** @type {Promise<typeof import('./scales.js') | undefined> | undefined} */
let scales;

/**
 * Draws a beam or a ladder, which few games have. Their module comes with the first of them.
 * @param {Wire.View} view
 */
async function drawScales(view) {
  // if the module does not come, the next view asks for it again
  if (view.beam || view.ladder) scales ??= import('./scales.js').catch(() => (scales = undefined));
  (await scales)?.draw(shown);
}

/**
 * Shows a button that is offered. instead: the button's text if it has the focus and is no longer offered.
 * @param {any} button
 * @param {(Wire.Button & {move?: string}) | null | false | undefined} offered
 * @param {string} [instead]
 */
export function offer(button, offered, instead) {
  if (offered) {
    button.hidden = false;
    button.ariaDisabled = offered.ready === false ? true : null;
    button.toggleAttribute('data-waiting', offered.ready === false);
    button.toggleAttribute('data-even', offered.ready !== false && !offered.gold);
    button.name = offered.move ? 'move' : 'do';
    button.value = offered.move ?? offered.do;
    put(button, offered.label);
  } else if (instead && !button.hidden && button === document.activeElement) {
    button.ariaDisabled = true;
    button.removeAttribute('data-waiting');
    put(button, instead);
    button.onblur = () => {
      button.hidden ||= !!button.ariaDisabled && !('waiting' in button.dataset);
    };
  } else button.hidden = true;
}

/**
 * The main button: the house's offer, with facts that only the page knows.
 * @param {Wire.View} view
 */
function mainButton({ main, ask }) {
  if (lost) return { do: '', label: word('no_line'), ready: false };
  if (ask === 'move') return moves?.mainMove();
  if (!main || ask !== 'enter' || !pad) return main;
  const number = pad.missing();
  if (number) return { ...main, label: word('more', { number }), ready: false };
  return { ...main, label: word('confirm', { dice: pad.ordered() }) };
}

/**
 * True if real dice are entered here: the player's own, or a bot's, which any player at the table rolls.
 * @param {boolean | undefined} [mine]
 */
export const enters = mine => shown.ask === 'enter' && (mine || (at('table').dataset.seats && shown.by_bot));

/** True if a match is played in the view, and the page has a board for it. */
const isPlaying = () => shown.stage === 'playing' && at('table').dataset.stage === 'playing';

/**
 * Draws the main button. mine: this page moves.
 * @param {boolean | undefined} mine
 */
export function drawMain(mine) {
  if (at('main') && isPlaying()) offer(at('main'), (mine || enters()) && mainButton(shown), own(shown.heading));
}

/**
 * Notes that the connection is lost, or is back.
 * @param {boolean} isLost
 * @param {boolean | undefined} mine
 */
export function lose(isLost, mine) {
  lost = isLost;
  drawMain(mine);
}

/** @param {number} face */
function mini(face) {
  const node = document.createElement('span');
  node.className = 'mini';
  turnTo(node, face);
  return node;
}

/**
 * A seat's row as it is heard: in one piece, with the name once.
 * @param {PageElement} node
 * @param {Wire.SeatView} seat
 */
function saidOf(node, { name, note, hand, own_hand }) {
  const isTold = node.dataset.seat === at('table').dataset.told;
  const dice = (isTold && own_hand) || hand;
  const who = [...node.querySelectorAll('.name, .tag')].map(part => part.textContent).join(', ');
  // between isolates if it runs against the sentence; French has a no-break space before a colon
  const bare = dice.replace(/^\u2068/, '');
  const rest = bare.startsWith(name) ? bare.slice(name.length).replace(/^[\u2069:.\s]+/, '') : dice;
  const what = [note, rest].filter(Boolean).join(', ');
  return what ? `${who}: ${what}` : who;
}

/**
 * @param {PageElement} node
 * @param {Wire.SeatView} seat
 */
function drawSeat(node, seat) {
  for (const name of FACTS) node.dataset[name] = seat[name];
  for (const name of PARTS) put(node.querySelector(`.${name}`), seat[name]);
  if (seat.name) put(node.querySelector('.name'), seat.name);
  put(node.querySelector('.said'), saidOf(node, seat));
  const lying = node.querySelector('.dice');
  if (`${seat.dice}` === lying.dataset.faces) return;
  lying.dataset.faces = seat.dice;
  lying.replaceChildren(...seat.dice.map(mini));
}

/** @param {Wire.View} view */
function drawSeats({ seats }) {
  seats.forEach((seat, number) => {
    for (const node of all(`#seats [data-seat="${number}"]`)) drawSeat(node, seat);
  });
  for (const node of all('.vote')) {
    const seat = seats[node.value];
    node.hidden = !seat?.votable || seat.voted.some(voter => `${voter}` === at('table').dataset.seat);
  }
}

/**
 * Offers a nudge once the mover has taken some time.
 * @param {Wire.View} view
 * @param {boolean} mine
 */
function drawNudge({ mover, seats, stage, by_bot: isPlayed }, mine) {
  const [nudge] = all('#nudge');
  const other = seats[mover ?? -1];
  if (!nudge) return;
  const turn = `${mover} ${shown.rolls}`;
  if (nudge.dataset.turn === turn) return;
  nudge.dataset.turn = turn;
  nudge.hidden = true;
  clearTimeout(nudging);
  if (mine || stage !== 'playing' || !other || isPlayed) return;
  put(
    nudge,
    nudge.dataset.says.replace('{name}', () => other.name),
  );
  nudging = setTimeout(() => {
    nudge.hidden = false;
  }, NUDGE_MS);
}

/**
 * If a drawing has hidden the focus, moves it to a free die, the main button or the heading.
 * @param {Element | null} held
 */
function regain(held) {
  if (!held || !at('play').contains(held) || !held.closest(GONE)) return;
  const free = dice().find(isFree);
  (free ?? all('#main:not([hidden], [aria-disabled])')[0] ?? at('heading')).focus();
}

/**
 * @param {Wire.View} view
 * @param {boolean} mine
 */
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

/**
 * Draws the gap until the page of the next stage comes: no move is offered any more, but the moves' place is kept.
 * @param {Wire.View} view
 */
function drawLeaving({ seats }) {
  const going = seats.filter(({ kind, note }) => note && kind === 'person');
  put(at('going'), going.map(({ name, note }) => `${name} ${note}.`).join(' '));
  for (const node of all('[data-stage=playing] :is(#pad, #acts, #moves)')) node.inert = true;
  pad?.expect(0);
}

/** Asks the pad for the number of dice due. */
function expectDice() {
  const isOpen = pad && enters(at('table').dataset.mine === 'true');
  if (at('pad')) at('pad').hidden = !isOpen;
  pad?.expect(isOpen ? shown.due : 0, moment(shown));
}

/** @param {Wire.View} view */
const moment = ({ mover, ask, rolls }) => `${mover} ${ask} ${rolls}`;

/** @param {Wire.View} view */
function drawTexts(view) {
  for (const id of TEXTS) put(at(id), own(view[id]));
  at('status').hidden = !own(view.status);
  put(at('counter'), view.counter);
  at('counter').hidden = !view.counter;
}

/**
 * @param {Wire.View} view
 * @param {boolean} mine
 */
function drawButtons(view, mine) {
  const { back, back_by, bank } = view;
  if (at('moves')) moves?.draw(view, mine);
  drawMain(mine);
  offer(at('bank'), mine && bank);
  const undoes = back_by === null ? mine : placesIn(at('table').dataset.seats).includes(back_by);
  offer(at('back'), undoes && back);
  drawSure(view, mine);
  for (const node of all('#draw fieldset')) node.hidden = view.ask !== 'draw';
}

/**
 * Draws a view. Returns the number of dice that fell, their pace, the number won, and true if the turn has all it needs
 * with them.
 *
 * mine: this page moves. isGoing: another page comes, and sets the focus. from: the places of the chosen dice before.
 * @param {Wire.View} view
 * @param {boolean} mine
 * @param {unknown} isGoing
 * @param {ReturnType<typeof places>} [from]
 */
export function draw(view, mine, isGoing, from = places()) {
  const held = document.activeElement;
  const isRolled = view.rolls > (shown.rolls ?? at('dice')?.dataset.rolls);
  const pace = mine ? 1 : OTHERS_PACE;
  if (shown.seq && moment(view) !== moment(shown)) rest();
  if (shown !== view) ahead_ms = view.now - performance.now();
  shown = view;
  at('table').dataset.mine = mine;
  drawSeats(view);
  drawClocks(view, mine);
  if (!isPlaying()) {
    drawLeaving(view);
    return { fell: 0, pace, won: 0, whole: false };
  }
  drawTexts(view);
  // as the field's description, a screen reader would read it to the player who types there
  if (document.activeElement?.id !== 'line') put(at('example'), mine || enters() ? view.example : '');
  expectDice();
  for (const face of all('#pad .faces button')) face.toggleAttribute('data-red', view.red.includes(+face.dataset.face));
  drawDice(view, mine);
  const won = drawRail(view);
  drawScales(view);
  drawButtons(view, mine);
  drawNudge(view, mine);
  // If both rolling and stopping are open, the key that rolled does neither of them again.
  if (isRolled && held?.matches('#main[data-even], #moves button')) at('heading').focus();
  if (!isGoing) regain(held);
  // A die that stays at once falls at its final place.
  const landed = new Set(view.dice.filter(die => die.fresh && die.status === 'locked').map(die => `${die.face}`));
  const straight = win(won, from, pace).filter(slot => landed.has(slot.dataset.face));
  const fell = isRolled ? [...dice().filter(die => 'fresh' in die.dataset), ...straight] : [];
  roll(fell, pace);
  const isWhole = won.length > 0 && !view.rail?.slots.some(({ want, face }) => want && !face);
  return { fell: fell.length, pace, won: won.length, whole: isWhole };
}
