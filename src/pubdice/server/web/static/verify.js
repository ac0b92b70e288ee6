/** Checks the sealed dice of a record with the record alone, or a file. The recipe is in docs/solve/fair-dice.md. */
const { bytesOf, hex, hmac, sha256, unhex } = globalThis.pubdiceHash;
const DOMAIN = 'pubdice sealed dice';

/**
 * A number of draws among `among` for a roll of a match. Roll 0 is the draw of Player 1. bound: the match's part of
 * each message: in version 1 its table and seeds, since then the digest of its header.
 * @param {{seed: string, bound: string}} sealed
 * @param {number} roll
 * @param {number} number
 * @param {number} among
 */
function draws({ seed, bound }, roll, number, among) {
  const found = [];
  const most = 256 - (256 % among);
  for (let block = 0; found.length < number; block++)
    for (const byte of hmac(unhex(seed), bytesOf(`${DOMAIN} ${bound}|${roll}|${block}`)))
      if (byte < most && found.length < number) found.push(byte % among);
  return found;
}

/** @param {string} text */
const hashed = text => hex(sha256(bytesOf(text)));
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python counts them as white space.
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const SEEN = /^[\n -~·・\p{L}\p{M}\p{N}]*$/u;
const UNSEEN = /\p{DI}/u;
// A character that this browser's Unicode lacks: it may be a letter or not.
const NEWER = /(?!\p{NChar})\p{Cn}/u;
// The house's own characters, letters and the like, which are no emoji of a name: emoji.py lists the emoji.
const NO_EMOJI =
  String.raw`\0-\u21aa\u23cf\u23ed-\u23ef\u23f8-\u25fe\u2611\u2666\u26aa\u26ab\u2705\u2714-\u2716\u2733\u2734` +
  String.raw`\u2747-\u2757\u2795-\u2797\u27a1\u2934-\u3299\u{1f170}-\u{1f2ff}\u{1f3fb}-\u{1f3ff}\u{1f4af}` +
  String.raw`\u{1f518}-\u{1f524}\u{1f532}-\u{1f53d}\u{1f7e0}-\u{1f7f0}`;
const ONE = String.raw`(?![${NO_EMOJI}])(?:\p{EBase}\p{EMod}|\p{EPres}|(?!\p{EPres})\p{Emoji}\ufe0f)`;
const EMOJI = String.raw`(?:\p{RI}{2}|${ONE}(?:\u200d${ONE})*)`;
const DOT = String.raw`[·・](?=[\p{L}\p{N}])`;
const NAME = new RegExp(
  String.raw`^(?![Dd][Rr][Aa][Ww]$)(?!.* ( |$))(?=.{1,24}$)(?!.*[^\p{L}\p{N}][·・])` +
    String.raw`'?(?:[\p{L}\p{N}]|${EMOJI})(?:[\p{L}\p{M}\p{N} '._&+/-]|${DOT}|${EMOJI})*$`,
  'u',
);

/**
 * A text without white space at both ends, by Python's definition, as pubdice verify reads a record. In linear time.
 * @param {string} text
 */
function strip(text) {
  let from = 0;
  let to = text.length;
  while (from < to && SPACE.test(text[from])) from++;
  while (from < to && SPACE.test(text[to - 1])) to--;
  return text.slice(from, to);
}

/**
 * A text without line feeds at its end.
 * @param {string} text
 */
function unended(text) {
  let to = text.length;
  while (to && text[to - 1] === '\n') to--;
  return text.slice(0, to);
}

/**
 * The header of a record by key, or null if this is no record. The header ends at the first draw, round or back.
 * @param {string} text
 */
function read(text) {
  const header = Object.create(null);
  let begun = false;
  for (const whole of text.split('\n')) {
    const line = strip(whole.split('#')[0]);
    const note = /^(draw|round|back)(.)/is.exec(line);
    if (!line) continue;
    if (!begun) {
      if (
        line.length > 99 ||
        !/^pubdice 1$/i.test(
          [...line]
            .map(sign => (SPACE.test(sign) ? ' ' : sign))
            .join('')
            .replace(/ +/g, ' '),
        )
      )
        return null;
      begun = true;
    } else if (note && SPACE.test(note[2]) && !line.includes(':')) break;
    else {
      const at = line.indexOf(':');
      const key = strip(line.slice(0, at)).toLowerCase();
      const value = strip(line.slice(at + 1));
      if (at < 0 || !/^[a-z]+$/.test(key) || !value || key in header) return null;
      header[key] = value;
    }
  }
  return header.game && header.seats ? header : null;
}

const WITH_NAMES = /^(?: (?:[0-9A-Z][0-9A-Z.]{0,255}|[a-z][!"$-<>-~]{0,63}))+(?: = [0-9]{1,15})?$|^ = [0-9]{1,15}$/;

/**
 * The names of the faces of a record's dice, as dice.py reads them: 1 to 6 unless the header says otherwise. Null if
 * they are no names.
 * @param {any} header
 * @returns {string[] | null}
 */
function facesOf({ faces = '6' }) {
  const names = /^[0-9]{1,3}$/.test(faces)
    ? Array.from({ length: Math.min(+faces, 101) }, (_, at) => `${at + 1}`)
    : faces.split(' ');
  const sound =
    names.length > 1 &&
    names.length < 101 &&
    new Set(names).size === names.length &&
    every(names, name => /^([0-9]{1,3}|[A-Z][A-Z0-9]?)$/.test(name));
  return sound ? names : null;
}

/**
 * The separator between the dice of a roll.
 * @param {string[]} faces
 */
const between = faces => (faces.join('') === '123456' ? '' : '.');

const WORDS = /^(?: (?:[1-6]{1,64}|[A-Za-z][!"$-<>-~]{0,63}))+(?: = [0-9]{1,15})?$|^ = [0-9]{1,15}$/;

/**
 * The draws and rolls of a body: {kind, text, line}. Null if the body is too long, or has anything that no house
 * writes.
 * @param {string} text
 * @param {string[]} names
 * @param {string[]} faces
 * @param {any} [format]
 */
function chancesOf(text, names, faces, format = '') {
  const at = text.indexOf('\n\n');
  const above = text.slice(0, at + 2).split('\n').length;
  const chances = [];
  const sign = between(faces);
  const [written, fallen] = sign ? [WITH_NAMES, /^[0-9A-Z]/] : [WORDS, /^[1-6]+$/];
  const body = unended(at < 0 ? '' : text.slice(at + 2));
  const rounds = Math.min(1e3, Math.max(0, ...(format.match(/[0-9]{1,9}/g) ?? [])));
  // words, as notation.py counts them
  let left = Math.min(2e5, 1e4 + 1e4 * names.length) + 20 * names.length * rounds;
  for (const [below, whole] of body ? body.split('\n').entries() : []) {
    const isDraw = whole.startsWith('draw ') && names.includes(whole.slice(5));
    const colon = whole.indexOf(':');
    const told = whole.slice(colon + 1);
    const isTurn = below && colon >= 0 && names.includes(whole.slice(0, colon)) && written.test(told);
    const line = above + below;
    const [words, score] = told.split(' = ');
    const rolled = isTurn ? words.split(' ') : [];
    if (isDraw) chances.push({ kind: 'draw', text: whole.slice(5), line });
    for (const word of rolled)
      if (fallen.test(word)) {
        if (!every(word.split(sign), one => faces.includes(one))) return null;
        chances.push({ kind: 'roll', text: word, line });
      }
    left -= isTurn ? rolled.length + +!!score : 1;
    if (left < 0 || !(isDraw || isTurn || /^round [1-9][0-9]{0,3}$/.test(whole))) return null;
  }
  return chances;
}

const CHECK = /(^|\n)check: ([0-9a-f]{64})\n/;
const SEED = /^[A-Za-z0-9]{1,32}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const SEAL = /^(2 )?([0-9a-f]{16})\/([1-9][0-9]?) ([0-9a-f]{64})$/;
const FIXED = ['seal', 'players', 'digests', 'attempt'];
const PROOF = [...FIXED, 'seeds', 'seed', 'check', 'night'];
const SEEDS = '\nseeds: ';
/** @param {string} text */
const parts = text => text.split(', ');
/**
 * @param {any[]} list
 * @param {(one: any, at: number) => unknown} holds
 */
const every = (list, holds) => list.every(holds);

/**
 * True for valid names of seats, as names.py reads them: no two alike, without regard to capitals.
 * @param {string[]} names
 */
function areNames(names) {
  const folded = names.map(
    name =>
      name
        .replace(/\u0131/g, '-')
        .toLowerCase()
        .toUpperCase(),
    // a dotless i is no i
  );
  return (
    names.length < 65 &&
    new Set(folded).size === names.length &&
    every(names, name => NAME.test(name) && name === name.normalize())
  );
}

/**
 * The fields of a header, or null if a line is not as a house writes it. last: the keys that end it.
 * @param {string} text
 * @param {string[]} last
 */
function fieldsOf(text, last) {
  const [first, ...lines] = text.split('\n');
  /** @type {any[]} */
  const pairs = lines.map(line => line.match(/^([a-z]+): ([^ #\n](?:[^#\n]*[^ #\n])?)$/));
  if (first !== 'pubdice 1' || pairs.includes(null)) return null;
  const keys = pairs.map(([, key]) => key);
  const fields = Object.fromEntries(pairs.map(([, key, value]) => [key, value]));
  const bare = text.replace(/^(seats|first): .*/gm, line => line.replace(new RegExp(EMOJI, 'gu'), ''));
  const sound =
    new Set(keys).size === keys.length &&
    `${keys.splice(-last.length)}` === `${last}` &&
    !keys.some(key => PROOF.includes(key)) &&
    /^game,([a-z]+,)*seats,format,(opener,)?first$/.test(`${keys}`) &&
    SEEN.test(bare) &&
    !UNSEEN.test(bare) &&
    areNames(parts(fields.seats));
  return sound ? fields : null;
}

/**
 * The facts in a fixed header without seeds. Null if no house writes such a header.
 * @param {string} text
 * @returns {any}
 */
function readFixed(text) {
  /** @type {any} */
  const fields = fieldsOf(text, FIXED);
  if (!fields) return null;
  const [names, players, digests] = ['seats', 'players', 'digests'].map(key => parts(fields[key]));
  const sound =
    names.length === players.length &&
    names.length === digests.length &&
    fields.seal.match(SEAL)?.[1] &&
    fields.seal.match(SEAL)[3] < 65 &&
    /^[1-9][0-9]{0,3}$/.test(fields.attempt) &&
    every(players, player => /^(phone|typed|away|bot:[a-z]{1,40})$/.test(player)) &&
    every(digests, (digest, at) => (/^(away|bot:)/.test(players[at]) ? digest === '-' : DIGEST.test(digest)));
  return sound ? { seal: fields.seal, names, players, digests, attempt: +fields.attempt } : null;
}

/**
 * True if a seat has the digest of another seat's phone. Then both would claim one seed.
 * @param {{players: string[], digests: string[]}} fixed
 */
const isCopied = ({ players, digests }) =>
  digests.some((digest, at) => players[at] === 'phone' && digests.indexOf(digest) !== digests.lastIndexOf(digest));

/**
 * True for the noted header, with or without its seeds.
 * @param {string} header
 * @param {string} noted
 */
const extendsNote = (header, noted) => header === noted || header.startsWith(noted + SEEDS);

/**
 * True if no honest house fixes this header besides the noted one: it has as many attempts or fewer, or all seeds were
 * already told.
 * @param {string} header
 * @param {string} noted
 */
const contradicts = (header, noted) =>
  noted &&
  !extendsNote(header, noted) &&
  !extendsNote(noted, header) &&
  (noted.includes(SEEDS) || !(readFixed(header.split(SEEDS)[0])?.attempt > readFixed(noted)?.attempt));

/**
 * A text as a house writes it: line feeds at its line ends, and no byte order mark.
 * @param {string} text
 */
const plain = text => text.replace(/^\ufeff/, '').replace(/\r\n/g, '\n');

/**
 * The records in a text, as notation.py splits them: each from its version line on. The first includes the lines before
 * it.
 * @param {string} text
 */
function recordsIn(text) {
  const [lead, first = '', ...more] = `\n${plain(text)}`.split(
    /\n(?=[ \t]*pubdice[ \t]+1[ \t]*(?:#[^\n]*)?(?:\n|\r?$))/i,
  );
  return [`${lead}\n${first}`.slice(1), ...more].map(part => `${part}\n`);
}

/**
 * The result of a check of a record: {fault, rolls, line, expected, seal, seed, names, seeds, players …}. Without a
 * fault, all match.
 * @param {string} given
 * @returns {any}
 */
function check(given) {
  const text = plain(given);
  const header = read(text);
  const faces = header && facesOf(header);
  if (!faces) return { fault: 'none', rolls: 0 };
  const { seal, seed = '', seeds: added = '' } = header;
  if (!seal) return { fault: 'unsealed', rolls: 0 };
  const [, version, chain, number, digest] = seal.match(SEAL) ?? [];
  if (!digest || +number > 64 || (seed && !DIGEST.test(seed))) return { fault: 'shape', rolls: 0 };
  const bare = text.replace(CHECK, '$1');
  const table = `${chain}/${number}`;
  const seeds = parts(added);
  const head = bare.slice(0, `${bare}\n\n`.indexOf('\n\n'));
  const end = `${SEEDS}${added}${seed && `\nseed: ${seed}`}`;
  const played = head.endsWith(end) ? head.slice(0, -end.length) : '';
  const fixed = version && readFixed(played);
  const names = fixed?.names ?? parts(header.seats);
  const found = {
    chain,
    number: +number,
    digest,
    seal,
    seed,
    seeds,
    names,
    rolls: 0,
    line: 0,
    expected: '',
    shown: version ? hashed(`${DOMAIN} 2|${table}|${digest}`) : digest,
    players: fixed?.players,
    digests: fixed?.digests,
    attempt: fixed?.attempt,
    header: fixed ? played + SEEDS + added : '',
  };
  if (text.match(CHECK)?.[2] !== hashed(unended(bare))) return { ...found, fault: 'changed' };
  const chances = chancesOf(text, names, faces, header.format);
  const shaped = version
    ? fixed && !isCopied(fixed) && every(seeds, (each, at) => (each === '-') === (fixed.digests[at] === '-'))
    : fieldsOf(played, ['seal']);
  if (NEWER.test(text)) return { ...found, fault: 'newer' };
  if (
    !shaped ||
    !chances ||
    !text.startsWith(`${head}\ncheck: `) ||
    seeds.length !== names.length ||
    !every(seeds, each => each === '-' || SEED.test(each))
  )
    return { ...found, fault: 'shape' };
  if (!seed) return { ...found, fault: 'unopened' };
  if (hex(sha256(unhex(seed))) !== digest) return { ...found, fault: 'other-seed' };
  const other = seeds.findIndex((each, at) => fixed && each !== '-' && hashed(each) !== fixed.digests[at]);
  if (other >= 0) return { ...found, fault: 'seat-seed', expected: names[other] };
  const bound = version ? `2|${hashed(found.header)}` : `1|${table}|${seeds.join(',')}`;
  const sign = between(faces);
  for (const { kind, text: told, line } of chances) {
    const isRoll = kind === 'roll';
    found.rolls += +isRoll;
    const fell = isRoll
      ? draws({ seed, bound }, found.rolls, told.split(sign).length, faces.length)
      : draws({ seed, bound }, 0, 1, names.length);
    const expected = isRoll ? fell.map(lot => faces[lot]).join(sign) : names[fell[0]];
    if (told !== expected) return { ...found, fault: kind, line, expected };
  }
  return found.rolls ? found : { ...found, fault: 'shape' };
}

/** The notes of this device by seal (version 1: by table). Nothing if the browser keeps nothing. */
function notes() {
  try {
    return JSON.parse(localStorage.getItem('seals') ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/**
 * The reason that a record has no seed of this device: {verdict, mine: its seats that are away in the record}.
 * @param {Record<string, any>} note
 * @param {Pick<Checked, 'names' | 'players'>} found
 */
function missed({ own = {} }, { names, players }) {
  const added = Object.values(own).filter(({ told, opened }) => told || opened);
  const seats = added.map(({ name }) => names.includes(name) && name);
  // false: any seat
  const mine = names.filter((name, at) => players[at] === 'away' && (seats.includes(name) || seats.includes(false)));
  if (!added.length) return { verdict: 'untold', mine: [] };
  return mine.length && every(seats, name => !name || mine.includes(name))
    ? { verdict: 'away', mine }
    : { verdict: 'no_seed', mine: [] };
}

/**
 * Compares a record with this device's notes: {verdict, mine: the seats with seeds of this device, or away}.
 * @param {Checked} found
 */
function compared({ seal, chain, number, digest, header, seeds, names, players, digests = seeds.map(hashed) }) {
  const known = Object.entries(notes()).filter(([, note]) => note);
  const table = `${chain}/${number}`;
  const note = known.find(([name]) => name === seal)?.[1];
  const isOther = known.some(
    ([name, { own = {} }]) =>
      (name.startsWith('2 ') && name.split(' ')[1] === table) || digests.some(each => each in own),
  );
  if (header && note) {
    const { own = {} } = note;
    if (!digests.some(each => each in own) && !contradicts(header, note.header))
      return missed(note, { names, players });
    // all players know a seed of an earlier attempt, so another seat may have added it
    const mine = names.filter((_, at) => {
      const seed = own[digests[at]];
      return seed && (!seed.opened || extendsNote(header, seed.opened));
    });
    const isNoted = mine.length && note.header && extendsNote(header, note.header);
    return { verdict: isNoted ? 'noted' : 'differs', mine };
  }
  const old = header ? null : known.find(([, each]) => each.digest === digest);
  const other = notes()[table];
  if (!old) return { verdict: isOther || other?.digest ? 'differs' : 'not_noted', mine: [] };
  if (old[0] !== table) return { verdict: 'differs', mine: [] };
  const { seed, of = {} } = old[1];
  const isLeftOut =
    (seed && !seeds.includes(seed)) || names.some((name, at) => Object.hasOwn(of, name) && seeds[at] !== of[name]);
  return { verdict: isLeftOut ? 'no_seed' : 'noted_old', mine: [] };
}

/**
 * Notes that a match has ended: the house has opened its seal, or its record was checked.
 * @param {string} seal
 */
function end(seal) {
  const known = notes();
  if (known[seal]?.ended !== false) return;
  known[seal].ended = true;
  try {
    localStorage.setItem('seals', JSON.stringify(known));
  } catch {
    // the browser stores nothing, so the page will say again that the end was not seen
  }
}

globalThis.pubdiceCheck = {
  check,
  compared,
  contradicts,
  draws,
  end,
  extendsNote,
  isCopied,
  NEWER,
  notes,
  readFixed,
  recordsIn,
  sha256: hashed,
};
