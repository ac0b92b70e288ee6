/** The page that stays: it owns the engine, shows the house in a frame, and says what the house itself cannot. */
// not a script beside this one: two would say what the host lacks
import './shell_dice.js';
import { findNotes } from './notes.js';
import { askToKeep, canKeep, keepsNothing, lacks, openPanel, useEngine } from './shell_device.js';
import { inFront } from './shell_dialogs.js';
import { complete, control, hold, keepVersion, lacksFiles, runEngine, take, whenAsked } from './shell_engine.js';
import { openFrame, setFront, wanted } from './shell_frame.js';
import { hush, leaveStart, resume, starting, stop, tell, tellRest, untell, whenAnswered } from './shell_page.js';
import { codeHere, inn, isForAll, loadedPanel, panelOf, sent, shows } from './shell_phones.js';
import { announce } from './shell_speech.js';
import { note, noted, say, speak } from './shell_words.js';

const ROOT = new URL('../', import.meta.url);
const PREFIX = ROOT.pathname.slice(0, -1);
const VERSION = document.querySelector('meta[name=version]')?.content || 'unbuilt';
const LAUNCHED_MS = 2000;
/** @type {[string, () => void]} */
const again = ['again', () => location.reload()];
/**
 * Why files could not be opened, as Python says it.
 * @type {[RegExp, string][]}
 */
const FILES_WHY = [
  [/NotStored: store-unwritable|QuotaExceeded|No space left/, 'no_room'],
  [/NotStored: (store-unreadable|secret-file)/, 'unreadable'],
  [/NotStored: store-newer/, 'newer'],
];

/**
 * The engine of this tab, or another phone's in its place, and the promise that the service worker has a port to it.
 * @type {any}
 */
let engine = null;
/** @type {Promise<unknown> | null} */
let served = null;
/**
 * The frame with the house, once it is there.
 * @type {PageElement}
 */
let frame = null;
/** The page that the frame shows, or begins with; and whether a match is being played there. */
let shown = '';
let playing = false;
/** Whether the engine is there: the front page may be shown before. */
let ready = false;
/**
 * This tab's hold on the engine.
 * @type {{release(): void} | null}
 */
let lock = null;
/**
 * The same while another tab gives it up: a second tap would take it from this one.
 * @type {ReturnType<typeof take> | null}
 */
let taking = null;
let isDamaged = false; // a file of the folder, on this device
/**
 * The tables that this phone has kept as a guest, and goes on with as host once the engine is there; and what takes
 * their paths.
 * @type {{kept: string, paths: (paths: string[]) => void} | null}
 */
let goesOn = null;

// Below a dialog the page is inert, and would keep the keys from it.
const focusFrame = () => inFront() || frame?.contentWindow.focus();

/** What the house's page is about. */
const heading = () => frame.contentDocument.querySelector('h1')?.textContent.trim() ?? frame.contentDocument.title;

/** The panel about other phones, which has this tab be the house, or another's guest. */
const otherPhones = () =>
  panelOf({
    engine: () => engine,
    frame: () => frame,
    isReady: () => ready,
    plays: () => !!lock,
    close,
    begin,
    take: takeLock,
    lookAgain,
    async visit(guest, then) {
      engine = guest;
      ready = true;
      served = guest.serve(navigator.serviceWorker.controller);
      await served;
      showHouse(new URL(guest.at || ROOT.pathname, ROOT).href, then);
    },
    goesOn(taken) {
      goesOn = taken;
    },
  });

/** @param {(panel: typeof import('./phones/panel.js')) => unknown} then */
const withPanel = then => otherPhones().then(then, () => tell('damaged'));

/** The house goes: another tab plays, or the engine is gone. Returns the engine. */
function close() {
  const running = engine;
  useEngine(null);
  loadedPanel()?.then(panel => panel.closeHouse());
  if (frame) {
    frame.remove();
    hush(false);
  }
  frame = engine = null;
  inn.isOpen = ready = false;
  tellRest(false);
  return running;
}

/** Another tab may play from now on, and has nothing to say to this one. */
function letGo() {
  lock?.release();
  lock = null;
}

/** Ends the engine and says so; another tab goes on. */
async function giveUp() {
  if (!engine && !lock) return;
  await loadedPanel()?.then(panel => panel.goAway());
  await close()?.end();
  letGo();
  stop('moved_away', ['here', takeOver]);
  // of a tab that one comes back to a screen reader says the title alone
  document.title = say('moved_away');
}

/** Has this tab play, in place of another. */
async function takeLock() {
  if (lock) return;
  taking ??= take(giveUp);
  lock = await taking;
  taking = null;
}

async function takeOver() {
  document.title = 'Pubdice';
  resume('taking');
  await takeLock();
  begin();
}

/** Asks for the page before one that did not come; without a reload of the tab, which loses a guest's way back. */
function showAgain() {
  untell('page_lost');
  frame.src = shown;
}

/** The page asks the house again, where it may wait for ten seconds. */
function lookAgain() {
  // in place of a page that did not come the browser has one of its own, which can't be read
  if (!frame.contentDocument) showAgain();
  else frame.contentWindow.dispatchEvent(new Event('online'));
}

/** The engine is there, and a page is shown. One that was shown early may be from another day: it is fetched again. */
function allIsHere() {
  if (frame.classList.contains('early')) {
    frame.classList.remove('early');
    hush(playing);
    if (tellRest(false)) announce(say('ready'));
    lookAgain();
  } else announce(`${say('ready')} ${heading()}`);
  useEngine(engine, () => {
    frame.src = ROOT.pathname;
  });
  complete().then(whole => whole || tell('offline_no'));
}

/**
 * @param {string} [address]
 * @param {() => void} [then] called once it is there
 */
function showHouse(address = wanted(ROOT), then = () => {}) {
  if (ready) resume('ready');
  if (isDamaged) tell('damaged');
  shown = address;
  frame = openFrame(address, {
    shown() {
      if (leaveStart()) focusFrame();
      // Orca, which may still be reading the start page aloud, sometimes says nothing of the focus
      if (frame.classList.contains('early')) announce(heading());
      if (ready) allIsHere();
      else tellRest(true);
      then();
    },
    went({ href, pathname }, lang, match) {
      [shown, playing] = [href, match];
      speak(lang);
      if (ready) hush(playing);
      shows(pathname, engine?.isGuest);
      // a guest's table lies on another phone
      if (!engine?.isGuest && pathname.startsWith(`${PREFIX}/t/`)) askToKeep();
    },
    erased() {
      close()?.end();
      stop('erased', again);
    },
    lost() {
      /** @type {typeof again} */
      const retry = engine?.isGuest ? ['again', showAgain] : again;
      if (frame?.classList.contains('waits')) stop('page_lost', retry);
      else tell('page_lost', [retry]);
    },
    device: openPanel,
    phones: () => withPanel(panel => panel.openPhones()),
    sent: (page, way) => engine?.isGuest || sent(page, way),
    unsaved: () => tell('not_saved'),
  });
  if (!ready) frame.classList.add('early');
}

/** The house is there, and shown; with the first of the tables that go on in it, if there are any. */
async function arrive() {
  ready = true;
  await setFront(null);
  // the front page, which says so itself if it is still on its way
  if (frame) return frame.classList.contains('waits') ? resume('ready') : allIsHere();
  const taken = goesOn;
  goesOn = null;
  const paths = (taken && (await engine.ask({ goOn: taken.kept }))?.wentOn) ?? [];
  if (taken) note({ guest: false });
  if (!engine) return;
  showHouse(paths.length ? new URL(paths[0], ROOT).href : undefined, () => taken?.paths(paths));
}

/** @param {any} event what the engine tells */
async function heard({ front, asked, stage, failed, ran, held, kept, full, slow }) {
  const mine = engine;
  if (failed !== undefined) {
    const lack = ran || held ? '' : await lacksFiles(); // meanwhile what is shown stays
    if (engine !== mine) return;
    const offline = !navigator.onLine && /fetch|network|import/i.test(failed);
    close();
    letGo();
    const [, files] = FILES_WHY.find(([told]) => told.test(failed)) ?? [];
    const why = files ?? (isDamaged ? 'damaged' : offline ? 'no_network' : 'failed');
    stop(ran ? 'crashed' : held ? 'other_tab_holds' : lack || why, again, failed);
  } else if (slow && frame) tell('slow', [again]);
  else if (slow) stop('slow', again);
  else if (asked && frame?.classList.contains('early')) tellRest(true, 'chosen');
  else if (front || stage === 'ready') {
    await served;
    if (engine !== mine) return;
    if (stage) arrive();
    else if (!frame && !goesOn && wanted(ROOT).split('#')[0] === ROOT.href) {
      await setFront(front);
      if (engine === mine && !ready) showHouse();
    }
  } else if (stage) starting(stage);
  if (kept === false) keepsNothing();
  if (full) tell('full');
}

/** @param {boolean} [alone] whatever code is in the address */
async function begin(alone = false) {
  resume('begin');
  const mine = lock;
  await findNotes();
  dress();
  const keeps = await canKeep();
  const trouble = await control();
  // another tab took it meanwhile
  if (lock !== mine || !(lock || codeHere())) return;
  if (trouble) {
    letGo();
    return stop(trouble, again);
  }
  const code = codeHere();
  if (code) history.replaceState(history.state, '', ROOT.href);
  const visits = !alone && (code || noted().guest);
  if (!keeps) keepsNothing(!visits);
  if (visits) {
    const panel = await otherPhones().catch(() => null);
    if (!panel) return stop((await lacksFiles()) || (isDamaged ? 'damaged' : 'failed'), again);
    complete(); // what helps where phones don't meet has to be here before
    return panel.come(code);
  }
  engine = runEngine(
    new URL('pocket/worker.js', ROOT),
    { start: VERSION, keeps, prefix: PREFIX, origin: ROOT.origin },
    heard,
    asked => isForAll(asked, frame?.contentDocument, () => withPanel(panel => panel.beHouse())),
  );
  // what it is asked before it is ready waits
  served = engine.serve(navigator.serviceWorker.controller);
}

/** In the language and the colours that this device was told of. */
function dress() {
  const { lang, theme } = noted();
  if (theme) document.documentElement.dataset.theme = theme;
  speak(lang);
}

async function start() {
  speak();
  dress();
  whenAnswered(focusFrame);
  // Resolved against this address now, as the address becomes the frame's.
  for (const link of document.querySelectorAll('link[rel*=icon], link[rel=manifest]'))
    link.setAttribute('href', link.href);
  if (lacks()) return stop(lacks(), again);
  whenAsked(giveUp);
  try {
    await keepVersion(ROOT, VERSION, {
      /** @param {any} serviceWorker */
      serve: serviceWorker => engine?.serve(serviceWorker),
      unheard: () => engine?.unheard(),
      end: () => close()?.end(),
      damaged() {
        isDamaged = true;
        if (frame) tell('damaged');
      },
    });
  } catch (error) {
    const refused = () => stop(navigator.onLine ? 'no_worker' : 'no_network', again, String(error));
    return import('./shell_missing.js').then(
      ({ tellMissing }) => tellMissing([new URL('sw.js', ROOT).href], refused),
      refused,
    );
  }
  lock = await hold(giveUp);
  // who came by a code may have this tab play by the tap that joins
  return lock || codeHere() ? begin() : stop('other_tab', ['here', takeOver]);
}

// the next start begins with the front page as it is when this one ends
document.addEventListener('visibilitychange', () => document.hidden && ready && !inn.isOpen && engine.keepFront?.());
// pasted into a tab that is open, a code loads nothing by itself
addEventListener('hashchange', () => {
  const code = codeHere();
  if (!code) return;
  history.replaceState(history.state, '', shown || ROOT.href);
  withPanel(panel => panel.come(code));
});
// The window of an installed app that is open gets what is opened in it, as by the camera app, and stays as it is
// (launch_handler in the manifest). What it is told as it begins is its own address.
const began = performance.now();
/** @type {any} */ (globalThis).launchQueue?.setConsumer((/** @type {{targetURL?: string}} */ { targetURL }) => {
  if (!targetURL || performance.now() < began + LAUNCHED_MS) return;
  const address = new URL(targetURL);
  const code = codeHere(address);
  if (code) withPanel(panel => panel.come(code));
  else if (frame && address.href !== ROOT.href && address.href.startsWith(ROOT.href)) frame.src = address.href;
});
start();
