/** Clocks that run between two views: a turn's time, and the time until the others may vote about an absent player. */
import { renew } from './commands.js';
import { all, at, put, say, word } from './speech.js';

const LAST_S = [10, 5, 3];
const SLEPT_MS = 1500;

/**
 * The turn's deadline, the seconds before it at which the mover is told, and the timer of the clock.
 * @type {number | null | undefined}
 */
let deadline;
/** @type {number[]} */
let due;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let ticking;
/**
 * The timer for absent players.
 * @type {ReturnType<typeof setTimeout> | undefined}
 */
let waiting;

/** The device's clock minus the page's. The page's clock is never set, but on some devices it stops during sleep. */
const lead = () => Date.now() - performance.now();
let led = lead();

/** Asks the house for its time: the device has slept, or its clock was set. */
function wake() {
  if (document.hidden || Math.abs(lead() - led) < SLEPT_MS) return;
  led = lead();
  renew();
}

/** @param {number} seconds */
const minutes = seconds => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/**
 * Seconds until a time of the house. ahead_ms: the house's clock minus this page's.
 * @param {number} ahead_ms
 */
const secondsUntil = ahead_ms => (/** @type {number} */ time) =>
  Math.ceil((time - performance.now() - ahead_ms) / 1000);

/**
 * Counts down to the vote: in the rows of absent players, and in a sentence about the first absent player.
 * @param {Wire.View} view
 * @param {number} ahead_ms
 */
function countDown({ seats }, ahead_ms) {
  const secondsTo = secondsUntil(ahead_ms);
  const line = at('away');
  const tick = () => {
    wake();
    let said = '';
    for (const [number, { vote_at, note, name }] of seats.entries()) {
      const left = secondsTo(vote_at);
      if (!vote_at || left <= 0) continue;
      const time = minutes(left);
      said ||= word('away', { name, time });
      for (const node of all(`#seats [data-seat="${number}"] .note`)) put(node, `${note} ${time}`);
    }
    put(line, said);
    if (line) line.hidden = !said;
  };
  clearInterval(waiting);
  tick();
  if (seats.some(({ vote_at }) => vote_at)) waiting = setInterval(tick, 1000);
}

/**
 * Runs the turn's clock, by the house's time. The mover hears of it at half time and near the end.
 * @param {Wire.View} view
 * @param {boolean} mine
 * @param {number} ahead_ms
 */
function followClock({ clock }, mine, ahead_ms) {
  const secondsTo = secondsUntil(ahead_ms);
  const secondsLeft = () => Math.max(0, secondsTo(clock ?? 0));
  if (clock !== deadline) {
    const left = secondsLeft();
    due = [Math.floor(left / 2), ...LAST_S].filter((at_s, nth) => at_s < left && (nth || at_s >= LAST_S[0]));
  }
  deadline = clock;
  const tick = () => {
    wake();
    const left = secondsLeft();
    put(at('clock'), word('clock', { time: minutes(left) }));
    if (left <= due[0] && due.shift() && mine) say([word('left', { number: left })]);
  };
  clearInterval(ticking);
  if (at('clock')) at('clock').hidden = !clock;
  if (!clock) return;
  tick();
  ticking = setInterval(tick, 1000);
}

/**
 * Runs the clocks of a view.
 * @param {Wire.View} view
 * @param {boolean} mine
 * @param {number} ahead_ms
 */
export function draw(view, mine, ahead_ms) {
  led = lead();
  countDown(view, ahead_ms);
  followClock(view, mine, ahead_ms);
}
