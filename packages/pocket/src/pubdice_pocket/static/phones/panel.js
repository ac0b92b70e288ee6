/** The panel about other phones: letting one in, joining one, and the list of guests. Loaded on first use. */
import { aloud } from '../shell_dialogs.js';
import { announce } from '../shell_speech.js';
import { note, noted, put, say } from '../shell_words.js';
import { askForCamera, draw } from './codes.js';
import { Hosting } from './hosting.js';
import { isHidden, readCode } from './link.js';
import { body, button, make, panel, reading, row, show, shown, tell, title, turn } from './sheet.js';
import { hasSat, Visiting } from './visiting.js';

const APART_MS = 8000;
const LOOK_MS = 500;
// a house waits as long for the line after it has read the answer (hosting.js): lost packets are sent again after 1, 2
// and 4 s
const OPENS_MS = 10_000;
const LOST_MS = 6000;
const MOST_NAME = 24;

/**
 * The tab that this panel is in.
 *
 * - at: the path of the table that guests come to
 * - isAtTable: true if the tab shows a table
 * - place: the element for the code in the page of a table that gathers players
 * - plays, take: true if this tab plays, and makes it the tab that plays
 * @type {{root: string, at: () => string, isAtTable: () => boolean, place: () => PageElement, plays: () => boolean,
 *   take: () => Promise<void>, ask: (asked: any, port: MessagePort) => void, openToOthers: (open: boolean) => void,
 *   back: () => void, follow: (path: string) => void, visit: (guest: Visiting, name: string) => Promise<void>,
 *   alone: (path?: string) => Promise<void>, goOn: (kept: string) => Promise<string[]>}}
 */
let tab;
/** @type {Hosting | null} */
let hosting = null;
/** @type {Visiting | null} */
let visiting = null;
// the name of the house that this tab shows; '' for this phone's own
let shownOf = '';
// the name that the guest gave when joining
let called = '';
/** @type {ReturnType<typeof setInterval> | undefined} */
let looking;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let lostFor;

/** @param {typeof tab} given */
export const useTab = given => {
  tab = given;
};

// warns before a reload: a guest whose page is reloaded must join again by two codes, as must each guest of a house
addEventListener('beforeunload', event => {
  if (hosting?.present.length || visiting?.link?.isOpen) event.preventDefault();
});

function lookNoMore() {
  clearInterval(looking);
  looking = undefined;
}

panel.addEventListener('turn', lookNoMore);
panel.addEventListener('close', () => {
  lookNoMore();
  if (visiting && !shownOf) leave();
});
/** @type {(event: any) => unknown} */
const look = ({ detail }) => leave(detail);
panel.addEventListener('leave', look);

/** @type {PageElement} */
const guests = make('ul', '', { className: 'phones-guests' });
// true while a phone comes in by the code read here
let isEntering = false;
/** @type {PageElement} */
const awake = make('p', '', { className: 'hint' });

/** Returns the name of a guest in the list. Two phones of one seat get numbers. */
function nameOf(/** @type {string} */ label, /** @type {number} */ at, /** @type {readonly string[]} */ labels) {
  const phone = say('phones_phone', { number: at + 1 });
  return labels.indexOf(label) === labels.lastIndexOf(label) && label
    ? label
    : [label, phone].filter(Boolean).join(', ');
}

/**
 * The guests last listed, and if each was in reach.
 * @type {Map<string, {who: string, isNear: boolean, sits: boolean}>}
 */
let listed = new Map();

/**
 * Lists the guests. Announces each guest who came through another guest, left or came back, as only eyes see that in
 * the list.
 */
function listGuests() {
  const before = listed;
  const present = hosting?.present ?? [];
  const labels = present.map(([, label]) => label);
  listed = new Map(
    present.map(([name, label, isNear], at) => [name, { who: nameOf(label, at, labels), isNear, sits: label !== '' }]),
  );
  const rows = [...listed].map(([name, { who, isNear }]) => {
    const away = button('phones_send_away', () => hosting?.send(name), 'quiet');
    put(away, 'phones_send_away', { name: who });
    const far = isNear ? [] : [' ', make('span', 'phones_far', { className: 'hint' })];
    return make('li', '', {}, make('bdi', '', { textContent: who }), ...far, ' ', away);
  });
  const held = guests.contains(document.activeElement) ? document.activeElement?.textContent : '';
  guests.replaceChildren(...rows);
  if (held) ([...guests.querySelectorAll('button')].find(({ textContent }) => textContent === held) ?? title).focus();
  for (const [name, { who, isNear, sits }] of new Map([...before, ...listed])) {
    const was = before.get(name);
    const is = listed.get(name);
    if (!is) aloud(say('phones_gone', { name: who }));
    else if (was && was.isNear !== isNear)
      aloud(say(isNear ? 'phones_back' : sits ? 'phones_lost_guest' : 'phones_lost_phone', { name: who }));
    else if (!was && !isEntering) aloud(say('phones_another'));
  }
}

/**
 * The lock that keeps the screen on.
 * @type {WakeLockSentinel | null | undefined}
 */
let screen;

/** Keeps the phone's screen on, as a sleeping phone's house sleeps, too. */
async function stayAwake() {
  if (!hosting || document.hidden) return;
  const lock = await navigator.wakeLock?.request('screen').catch(() => null);
  put(awake, lock ? 'phones_awake' : 'phones_sleeps');
  screen?.release();
  screen = lock;
  if (!hosting) endHosting();
}
document.addEventListener('visibilitychange', stayAwake);

const goingOn = () => import('../going_on/offer.js');

/** Makes this phone the house for guests, who come to the table that it shows. */
export function beHouse() {
  if (hosting) return;
  hosting = new Hosting({
    ask: (asked, port) => tab.ask(asked, port),
    at: tab.at,
    changed: listGuests,
    // this phone keeps the same logs as its guests
    kept: path => goingOn().then(({ keepOwn }) => keepOwn(tab.ask, path)),
    // without the camera a browser may hide this phone's addresses, which each code needs
    may: askForCamera(),
  });
  tab.openToOthers(true);
  stayAwake();
}

const ownDoor = async () => (await hosting?.ownDoor()) ?? { code: '', accept: async () => '' };

/**
 * Opens the house's panel, with the code.
 * @param {string} [word] 'on' if the house goes on with a match of another phone
 */
function host(word) {
  beHouse();
  return openDoor(ownDoor, word);
}

/**
 * Shows the code on the table's page while the table gathers players. New guests appear beside it.
 * @param {string} [word] the result for the phone before
 */
async function drawPlace(word) {
  const place = tab.place();
  const isNew = place && !place.querySelector('.phones-door');
  if (!hosting || !place || !(isNew || word)) return;
  const [told, picture] = isNew ? [make('p', ''), make('p', '', { className: 'phones-door' })] : place.children;
  const first = make('p', 'phones_camera', { className: 'hint' });
  if (isNew) place.replaceChildren(told, picture, first);
  const { code } = await ownDoor();
  if (!picture.isConnected || !hosting) return;
  if (!code) {
    place.replaceChildren(make('p', 'phones_silent'), row(button('phones_let_in', () => drawPlace(), 'main')));
    return announce(say('phones_silent'));
  }
  picture.replaceChildren(draw(`${tab.root}#phones=${code}`));
  put(told, tellings[word ?? ''] ?? 'phones_scan');
  if (isNew) for (const key of ['phones_scan', 'phones_read']) announce(say(key));
  else if (told.dataset.say !== 'phones_scan') announce(told.textContent);
  if (isNew)
    first.replaceWith(
      make('p', 'phones_read'),
      row(button('phones_read_it', readHere, 'main')),
      row(button('phones_more', openPhones, 'quiet')),
    );
}

/** Reads the code of a phone that has scanned the code in the table's page. */
function readHere() {
  const back = (/** @type {string} */ word) => {
    if (['away', 'full'].includes(word)) return tellOf(word);
    panel.close();
    return drawPlace(word || 'next');
  };
  const accept = async (/** @type {string} */ text, mayBeFar = false) => (await ownDoor()).accept(text, mayBeFar);
  show(make('p', 'phones_read'), ...reading(entering(accept, back)));
  /** @type {PageElement} */ (body.querySelector('[data-say=phones_read_it]')).click();
}

function endHosting() {
  const was = hosting;
  hosting = null;
  // so no departure is announced
  listed.clear();
  was?.end();
  screen?.release();
  screen = null;
}

function stopHosting() {
  endHosting();
  tab.openToOthers(false);
  panel.close();
}

/**
 * Lets in one phone after another.
 * @param {() => Promise<{code: string, accept: (code: string, mayBeFar?: boolean) => Promise<string>}>} door
 * @param {string} [word] the result for the phone before
 */
async function openDoor(door, word = '') {
  const { code, accept } = await door();
  // the panel was closed meanwhile, or it is a house's, which opens it together with its code
  if (!panel.open && word !== 'on' && (word || !(code || hosting))) return;
  if (!code) {
    show(make('p', 'phones_silent'), row(button('phones_let_in', () => openDoor(door))));
    return tellOf(word);
  }
  const rest = hosting ? [awake, guests, row(button('phones_stop', stopHosting))] : [];
  (word ? turn : show)(
    make('p', 'phones_scan'),
    ...shown(`${tab.root}#phones=${code}`, 'phones_link'),
    make('p', 'phones_read'),
    ...reading(entering(accept, found => openDoor(door, found), rest)),
    ...rest,
  );
  listGuests();
  tellOf(word);
  if (word === 'in') drawPlace('next');
}

/**
 * Returns a function that takes the code of a phone that wants to come in.
 * @param {(code: string, mayBeFar?: boolean) => Promise<string>} accept
 * @param {(word: string) => unknown} then the next step, by the word for the result
 * @param {any[]} [rest] the other elements of the panel
 */
const entering = (accept, then, rest = []) => {
  const enter = async (/** @type {string} */ text, mayBeFar = false) => {
    tell('phones_seeking');
    isEntering = true;
    const found = await accept(text, mayBeFar);
    isEntering = false;
    if (found === 'far') {
      // only the player of the house may allow a code that leads to the internet
      const there = hosting ? [button('phones_far_on', () => enter(text, true), 'quiet')] : [];
      show(
        make('p', 'phones_code_far'),
        row(
          button('phones_let_in', () => then('')),
          ...there,
        ),
        ...rest,
      );
    } else if (found === 'unread' || !found) tell(found ? 'phones_unread' : 'phones_silent');
    else if (found !== 'apart') await then(found);
    else if (panel.open) {
      // no new code yet: made now, it would lack the hotspot's addresses
      turn(row(button('phones_let_in', () => then(''))), ...rest);
      tellOf(found);
    }
  };
  return (/** @type {string} */ text) => enter(text);
};

/** @type {Record<string, string>} */
const tellings = {
  in: 'phones_in',
  on: 'phones_on',
  apart: 'phones_apart',
  stale: 'phones_stale',
  away: 'phones_away',
  full: 'phones_full',
};

/** @param {string} word */
const tellOf = word => tell(tellings[word] ?? '');

/**
 * Joins another phone by a code from an address, after a tap. Without a code, it asks for one.
 * @param {string} code
 */
export function come(code) {
  if (!code) return ask(noted().guest ? 'phones_again' : 'phones_first');
  if (!readCode(code)) {
    ask('phones_first');
    return tell('phones_unread');
  }
  guest();
  const name = make('input', '', { value: noted().name ?? '', maxLength: MOST_NAME, autocomplete: 'nickname' });
  const join = (/** @type {Event} */ event) => {
    event.preventDefault();
    called = name.value.trim();
    if (called) note({ name: called });
    return meet(code);
  };
  const way = make('button', 'phones_join_it', { className: 'main' });
  // its sentence would replace the panel while a name is typed
  clearTimeout(lostFor);
  const others = tab.plays() ? [] : [make('p', 'phones_takes_over')];
  if (hosting?.present.length) others.push(make('p', 'phones_ends_house'));
  const label = make('label', '', {}, make('span', 'phones_name'), name);
  show(
    make('p', 'phones_join_this'),
    ...others,
    make('form', '', { onsubmit: join }, label, row(way)),
    row(button('phones_alone', () => leave())),
  );
}

/**
 * Asks for the code of the other phone.
 * @param {string} key the sentence with the reason
 */
function ask(key) {
  const of = guest();
  // its sentence would replace the panel while a code is typed
  clearTimeout(lostFor);
  const seat = key !== 'phones_first' && (of.cookies?.hasSat ?? hasSat()) ? [make('p', 'phones_seat')] : [];
  show(make('p', key), ...seat, ...reading(meet), row(button('phones_alone', () => leave())));
  if (key !== 'phones_first') goingOn().then(({ offer }) => offer(of, body, goOn));
}

/** Returns the guest that this phone is or becomes. A guest that was sent away is replaced by a new one. */
function guest() {
  if (visiting?.ended) noGuest();
  visiting ??= new Visiting(heard, target => {
    if (target.includes('/events')) goingOn().then(({ keepAsGuest }) => visiting && keepAsGuest(visiting, target));
  });
  return visiting;
}

/** Ends being a guest. Returns the guest that this phone was. */
function noGuest() {
  const was = visiting;
  clearTimeout(lostFor);
  visiting = null;
  shownOf = '';
  return was;
}

/**
 * Makes this phone the house of the tables that it has kept as a guest.
 * @param {object[]} tables
 */
async function goOn(tables) {
  const was = noGuest();
  panel.close();
  await was?.end();
  const paths = await tab.goOn(JSON.stringify(tables));
  const { keepOwn } = await goingOn();
  if (!paths.length) {
    tab.openToOthers(false);
    return show(make('p', 'going_on_not'));
  }
  await host('on');
  for (const path of paths) keepOwn(tab.ask, `${path}/kept`);
}

/**
 * Answers a code, read in any way, and makes this the tab that plays.
 * @param {string} code
 * @param {boolean} [mayBeFar] the player allows it to lead to the internet
 */
async function meet(code, mayBeFar = false) {
  const of = guest();
  const read = readCode(code, mayBeFar);
  if (read?.isFar) {
    const there = button('phones_far_on', () => meet(code, true), 'quiet');
    return show(make('p', 'phones_code_far'), row(...alone(), there));
  }
  // take over from another tab only for a valid code
  if (read && !tab.plays()) tell('taking');
  if (read) await tab.take();
  // the player left meanwhile
  if (visiting !== of) return;
  let answer = await of.come(code, mayBeFar).catch(() => '');
  // the answer has no address
  if (answer && !readCode(answer)?.places.length && (await askForCamera())) answer = await of.come(code, mayBeFar);
  // the player left meanwhile, or took another code
  if (answer === null) return;
  if (!answer) {
    if (!panel.open) ask('phones_first');
    return tell('phones_unread');
  }
  show(make('p', 'phones_show'), ...shown(answer, 'phones_answer'), row(button('phones_alone', () => leave())));
  tell('phones_seeking');
  const began = performance.now();
  const far = isHidden(/** @type {import('./link.js').Code} */ (read)) ? 'phones_perhaps' : 'phones_apart';
  let told = '';
  let readAt = 0;
  const mine = setInterval(async () => {
    const isNear = await of.meets();
    if (await of.isRead()) readAt ||= performance.now();
    if (looking !== mine) return;
    // the house has read this code, but the line of that code went to another phone
    if (readAt && performance.now() > readAt + OPENS_MS) {
      show(...reading(meet), row(button('phones_alone', () => leave())));
      return tell('phones_used');
    }
    const found = isNear ? 'phones_waits' : far;
    if (found === told || (!isNear && performance.now() < began + APART_MS)) return;
    told = found;
    tell(found);
  }, LOOK_MS);
  looking = mine;
}

/** Returns a button to play alone. None if a house is shown: that house stays, whatever another phone's code says. */
const alone = () => (shownOf ? [] : [button('phones_alone', () => leave())]);

/** @type {Record<string, () => unknown>} */
const ON = {
  here: enter,
  lost: () => {
    lostFor = setTimeout(ask, LOST_MS, 'phones_lost');
  },
  back: () => {
    clearTimeout(lostFor);
    tab.back();
    if (!panel.open) return;
    panel.close();
    announce(say('phones_found'));
  },
  over: () => ask('phones_over'),
  away: () => {
    clearTimeout(lostFor);
    note({ guest: false });
    show(make('p', 'phones_sent_away'), row(button('phones_alone', () => leave())));
  },
  unproved: () => show(make('p', 'phones_unproved'), ...reading(meet), row(...alone())),
  goes: () => shownOf && tab.follow(visiting?.at ?? ''),
  elsewhere: () => tell('phones_elsewhere'),
  differs: () => show(make('p', 'phones_differs'), row(button('phones_leave', () => leave()))),
};
/** @param {string} word */
const heard = word => ON[word]();

/** Shows the house once it is there, at the page that the host sees. */
async function enter() {
  const isHere = shownOf === visiting?.house;
  shownOf = visiting?.house ?? '';
  note({ guest: true });
  panel.close();
  if (visiting && !isHere) await tab.visit(visiting, called);
  called = '';
}

/** Makes this phone play alone again. `at` is the path of one of its own tables. */
async function leave(at = '') {
  if (tab.plays()) note({ guest: false });
  const was = noGuest();
  panel.close();
  await was?.end(true);
  await tab.alone(at);
}

/** Opens the panel. */
export function openPhones() {
  if (hosting) return host();
  if (visiting?.ended) return ON.away();
  if (visiting && shownOf) {
    const guest = visiting;
    // the guest needs a new code and the offer to go on, even if the panel was closed
    if (!guest.link?.isOpen) return ask(guest.spare ? 'phones_lost' : 'phones_over');
    return show(
      make('p', 'phones_guest'),
      row(button('phones_let_in', () => openDoor(() => guest.door()))),
      row(button('phones_leave', () => leave())),
    );
  }
  const join = (/** @type {string} */ look) => row(button('phones_join', () => come(''), look));
  // guests can come only to a table
  if (!tab.isAtTable()) return show(make('p', 'phones_what'), make('p', 'phones_first_table'), join('main'));
  return show(
    make('p', 'phones_what'),
    make('p', 'phones_camera', { className: 'hint' }),
    row(button('phones_let_in', () => host(), 'main')),
    join(''),
  );
}

/**
 * Handles a page that the tab shows.
 * @param {boolean} isNews true if it is of another table of this phone's own
 */
export function shows(isNews) {
  if (isNews) hosting?.goTo(tab.at());
  drawPlace();
}

/** Ends all here, as another tab plays now: this tab is neither house nor guest, and asks for no code. */
export async function goAway() {
  const was = noGuest();
  endHosting();
  panel.close();
  await was?.end();
}

/** Ends hosting, as this tab's house has ended. If this phone was a guest that has ended, it is no guest any more. */
export function closeHouse() {
  endHosting();
  if (visiting?.ended) noGuest();
}
