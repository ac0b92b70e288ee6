/**
 * Sealed dice on this phone. It tells the digest of a seed, notes the fixed header once all digests are told, and opens
 * the seed, for the check after the match. docs/solve/fair-dice.md has the reason for it. terminal/sealed_seat.py
 * follows the same rules: tests/support/seat_cases.py has the cases of both. A header is noted, and a seed opened, if
 *
 * - the header has the seal of this table, and for the seat the digest of a seed of this phone;
 * - that seed was opened for no other header;
 * - under the same seal no match has begun, and no other header of as many attempts was noted.
 */
import './sha256.js';
import './verify.js';

const { contradicts, end, extendsNote, isCopied, NEWER, readFixed, sha256 } = globalThis.pubdiceCheck;
const NOTES = 'seals';
// The key under which this tab notes that its player asked for a rematch. The phone is then ready at once.
const AGAIN = 'again';
const MOST = 100;
const LONGEST = 32;
const TYPED = 12;
const SEEDS = '\nseeds: ';
// A command that changed nothing is sent again after this time.
const SOON_MS = 5000;
// The time at which this page sent each command.
const sent = new Map();
const random = () => [...crypto.getRandomValues(new Uint32Array(4))].map(word => word.toString(36)).join('');
/**
 * The notes in memory, if the browser does not store them.
 * @type {Record<string, any>}
 */
let held = {};
/**
 * The timer for sending again.
 * @type {ReturnType<typeof setTimeout> | undefined}
 */
let later;

/**
 * The notes by seal: {at: the table's path, own: {digest: {seed, name, told, opened: its header}}, header, ended: true
 * once the end of the match was seen, after a seed was opened for it}.
 */
function notes() {
  try {
    return { ...JSON.parse(localStorage.getItem(NOTES) ?? '{}'), ...held };
  } catch {
    return held;
  }
}

/** True if this phone came here from a match. Only the first call says so. */
function isAgain() {
  try {
    if (sessionStorage.getItem(AGAIN) !== location.pathname) return false;
    sessionStorage.removeItem(AGAIN);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} seal
 * @param {any} note
 */
function keep(seal, note) {
  const kept = Object.entries(notes())
    .filter(([name]) => name !== seal)
    .slice(1 - MOST);
  try {
    localStorage.setItem(NOTES, JSON.stringify(Object.fromEntries([...kept, [seal, note]])));
    // the browser stores all notes now
    held = {};
  } catch {
    // kept while the page is open. Later the record can still be checked with the eight words
    held[seal] = note;
  }
}

/**
 * The noted seeds of a seat: those under its name, and those with a name and digest that no seat of this header has.
 * @param {any} note
 * @param {any} fixed
 * @param {number} at
 */
const ownOf = ({ own }, { names, digests }, at) =>
  Object.entries(own)
    .filter(([digest, { name }]) => name === names[at] || !(names.includes(name) || digests.includes(digest)))
    .map(([, each]) => each);

/**
 * The verdict on a header. 'note': note it. 'wait': it is not new. 'elsewhere': another phone has the seed. 'away': the
 * seat counts as absent. 'newer': it has a character that this browser does not know. 'warn': it is wrong.
 * @param {any} note
 * @param {string} seal
 * @param {string} header
 * @param {number} at
 */
export function judged(note, seal, header, at) {
  const [text, ...opened] = header.split(SEEDS);
  const fixed = readFixed(text);
  const mine = note?.own[fixed?.digests[at]];
  if (!note) return 'elsewhere';
  if (NEWER.test(text)) return 'newer';
  if (fixed?.seal !== seal || isCopied(fixed) || contradicts(header, note.header)) return 'warn';
  const own = ownOf(note, fixed, at);
  if (!mine && own.length && fixed.players[at] === 'away') return 'away';
  if (!mine) return own.some(({ told, opened }) => told && !opened) ? 'warn' : 'elsewhere';
  if (extendsNote(note.header, header)) return 'wait';
  const told =
    opened.length &&
    opened
      .join(SEEDS)
      .split(', ')
      .map(seed => (seed === '-' ? seed : sha256(seed)));
  const isOther = (mine.opened && !extendsNote(header, mine.opened)) || (told && `${told}` !== `${fixed.digests}`);
  return fixed.players[at] !== 'phone' || isOther ? 'warn' : 'note';
}

/**
 * Carries out the next step for the seal on the page. field: for a typed seed. ready: marks this phone as ready.
 * @param {PageElement} node
 * @param {any} field
 * @param {() => void} ready
 */
export function listen(node, field, ready) {
  /**
   * @type {{seal: string, header: string, digests: string[], unseeded: number[], unopened: number[], seats: number[],
   *   names: string[], opened: boolean}}
   */
  const { seal, header, digests, unseeded, unopened, seats, names, opened } = JSON.parse(node.dataset.facts);
  if (opened) {
    if (held[seal]) held[seal].ended = true;
    return end(seal);
  }
  /**
   * @param {string} text
   * @param {string} style
   */
  const tell = (text, style) => {
    const said = node.querySelector('.hint');
    node.hidden = false;
    said.textContent = text;
    said.className = style;
  };
  /**
   * @param {number} at
   * @param {Record<string, string>} facts
   */
  const send = (at, facts) => {
    const form = document.getElementById('own');
    const what = JSON.stringify([at, facts]);
    if (!form || performance.now() - (sent.get(what) ?? -SOON_MS) < SOON_MS) return;
    sent.set(what, performance.now());
    for (const [name, value] of Object.entries({ seat: `${at} ${names[at]}`, digest: '', seed: '', ...facts }))
      form.elements[name].value = value;
    form.requestSubmit();
    clearTimeout(later);
    later = setTimeout(() => node.isConnected && listen(node, field, ready), SOON_MS);
  };
  if (Object.entries(notes()).some(([name, note]) => name !== seal && note?.at === location.pathname))
    return tell(node.dataset.warning, 'refusal');
  // the seal of an older house, which takes typed seeds only
  if (!seal.startsWith('2 ')) return field?.closest('.nojs')?.classList.remove('nojs');
  const note = notes()[seal];
  if (header) {
    const verdicts = seats.map(at => judged(note, seal, header, at));
    const text = header.split(SEEDS)[0];
    const fixed = readFixed(text);
    if (verdicts.includes('warn')) return tell(node.dataset.warning, 'refusal');
    if (verdicts.includes('newer')) return tell(node.dataset.newer, 'hint');
    if (seats.some((at, i) => verdicts[i] === 'elsewhere' && unopened.includes(at)))
      tell(node.dataset.elsewhere, 'hint');
    const without = seats
      .filter((_, i) => verdicts[i] === 'away')
      .map(at => names[at])
      .join(', ');
    if (without) tell(node.dataset.without.replace('{names}', without), 'hint');
    const own = seats.filter((_, i) => ['note', 'wait'].includes(verdicts[i]));
    if (!own.length) return;
    for (const at of own) note.own[fixed.digests[at]].opened ||= text;
    // a page that is behind may come after the end
    keep(seal, verdicts.includes('note') ? { ...note, header, ended: false } : note);
    for (const at of own) if (unopened.includes(at)) send(at, { seed: note.own[fixed.digests[at]].seed });
    return;
  }
  for (const at of seats)
    if (note?.own[digests[at]] && !note.own[digests[at]].told) {
      note.own[digests[at]].told = true;
      keep(seal, note);
    }
  /**
   * @param {number} at
   * @param {string} seed
   */
  const commit = (at, seed) => {
    const { own, ...rest } = notes()[seal] ?? { at: location.pathname, own: {}, header: '' };
    // the house would refuse a digest that another seat has copied
    const waits = Object.entries(own).find(
      ([digest, each]) => each.name === names[at] && !each.opened && !digests.includes(digest),
    );
    const digest = waits?.[0] ?? sha256(seed);
    if (!waits) keep(seal, { ...rest, own: { ...own, [digest]: { seed, name: names[at], told: false, opened: '' } } });
    send(at, { digest });
  };
  const pad = document.getElementById('taps');
  const mine = seats.filter(at => unseeded.includes(at));
  if (pad) {
    field.form.onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      // the seed itself stays here until all digests are told
      event.stopPropagation();
      const typed = field.value.replace(/[^A-Za-z0-9]/g, '').slice(0, TYPED);
      // plus 20 random characters: a typed seed could be guessed from its digest
      if (typed) commit(names.indexOf(pad.dataset.name), (typed + random()).slice(0, LONGEST));
      else field.focus(); // the field is still empty
      field.value = '';
    };
    import('./taps.js').then(({ begin }) => begin(pad, (name, seed) => commit(names.indexOf(name), seed)));
  } else for (const at of mine) commit(at, random());
  if (!mine.length && isAgain()) ready();
}
