/**
 * A table's page, kept as the house has it, for eyes and ears; without this it still works, by forms. Here the parts
 * meet: the stream brings updates, which are said and drawn; forms and keys become commands. `have` is the last event
 * heard of, each after the other; `drawn` the one the page shows, which is ahead where the page was fetched anew.
 */
import * as keys from './keys.js';
import { asker, backoff, listen } from './line.js';
import { renew } from './page.js';
import { setting } from './settings.js';
import * as sound from './sound.js';
import { at, hear, say, word, write } from './speech.js';
import * as tray from './tray.js';
import { draw } from './view.js';

const main = at('table'), here = location.pathname, title = document.title, seat = () => main.dataset.seat || null;
const patience_ms = 1000 * (main.dataset.patience ?? 20), SOON_MS = 3000, MOST_GAPS = 3;
const MOVES = ['roll', 'bank', 'enter', 'draw', 'back'];
/** What leaves the page as it is built. */
const PLAIN = [...MOVES, 'mark', 'nudge'];

let have = Number(main.dataset.seq), drawn = have, awaited = 0, gaps = 0;
/** The last wire.View, and whether the one who looks is to move in it. */
let view, mine;

document.documentElement.classList.add('js');

// What the house says

const line = listen(() => `${here}/events?from=${have}`, patience_ms, take, lost => {
  const said = word(lost ? 'lost' : 'back'), node = at('connection');
  node.textContent = said;
  node.hidden = !lost;
  say([said], lost);
});

/** Takes an event; false if one before it is missing. */
function take(event, data) {
  const alone = event === 'view';
  if (event === 'reload') location.reload();
  if (event && !alone) return true;
  const { seq, log, say: says, view: next } = JSON.parse(data);
  if (seq < have || (seq === have && !alone)) return true;
  if (!alone) {
    if (log.length !== seq - have) {
      if (++gaps > MOST_GAPS) location.reload();
      return false;
    }
    main.dataset.seq = have = seq;
    gaps = 0;
  }
  try {
    hear(says, setting('wording') !== 'brief');
    if (!alone) write(says);
    show(next);
    expect(seq);
  } catch (fault) {
    reportError(fault); // it must not hold up what comes next, nor be hidden
  }
  return true;
}

/** Something is known to have happened: if the stream does not bring it soon, it is dead. */
const expect = seq => seq > have && setTimeout(() => seq > have && line.renew(), SOON_MS);

function show(next) {
  if (next.seq < (view?.seq ?? drawn)) return;
  const other = view && view.rematch !== next.rematch;
  view = next;
  if (view.seq < drawn) return;
  redraw();
  if (other || String(view.shape) !== main.dataset.shape) refresh();
}

function redraw() {
  const was = mine;
  mine = view.mover !== null && String(view.mover) === seat() && view.seats[view.mover].kind === 'person';
  sound.rattle(draw(view, mine));
  document.title = (mine ? '● ' : '') + title;
  if (mine && was === false) sound.chime();
}

let wanted = 0;

/** Grows the page into the house's; wanted meanwhile, once more. */
async function refresh() {
  if (wanted++) return;
  for (let tries = 0; wanted; ) {
    const now = wanted;
    try {
      drawn = Number((await renew(main)).dataset.seq);
      main.dataset.seq = have;
      wanted -= now;
      dress();
      if (view?.seq >= drawn) redraw();
    } catch {
      await backoff(tries++);
    }
  }
}

/** The view, asked for if none has come yet. */
async function seen() {
  if (!view) {
    try {
      show((await (await fetch(`${here}/state`, { cache: 'no-store' })).json()).view);
    } catch {
      say([word('lost')], true);
    }
  }
  return view;
}

// What is asked of it

const { ask, isUnderWay } = asker(here, patience_ms, answered, () => say([word('unsent')]));

/** Whether a move was asked for and is not to be seen yet: the dice on the page may be gone. */
const moving = () => isUnderWay(MOVES) || awaited > have;
const busy = () => say([word(line.isLost() ? 'lost' : 'sending')]);

function command(request, form) {
  complain('', form);
  if (['roll', 'bank'].includes(request.do) && tray.dice().length) request.marks = tray.marks();
  if ((MOVES.includes(request.do) && moving()) || !ask(request, form)) busy();
}

function answered({ request, form }, status, { seq, go, why }) {
  if (status >= 300) {
    tray.forget();
    if (view) redraw();
    complain(why ?? word('failed'), form);
    return sound.low();
  }
  if (go) return location.assign(go);
  if (request.do === 'mark') tray.settle(seq);
  if (MOVES.includes(request.do)) awaited = seq;
  if (request.do === 'enter') at('enter').value = '';
  if (!PLAIN.includes(request.do)) refresh();
  expect(seq);
}

/** Shows and says why something was refused, beside what it was asked with; nothing takes it back. */
function complain(why, form) {
  let node = at('refusal');
  if (form && form.id !== 'act') {
    node = form.querySelector('.refusal') ?? form.appendChild(document.createElement('p'));
    node.className = 'refusal';
  }
  node.textContent = why;
  node.hidden = !why;
  say([why], true);
}

addEventListener('submit', event => {
  const { target: form, submitter: button } = event, asked = {};
  if (form.method !== 'post' || new URL(form.action).pathname !== here) return;
  event.preventDefault();
  if (button?.ariaDisabled) return whose();
  const fields = new FormData(form);
  if (button?.name) fields.set(button.name, button.value);
  fields.delete('key');
  for (const [name, value] of fields) {
    if (name === 'marks') asked.marks = value.split(' ').filter(Boolean).map(Number);
    else if (value) asked[name] = ['seat', 'ms'].includes(name) ? Number(value) : value;
  }
  if (asked.do !== 'enter') delete asked.dice;
  command(asked, form);
});

addEventListener('click', event => {
  const die = event.target.closest('#dice .die'), link = event.target.closest('[data-copy], [data-share]');
  if (link) give(link.dataset);
  if (!die) return;
  event.preventDefault();
  press(die);
});

// Enter in a field presses a form's first button, and here that is a die.
addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.target.id !== 'enter') return;
  event.preventDefault();
  at('main').click();
});

function press(die, aloud) {
  if (die.dataset.status === 'locked') return say([word('locked')]);
  if (die.ariaDisabled) return whose();
  if (moving()) return busy();
  tray.toggle(die);
  if (aloud && document.activeElement !== die) say([tray.told(die)]); // the focused button tells it itself
  command({ do: 'mark', marks: tray.marks() });
}

// The address, given away

const dress = () => document.querySelectorAll('[data-share]').forEach(button => (button.hidden = !navigator.share));

async function give({ copy, share }) {
  const url = copy || share || location.href;
  try {
    if (copy === undefined) return await navigator.share({ title, url });
    if (navigator.clipboard) await navigator.clipboard.writeText(url);
    else {
      // Without https there is no clipboard; what is selected can still be copied.
      const field = Object.assign(document.createElement('textarea'), { value: url, className: 'unseen' });
      const held = document.activeElement;
      document.body.append(field);
      field.select();
      document.execCommand('copy');
      field.remove();
      held.focus();
    }
    say([word('copied')]);
  } catch {
    if (copy !== undefined) say([url]);
  }
}

// Keys

const tell = (...lines) => say(lines.some(Boolean) ? lines : [word('nothing')]);
const telling = lines => async () => (await seen()) && tell(...lines());
const whose = telling(() => [view.whose]);

/** What only the mover does; others hear whose turn it is. */
const moves = deed => async (...how) => (await seen()) && (mine ? deed(...how) : whose());

function pressMain() {
  const button = at('main');
  if (button.hidden) tell(view.prompt);
  else button.click();
}

function roll() {
  if (view.ask === 'draw') pressMain();
  else if (view.ask === 'enter') {
    at('enter').focus();
    tell(view.prompt);
  } else command({ do: 'roll' });
}

/** Keeps one more die of a face; when all are kept, frees them, or with Shift leaves it at that. */
function byFace(face, keep) {
  const same = tray.dice().filter(({ dataset }) => Number(dataset.face) === face);
  const marked = same.filter(({ dataset }) => dataset.status === 'marked');
  const free = same.find(({ dataset }) => dataset.status === 'free') ?? (marked.length ? null : same[0]);
  if (!same.length) say([word('no_face', { number: face })]);
  else if (free) press(free, true);
  else if (keep) say(marked.map(tray.told));
  else marked.forEach(die => press(die, true));
}

function byPlace(place) {
  const dice = tray.dice(), die = dice.find(({ dataset }) => Number(dataset.place) === place);
  if (die) press(die, true);
  else say([dice.length ? word('no_place', { number: place }) : word('no_dice')]);
}

keys.listen({
  roll: moves(roll),
  bank: moves(() => command({ do: 'bank' })),
  main: moves(pressMain),
  hand: telling(() => [(view.seats[seat()]?.dice.length ? view.seats[seat()] : view.seats[view.mover])?.hand || word('no_dice')]),
  scores: telling(() => [view.scores, view.standing]),
  beat: telling(() => [view.beat]),
  whose,
  last: telling(() => view.last),
  help: keys.help,
}, moves((number, keep) => (keep || setting('digits') === 'face' ? byFace : byPlace)(number, keep)));

// Coming and going

addEventListener('pagehide', line.stop);
for (const sign of ['pageshow', 'online']) addEventListener(sign, line.check);
document.addEventListener('visibilitychange', () => document.hidden || line.check());
dress();
line.check();
