/**
 * Checks the sealed dice of a record with the record alone. Has its own SHA-256 and HMAC (RFC 6234, RFC 2104), as
 * crypto.subtle is missing on plain http, and this page also works from a file. The recipe is in docs/fair-dice.md.
 */
const DOMAIN = 'pubdice sealed dice 1', BLOCK = 64;

/** The first 32 bits of the fractional parts of roots of the first primes. */
function fractions(count, root) {
  const found = [];
  for (let number = 2; found.length < count; number++) {
    let prime = true;
    for (let by = 2; by * by <= number; by++) if (number % by === 0) prime = false;
    if (prime) found.push(((number ** (1 / root)) % 1) * 2 ** 32 | 0);
  }
  return found;
}

const START = fractions(8, 2), ROUNDS = fractions(64, 3);
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The SHA-256 of bytes, as bytes. */
function sha256(bytes) {
  const length = bytes.length, filled = new Uint8Array((((length + 8) >> 6) + 1) << 6), view = new DataView(filled.buffer);
  filled.set(bytes);
  filled[length] = 0x80;
  view.setUint32(filled.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(filled.length - 4, length << 3);
  const hash = [...START], words = new Int32Array(64);
  for (let at = 0; at < filled.length; at += BLOCK) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) words[i] = view.getInt32(at + 4 * i);
      else {
        const a = words[i - 15], b = words[i - 2];
        const one = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3), two = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
        words[i] = words[i - 16] + one + words[i - 7] + two;
      }
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25), s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = (hash[i] + word) | 0));
  }
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

const bytesOf = text => new TextEncoder().encode(text);
const joined = (one, two) => Uint8Array.from([...one, ...two]);
const hex = bytes => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
const unhex = text => Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16));

/** HMAC-SHA256 with a key of at most 64 bytes. */
function hmac(key, message) {
  const pad = value => Uint8Array.from({ length: BLOCK }, (_, i) => (key[i] ?? 0) ^ value);
  return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), message))));
}

/** So many draws among `among` for a roll of a match: 0 stands for the draw of Player 1. */
function draws({ seed, table, seats }, roll, number, among) {
  const found = [], most = 256 - (256 % among);
  for (let block = 0; found.length < number; block++)
    for (const byte of hmac(unhex(seed), bytesOf(`${DOMAIN}|${table}|${seats.join(',')}|${roll}|${block}`)))
      if (byte < most && found.length < number) found.push(byte % among);
  return found;
}

/** The header of a record, and what was drawn and rolled: {kind, text, line}. */
function read(text) {
  const header = {}, chances = [];
  let body = false;
  text.split('\n').forEach((whole, at) => {
    const line = whole.split('#')[0].trim(), note = line.includes(':') ? null : line.match(/^(draw|round)\s+(.*)/i);
    if (note || body) {
      body = true;
      if (note?.[1].toLowerCase() === 'draw') chances.push({ kind: 'draw', text: note[2], line: at + 1 });
      if (note || !line) return;
      for (const [word] of line.slice(line.indexOf(':') + 1).matchAll(/=\s*\S+|[0-9]+|[A-Za-z][^\s=]*|\S+/g))
        if (/^[0-9]+$/.test(word)) chances.push({ kind: 'roll', text: word, line: at + 1 });
    } else if (line.includes(':')) {
      const key = line.slice(0, line.indexOf(':')).trim().toLowerCase();
      header[key] = key in header ? NaN : line.slice(key.length + 1).trim();
    }
  });
  return { header, chances };
}

const CHECK = /^check: ([0-9a-f]{64})\n/m;
const parts = text => text.split(',').map(part => part.trim());

/** What a check of a record finds: {fault, rolls, line, expected, chain, number, digest, seed}; no fault: all match. */
function check(given) {
  const text = given.replace(/^\ufeff/, '').replace(/\r\n/g, '\n'), { header, chances } = read(text);
  const seal = (header.seal ?? '').match(/^([0-9a-f]{16})\/([1-9][0-9]?) ([0-9a-f]{64})$/);
  if (!/^\s*pubdice 1\s*$/m.test(text)) return { fault: 'none', rolls: 0 };
  if (Object.values(header).some(Number.isNaN)) return { fault: 'none', rolls: 0 };
  if (!seal) return { fault: 'unsealed', rolls: 0 };
  const [, chain, number, digest] = seal, { seed = '', seeds = '', seats: named = '' } = header;
  const found = { chain, number: +number, digest, seed, seats: parts(seeds), names: parts(named), rolls: 0, line: 0, expected: '' };
  const whole = hex(sha256(bytesOf(text.replace(CHECK, '').replace(/\n+$/, ''))));
  if (text.match(CHECK)?.[1] !== whole) return { ...found, fault: 'changed' };
  if (!seed) return { ...found, fault: 'unopened' };
  if (!/^[0-9a-f]{64}$/.test(seed) || hex(sha256(unhex(seed))) !== digest) return { ...found, fault: 'other-seed' };
  const proof = { ...found, table: `${chain}/${number}` }, names = parts(named);
  for (const { kind, text: told, line } of chances) {
    const isRoll = kind === 'roll';
    found.rolls += isRoll;
    const fell = isRoll ? draws(proof, found.rolls, told.length, 6) : draws(proof, 0, 1, names.length);
    const expected = isRoll ? fell.map(lot => lot + 1).join('') : names[fell[0]];
    if (told !== expected) return { ...found, fault: kind, line, expected };
  }
  return found.rolls ? found : { ...found, fault: 'none' };
}

/** What this device noted of tables, by table: {digest, seed, of: seeds by name}; nothing where the browser keeps nothing. */
function notes() {
  try {
    return JSON.parse(localStorage.getItem('seals') ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/** Whether a record lacks a seed that this device added: its own, or one of somebody who shared it and still played. */
const isLeftOut = ({ seed, of = {} }, { seats, names }) =>
  (seed && !seats.includes(seed)) || names.some((name, at) => name in of && seats[at] !== of[name]);

/** The places in a list of 1,024 words of the eight words of a seal: its first 80 bits, ten at a time. */
const places = digest => {
  const bits = [...unhex(digest)].map(byte => byte.toString(2).padStart(8, '0')).join('');
  return Array.from({ length: 8 }, (_, i) => parseInt(bits.slice(10 * i, 10 * i + 10), 2));
};

globalThis.pubdiceCheck = { check, draws, sha256: text => hex(sha256(bytesOf(text))) };

const form = document.getElementById('verify');
if (form) {
  document.documentElement.classList.add('js');
  const { words, said } = JSON.parse(document.getElementById('page').dataset.told);
  const field = form.elements.record, answer = document.getElementById('answer');
  const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
  const add = (parent, name, text, style = '') => {
    const node = parent.appendChild(document.createElement(name));
    node.textContent = text;
    node.className = style;
    return node;
  };

  const show = (record, heading) => {
    const found = check(record), { fault, rolls, digest, line } = found;
    const section = answer.appendChild(document.getElementById('result').content.firstElementChild.cloneNode(true));
    const title = section.querySelector('h2'), list = section.querySelector('.words');
    title.textContent = said[fault ? 'wrong' : 'right'] + heading;
    const told = said[fault ?? 'right_told'];
    const facts = { ...found, number: rolls };
    add(section, 'p', line ? fill(said.line, { line, said: fill(told, facts) }) : fill(told, facts));
    if (digest) for (const place of places(digest)) add(list, 'li', words[place]);
    else section.querySelector('.seal').remove();
    if (digest) {
      section.querySelector('.digest').textContent = digest;
      const noted = notes()[`${found.chain}/${found.number}`];
      if (noted) add(section, 'p', noted.digest !== digest ? said.differs : isLeftOut(noted, found) ? said.no_seed : said.noted);
    }
    const stamp = section.querySelector('.stamp');
    if (fault && fault !== 'roll') stamp?.remove();
    else if (stamp) {
      stamp.textContent = fill(fault ? said.stamp_bad : said.stamp_good, { number: rolls });
      stamp.classList.add(fault ? 'bad' : 'good');
    }
    return found;
  };

  /** Checks records, and that those of one evening follow each other. */
  const checkAll = given => {
    answer.replaceChildren();
    const records = given.flatMap(([name, text]) => {
      const parts = text.split(/^(?=[ \t]*pubdice 1[ \t]*\r?$)/mi).filter(part => part.trim());
      return parts.length > 1 ? parts.map((part, at) => [`${name} ${at + 1}`.trim(), part]) : [[name, text]];
    });
    const found = records.map(([name, text]) => show(text, records.length > 1 ? ` (${name})` : ''));
    found.slice(1).forEach((other, i) => {
      const one = found[i];
      if (!one.chain || !other.chain || other.digest === one.seed) return;
      if (one.chain !== other.chain) return add(answer, 'p', fill(said.another, other));
      const facts = { one: one.number, other: other.number }, apart = other.number - one.number;
      add(answer, 'p', fill(apart < 1 ? said.order : apart === 1 ? said.broken : said.missing, facts), 'refusal');
    });
    const heading = answer.querySelector('h2');
    heading.tabIndex = -1;
    heading.focus();
  };

  form.addEventListener('submit', event => {
    event.preventDefault();
    checkAll([['', field.value]]);
  });
  form.elements.files.addEventListener('change', async ({ target: { files } }) => {
    const texts = await Promise.all([...files].map(async file => [file.name, await file.text()]));
    if (texts.length === 1) field.value = texts[0][1];
    if (texts.length) checkAll(texts);
  });
  if (field.value.trim()) checkAll([['', field.value]]);
}
