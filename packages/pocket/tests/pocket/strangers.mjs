// The messages between phones, run by Node without a browser. FOLDER has the pocket's scripts. Lines that a case opens
// itself replace WebRTC. CASE is the name of a case below, GIVEN its arguments. It prints the case's result.
import { pathToFileURL } from 'node:url';

const [, , folder, name, given = '[]'] = process.argv;
const stub = new Proxy(() => stub, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => '' : key === Symbol.iterator ? () => [].values() : stub),
  apply: () => stub,
  set: () => true,
});
const notes = new Map();
const timers = [];
const give = (key, value) => Object.defineProperty(globalThis, key, { value, writable: true });
give('document', stub);
give('navigator', { languages: ['en'] });
give('localStorage', { getItem: key => notes.get(key) ?? null, setItem: (key, text) => notes.set(key, text) });
give('indexedDB', {}); // a browser that stores nothing there
for (const key of ['addEventListener', 'removeEventListener']) give(key, () => {});
const { setTimeout: later } = globalThis;
give('setTimeout', (call, ms) => timers.push({ call, ms }));
const settled = () => new Promise(done => later(done, 5));
/** Waits until a signature has its effect, 5 s at most. */
async function until(isThere) {
  for (let look = 0; look < 1000 && !isThere(); look++) await settled();
}

const peers = [];
const letters = (length, from) => Array.from({ length }, (_, at) => 'abcdefgh'[(from * 7 + at * at) % 8]).join('');
/** An SDP of a line, by a phone. */
const sdp = (number, phone = number, places = [['192.168.1.7', 4000]]) =>
  [
    ...places.map(([address, port]) => `a=candidate:1 1 udp 1 ${address} ${port} typ host`),
    `a=ice-ufrag:${letters(4, number)}${number}`,
    `a=ice-pwd:${letters(22, number)}${number}`,
    `a=fingerprint:sha-256 ${Array(32).fill(`0${phone}`.slice(-2)).join(':')}`,
    '',
  ].join('\r\n');

class Peer {
  constructor() {
    this.number = peers.push(this);
    this.iceGatheringState = 'complete';
    this.iceConnectionState = this.connectionState = 'new';
    this.signalingState = 'stable';
    this.sent = [];
  }
  addEventListener() {}
  createDataChannel() {
    const send = data => this.sent.push(typeof data === 'string' ? JSON.parse(data) : [...data]);
    this.channel = { bufferedAmount: 0, send, close() {} };
    return this.channel;
  }
  async createOffer() {
    return { type: 'offer', sdp: sdp(this.number) };
  }
  createAnswer = async () => ({ type: 'answer', sdp: sdp(this.number) });
  getStats = async () => new Map();
  async setLocalDescription(description) {
    this.localDescription = description;
    this.signalingState = description.type === 'offer' ? 'have-local-offer' : 'stable';
  }
  async setRemoteDescription({ type, sdp: remote }) {
    this.remote = remote;
    this.signalingState = type === 'offer' ? 'have-remote-offer' : 'stable';
  }
  close() {
    this.signalingState = this.connectionState = 'closed';
  }
  hear(message) {
    this.channel.onmessage({ data: message instanceof Uint8Array ? message.buffer : message });
  }
}
give('RTCPeerConnection', Object.assign(Peer, { generateCertificate: async () => ({}) }));

const load = path => import(pathToFileURL(`${folder}/${path}`));
const { ownPath } = await load('places.js');
const { trusted } = await load('phones/trusted.js');
const { codeOf, Link, proofOf, readCode } = await load('phones/link.js');
const { Visiting } = await load('phones/visiting.js');
const { Hosting } = await load('phones/hosting.js');

/** A guest that has answered an offer. Its channel is open, and no message was sent. */
async function guest() {
  const words = [];
  const visiting = new Visiting(word => words.push(word));
  const phone = peers.length + 50;
  const code = codeOf(sdp(phone));
  const [offer, answer] = [readCode(code), readCode(await visiting.come(code))];
  const peer = peers.at(-1);
  peer.channel.onopen();
  return { words, visiting, phone, offer, answer, peer, link: visiting.coming };
}
const said = JSON.stringify;
const HELLO = { hello: { home: '/', at: '/' } };

/** The state of a guest. */
const left = ({ words, visiting, peer, link }, others) => ({
  words: [...words],
  isGone: link.isGone,
  isGuest: visiting.house !== '' || visiting.link !== null || [...notes.keys()].some(key => key.includes('guest')),
  sent: peer.sent.length,
  others: peers.length - others,
});

/** A guest whose host has read the answer, and has given it a spare line. */
async function host() {
  const each = await guest();
  each.peer.hear(said({ proof: await proofOf(each.offer, each.answer) }));
  await settled();
  const proved = { words: [...each.words], isHere: each.visiting.link === each.link };
  each.peer.hear(said(HELLO));
  each.peer.hear(said({ spare: codeOf(sdp(20, each.phone)) }));
  await until(() => each.visiting.spare);
  return { ...each, proved };
}

const CASES = {
  /**
   * The addresses in codes, read without and with the player's permission, and in the code that their phone makes
   * again.
   */
  async places(codes) {
    const peer = new Peer();
    return codes.map(code => {
      const all = readCode(code, true);
      peer.sdp = sdp(7, 7, all.places);
      return {
        read: readCode(code).places,
        isFar: readCode(code).isFar,
        all: all.places,
        own: readCode(codeOf(peer.sdp), true).places,
      };
    });
  },

  /** A code that leads to the internet, for a guest and for a house, without and with the player's permission. */
  async far(codes) {
    const found = {};
    for (const [what, code] of Object.entries(codes)) {
      const visiting = new Visiting(() => {});
      const before = peers.length;
      const [refused, made] = [await visiting.come(code), peers.length - before];
      const taken = await visiting.come(code, true);
      found[what] = { refused, made, taken: !!taken, places: peers.at(-1).remote.match(/typ host/g)?.length ?? 0 };
    }
    const house = new Hosting({ ask() {}, at: () => '/', changed() {} });
    const door = await house.door();
    const { ufrag } = readCode(door.code);
    const answer = codeOf(sdp(31, 31, [['8.8.8.8', 9]]), ufrag);
    const word = await door.accept(answer);
    const before = !!peers.at(-1).remote;
    door.accept(answer, true);
    await until(() => peers.at(-1).remote);
    const after = peers.at(-1).remote.includes(' 8.8.8.8 9 ');
    const told = [];
    const passing = { link: { send: ({ answer: said }) => told.push(said) }, door: await house.door() };
    const other = readCode(passing.door.code).ufrag;
    await house.pass(passing, codeOf(sdp(32, 32, [['8.8.8.8', 9]]), other), 1);
    const spares = [];
    for (const mayBeFar of [false, true]) {
      const each = await guest();
      each.link.mayBeFar = mayBeFar;
      each.peer.hear(said({ proof: each.link.proof }));
      await settled();
      each.peer.hear(said({ spare: codeOf(sdp(20, each.phone, [['8.8.8.8', 9]])) }));
      await until(() => each.visiting.spare);
      spares.push(peers.at(-1).remote.includes('8.8.8.8'));
    }
    return { found, word, before, after, told, spares };
  },

  /** Many spare codes on one line, and on a series of lines. */
  async flood(lines) {
    const one = await host();
    const before = peers.length;
    for (let at = 0; at < 700; at++) one.peer.hear(said({ spare: codeOf(sdp(20 + at, one.phone)) }));
    await settled();
    const flood = { made: peers.length - before, isGone: one.link.isGone };
    const other = await host();
    other.peer.channel.onclose(); // it breaks, and again
    const start = peers.length;
    for (let at = 0; at < lines; at++) {
      const { spare } = other.visiting;
      const peer = peers.find(({ channel }) => channel === spare.channel);
      peer.channel.onopen();
      peer.hear(said({ proof: spare.proof }));
      await settled();
      const before = peers.length;
      peer.hear(said({ spare: codeOf(sdp(20 + at, other.phone)) }));
      if (peers.length === before) break;
      await until(() => other.visiting.spare);
    }
    return { flood, made: peers.length - start };
  },

  /** A spare line to a phone that is not the house. */
  async elsewhere() {
    const each = await guest();
    each.peer.hear(said({ proof: each.link.proof }));
    await settled();
    each.peer.hear(said({ spare: codeOf(sdp(20, each.phone + 1)) }));
    return each.link.isGone;
  },

  /** A guest that was sent away comes by a new code, by one that was read before, and by its spare line. */
  async away() {
    const house = new Hosting({ ask() {}, at: () => '/', changed() {} });
    const enter = async number => {
      const door = await house.door();
      const peer = peers.at(-1);
      const word = door.accept(codeOf(sdp(number, 5), readCode(door.code).ufrag));
      await until(() => peer.remote || house.sentAway.size);
      peer.channel.onopen();
      return [await word, peer];
    };
    const [first, peer] = await enter(31);
    await until(() => peer.sent.length > 2);
    const spare = peers.at(-1);
    peer.hear(said({ spare: codeOf(sdp(32, 5), readCode(peer.sent[2].spare).ufrag) }));
    await until(() => spare.remote);
    const early = await house.door();
    const late = peers.at(-1);
    const reading = early.link.accept(readCode(codeOf(sdp(33, 5), readCode(early.code).ufrag)));
    house.send([...house.guests.keys()][0]);
    await reading;
    for (const each of [late, spare]) each.channel.onopen();
    await settled();
    const told = each => each.sent.flatMap(message => Object.keys(message));
    const [again] = await enter(34);
    return { first, again, late: told(late), spare: told(spare), guests: house.guests.size };
  },

  /** The code that this phone shows, and those that four guests of it show. */
  async doors() {
    const house = new Hosting({ ask() {}, at: () => '/', changed() {} });
    const own = await house.door();
    const told = [];
    const guests = Array.from({ length: 9 }, () => ({ link: { send: ({ answer }) => told.push(!!answer) } }));
    for (const guest of guests) await house.pass(guest, null, 1);
    const stays = house.doors.has(own.link);
    await house.door();
    await house.door(false);
    return { stays, told: told.filter(Boolean).length, open: house.doors.size };
  },

  /** The code that the table's page and the panel ask for while the browser asks for the camera, and later codes. */
  async ownDoor() {
    let allow;
    const may = new Promise(done => (allow = done));
    const house = new Hosting({ ask() {}, at: () => '/', changed() {}, may });
    const both = [house.ownDoor(), house.ownDoor()];
    await settled();
    const early = peers.length;
    allow();
    const [page, panel] = (await Promise.all(both)).map(({ code }) => code);
    const last = await house.ownDoor();
    house.shut(last.link); // a phone has come in by it
    const after = await Promise.all([house.ownDoor(), house.ownDoor()]);
    const made = peers.length;
    house.end();
    const ended = await house.ownDoor();
    return {
      early,
      one: page === panel && page === last.code,
      another: after[0].code === after[1].code && after[0].code !== page,
      made,
      ended,
    };
  },

  /** Codes asked for while the browser can make none, and afterwards, with the lines left open each time. */
  async room() {
    const house = new Hosting({ ask() {}, at: () => '/', changed() {} });
    const ask = async () => [!!(await house.ownDoor())?.code, house.doors.size];
    const { createOffer } = Peer.prototype;
    Peer.prototype.createOffer = () => Promise.reject(new Error('no room'));
    const full = [await ask(), await ask()];
    Peer.prototype.createOffer = createOffer;
    return [...full, await ask()];
  },

  /** The logs that this phone keeps itself when a guest asks for logs. Its engine has one table's. */
  async kept(targets) {
    const kept = [];
    const ask = ({ target }, port) => {
      port.postMessage({ status: /^\/(t\/HERE22\/kept|open)(\?|$)/.test(target) ? 200 : 404, headers: [] });
      port.postMessage({ part: new Uint8Array(), more: false });
    };
    const house = new Hosting({ ask, at: () => '/', changed() {}, kept: path => kept.push(path) });
    const asked = new Map();
    for (const [at, target] of targets.entries())
      house.ask({ link: { other: 'aa', send() {} }, asked }, { ask: at, method: 'GET', target, headers: [], body: '' });
    await until(() => !asked.size);
    return kept;
  },

  /** The addresses that the rate limits use for phones with such names. */
  async addresses(names) {
    const found = [];
    const house = new Hosting({ ask: ({ guest }) => found.push(guest), at: () => '/', changed() {} });
    for (const other of names)
      house.ask({ link: { other }, asked: new Map() }, { ask: 1, method: 'GET', target: '/', headers: [], body: '' });
    return found;
  },

  /** The cookies of a guest that goes from one house to another and comes back. */
  async cookies() {
    const { visiting } = await guest();
    const line = other => ({ other, isOpen: true, close() {}, send() {} });
    const headers = [];
    for (const house of ['aa', 'bb', 'aa']) {
      visiting.arrive(line(house));
      headers.push(visiting.cookies.header);
      visiting.cookies.take(`pubdice=${house}; Path=/`);
    }
    return headers;
  },

  headers: async given => trusted(given),

  /** The paths of addresses, in a pocket at HOME. */
  paths: async (home, texts) => texts.map(text => ownPath(text, home)),

  /**
   * The first page that a house names, and its Location header, as a guest takes them. HOME is a folder of this
   * machine.
   */
  async at(texts) {
    const found = [];
    for (const text of texts) {
      const each = await guest();
      each.peer.hear(said({ proof: each.link.proof }));
      await settled();
      each.peer.hear(said({ hello: { home: '/', at: text } }));
      found.push([each.visiting.at, trusted([['Location', text]]).filter(([name]) => name === 'location').length]);
    }
    return found;
  },

  async proof() {
    const [offer, answer] = [codeOf(sdp(11)), codeOf(sdp(12), readCode(codeOf(sdp(11))).ufrag)];
    return { offer, answer, proof: await proofOf(readCode(offer), readCode(answer)) };
  },

  /** Each first message of a phone that has not read the answer. */
  async strangers() {
    const earlier = await guest();
    const found = {};
    const first = async (what, make) => {
      const each = await guest();
      const { offer, answer } = each;
      const before = peers.length;
      each.peer.hear(await make(offer, answer));
      each.peer.hear(said({ proof: await proofOf(offer, answer) })); // too late
      each.peer.hear(said(HELLO));
      await settled();
      found[what] = left(each, before);
    };
    const proof = make => async (offer, answer) => said({ proof: await proofOf(...make(offer, answer)) });
    await first('hello of an earlier version', () => said(HELLO));
    await first(
      'another password',
      proof((offer, answer) => [offer, { ...answer, pwd: 'p'.repeat(24) }]),
    );
    await first(
      "the offer's password",
      proof((offer, answer) => [offer, { ...answer, pwd: offer.pwd }]),
    );
    await first(
      'another phone answers',
      proof((offer, answer) => [offer, { ...answer, fingerprint: offer.fingerprint }]),
    );
    await first(
      'another phone offers',
      proof((offer, answer) => [{ ...offer, fingerprint: answer.fingerprint }, answer]),
    );
    await first(
      'another offer',
      proof((offer, answer) => [{ ...offer, ufrag: 'uuuu' }, answer]),
    );
    await first(
      'another answer',
      proof((offer, answer) => [offer, { ...answer, ufrag: 'uuuu' }]),
    );
    await first(
      'ends the other way round',
      proof((offer, answer) => [answer, { ...offer, pwd: answer.pwd }]),
    );
    await first(
      'of an earlier line',
      proof(() => [earlier.offer, earlier.answer]),
    );
    await first('capitals', async (...both) => said({ proof: (await proofOf(...both)).toUpperCase() }));
    for (const value of ['', null, true, 0, [], {}]) await first(`proof ${said(value)}`, () => said({ proof: value }));
    for (const text of [
      '{}',
      'null',
      '1',
      '[]',
      '""',
      'no JSON',
      said({ away: true }),
      said({ spare: codeOf(sdp(9)) }),
    ])
      await first(text, () => text);
    await first('bytes', () => Uint8Array.of(0, 0, 0, 0, 0));
    await first('head', () => said({ head: 0, status: 200, headers: [['set-cookie', 'a=b']] }));
    return found;
  },

  /** A phone that opens the line and sends nothing. */
  async silent() {
    const each = await guest();
    const before = left(each, peers.length);
    const late = timers.filter(({ ms }) => ms === 10_000);
    for (const { call } of late) call();
    return { before, timers: late.length, after: left(each, peers.length) };
  },

  async proved() {
    const { visiting, words, proved, peer } = await host();
    const open = { words: [...words], house: visiting.house !== '' };
    timers.length = 0;
    peer.hear(said(HELLO));
    return { proved, open, isGone: visiting.link.isGone };
  },

  /** A stranger on a line of a guest that has a house: the existing line stays. */
  async another() {
    const { visiting, words, link } = await host();
    const answer = await visiting.come(codeOf(sdp(77)));
    const stays = !link.isGone && visiting.link === link;
    const { coming } = visiting;
    peers.at(-1).channel.onopen();
    peers.at(-1).hear(said(HELLO));
    await settled();
    return { answer: !!answer, stays, isGone: coming.isGone, words, isThere: visiting.link === link && !link.isGone };
  },

  /** The state of one more code's line for a guest that has a house: its phone is out of reach, or in reach. */
  async latest() {
    const stats = new Map([[1, { type: 'candidate-pair', state: 'succeeded', requestsReceived: 5 }]]);
    const { visiting, peer } = await host();
    peer.getStats = async () => stats;
    const told = async () => [await visiting.isRead(), await visiting.meets()];
    await visiting.come(codeOf(sdp(77)));
    const [line, far] = [visiting.coming, await told()];
    line.close();
    const gone = await told();
    await visiting.come(codeOf(sdp(78)));
    peers.at(-1).getStats = async () => stats;
    return { far, gone, near: await told() };
  },

  /**
   * The line breaks, and the spare one leads to the house but is slow. True for each number of seconds after which it
   * stays.
   */
  async slow(seconds) {
    const { visiting, words, link } = await host();
    const { spare } = visiting;
    let now = 0;
    give('performance', { now: () => now });
    Link.prototype.reaches = async () => true;
    link.peer.connectionState = 'failed';
    link.close();
    const kept = [];
    timers.length = 0; // those of the line before
    let due = [];
    for (; now <= 1000 * Math.max(...seconds); now += 1000) {
      for (const { call } of due.filter(({ at }) => at <= now)) call();
      await settled();
      due = [...due.filter(({ at }) => at > now), ...timers.splice(0).map(({ call, ms }) => ({ call, at: now + ms }))];
      if (seconds.includes(now / 1000)) kept.push(!spare.isGone);
    }
    return { kept, words };
  },

  /** A spare line whose other end has no proof. */
  async spare() {
    const { visiting, words, link, peer } = await host();
    const spare = visiting.spare;
    const told = peer.sent.filter(message => 'spare' in message).length;
    peers.at(-1).channel.onopen();
    peers.at(-1).hear(said(HELLO));
    await settled();
    return { told, isGone: spare.isGone, words, isThere: visiting.link === link && visiting.spare === null };
  },

  /** A line of the house that opens before any answer was read, and one whose answer is read twice. */
  async house() {
    const house = new Hosting({ ask() {}, at: () => '/', changed() {} });
    const early = await house.door();
    peers.at(-1).channel.onopen();
    peers.at(-1).hear(said({ ask: 1 }));
    await settled();
    const door = await house.door();
    const peer = peers.at(-1);
    const { ufrag } = readCode(door.code);
    const [one, two] = [31, 32].map(number => readCode(codeOf(sdp(number), ufrag)));
    const taken = await Promise.all([door.link.accept(one), door.link.accept(two)]);
    peer.channel.onopen();
    await settled();
    return {
      early: early.link.isGone,
      taken,
      guests: [...house.guests.keys()].map(key => key.slice(0, 4)),
      first: peer.sent[0].proof === (await proofOf(readCode(door.code), one)),
      second: Object.keys(peer.sent[1])[0],
    };
  },
};
console.log(said(await CASES[name](...JSON.parse(given))));
process.exit(0);
