/**
 * A table's page, kept in step with the house. Without this script it works by forms. Events of the stream are said and
 * drawn. If a view has another shape, the page is fetched again. Presses become commands (commands.js).
 */

import { command, drawHint, keepRefusal, loadHints, read, serve } from './commands.js';
import { isAhead, unmark } from './dice.js';
import { here, isMine, main, seats, state } from './here.js';
import { answers, introduce, isByPlace, setting, show as showKeys } from './keys.js';
import { backoff, listen as listenToHouse } from './line.js';
import { landings, places, rest, sound } from './motion.js';
import { renew } from './page.js';
import { listen as listenToPresses, press, pressTile, rarely, sayWaiting, whose } from './presses.js';
import { all, at, hear, own, say, word, write } from './speech.js';
import { draw, loadMoves, loadPad, lose } from './view.js';

const SOON_MS = 3000;
const MOST_GAPS = 3;

// The house runs on this device: it needs no network, and has one thread.
const isPocket = 'pocket' in main.dataset;

// The number of events in a row that had a gap before them.
let gaps = 0;
// The number of requests to fetch the page again, and the address of the next table to show.
let wanted = 0;
let going = '';
/**
 * Modules that come after the page's first needs: the lit screen and the title, and sharing.
 * @type {typeof import('./awake.js') | undefined}
 */
let awake;
/**
 * The module for a shared phone.
 * @type {typeof import('./phone.js') | undefined}
 */
let phone;
/** @type {typeof import('./share.js') | undefined} */
let sharing;
/**
 * The ways on, once a match is over.
 * @type {typeof import('./after.js') | undefined}
 */
let after;
/**
 * The element that had the focus last. If a drawing hides the element, it loses the focus.
 * @type {Element | null | undefined}
 */
let focused;

document.documentElement.classList.add('js');
// Under a dialog of the pocket, nothing takes the focus or is said until the pocket allows it.
document.documentElement.inert = frameElement?.getAttribute('tabindex') === '-1';

// The stream

const line = listenToHouse(() => `${here()}/events?from=${state.heard}`, 1000 * main.dataset.patience, take, tellLost);

/**
 * Shows and says that the house is silent, or that it is back.
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
 * Takes an event. False if an earlier one is missing.
 * @param {string | undefined} event
 * @param {string} data
 * @returns {boolean}
 */
function take(event, data) {
  if (event === 'reload') {
    // Otherwise the stream would connect again while the old page is still open.
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
 * The highest level of wordiness that is said here (Wire.Say). If moves are typed, dice are named by their faces.
 * @param {Wire.Say[]} says
 * @param {Wire.View} view
 */
function mostWords(says, view) {
  if (setting('wording') === 'brief') return 0;
  if (!isMine(view)) return 1;
  return says.some(({ level }) => level > 2) && isByPlace() && document.activeElement?.id !== 'line' ? 3 : 2;
}

/**
 * Takes a view. isNews: events have come, and not only another view.
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
    // before anything is written: otherwise the browser computes all boxes once more
    const from = places();
    if (!react || !setting('mute')) hear(says, mostWords(says, view));
    if (react && at('bubble') && !setting('mute'))
      import('./calls.js').then(({ showCalled }) => showCalled(react, view), reportError);
    if (isNews) write(says);
    show(view, from);
    expect(seq);
  } catch (fault) {
    // The fault is reported, and does not stop the next event.
    reportError(fault);
  }
  return true;
}

/**
 * Notes that the house has this event. If the stream does not bring it soon, the stream is dead.
 * @param {number} seq
 */
function expect(seq) {
  const at = here();
  if (seq > state.heard) setTimeout(() => seq > state.heard && at === here() && ifSeen(line.renew), SOON_MS);
}

/**
 * A channel to other pages of this table. A browser has few connections to a house: a page out of view gives its own up
 * for another.
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

/** Connects, unless it is connected. */
function come() {
  pages?.postMessage(here());
  line.check();
}

/**
 * Runs an action if the page is in view. Otherwise its connection may be given up.
 * @param {() => void} deed
 */
const ifSeen = deed => {
  if (isPocket || !document.hidden) deed();
};

// The page

/** @param {Wire.View} view */
const taken = ({ seats }) => seats.filter(({ kind }) => kind !== 'empty').length;

/**
 * Shows a view. from: the places of the chosen dice.
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
 * Draws the last view, unless the page is ahead of it. from: the places of the chosen dice, if known.
 * @param {ReturnType<typeof places>} [from]
 */
function redraw(from) {
  const { view, mine: was } = state;
  if (!view || view.seq < state.drawn) return;
  const mine = isMine(view);
  state.mine = mine;
  const { fell, pace, won, whole } = draw(view, mine, wanted, from);
  phone?.draw(view);
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

/** Fetches the page again. All requests that come meanwhile cause one more fetch. */
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
    const isAsked = answers().length > 0;
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
      if (!isAsked && answers().length && setting('wording') !== 'brief') rarely('tellAnswers')();
      if (to || stage !== main.dataset.stage) arrive(to);
      else if (!seats && main.dataset.seats) tellPlace();
      // a player on the way to the next table has chosen one already
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
 * Goes to the next table in this page. A new document would be read from the top, over the events there, which are
 * said. A screen reader would also leave the mode that passes keys to the page.
 * @param {string} address
 */
function go(address) {
  going = address;
  line.stop();
  refresh();
}

/**
 * Moves the focus to the heading at a new stage, unless the player is typing. Not at the end of a match: a screen
 * reader would tell the result before its roll, and leave the mode that passes keys to the page (Orca). Not at the next
 * table either.
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

/** Completes a new page: the parts that only scripts make, and modules that few tables need. */
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
  // The page goes on without a missing module. The next page asks for it again.
  await Promise.allSettled([
    import('./awake.js').then(its => (awake = its)),
    import('./share.js').then(its => (sharing = its)),
    seats().length > 1 && import('./phone.js').then(its => (phone = its)),
    loadHints(),
    loadPad(redraw),
    loadMoves(redraw),
    isOver && loadAfter(),
  ]);
}

/**
 * Says the player's place, as a screen reader doesn't: whose turn it is and the task, or that the player is in. When a
 * player sits down, the name's field goes, and Orca moves to the heading in silence.
 */
function tellPlace() {
  const [heading, status, button] = ['heading', 'status', 'main'].map(
    name => at(name)?.hidden === false && at(name).textContent,
  );
  // alone, "I'm ready" would sound like a player's own words
  const isReady = button && main.dataset.stage === 'gathering' && !at('main').ariaDisabled;
  // nor should the player be told to start with bots in place of missing people
  say([heading, status, isReady ? !at('start-bot') && word('press_ready', { choice: button }) : button]);
}

async function loadAfter() {
  after ??= await import('./after.js');
}

/** Sealed dice: if their script does not come, the field for a seed is shown. */
function seal() {
  import('./seal.js').then(
    ({ listen }) => listen(at('seal'), at('own-seed'), () => command({ do: 'ready' })),
    () => at('own-seed')?.closest('.nojs')?.classList.remove('nojs'),
  );
}

/** Prices beside rules. Not in a pocket, whose every move would wait for them. */
function price() {
  if (!isPocket) import('./prices.js');
}

// Presses

serve({ redraw, refresh, go, notice, expect, renew: line.renew, isLost: line.isLost });
const takePhone = listenToPresses(redraw);

addEventListener('submit', event => {
  const { target: form, submitter } = event;
  if (form.method !== 'post' || form.id === 'changing' || new URL(form.action).pathname !== here()) return;
  event.preventDefault();
  // The main button may still show the marks that the house knew of, so it counts as ready.
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
  // before the first view, a die is a form's button, as without this script
  const die = state.view && target.closest('#dice .die');
  const tile = target.closest('#things .tile');
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
  if (tile) pressTile(tile);
});

/**
 * A command that asks first: the question replaces the heading, and the dice preview the result.
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

// Enter in a field presses a form's first button, here a die.
addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.target.id !== 'enter') return;
  event.preventDefault();
  at('main').click();
});

addEventListener('focusout', ({ target }) => target.id === 'line' && setTimeout(redraw));

// the browser's way back to the table before
addEventListener('popstate', () => location.pathname === here() || location.reload());
addEventListener('pagehide', line.stop);
if (!isPocket) addEventListener('offline', () => ifSeen(line.gone));
for (const sign of ['pageshow', 'online', 'visibilitychange']) addEventListener(sign, () => ifSeen(come));

// A view may come before the modules do, and is drawn again when they have come.
dress().then(() => {
  after?.tellWays(false);
  // A pocket's page comes into a frame: there Orca reads out no page, and on a busy device not even the focus.
  if (isPocket && main.dataset.stage === 'playing') tellPlace();
  // a player against a bot comes to a match that has begun
  if (main.dataset.seat && at('dice')?.dataset.rolls === '0' && setting('wording') !== 'brief') say([word('opening')]);
  redraw();
}, reportError);
if (document.activeElement === document.body && /^(#play)?$/.test(location.hash))
  at('heading').focus({ preventScroll: true });
come();
