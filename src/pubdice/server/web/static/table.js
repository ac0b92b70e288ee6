/**
 * A table's page, kept as the house has it; without this it works by forms. Events of the stream are said and drawn,
 * and the page is fetched again where a view has another shape than it. What people do becomes commands (commands.js).
 */

import { command, drawHint, keepRefusal, loadHints, read, serve } from './commands.js';
import { isAhead, unmark } from './dice.js';
import { drawPhone, here, isMine, loadPhone, main, state } from './here.js';
import { introduce, isByPlace, setting, show as showKeys } from './keys.js';
import { backoff, listen as listenToHouse } from './line.js';
import { landings, places } from './motion.js';
import { renew } from './page.js';
import { listen as listenToPresses, press, pressTile, sayWaiting, whose } from './presses.js';
import { all, at, hear, own, say, sound, word, write } from './speech.js';
import { draw, drawMain, loadMoves, loadPad, lose, rest } from './view.js';

const SOON_MS = 3000;
const MOST_GAPS = 3;

// The house runs on this device: it needs no network, and has one thread.
const isPocket = 'pocket' in main.dataset;

// Events in a row before which one was missing.
let gaps = 0;
// How often the page must be fetched again; and the address of the table that it is to show next.
let wanted = 0;
let going = '';
/**
 * The screen that stays lit, and the title; and handing on: their modules come after what a page needs at first.
 * @type {typeof import('./awake.js') | undefined}
 */
let awake;
/** @type {typeof import('./share.js') | undefined} */
let sharing;
/**
 * The ways on, once a match is over.
 * @type {typeof import('./after.js') | undefined}
 */
let after;
/**
 * What had the focus last: it is lost where a drawing hides it.
 * @type {Element | null | undefined}
 */
let focused;

document.documentElement.classList.add('js');
// Below a dialog of the pocket nothing takes the focus or is said, until the pocket lets it.
document.documentElement.inert = frameElement?.getAttribute('tabindex') === '-1';

// The stream

const line = listenToHouse(() => `${here()}/events?from=${state.heard}`, 1000 * main.dataset.patience, take, tellLost);

/**
 * Shows and says that nothing comes from the house, or that it does again.
 * @param {boolean} isLost
 */
function tellLost(isLost) {
  const said = word(isLost ? 'lost' : 'back');
  notice(isLost ? said : '');
  say([said], isLost);
}

/** @param {string} said */
function notice(said) {
  at('connection').textContent = said;
  at('connection').className = line.isLost() ? 'refusal' : 'hint';
  at('connection').hidden = !said;
  lose(line.isLost(), state.mine);
}

/**
 * Takes an event; false if one before it is missing.
 * @param {string | undefined} event
 * @param {string} data
 * @returns {boolean}
 */
function take(event, data) {
  if (event === 'reload') {
    // Else it would connect again if the page takes its time to go.
    line.stop();
    location.reload();
    return true;
  }
  const news = JSON.parse(data);
  if (event !== 'chances') return takeView(news, event !== 'view');
  import('./chances.js').then(({ show }) => show(news), reportError);
  return true;
}

/**
 * The most wordy level of a line that is said here (Wire.Say). If moves are typed, dice are named by what they show.
 * @param {Wire.Say[]} says
 * @param {Wire.View} view
 */
function mostWords(says, view) {
  if (setting('wording') === 'brief') return 0;
  if (!isMine(view)) return 1;
  return says.some(({ level }) => level > 2) && isByPlace() && document.activeElement?.id !== 'line' ? 3 : 2;
}

/**
 * isNews: events have come, and not only another view.
 * @param {Wire.Update} update
 * @param {boolean} isNews
 */
function takeView({ seq, log, say: says, view, react }, isNews) {
  if (seq < state.heard || (seq === state.heard && isNews)) return true;
  if (isNews) {
    if (log.length !== seq - state.heard) {
      if (++gaps > MOST_GAPS) location.reload();
      return false;
    }
    state.heard = seq;
    main.dataset.seq = seq;
    gaps = 0;
  }
  try {
    // before anything is written, or the browser works out all boxes once more
    const from = places();
    if (!react || !setting('mute')) hear(says, mostWords(says, view));
    if (react && at('bubble') && !setting('mute'))
      import('./calls.js').then(({ showCalled }) => showCalled(react, view), reportError);
    if (isNews) write(says);
    show(view, from);
    expect(seq);
  } catch (fault) {
    // Neither hidden nor in the way of what comes next.
    reportError(fault);
  }
  return true;
}

/**
 * The house has this event: if the stream does not bring it soon, the stream is dead.
 * @param {number} seq
 */
function expect(seq) {
  const at = here();
  if (seq > state.heard) setTimeout(() => seq > state.heard && at === here() && ifSeen(line.renew), SOON_MS);
}

/**
 * A browser has few connections to a house: a page that nobody sees lets its own go for another of the same table.
 * @type {BroadcastChannel | undefined}
 */
let pages;
try {
  if (!isPocket) pages = new BroadcastChannel('tables');
} catch {
  // refused by a browser that keeps nothing (Firefox without cookies)
}
if (pages)
  pages.onmessage = ({ data }) => {
    if (data !== here() || !document.hidden) return;
    line.stop();
    awake?.tell('', word('game'), false);
  };

/** Connects, unless it is. */
function come() {
  pages?.postMessage(here());
  line.check();
}

/**
 * What a page does only where somebody looks at it: else it may have let its line go.
 * @param {() => void} deed
 */
const ifSeen = deed => {
  if (isPocket || !document.hidden) deed();
};

// The page

/** @param {Wire.View} view */
const taken = ({ seats }) => seats.filter(({ kind }) => kind !== 'empty').length;

/**
 * from: where the chosen dice lie.
 * @param {Wire.View} view
 * @param {ReturnType<typeof places>} from
 */
function show(view, from) {
  const last = state.view;
  if (last && view.seq < last.seq) return;
  const { activeElement, body } = document;
  if (activeElement !== body) focused = activeElement;
  if (last && last.stage !== view.stage) state.ended = performance.now();
  if (last && view.stage === 'gathering' && taken(view) > taken(last)) sound('door');
  const gathers = view.stage === 'gathering' && view.seq > state.drawn;
  const isOther = (last && last.rematch !== view.rematch) || gathers || `${view.shape}` !== main.dataset.shape;
  state.view = view;
  if (view.seq >= state.drawn && isOther) refresh();
  redraw(from);
}

/**
 * Draws the last view, unless the page is ahead of it. from: where the chosen dice lie, if that is known.
 * @param {ReturnType<typeof places>} [from]
 */
function redraw(from) {
  const { view, mine: was } = state;
  if (!view || view.seq < state.drawn) return;
  const mine = isMine(view);
  state.mine = mine;
  const { fell, pace, won, whole } = draw(view, mine, wanted, from);
  drawPhone(view);
  drawHint();
  if (fell) sound('rattle', landings(fell, pace), mine);
  else if (whole) sound('glass');
  else if (won) sound('wood');
  if (mine && was === false) sound('chime');
  if (mine) introduce();
  awake?.keepAwake(view.stage === 'playing');
  const isYours = mine && !!view.heading.own[main.dataset.told];
  awake?.tell(isYours ? word('your_turn') : at('heading').textContent, word('game'), mine);
}

/** Has the page fetched again. While it comes, more wishes are one more. */
async function refresh() {
  if (wanted++) return;
  let isLate = false;
  // a pocket's house has no line to lose, and may have much to do
  const late = setTimeout(() => {
    isLate = !isPocket && !line.isLost();
    if (isLate) tellLost(true);
  }, SOON_MS);
  for (let tries = 0; wanted; ) {
    const now = wanted;
    const { stage, seats } = main.dataset;
    const to = going;
    try {
      const { dataset } = await renew(main, focused, to);
      state.drawn = +dataset.seq;
      if (to) {
        going = '';
        await loadAfter();
        if (!after?.enter()) tellPlace();
        line.renew();
      }
      focused = null;
      keepRefusal();
      main.dataset.seq = state.heard;
      wanted -= now;
      await dress();
      redraw();
      if (to || stage !== main.dataset.stage) arrive(to);
      else if (!seats && main.dataset.seats) tellPlace();
      // who goes there has taken one
      if (!going) after?.tellWays(true);
    } catch {
      if (to) return location.assign(to);
      await backoff(tries++);
    }
  }
  clearTimeout(late);
  if (isLate && !line.isLost()) tellLost(false);
}

/**
 * Goes to the next table in this page. As another document it would be read out from the top, into what happens there,
 * which is said; and a screen reader would leave the mode in which keys come here.
 * @param {string} address
 */
function go(address) {
  going = address;
  line.stop();
  refresh();
}

/**
 * Another stage is a new page: its heading gets the focus, unless somebody is typing. Not at the end of a match: a
 * screen reader would tell the result before the roll that made it, and leave the mode in which keys come here (Orca).
 * Nor at the next table: stays.
 * @param {string} stays
 */
function arrive(stays) {
  const { activeElement } = document;
  const isOver = main.dataset.stage === 'over';
  if (!isOver && !stays && !activeElement?.matches('input, select, textarea'))
    at('heading').focus({ preventScroll: true });
  scrollTo(0, 0);
  rest();
  if (!isOver) return;
  import('./cheer.js').then(({ cheer }) => cheer(), reportError);
  sound('glasses', state.view?.won.length);
}

/** What a page that has come lacks: what only scripts do, and modules that few tables need. */
async function dress() {
  for (const button of all('[data-share]')) button.hidden = !navigator.share;
  showKeys();
  for (const kbd of all('#keyline [data-key]')) kbd.textContent = at(`key-${kbd.dataset.key}`).value.toUpperCase();
  if (at('seal')) seal();
  if (at('change')?.open) price();
  const story = at('story');
  if (story && matchMedia('(min-width: 58em)').matches && !('seen' in story.dataset)) {
    story.dataset.seen = true;
    story.open = true;
  }
  const isOver = main.dataset.stage === 'over';
  // The page goes on without one that does not come; the next page asks for it again.
  await Promise.allSettled([
    loadAwake(),
    loadSharing(),
    loadPhone(),
    loadHints(),
    loadPad(() => drawMain(state.mine)),
    loadMoves(redraw),
    isOver && loadAfter(),
  ]);
}

/**
 * Says where one is, where a screen reader doesn't by itself: whose turn it is and what to do, or that one is in. As
 * one sits down the field for the name goes, and Orca goes to the heading in silence.
 */
function tellPlace() {
  const [heading, status, button] = ['heading', 'status', 'main'].map(
    name => at(name)?.hidden === false && at(name).textContent,
  );
  // by itself "I'm ready" would sound as if somebody had said it
  const isReady = button && main.dataset.stage === 'gathering' && !at('main').ariaDisabled;
  // nor is one meant to play with bots instead of those who are still to come
  say([heading, status, isReady ? !at('start-bot') && word('press_ready', { choice: button }) : button]);
}

async function loadAwake() {
  awake ??= await import('./awake.js');
}

async function loadSharing() {
  sharing ??= await import('./share.js');
}

async function loadAfter() {
  after ??= await import('./after.js');
}

/** Sealed dice: where their script does not come, the field for a seed is shown. */
function seal() {
  import('./seal.js').then(
    ({ listen }) => listen(at('seal'), at('own-seed'), () => command({ do: 'ready' })),
    () => at('own-seed')?.closest('.nojs')?.classList.remove('nojs'),
  );
}

/** Prices beside rules, where a house works them out: in a pocket every move would wait for them. */
function price() {
  if (!isPocket) import('./prices.js');
}

// What people do

serve({ redraw, refresh, go, notice, expect, renew: line.renew, isLost: line.isLost });
const takePhone = listenToPresses(redraw);

addEventListener('submit', event => {
  const { target: form, submitter } = event;
  if (form.method !== 'post' || form.id === 'changing' || new URL(form.action).pathname !== here()) return;
  event.preventDefault();
  // The main button shows the marks that the house knew of.
  if (submitter?.ariaDisabled && !(submitter.id === 'main' && isAhead() && !line.isLost())) {
    if ('waiting' in submitter.dataset) sayWaiting(submitter, submitter.matches(':focus-visible'));
    else whose();
    return;
  }
  const request = read(form, submitter);
  if (submitter?.id === 'unmark') unmark();
  if (submitter?.closest('#sure')) at('sure').open = false;
  command(request, form);
});

addEventListener('click', event => {
  const { target } = event;
  const die = target.closest('#dice .die');
  const link = target.closest('[data-copy], [data-share]');
  const isNo = target.closest('#sure .no');
  const isPassing = target.closest('#pass a');
  const next = event.ctrlKey || event.metaKey || event.shiftKey ? null : target.closest('a#main');
  if (die || isNo || isPassing || next) event.preventDefault();
  if (next) go(next.getAttribute('href'));
  if (isNo) {
    at('sure').open = false;
    at('sure').querySelector('summary').focus();
  }
  if (link) sharing?.give(link);
  if (target.closest('[data-card]')) sharing?.shareResult();
  if (target.closest('#cup')) at('main').click();
  if (isPassing) takePhone();
  if (die) press(die);
  const tile = target.closest('#things .tile');
  if (tile) pressTile(tile);
});

/**
 * A command that asks first: the question replaces the heading, and the dice show what would become of them.
 * @param {PageElement} question
 */
function askFirst(question) {
  const { sure, heading } = state.view ?? {};
  if (!sure || !heading) return;
  at('heading').textContent = question.open ? sure.question : own(heading);
  if (question.open) {
    say([sure.question]);
    question.querySelector('.no').focus();
  } else (at('main').hidden ? at('heading') : at('main')).focus();
}

addEventListener(
  'toggle',
  ({ target }) => {
    if (target.id === 'change') price();
    if (target.id === 'sure') askFirst(target);
  },
  true,
);

// Enter in a field presses a form's first button, and here that is a die.
addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.target.id !== 'enter') return;
  event.preventDefault();
  at('main').click();
});

addEventListener('focusout', ({ target }) => target.id === 'line' && setTimeout(() => redraw()));

// the way back to the table before
addEventListener('popstate', () => location.pathname === here() || location.reload());
addEventListener('pagehide', line.stop);
if (!isPocket) addEventListener('offline', () => ifSeen(line.gone));
for (const sign of ['pageshow', 'online', 'visibilitychange']) addEventListener(sign, () => ifSeen(come));

// A view may come before the modules do, and is drawn again when they have.
dress().then(() => {
  after?.tellWays(false);
  // A pocket's page comes into a frame: there Orca reads out no page, and on a busy device not even the focus.
  if (isPocket && main.dataset.stage === 'playing') tellPlace();
  // who plays a bot comes to a match that has begun
  const isNew = main.dataset.seat && at('dice')?.dataset.rolls === '0';
  if (isNew && setting('wording') !== 'brief') say([word('opening')]);
  redraw();
}, reportError);
if (document.activeElement === document.body && ['', '#play'].includes(location.hash))
  at('heading').focus({ preventScroll: true });
come();
