/** The page that stays: it owns the engine, shows the house in a frame, and tells what the house itself can't. */
// imported here, as two scripts in the page would both report the file that the host lacks
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
 * Reasons why files could not be opened, by Python's error text.
 * @type {[RegExp, string][]}
 */
const FILES_WHY = [
  [/NotStored: store-unwritable|QuotaExceeded|No space left/, 'no_room'],
  [/NotStored: (store-unreadable|secret-file)/, 'unreadable'],
  [/NotStored: store-newer/, 'newer'],
];

/**
 * The engine of this tab, or a guest's line in its place. `served` resolves when the service worker has a port to it.
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
/** The page that the frame shows or starts with. `playing` is true if a match is played there. */
let shown = '';
let playing = false;
/** True if the engine is there. The front page may be shown before. */
let ready = false;
/**
 * This tab's hold on the engine.
 * @type {{release(): void} | null}
 */
let lock = null;
/**
 * The pending hold, while another tab gives it up. Without it, a second tap would take the hold from this tab again.
 * @type {ReturnType<typeof take> | null}
 */
let taking = null;
let isDamaged = false; // a file of the folder, on this device
/**
 * The tables that this phone has kept as a guest, to go on with as host when the engine is there. `paths` gets their
 * paths.
 * @type {{kept: string, paths: (paths: string[]) => void} | null}
 */
let goesOn = null;

// Not while a dialog is open: the page behind it is inert, and with the focus it would take the dialog's keys.
const focusFrame = () => inFront() || frame?.contentWindow.focus();

/** Returns the heading of the house's page, or its title. */
const heading = () => frame.contentDocument.querySelector('h1')?.textContent.trim() ?? frame.contentDocument.title;

/** Resolves to the panel about other phones, which can make this tab their house, or a guest. */
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

/** Closes the house, as another tab plays or the engine is gone. Returns the engine. */
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

/** Lets another tab play, without a question to this one. */
function letGo() {
  lock?.release();
  lock = null;
}

/** Ends the engine and tells the player. Another tab goes on. */
async function giveUp() {
  if (!engine && !lock) return;
  await loadedPanel()?.then(panel => panel.goAway());
  await close()?.end();
  letGo();
  stop('moved_away', ['here', takeOver]);
  // when a player comes back to the tab, a screen reader reads only its title
  document.title = say('moved_away');
}

/** Makes this the tab that plays, in place of another. */
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

/** Asks again for a page that did not come. It does not reload the tab, as a guest would lose its way back. */
function showAgain() {
  untell('page_lost');
  frame.src = shown;
}

/** Makes the page ask the house at once. The page may be in a pause of ten seconds between two tries. */
function lookAgain() {
  // null if a page did not come: scripts can't read the browser's own error page
  if (!frame.contentDocument) showAgain();
  else frame.contentWindow.dispatchEvent(new Event('online'));
}

/** Ends the start: engine and page are there. A page shown early may be of another day, so it is fetched again. */
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
 * @param {() => void} [then] called once the page is there
 */
function showHouse(address = wanted(ROOT), then = () => {}) {
  if (ready) resume('ready');
  if (isDamaged) tell('damaged');
  shown = address;
  frame = openFrame(address, {
    shown() {
      if (leaveStart()) focusFrame();
      // Orca may still be reading the start page aloud, and then sometimes does not report the focus
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
      // a guest's table is stored on another phone
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

/** Shows the house when its engine is there, at the first of the tables that go on in it, if any. */
async function arrive() {
  ready = true;
  await setFront(null);
  // the frame has the front page; if that is still loading, `shown` does the rest
  if (frame) return frame.classList.contains('waits') ? resume('ready') : allIsHere();
  const taken = goesOn;
  goesOn = null;
  const paths = (taken && (await engine.ask({ goOn: taken.kept }))?.wentOn) ?? [];
  if (taken) note({ guest: false });
  if (!engine) return;
  showHouse(paths.length ? new URL(paths[0], ROOT).href : undefined, () => taken?.paths(paths));
}

/** @param {any} event the engine's message */
async function heard({ front, asked, stage, failed, ran, held, kept, full, slow }) {
  const mine = engine;
  if (failed !== undefined) {
    const lack = ran || held ? '' : await lacksFiles(); // the page stays in sight meanwhile
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

/** @param {boolean} [alone] true to ignore a code in the address */
async function begin(alone = false) {
  resume('begin');
  const mine = lock;
  await findNotes();
  dress();
  const keeps = await canKeep();
  const trouble = await control();
  // another tab took the hold meanwhile
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
    complete(); // fetches the advice for phones that can't reach each other, which is needed before they are connected
    return panel.come(code);
  }
  engine = runEngine(
    new URL('pocket/worker.js', ROOT),
    { start: VERSION, keeps, prefix: PREFIX, origin: ROOT.origin },
    heard,
    asked => isForAll(asked, frame?.contentDocument, () => withPanel(panel => panel.beHouse())),
  );
  // requests that come before the engine is ready wait
  served = engine.serve(navigator.serviceWorker.controller);
}

/** Uses the language and the colours that are noted on this device. */
function dress() {
  const { lang, theme } = noted();
  if (theme) document.documentElement.dataset.theme = theme;
  speak(lang);
}

async function start() {
  speak();
  dress();
  whenAnswered(focusFrame);
  // These links are made absolute now, as the tab's address changes with the frame's.
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
  // a player who came by a code makes this the tab that plays later, by the tap on "join"
  return lock || codeHere() ? begin() : stop('other_tab', ['here', takeOver]);
}

// the next start begins with the front page of this moment
document.addEventListener('visibilitychange', () => document.hidden && ready && !inn.isOpen && engine.keepFront?.());
// a code pasted into the address of an open tab loads no page
addEventListener('hashchange', () => {
  const code = codeHere();
  if (!code) return;
  history.replaceState(history.state, '', shown || ROOT.href);
  withPanel(panel => panel.come(code));
});
// An installed app's open window gets the addresses opened in it, as by the camera app, and stays on its page
// (launch_handler in the manifest). The first address, at its start, is its own.
const began = performance.now();
/** @type {any} */ (globalThis).launchQueue?.setConsumer((/** @type {{targetURL?: string}} */ { targetURL }) => {
  if (!targetURL || performance.now() < began + LAUNCHED_MS) return;
  const address = new URL(targetURL);
  const code = codeHere(address);
  if (code) withPanel(panel => panel.come(code));
  else if (frame && address.href !== ROOT.href && address.href.startsWith(ROOT.href)) frame.src = address.href;
});
start();
