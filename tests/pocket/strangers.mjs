// What phones say to each other, run by Node without a browser: FOLDER has the pocket's scripts. Two ends are joined as
// WebRTC joins them, but whoever wants to opens a channel. CASE is the name of one below; prints what came of it.
import { pathToFileURL } from 'node:url';

const [, , folder, name] = process.argv;
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
give('indexedDB', {}); // a browser that keeps nothing there
for (const key of ['addEventListener', 'removeEventListener']) give(key, () => {});
const { setTimeout: later } = globalThis;
give('setTimeout', (call, ms) => timers.push({ call, ms }));
const settled = () => new Promise(done => later(done, 5));

const peers = [];
const letters = (length, from) => Array.from({ length }, (_, at) => 'abcdefgh'[(from * 7 + at * at) % 8]).join('');
/** An SDP of a line, by a phone. */
const sdp = (number, phone = number) =>
  [
    'a=candidate:1 1 udp 1 192.168.1.7 4000 typ host',
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
  createOffer = async () => ({ type: 'offer', sdp: sdp(this.number) });
  createAnswer = async () => ({ type: 'answer', sdp: sdp(this.number) });
  getStats = async () => new Map();
  async setLocalDescription(description) {
    this.localDescription = description;
    this.signalingState = description.type === 'offer' ? 'have-local-offer' : 'stable';
  }
  async setRemoteDescription({ type }) {
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
const { codeOf, proofOf, readCode } = await load('phones/link.js');
const { Visiting } = await load('phones/visiting.js');
const { Hosting } = await load('phones/hosting.js');

/** A guest that has answered an offer; its channel is open, and nothing was said. */
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

/** What is left of a guest. */
const left = ({ words, visiting, peer, link }, others) => ({
  words: [...words],
  isGone: link.isGone,
  isGuest: visiting.house !== '' || visiting.link !== null || [...notes.keys()].some(key => key.includes('guest')),
  sent: peer.sent.length,
  others: peers.length - others,
});

/** A guest whose host has read the answer, and given it a spare line. */
async function host() {
  const each = await guest();
  each.peer.hear(said({ proof: await proofOf(each.offer, each.answer) }));
  await settled();
  const proved = { words: [...each.words], isHere: each.visiting.link === each.link };
  each.peer.hear(said(HELLO));
  each.peer.hear(said({ spare: codeOf(sdp(20, each.phone)) }));
  await settled();
  return { ...each, proved };
}

const CASES = {
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

  /** A phone that opens the line and says nothing. */
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

  /** Somebody who is let onto a line of a guest that has a house: the line that is there stays. */
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
console.log(said(await CASES[name]()));
process.exit(0);
