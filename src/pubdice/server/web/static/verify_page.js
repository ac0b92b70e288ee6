/** The form of /verify. Checks the records in it, or in files, by verify.js, and says the result. */
(() => {
  const { check, compared, end, notes, recordsIn } = globalThis.pubdiceCheck;
  const { unhex } = globalThis.pubdiceHash;

  /**
   * The places of a seal's eight words in a list of 1,024 words: its first 80 bits, ten at a time.
   * @param {string} digest
   */
  const places = digest => {
    const bits = [...unhex(digest)].map(byte => byte.toString(2).padStart(8, '0')).join('');
    return Array.from({ length: 8 }, (_, i) => parseInt(bits.slice(10 * i, 10 * i + 10), 2));
  };

  /** The tables of matches with an opened seed of this device, and no end seen. */
  const brokenOff = () => Object.values(notes()).flatMap(note => (note?.ended === false ? [`${note.at}`] : []));

  const form = document.getElementById('verify');
  document.documentElement.classList.add('js');
  const { words, said } = JSON.parse(document.getElementById('page').dataset.told);
  const field = form.elements.record;
  const answer = document.getElementById('answer');
  /**
   * @param {string} text
   * @param {Record<string, any>} facts
   */
  const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
  /**
   * @param {Element} parent
   * @param {string} name
   * @param {string} text
   * @param {string} [style]
   */
  const add = (parent, name, text, style = '') => {
    const node = parent.appendChild(document.createElement(name));
    node.textContent = text;
    node.className = style;
    return node;
  };

  /** @param {string[]} who */
  const inWords = who => {
    const last = who.at(-1) ?? '';
    const some = who.slice(0, -1).join(', ');
    let { and } = said;
    for (const [word, instead, before] of said.changes)
      if (new RegExp(`^(?:${before})`, 'i').test(last)) and = and.replace(` ${word} {last}`, ` ${instead} {last}`);
    return some ? fill(and, { some, last }) : last;
  };

  /**
   * Sentences on a proof: its scope, and the people whose seeds it rests on.
   * @param {Checked} found
   */
  const covered = ({ names, seeds, players, attempt }) => {
    /** @param {(at: number) => unknown} holds */
    const named = holds => names.filter((_, at) => holds(at));
    /**
     * @param {string} sentence
     * @param {string[]} who
     */
    const tell = (sentence, who) =>
      who.length ? [fill(said[sentence][+(who.length > 1)], { names: inWords(who) })] : [];
    const phones = tell(
      'phone',
      named(at => players?.[at] === 'phone'),
    );
    return [
      ...(players ? (phones.length ? phones : [said.no_phone]) : [said.old]),
      ...tell(
        'typed',
        named(at => players?.[at] === 'typed'),
      ),
      ...tell(
        'without',
        named(at => seeds[at] === '-'),
      ),
      ...(attempt > 1 ? [fill(said.attempts, { number: attempt })] : []),
    ];
  };

  /**
   * @param {string} record
   * @param {string} heading
   */
  const show = (record, heading) => {
    const found = check(record);
    const { fault, rolls, digest, line } = found;
    const noted = digest && compared(found);
    const isWrong = fault || noted?.verdict === 'differs';
    const isMissing = ['untold', 'away', 'no_seed'].includes(noted?.verdict);
    const section = answer.appendChild(document.getElementById('result').content.firstElementChild.cloneNode(true));
    const title = section.querySelector('h2');
    const list = section.querySelector('.words');
    title.textContent =
      said[fault === 'newer' ? 'unread' : isWrong ? 'wrong' : isMissing ? 'missing_seed' : 'right'] + heading;
    const told = said[fault ?? 'right_told'];
    const facts = { ...found, number: rolls };
    add(section, 'p', line ? fill(said.line, { line, said: fill(told, facts) }) : fill(told, facts));
    if (digest) {
      for (const place of places(found.shown)) add(list, 'li', words[place]);
      section.querySelector('.digest').textContent = found.shown;
      for (const told of fault ? [] : covered(found)) add(section, 'p', told);
      if (!fault) add(section, 'p', fill(said[noted.verdict], { names: inWords(noted.mine) }));
      if (!fault && noted.verdict === 'noted' && found.attempt < 2) add(section, 'p', said.unchosen);
    } else section.querySelector('.seal').remove();
    const stamp = section.querySelector('.stamp');
    if (isWrong && fault !== 'roll') stamp?.remove();
    else if (stamp) {
      stamp.textContent = fill(fault ? said.stamp_bad : said.stamp_good, { number: rolls });
      stamp.classList.add(fault ? 'bad' : 'good');
    }
    return found;
  };

  /**
   * Checks records, and the links between records of one evening.
   * @param {string[][]} given
   */
  const checkAll = given => {
    answer.replaceChildren();
    const records = given.flatMap(([name, text]) => {
      const records = recordsIn(text);
      return records.length > 1
        ? records.map((/** @type {string} */ record, /** @type {number} */ at) => [`${name} ${at + 1}`.trim(), record])
        : [[name, text]];
    });
    const found = records.map(([name, text]) => show(text, records.length > 1 ? ` (${name})` : ''));
    /** @type {Record<string, any>} */
    const last = {};
    for (const other of found.filter(({ chain, fault }) => chain && fault !== 'shape')) {
      const one = last[other.chain];
      const apart = other.number - one?.number;
      if (!one && Object.keys(last).length) add(answer, 'p', fill(said.another, other));
      last[other.chain] = other;
      if (one && (other.digest !== one.seed || apart !== 1)) {
        const facts = { one: one.number, other: other.number };
        add(answer, 'p', fill(apart < 1 ? said.order : apart === 1 ? said.broken : said.missing, facts), 'refusal');
      }
    }
    for (const each of found) if (!each.fault && compared(each).verdict === 'noted') end(each.seal);
    const open = brokenOff();
    if (open.length) add(answer, 'p', fill(said.unended[+(open.length > 1)], { table: open.at(-1) }));
    const heading = answer.querySelector('h2');
    heading.tabIndex = -1;
    heading.focus();
  };

  form.addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    checkAll([['', field.value]]);
  });
  const picked = form.elements.files;
  picked.addEventListener('change', async () => {
    const texts = [];
    for (const file of picked.files) texts.push([file.name, await file.text()]);
    if (texts.length === 1) field.value = texts[0][1];
    if (texts.length) checkAll(texts);
  });
  if (field.value.trim()) checkAll([['', field.value]]);
})();
