/**
 * Other phones: letting one in, coming to one, and who is here. Loaded once somebody asks for it.
 */
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
// a house waits as long for the line once it has read the answer (hosting.js): lost packets are sent again after 1, 2
// and 4 s
const OPENS_MS = 10_000;
const LOST_MS = 6000;
const MOST_NAME = 24;

/**
 * The tab that this panel is in. at: the table that guests come to; isAtTable: whether a table is shown; place: where
 * the house's own page of a table that gathers has the code; plays, take: whether this tab plays, and has it do so.
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
// Whose house is shown here; '' for this phone's own.
let shownOf = '';
// The name that was given on the way in.
let called = '';
/** @type {ReturnType<typeof setInterval> | undefined} */
let looking;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let lostFor;

/** @param {typeof tab} given */
export const useTab = given => {
  tab = given;
};

// a guest whose page is loaded again has to join by two codes, and so has each guest of a house
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

// The house: this phone, with guests.

/** @type {PageElement} */
const guests = make('ul', '', { className: 'phones-guests' });
// Whether a phone comes in whose code was read here.
let isEntering = false;
/** @type {PageElement} */
const awake = make('p', '', { className: 'hint' });

/** The name of a guest in the list: two phones of one seat are told apart. */
function nameOf(/** @type {string} */ label, /** @type {number} */ at, /** @type {readonly string[]} */ labels) {
  const phone = say('phones_phone', { number: at + 1 });
  return labels.indexOf(label) === labels.lastIndexOf(label) && label
    ? label
    : [label, phone].filter(Boolean).join(', ');
}

/**
 * The guests that were in the list, and whether they were in reach.
 * @type {Map<string, {who: string, isNear: boolean, sits: boolean}>}
 */
let listed = new Map();

/** Lists the guests, and says who came by another guest, went, and is back: in sight is the list. */
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
 * What keeps the screen on.
 * @type {WakeLockSentinel | null | undefined}
 */
let screen;

/** The phone's screen stays on: the house sleeps with it. */
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

/** This phone is the house from now on, for those who come to the table that it shows. */
export function beHouse() {
  if (hosting) return;
  hosting = new Hosting({
    ask: (asked, port) => tab.ask(asked, port),
    at: tab.at,
    changed: listGuests,
    // what a guest keeps of a table this phone keeps, too
    kept: path => goingOn().then(({ keepOwn }) => keepOwn(tab.ask, path)),
    // without the camera a browser may not tell this phone's addresses, which stand in each code
    may: askForCamera(),
  });
  tab.openToOthers(true);
  stayAwake();
}

const ownDoor = async () => (await hosting?.ownDoor()) ?? { code: '', accept: async () => '' };

/**
 * The panel of the house, with the code.
 * @param {string} [word] 'on' if it goes on with a match of another
 */
function host(word) {
  beHouse();
  return openDoor(ownDoor, word);
}

/**
 * Shows the code in the page of the house's own table, as long as it gathers: those who come appear beside it. word:
 * how it went with the phone before.
 * @param {string} [word]
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

/** Reads the code of a phone that has scanned the one in the table's page. */
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
  // nobody is told to be gone
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
 * Lets one phone in after the other.
 * @param {() => Promise<{code: string, accept: (code: string, mayBeFar?: boolean) => Promise<string>}>} door
 * @param {string} [word] how it went with the one before
 */
async function openDoor(door, word = '') {
  const { code, accept } = await door();
  // somebody closed it meanwhile; that of a house opens with its code
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
 * Takes the code of a phone that wants in. then: what comes next, by the word for how it went.
 * @param {(code: string, mayBeFar?: boolean) => Promise<string>} accept
 * @param {(word: string) => unknown} then
 * @param {any[]} [rest] what stays in the panel
 */
const entering = (accept, then, rest = []) => {
  const enter = async (/** @type {string} */ text, mayBeFar = false) => {
    tell('phones_seeking');
    isEntering = true;
    const found = await accept(text, mayBeFar);
    isEntering = false;
    if (found === 'far') {
      // the house's person
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
      // a code made now lacks the hotspot's addresses
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

// A guest: this phone, with another's house.

/**
 * Comes to another phone by a code from an address, once somebody says so; without one, by a code that is still to be
 * read.
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
  // it would ask again, over a name being typed
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
 * Asks for the code of the other phone. key: why.
 * @param {string} key
 */
function ask(key) {
  const of = guest();
  // it would ask again, over a code being typed
  clearTimeout(lostFor);
  const seat = key !== 'phones_first' && (of.cookies?.hasSat ?? hasSat()) ? [make('p', 'phones_seat')] : [];
  show(make('p', key), ...seat, ...reading(meet), row(button('phones_alone', () => leave())));
  if (key !== 'phones_first') goingOn().then(({ offer }) => offer(of, body, goOn));
}

/** The guest that this phone is, or becomes; one that was sent away is none any more. */
function guest() {
  if (visiting?.ended) noGuest();
  visiting ??= new Visiting(heard, target => {
    if (target.includes('/events')) goingOn().then(({ keepAsGuest }) => visiting && keepAsGuest(visiting, target));
  });
  return visiting;
}

/** This phone is a guest no more, and waits for nobody. Returns what it was. */
function noGuest() {
  const was = visiting;
  clearTimeout(lostFor);
  visiting = null;
  shownOf = '';
  return was;
}

/**
 * This phone is the house from now on, of the tables that it has kept as a guest.
 * @param {object[]} tables
 */
async function goOn(tables) {
  const was = noGuest();
  panel.close();
  await was?.end();
  const paths = await tab.goOn(JSON.stringify(tables));
  const { keepOwn, refuse } = await goingOn();
  if (!paths.length) {
    tab.openToOthers(false);
    return refuse();
  }
  await host('on');
  for (const path of paths) keepOwn(tab.ask, `${path}/kept`);
}

/**
 * Answers a code, in whichever way it was read: from then on this is the tab that plays.
 * @param {string} code
 * @param {boolean} [mayBeFar] the person lets it lead to the internet
 */
async function meet(code, mayBeFar = false) {
  const of = guest();
  const read = readCode(code, mayBeFar);
  if (read?.isFar) {
    const there = button('phones_far_on', () => meet(code, true), 'quiet');
    return show(make('p', 'phones_code_far'), row(...alone(), there));
  }
  // what is no code ends no other tab
  if (read && !tab.plays()) tell('taking');
  if (read) await tab.take();
  // the person has left meanwhile
  if (visiting !== of) return;
  let answer = await of.come(code, mayBeFar).catch(() => '');
  // a code that names no address
  if (answer && !readCode(answer)?.places.length && (await askForCamera())) answer = await of.come(code, mayBeFar);
  // somebody left meanwhile, or took another code
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
    // the house has read this code, and the line it is for is another phone's
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

/** No house is left for another phone's code. */
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

/** The house is there: it is shown, with the page that the host sees. */
async function enter() {
  const isHere = shownOf === visiting?.house;
  shownOf = visiting?.house ?? '';
  note({ guest: true });
  panel.close();
  if (visiting && !isHere) await tab.visit(visiting, called);
  called = '';
}

/** This phone plays on its own again. at: a table of its own. */
export async function leave(at = '') {
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
    // its code and its offer, though the panel was closed
    if (!guest.link?.isOpen) return ask(guest.spare ? 'phones_lost' : 'phones_over');
    return show(
      make('p', 'phones_guest'),
      row(button('phones_let_in', () => openDoor(() => guest.door()))),
      row(button('phones_leave', () => leave())),
    );
  }
  const join = (/** @type {string} */ look) => row(button('phones_join', () => come(''), look));
  // the table comes first, or those who come would find none
  if (!tab.isAtTable()) return show(make('p', 'phones_what'), make('p', 'phones_first_table'), join('main'));
  return show(
    make('p', 'phones_what'),
    make('p', 'phones_camera', { className: 'hint' }),
    row(button('phones_let_in', () => host(), 'main')),
    join(''),
  );
}

/**
 * A page is shown. isNews: it is of another table of this phone's own.
 * @param {boolean} isNews
 */
export function shows(isNews) {
  if (isNews) hosting?.goTo(tab.at());
  drawPlace();
}

/** Another tab plays from now on: this one is neither house nor guest, and asks for no code. */
export async function goAway() {
  const was = noGuest();
  endHosting();
  panel.close();
  await was?.end();
}

/** The house of this tab goes, so its guests do, or it is a guest no more. */
export function closeHouse() {
  endHosting();
  if (visiting?.ended) noGuest();
}
