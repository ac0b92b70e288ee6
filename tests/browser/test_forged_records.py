"""The page's checker and Python's agree on each forged record of sealed dice, and on each note of a device."""

import re
import unicodedata
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.scene import Visitor
from play import KITS
from pubdice.core.errors import BadNotation
from pubdice.core.seal import KeyedSeals, Seal, digest_of_seat
from pubdice.match.header import is_letter, read_names
from pubdice.match.sealed_record import DiceCheck, Proof, check_dice, text_digest
from pubdice.match.sealed_sentences import chain_sentences, covered_sentences, gap_sentence
from pubdice.terminal.reading import records_in
from pubdice.terminal.sealed_seat import SealNotes
from pubdice.terminal.verify import noted_sentences
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from support.browser import page_of
from support.forgeries import EVENINGS, SEALS, forged_bodies, forgeries, honest, written
from support.profiles import NIGHTLY
from support.sealed_match import played, record_of
from support.seat_cases import CASES, FIXED, MINE, OPENED, SEAL, note

USUAL = {"keep": "plain"}

CHECK = """([texts, notes]) => texts.map(text => {
  const found = pubdiceCheck.check(text);
  const { fault = null, rolls, expected = '', line = 0, seal = '', header = '' } = found;
  const noted = (fault ? [] : notes).map(note => {
    localStorage.setItem('seals', JSON.stringify(note));
    return pubdiceCheck.compared(found);
  });
  return { fault, rolls, expected, line, seal, header, noted };
})"""
Notes = dict[str, dict[str, Any]]
"""The notes of a device, by seal."""


def notes_of(proof: Proof) -> list[Notes]:
    """Return each kind of notes that a device may have when it checks a record with this proof."""
    seal, header = replace(proof.seal, version=2), proof.header  # notes exist only for version 2
    fixed, other = proof.fixed.text if proof.fixed else "", Seal("0f" * 8, 7, "ab" * 32).write()
    same_place = Seal(seal.chain, seal.number, "ab" * 32).write()

    def keeps(noted: str, seed: str = proof.seeds[0], **facts: Any) -> dict[str, Any]:
        own = {"seed": seed, "told": True, "opened": ""} | facts
        return {"at": "x", "header": noted, "own": {digest_of_seat(seed): own}}

    lost = [
        {seal.write(): keeps(noted, "another", **({"name": name} if name else {}), told=told, opened=opened)}
        for noted in ("", fixed.replace("attempt: 1", "attempt: 0"))
        for name in ("", "Ann", "Bob", "Cid")
        for told, opened in ((False, ""), (True, ""), (True, "pubdice 1"), (False, "pubdice 1"))
    ]
    two = keeps("", "another", name="Ann")
    two["own"] |= keeps("", "one more", name="Bob")["own"]
    before = keeps(fixed, opened=fixed)
    before["own"] |= keeps("", proof.seeds[-1], opened="pubdice 1")["own"]
    return [
        {},
        *lost,
        {seal.write(): two},
        {seal.write(): before},
        {seal.write(): keeps(header)},
        {seal.write(): keeps(fixed)},
        {seal.write(): keeps("")},
        {seal.write(): keeps(header, "another")},
        {seal.write(): keeps(header.replace("rounds 1", "rounds 2"))},
        {seal.write(): keeps(fixed, "another")},
        {seal.write(): keeps(fixed.replace("rounds 1", "rounds 2"), "another")},
        {seal.write(): keeps(fixed.replace("attempt: 1", "attempt: 2"), "another")},
        {seal.write(): keeps("pubdice 1", "another")},
        {same_place: keeps(header, "another")},
        {other: keeps(header)},
        {other: keeps(header, "another")},
        {other: keeps("", "another"), seal.write(): keeps(header)},
    ]


def checked(text: str) -> DiceCheck | None:
    """Return Python's verdict. None if it can't read the text as a record."""
    try:
        return check_dice(text)
    except BadNotation:
        return None


@pytest.fixture(scope="module")
def checker(standing: Visitor) -> Page:
    """The page that checks records, for all tests, with the script of sealed dice as ``sealer``."""
    page = page_of(standing(), "/verify")
    script = page.locator("script[src*='verify.js']").get_attribute("src")
    assert script
    load = "async script => { globalThis.sealer = await import(new URL(script, location.href)); }"
    page.evaluate(load, script.replace("verify.js", "seal.js"))
    return page


AS_OPENED = """() => {
  localStorage.clear();
  document.getElementById('verify').reset();
  document.getElementById('answer').replaceChildren();
}"""


@pytest.fixture
def page(checker: Page) -> Page:
    """The page ``checker`` with an empty form, on a device without notes."""
    checker.evaluate(AS_OPENED)
    return checker


@pytest.mark.parametrize("version", [1, 2])
def test_the_page_and_python_agree_on_every_forged_record_and_every_note(page: Page, version: int) -> None:
    found, proof = [*forgeries(version), *forged_bodies(version)], check_dice(honest(version)).proof
    found = list({each.text: each for each in found}.values())[:: 1 if NIGHTLY or version > 1 else 3]
    assert proof is not None
    notes, told = notes_of(proof), set[str]()
    kept = [SealNotes(None) for _ in notes]
    for each, known in zip(kept, notes, strict=True):
        for seal, facts in known.items():
            each.keep(seal, facts)
    verdicts: list[dict[str, Any]] = page.evaluate(CHECK, [[forgery.text for forgery in found], notes])
    for forgery, said in zip(found, verdicts, strict=True):
        what = forgery.what, forgery.effort
        verdict = checked(forgery.text)
        if verdict is None:
            assert said["fault"] is not None, what
            continue
        assert (said["fault"], said["rolls"], said["expected"]) == (verdict.fault, verdict.rolls, verdict.expected), (
            what
        )
        if verdict.fault in ("roll", "draw"):
            assert verdict.place is not None
            assert said["line"] == verdict.place.line, what
        if verdict.fault or verdict.proof is None:
            continue
        assert said["header"] == verdict.proof.header, what
        compared = [each.compared(verdict.proof) for each in kept]
        assert [(each["verdict"].replace("_", "-"), tuple(each["mine"])) for each in said["noted"]] == compared, what
        told |= {each[0] for each in compared}
    every = {"noted", "not-noted", "untold", "away", "no-seed", "differs"}
    assert told == (every if version > 1 else {"not-noted", "differs"})


@pytest.mark.parametrize("name", ["Bob", "constructor", "toString"])
def test_a_note_of_version_1_is_looked_up_by_the_names_that_it_has(page: Page, name: str) -> None:
    """Try names that each JavaScript object has as a property, too."""
    lines, body = honest(1).replace("Bob", name).partition("\n\n")[::2]
    text = written([line for line in lines.split("\n") if not line.startswith("check: ")], body, "dice", honest(1))
    proof = check_dice(text).proof
    assert proof is not None
    noted = {"digest": proof.seal.digest, "of": {"Ann": proof.seeds[0]}}
    notes = [{proof.seal.table: facts} for facts in (noted, {**noted, "of": {name: "another"}})]
    [found] = page.evaluate(CHECK, [[text], notes])
    assert [each["verdict"] for each in found["noted"]] == ["noted_old", "no_seed"]


def test_the_page_tells_whom_the_dice_bind_as_python_does(visitor: Visitor) -> None:
    page = page_of(visitor(locale="es-ES"), "/verify")
    for name, joined, attempt in (("Inés", "Ann e Inés", 1), ("Bea", "Ann y Bea", 2)):
        text = record_of(*played(KITS["midnight"], SEALS, names=("Ann", name), attempt=attempt))
        proof = check_dice(text).proof
        assert proof is not None
        said = covered_sentences(proof, language("es"))
        assert joined in said[0]
        assert len(said) == attempt, "the second attempt is told, the first is not"
        page.locator("#record").fill(text)
        page.locator("#verify .main").click()
        expect(page.locator("#answer")).to_contain_text(said[0])
        told = page.locator("#answer p").all_inner_texts()
        assert told[told.index(said[0]) : -1] == said, "the last tells what is noted"


def test_the_page_judges_each_header_as_the_terminal_does(page: Page) -> None:
    judge = "cases => cases.map(([note, seal, header, at]) => sealer.judged(note ?? undefined, seal, header, at))"
    found = page.evaluate(judge, [[case.note, case.seal, case.header, case.seat] for case in CASES])
    assert found == [case.verdict for case in CASES]


LISTEN = """([facts, isFull]) => {
  const node = document.createElement('div');
  node.innerHTML = '<p class="hint"></p>';
  Object.assign(node.dataset, { facts: JSON.stringify(facts), warning: 'warned' });
  const { setItem } = Storage.prototype;
  if (isFull) Storage.prototype.setItem = () => { throw new Error('full'); };
  sealer.listen(node, null, () => {});
  Storage.prototype.setItem = setItem;
  return [node.textContent, JSON.parse(localStorage.seals ?? '{}')[facts.seal] ?? null];
}"""
"""A script that returns a phone's text about a table's seal, and its note after that. ``isFull``: the browser stores
nothing.
"""


OVER = """seal => {
  const node = document.createElement('span');
  node.dataset.facts = JSON.stringify({ seal, opened: true });
  sealer.listen(node, null, () => {});
}"""
"""A script: a phone reads the facts on the page of a finished match."""


def test_the_page_says_which_match_it_never_saw_end(page: Page) -> None:
    """The page no longer says so once the table has shown that the house opened its seal."""
    told = "This device opened a seed for a match at /t/ABCDEF and never saw that match end."
    seal = replace(SEAL, number=9).write()
    note = {"at": "/t/ABCDEF", "own": {}, "header": "", "ended": False}

    def says() -> bool:
        page.locator("#record").fill(honest(2))
        page.locator("#verify .main").click()
        return told in page.locator("#answer").inner_text()

    assert not says()
    page.evaluate("notes => (localStorage.seals = JSON.stringify(notes))", {seal: note})
    assert says()
    page.evaluate(OVER, seal)
    assert not says()


def test_the_page_does_not_call_a_sign_forged_that_it_does_not_know(page: Page) -> None:
    page.locator("#record").fill(resealed(honest(2).replace("Bob", "B\u0378b")))
    page.locator("#verify .main").click()
    expect(page.locator("#answer h2")).to_have_text("Not checked")


HEADS = {
    **dict.fromkeys(("untold", "away", "no-seed"), "Without your seed"),
    "differs": "The seal does not hold",
}
"""The heading over a valid record, by the verdict on this phone's note."""


@pytest.mark.parametrize("verdict", HEADS)
def test_a_sound_record_without_a_seed_of_this_phone_is_called_wrong_only_if_it_is(page: Page, verdict: str) -> None:
    text = next(each.text for each in forgeries(2) if (each.what, each.effort) == ("seats: the last away", "dice"))
    proof = check_dice(text).proof
    assert proof is not None
    noted = note(told=verdict != "untold", name="Bob" if verdict == "away" else "Ann")
    noted |= {"header": proof.header.replace("rounds 1", "rounds 2") if verdict == "differs" else ""}
    page.evaluate("notes => (localStorage.seals = JSON.stringify(notes))", {proof.seal.write(): noted})
    page.locator("#record").fill(text)
    page.locator("#verify .main").click()
    expect(page.locator("#answer h2")).to_have_text(HEADS[verdict])
    expect(page.locator(".stamp")).to_have_count(int(verdict != "differs"))
    (notes := SealNotes(None)).keep(proof.seal.write(), noted)
    assert notes.compared(proof)[0] == verdict
    [said] = noted_sentences(check_dice(text), notes, Language())
    expect(page.locator("#answer section > p", has_text=said)).to_have_count(1)


def test_what_a_full_browser_did_not_keep_hides_nothing_that_it_keeps_later(page: Page) -> None:
    facts = {"seal": SEAL.write(), "digests": [], "unseeded": [], "unopened": [], "seats": [0], "names": ["Ann", "Bob"]}
    page.evaluate("notes => (localStorage.seals = JSON.stringify(notes))", {SEAL.write(): note()})
    for header, is_full, kept in ((FIXED, True, ""), (OPENED, False, OPENED), (FIXED, False, OPENED)):
        said, noted = page.evaluate(LISTEN, [facts | {"header": header}, is_full])
        assert (said, noted["header"]) == ("", kept)
    page.evaluate(OVER, SEAL.write())
    assert page.evaluate(LISTEN, [facts | {"header": FIXED}, False])[1]["ended"], "a page behind the end"


def test_a_phone_whose_digest_another_seat_copied_tells_another_one(page: Page) -> None:
    facts = {"seal": SEAL.write(), "header": "", "unopened": [], "seats": [0], "names": ["Ann", "Bob"]}
    page.evaluate("notes => (localStorage.seals = JSON.stringify(notes))", {SEAL.write(): note()})
    for digests, seeds in ((["", ""], 1), (["", MINE], 2), (["", MINE], 2)):
        _, noted = page.evaluate(LISTEN, [facts | {"digests": digests, "unseeded": [0]}, False])
        assert len(noted["own"]) == seeds


@cache
def matches(seals: KeyedSeals, number: int, game: str = "midnight") -> tuple[str, ...]:
    """Return the records of the first ``number`` matches of a chain."""
    kit = KITS[game]
    room, state, log = played(kit, seals)
    texts = [record_of(room, state, log)]
    while len(texts) < number:
        room, state, log = played(kit, seals, room.again(state, 0, "ABCDEF", seals))
        texts.append(record_of(room, state, log))
    return tuple(texts)


def test_the_page_and_python_check_dice_of_other_faces_alike(page: Page) -> None:
    """Check poker dice, whose faces a line of the header names. If that line names others, no roll fits."""
    [text] = matches(SEALS, 1, "aces")
    (line,) = re.findall("(?m)^faces: .*\n", text)
    others = [text.replace(line, new) for new in ("faces: 9 10 J Q K K\n", "faces: 9 10 J K Q A\n")]
    rolled = re.search(r" [0-9AKQJ.]{5,} k", text)
    assert rolled is not None
    changed = text.replace(rolled[0], " 9.9.9 k" if rolled[0] != " 9.9.9 k" else " A.A.A k", 1)
    for one in (text, changed, *others, *[resealed(each) for each in (changed, *others)]):
        [found] = page.evaluate(CHECK, [[one], []])
        try:
            known: DiceCheck | None = check_dice(one)
        except BadNotation:
            known = None
        assert found["fault"] == (known.fault if known else "none"), one
        assert known is None or (found["rolls"], found["expected"]) == (known.rolls, known.expected)
    assert check_dice(text).fault is None


def test_no_name_has_a_letter_that_a_browser_does_not_show(page: Page) -> None:
    """Check all letters, marks and numbers that both know, as the browser may have a later version of Unicode."""
    known = [char for char in map(chr, range(0x110000)) if unicodedata.category(char)[0] in "LMN"]
    unseen = r"known => [...known].filter(char => /\p{Default_Ignorable_Code_Point}/u.test(char))"
    assert page.evaluate(unseen, "".join(known)) == [char for char in known if not is_letter(char)]


def test_the_page_and_python_take_the_same_names(page: Page) -> None:
    """Check each character that both know: alone, in a name, and beside a variation selector, a skin tone or a joiner.

    By day the test takes a few of each block of 64 letters, as 140,000 letters take 37 s on a busy machine.
    """
    source = (files("pubdice.server.web") / "static" / "verify.js").read_text(encoding="utf-8")
    patterns = source[source.index("const SEEN") : source.index("/**\n * A text without white space at both ends")]
    taken = """names => {
        const emoji = new RegExp(EMOJI, 'gu');
        return names.map(name => {
            const bare = name.replace(emoji, '');
            if (NEWER.test(name)) return 'newer';
            return SEEN.test(bare) && !UNSEEN.test(bare) && NAME.test(name) && name === name.normalize();
        });
    }"""
    known = [char for char in map(chr, range(0x110000)) if unicodedata.category(char) not in ("Cn", "Cs", "Co", "Zs")]
    tried = [char for char in known if NIGHTLY or unicodedata.category(char) != "Lo" or ord(char) % 64 in (0, 21, 63)]
    names = [form.format(char) for char in tried if char not in "#:,\n" for form in ("{}", "A{}", "{}b")]
    signs = [char for char in known if unicodedata.category(char) in ("So", "Sk", "Sm", "Po", "Mn", "Me", "Cf")]
    beside = (
        "{}\ufe0f",
        "{}\ufe0e",
        "{}\U0001f3fd",
        "{0}\u200d{0}",
        "a{}b",
        "{}\U0001f3fd\u200d\u2642\ufe0f",
        "7{}\u20e3",
    )
    names += [form.format(char) for char in signs if char not in "#:,\n" for form in beside]
    found = page.evaluate(f"names => {{ {patterns} return ({taken})(names); }}", names)
    for name, is_taken in zip(names, found, strict=True):
        assert is_taken == "newer" or is_taken == _takes(name), ascii(name)
    assert "\U0001f3b2" in {name for name, is_taken in zip(names, found, strict=True) if is_taken is True}


def _takes(name: str) -> bool:
    try:
        return read_names(name) == (name,)
    except BadNotation:
        return False


def resealed(text: str) -> str:
    """Return the text with its ``check`` line made right."""
    return re.sub("(?m)^check: .*$", f"check: {text_digest(text)}", text)


@pytest.mark.parametrize("evening", EVENINGS)
def test_the_page_and_python_find_the_same_records_in_a_file(page: Page, evening: str, tmp_path: Path) -> None:
    put, faults = EVENINGS[evening]
    (file := tmp_path / "evening.record").write_bytes(put(*matches(SEALS, 2)).encode())
    texts = [each.removeprefix("\ufeff") for each, _ in records_in(file.read_bytes().decode())]
    found = [checked(text) for text in texts]
    assert [each.fault if each else "none" for each in found] == faults
    page.locator("#files").set_input_files(file)
    heads = page.locator("#answer h2")
    expect(heads).to_have_text([re.compile("seal does not hold" if fault else "Checked") for fault in faults])
    parts = page.evaluate("async () => pubdiceCheck.recordsIn(await document.getElementById('files').files[0].text())")
    assert [part.rstrip("\n") for part in parts] == [each.replace("\r\n", "\n").rstrip("\n") for each in texts]


def renumbered(text: str, number: int) -> str:
    """Return a record with another number in its chain, as a house would forge it to hide a missing match."""
    header, _, body = re.sub("\ncheck: .*", "", text).partition("\n\n")
    lines = re.sub(r"(?m)^(seal: .*)/\d+ ", rf"\1/{number} ", header).split("\n")
    return written(lines, body, "dice", text)


CHECK_EVENINGS = """evenings => evenings.map(evening => {
  const form = document.getElementById('verify');
  form.elements.record.value = evening;
  form.requestSubmit();
  return ['h2', ':scope > p'].map(one =>
    [...document.getElementById('answer').querySelectorAll(one)].map(node => node.textContent.trim()));
})"""
"""A script that returns the page's headings and sentences about an evening, for each text."""


def test_the_page_and_python_find_the_same_gaps_in_an_evening(page: Page) -> None:
    one, two, three = matches(SEALS, 3)
    other = matches(KeyedSeals(b"o" * 32, lambda size: b"\4" * size), 1)[0]
    plain = re.sub("(?m)^(seal|players|digests|attempt|seeds|seed|check): .*\n", "", two)
    told = list[str]()
    evenings = [
        [one, two, three], [one, three], [two, one], [one, one], [one, other], [other, two, three], [one, plain, two],
        [one, plain, three], [one, plain, other], [one, renumbered(two, 3)], [one, renumbered(three, 2)],
        [one, two.replace("round 1", "round 7"), three], [one, other, three], [one, other, two], [one, other, one],
        [one, other, renumbered(three, 2)],
    ]  # fmt: skip
    shown = page.evaluate(CHECK_EVENINGS, ["\n".join(evening) for evening in evenings])
    for evening, (heads, sentences) in zip(evenings, shown, strict=True):
        assert len(heads) == len(evening)
        found = list(map(check_dice, evening))
        said = [*chain_sentences(found, Language()), gap_sentence(found, Language())]
        assert sentences == [line for line in said if line]
        told += said
    assert len(set(told)) >= 6, "nothing, a match missing, a broken seal, the order, and two other chains"
