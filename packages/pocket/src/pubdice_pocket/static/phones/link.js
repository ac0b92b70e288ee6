/**
 * A line: a WebRTC connection between two browsers without a server. Also the codes by which the two find each other.
 *
 * A code holds the parts of a WebRTC SDP that the other side can't know, in base64url: VERSION, the fingerprint of the
 * certificate (32 bytes), ufrag and password of ICE, each after its length, the ufrag of the offer that it answers
 * (none in an offer), and up to four addresses, each with kind, address and port. The rest of an SDP is fixed. A
 * browser's own SDP stays unchanged, as browsers are about to refuse changes.
 *
 * A code leads to a local network. If it has a local address, other addresses are dropped, when it is made and when it
 * is read: many a Wi-Fi gives each phone a public address too. If it has none, it is `far` and leads nowhere, unless
 * the player allows it (`readCode`).
 *
 * The side that made an offer answers the other side's checks before it has read the answer. So the answering side
 * knows at once if the network lets the two meet. But it could also connect to a phone that has not read its answer: a
 * phone that answers each check with 487 becomes the controlling side, and needs no password to choose the route.
 * Therefore the offering side first sends {proof} on each line (`proofOf`), and the line is not open before. Until
 * it has read the answer, the offering side sends nothing, not even the first message of the encryption. Otherwise, if
 * two phones answer one offer, the first would take the place of the one whose answer was read, and neither would get
 * in.
 */
import { database, done, HOME } from '../places.js';

const VERSION = 1;
const FINGERPRINT = 32;
const MOST_PLACES = 4;
export const MOST_CODE = 400;
const GATHER_MS = 2000;
const LOOK_MS = 150;
const REACH_MS = 1500;
// enough for lost packets, which are sent again after 1, 2 and 4 s
const PROOF_MS = 10_000;
// longer, as Chromium takes three seconds and more to resolve a name
const REACH_NAMED_MS = 6000;
export const MOST_MESSAGE = 16_384;
const MOST_UNSENT = 4 << 20;
const MOST_BUFFERED = 256 << 10;
const CERTIFICATE_MS = 365 * 86_400_000;
const DATABASE = `pubdice phones ${HOME}`;
const [MDNS, IPV4, IPV6] = [0, 4, 6];
const SIZES = { [MDNS]: 16, [IPV4]: 4, [IPV6]: 16 };
const NAME = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})\.local$/;

/**
 * The content of a code. `isFar` is true if it has addresses, but no local one.
 * @typedef {{fingerprint: Uint8Array, ufrag: string, pwd: string, of: string, places: [string, number][],
 *   isFar: boolean}} Code
 */

/** @param {string} digits */
const fromHex = digits => Array.from(digits.match(/../g) ?? [], pair => Number.parseInt(pair, 16));
/** @param {Iterable<number>} bytes */
export const toHex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0'));
/** @param {string} text */
const told = text => [text.length, ...Array.from(text, letter => letter.charCodeAt(0))];

/**
 * Returns the sixteen bytes of an IPv6 address.
 * @param {string} text
 */
function fromIpv6(text) {
  const [head, tail] = text.split('::').map(half => half.split(':').filter(Boolean));
  const zeros = Array(Math.max(0, 8 - head.length - (tail?.length ?? 0))).fill('0');
  return [...head, ...(tail ? zeros : []), ...(tail ?? [])].flatMap(group => fromHex(group.padStart(4, '0')));
}

/**
 * Returns the kind and bytes of an address. Null if codes can't hold it.
 * @param {string} text
 * @returns {[number, number[]] | null}
 */
function packed(text) {
  const name = NAME.exec(text);
  if (name) return [MDNS, fromHex(name.slice(1).join(''))];
  if (/^(\d{1,3}\.){3}\d{1,3}$/.test(text)) return [IPV4, text.split('.').map(Number)];
  return /^[0-9a-f:]+$/i.test(text) && fromIpv6(text).length === 16 ? [IPV6, fromIpv6(text)] : null;
}

/**
 * @param {number} kind
 * @param {Uint8Array} bytes
 */
function unpacked(kind, bytes) {
  const digits = toHex(bytes).join('');
  if (kind === IPV4) return bytes.join('.');
  if (kind === IPV6) return digits.match(/.{4}/g)?.join(':') ?? '';
  return `${[...digits.matchAll(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/g)][0].slice(1).join('-')}.local`;
}

/**
 * Returns true if an address is of a phone on the same network, or of this phone. 100.64.0.0/10 does not count: all
 * customers of a provider are behind it. Names end with .local, and are resolved on the same network only.
 * @param {number} kind
 * @param {Uint8Array | number[]} bytes
 */
function isLocal(kind, bytes) {
  const [one, two] = bytes;
  if (kind === IPV4)
    return (
      [10, 127].includes(one) ||
      (one === 172 && two >> 4 === 1) ||
      (one === 192 && two === 168) ||
      (one === 169 && two === 254)
    );
  // fc00::/7, fe80::/10, ::1
  const isThis = bytes.every((/** @type {number} */ byte, /** @type {number} */ at) => byte === Number(at === 15));
  return kind === MDNS || one >> 1 === 0x7e || (one === 0xfe && two >> 6 === 2) || isThis;
}

/**
 * Returns the local addresses, or all addresses if none is local.
 * @template {{isLocal: boolean}} Place
 * @param {Place[]} places
 */
function nearest(places) {
  const local = places.filter(each => each.isLocal);
  return local.length ? local : places;
}

/**
 * Returns the code for an SDP.
 * @param {string} sdp
 * @param {string} [of] the ufrag of the offer that it answers
 */
export function codeOf(sdp, of = '') {
  /** @param {string} name */
  const line = name => sdp.match(new RegExp(`^a=${name}(.+?)\\s*$`, 'm'))?.[1] ?? '';
  const places = [...sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ host/gim)].flatMap(
    ([, address, port]) => {
      const [kind, bytes] = packed(address) ?? [];
      return kind === undefined || !bytes
        ? []
        : [{ isLocal: isLocal(kind, bytes), told: [kind, ...bytes, +port >> 8, +port & 255] }];
    },
  );
  const bytes = [
    VERSION,
    ...fromHex(line('fingerprint:sha-256 ').replaceAll(':', '')),
    ...told(line('ice-ufrag:')),
    ...told(line('ice-pwd:')),
    ...told(of),
    ...nearest(places)
      .slice(0, MOST_PLACES)
      .flatMap(place => place.told),
  ];
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/**
 * Returns the content of a code; null if it is no code. A stranger may have written it.
 * @param {string} code
 * @param {boolean} [mayBeFar] the player allows it to lead to the internet
 * @returns {Code | null}
 */
export function readCode(code, mayBeFar = false) {
  if (code.length > MOST_CODE || !/^[\w-]+$/.test(code)) return null;
  let at = 1 + FINGERPRINT;
  /** @type {Uint8Array} */
  let bytes;
  try {
    bytes = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0));
  } catch {
    return null;
  }
  const text = () => {
    const length = bytes[at++] ?? 0;
    const found = String.fromCharCode(...bytes.subarray(at, at + length));
    at += length;
    return found;
  };
  const [ufrag, pwd, of] = [text(), text(), text()];
  /** @type {{isLocal: boolean, place: [string, number]}[]} */
  const told = [];
  while (at < bytes.length && told.length < MOST_PLACES) {
    const kind = bytes[at];
    const end = at + 1 + SIZES[kind];
    if (!(end + 2 <= bytes.length)) return null;
    const address = bytes.subarray(at + 1, end);
    told.push({ isLocal: isLocal(kind, address), place: [unpacked(kind, address), bytes[end] * 256 + bytes[end + 1]] });
    at = end + 2;
  }
  const places = nearest(told);
  const isFar = places.some(each => !each.isLocal) && !mayBeFar;
  const letters = /^[\w+/-]+$/;
  const sound = bytes[0] === VERSION && at === bytes.length && letters.test(ufrag) && letters.test(pwd);
  return sound && ufrag.length >= 4 && pwd.length >= 22 && /^[\w+/-]*$/.test(of)
    ? {
        fingerprint: bytes.slice(1, 1 + FINGERPRINT),
        ufrag,
        pwd,
        of,
        places: isFar ? [] : places.map(({ place }) => place),
        isFar,
      }
    : null;
}

/**
 * Returns the SDP for a code.
 * @param {Code} code
 * @param {'active' | 'passive'} setup
 */
const sdpOf = ({ fingerprint, ufrag, pwd, places }, setup) =>
  [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    ...places.map(
      ([address, port], at) => `a=candidate:${at + 1} 1 udp ${2_113_937_151 - at} ${address} ${port} typ host`,
    ),
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${pwd}`,
    `a=fingerprint:sha-256 ${toHex(fingerprint).join(':').toUpperCase()}`,
    `a=setup:${setup}`,
    'a=mid:0',
    'a=sctp-port:5000',
    'a=max-message-size:262144',
    '',
  ].join('\r\n');

/**
 * Returns true if a code hides its phone's addresses behind names. Firefox can be found by its name only after it has
 * read the other code.
 * @param {Code} code
 */
export const isHidden = ({ places }) => places.every(([address]) => address.endsWith('.local'));

/**
 * Makes the proof that a phone has read an answer: an HMAC-SHA256 of both fingerprints and both ufrags. Its key is the
 * answer's password, which ICE never sends. So it holds for one line only.
 * @param {Code} offer
 * @param {Code} answer
 */
export async function proofOf(offer, answer) {
  const told = (/** @type {string} */ text) => new TextEncoder().encode(text);
  const kind = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', told(answer.pwd), kind, false, ['sign']);
  const ends = [offer, answer].map(({ fingerprint, ufrag }) => `${toHex(fingerprint).join('')} ${ufrag}`);
  const proof = await crypto.subtle.sign('HMAC', key, told(['pubdice line 1', ...ends].join(' ')));
  return toHex(new Uint8Array(proof)).join('');
}

/** Returns the name of a phone: the first 9 bytes of its fingerprint, in hex. */
export const nameOf = (/** @type {Uint8Array} */ fingerprint) => toHex(fingerprint.subarray(0, 9)).join('');

/**
 * Returns this phone's certificate. It is the same at every visit, if the browser stores anything.
 * @returns {Promise<RTCCertificate>}
 */
export async function certificate() {
  const make = () =>
    RTCPeerConnection.generateCertificate(
      /** @type {any} */ ({ name: 'ECDSA', namedCurve: 'P-256', expires: CERTIFICATE_MS }),
    );
  try {
    const opened = await database(DATABASE, made => made.createObjectStore('own'));
    const own = () => opened.transaction('own', 'readwrite').objectStore('own');
    const kept = await done(own().get('certificate'));
    if (kept?.expires > Date.now() + CERTIFICATE_MS / 12) return kept;
    const made = await make();
    await done(own().put(made, 'certificate'));
    return made;
  } catch {
    return make();
  }
}

/** A line to one other phone. It delivers all messages in order, or it is gone. */
export class Link {
  /**
   * The callbacks of a line:
   *
   * - heard: called with each message, an object or bytes
   * - lost: called when the line is gone
   * - admits: called before a message is parsed, with its number of letters or bytes; false ends the line
   * @param {RTCCertificate} own
   * @param {{heard: (message: any) => void, lost: () => void, admits?: (size: number) => boolean}} told
   */
  constructor(own, { heard, lost, admits = () => true }) {
    this.peer = new RTCPeerConnection({ certificates: [own] });
    this.channel = this.peer.createDataChannel('house', { negotiated: true, id: 0 });
    this.channel.binaryType = 'arraybuffer';
    this.channel.bufferedAmountLowThreshold = MOST_BUFFERED / 2;
    /** @type {(string | Uint8Array<ArrayBuffer>)[]} */
    this.waiting = [];
    this.unsent = 0;
    this.isOpen = false;
    this.isGone = false;
    this.other = '';
    /** True if the player allowed the line to lead to the internet. */
    this.mayBeFar = false;
    /** The proof that the offering side must send first; '' before there is an answer. */
    this.proof = '';
    /**
     * This side's answer, if it is the answering side.
     * @type {RTCLocalSessionDescriptionInit | null}
     */
    this.answered = null;
    /**
     * The reason why this side ended the line before it was open: no proof, or the first message of an earlier version.
     * @type {'' | 'unproved' | 'differs'}
     */
    this.refused = '';
    this.opened = new Promise(open => {
      this.begin = () => {
        this.isOpen = true;
        open(true);
        this.pump();
      };
    });
    this.channel.onopen = () => this.meetFirst();
    this.lost = lost;
    this.admits = admits;
    this.channel.onclose = () => this.close();
    this.channel.onbufferedamountlow = () => this.pump();
    this.channel.onmessage = ({ data }) => this.hear(data, heard);
    this.peer.onconnectionstatechange = () => {
      if (['failed', 'closed'].includes(this.peer.connectionState)) this.close();
    };
  }

  /** Makes an offer. Resolves to its code. */
  async offer() {
    await this.peer.setLocalDescription(await this.peer.createOffer());
    return codeOf(await this.gathered());
  }

  /**
   * Answers an offer. Resolves to the code of the answer.
   * @param {Code} code
   * @param {boolean} [later] the code has no addresses, and the phones look for each other only after `meet`
   */
  async answer(code, later = false) {
    this.other = nameOf(code.fingerprint);
    await this.peer.setRemoteDescription({ type: 'offer', sdp: sdpOf(code, 'active') });
    this.answered = await this.peer.createAnswer();
    const answer = codeOf(this.answered.sdp ?? '', code.ufrag);
    this.proof = await proofOf(code, /** @type {Code} */ (readCode(answer)));
    if (later) return answer;
    await this.meet();
    return codeOf(await this.gathered(), code.ufrag);
  }

  meet() {
    return this.peer.setLocalDescription(/** @type {RTCLocalSessionDescriptionInit} */ (this.answered));
  }

  /** Handles the opening of the channel, which does not identify the phone at its other end. */
  meetFirst() {
    if (this.answered) setTimeout(() => this.isOpen || this.refuse(), PROOF_MS);
    else if (!this.proof) this.close();
    else {
      this.channel.send(JSON.stringify({ proof: this.proof }));
      this.begin();
    }
  }

  /** @param {'unproved' | 'differs'} [why] */
  refuse(why = 'unproved') {
    if (!this.isOpen && !this.isGone) this.refused = why;
    this.close();
  }

  /**
   * Resolves to true if the phone that offered this line can be reached. The test does not use up the offer: this side
   * waits for the other to start the encryption, and the other does not.
   * @param {Code} code
   */
  async reaches(code) {
    await this.offer();
    await this.peer.setRemoteDescription({ type: 'answer', sdp: sdpOf(code, 'active') });
    for (let left = isHidden(code) ? REACH_NAMED_MS : REACH_MS; left > 0 && !this.isNear; left -= LOOK_MS)
      await new Promise(done => setTimeout(done, LOOK_MS));
    const { isNear } = this;
    this.close();
    return isNear;
  }

  /**
   * Takes the answer to this side's offer. Resolves to false if it answers another offer.
   * @param {Code} code
   */
  async accept(code) {
    const own = readCode(codeOf(this.peer.localDescription?.sdp ?? ''));
    if (own?.ufrag !== code.of || this.other || this.peer.signalingState !== 'have-local-offer') return false;
    this.other = nameOf(code.fingerprint);
    this.proof = await proofOf(own, code);
    await this.peer.setRemoteDescription({ type: 'answer', sdp: sdpOf(code, 'passive') });
    return true;
  }

  /** Resolves to true if the other phone has looked for this one. It does so after it has read this phone's code. */
  async isRead() {
    return [...(await this.peer.getStats()).values()].some(({ requestsReceived = 0 }) => requestsReceived > 0);
  }

  /** True if the network is known to let the two phones meet. */
  get isNear() {
    return this.isOpen || ['connected', 'completed'].includes(this.peer.iceConnectionState);
  }

  /** Resolves to `isNear`, even before the other phone has read the answer. Firefox then calls no line connected. */
  async meets() {
    const found = this.isNear ? [] : [...(await this.peer.getStats()).values()];
    return this.isNear || found.some(({ type, state }) => type === 'candidate-pair' && state === 'succeeded');
  }

  async gathered() {
    const { peer } = this;
    if (peer.iceGatheringState !== 'complete')
      await new Promise(done => {
        setTimeout(done, GATHER_MS);
        peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done(true);
      });
    return peer.localDescription?.sdp ?? '';
  }

  /**
   * @param {string | ArrayBuffer} data
   * @param {(message: any) => void} heard
   */
  hear(data, heard) {
    if (this.isGone) return;
    try {
      const isText = typeof data === 'string';
      const size = isText ? data.length : data.byteLength;
      if (!this.admits(size) || (isText && size > MOST_MESSAGE)) throw new RangeError('too much');
      const message = isText ? JSON.parse(data) : new Uint8Array(data);
      if (this.isOpen) heard(message);
      else if (this.answered && this.proof && message.proof === this.proof) this.begin();
      // earlier versions of Pubdice began with hello
      else this.refuse(message.hello ? 'differs' : 'unproved');
    } catch {
      // no pocket house sends such a message
      this.refuse();
    }
  }

  /**
   * Sends an object as JSON, or bytes. If too many bytes wait, the line is closed.
   * @param {object | Uint8Array<ArrayBuffer>} message
   */
  send(message) {
    if (this.isGone) return;
    const data = message instanceof Uint8Array ? message : JSON.stringify(message);
    this.waiting.push(data);
    this.unsent += data.length;
    if (this.unsent > MOST_UNSENT) this.close();
    else this.pump();
  }

  pump() {
    while (this.isOpen && this.waiting.length && this.channel.bufferedAmount < MOST_BUFFERED) {
      const data = /** @type {any} */ (this.waiting.shift());
      this.unsent -= data.length;
      this.channel.send(data);
    }
  }

  close() {
    if (this.isGone) return;
    this.isGone = true;
    this.isOpen = false;
    this.waiting = [];
    this.channel.close();
    this.peer.close();
    this.lost();
  }
}
