"""Sealed dice in real browsers: seeds added by phones, a match, and its record checked without the house."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.scene import Scene, Visitor
from browser.table_states import sealed_over
from pubdice.core.seal import SealedCup
from pubdice.match.sealed_record import check_dice, text_digest
from support.browser import ask, open_table, sit

VECTORS = json.loads((Path(__file__).parents[1] / "published" / "sealed_dice.json").read_text())
NOTED = "This device noted the same seal before the match, and what it added is in the record."


def test_each_phone_adds_a_seed_and_the_record_is_checked_from_a_file(visitor: Visitor, tmp_path: Path) -> None:
    ann, bob = visitor(), visitor(java_script_enabled=False)
    table = open_table(ann, people=None, dice="sealed")
    sit(bob, table, "Bob")
    page = ann.new_page()
    page.goto(table)
    words = page.locator(".words li").all_inner_texts()
    assert len(words) == 8
    page.get_by_role("button", name="Start with 2 players").click()
    expect(page.locator("#start-why")).to_contain_text("Bob has not added a seed yet")
    plain = bob.new_page()
    plain.goto(table)
    assert plain.locator(".words li").all_inner_texts() == words, "the same words on every phone"
    plain.get_by_label("Your own seed").fill("heads 7")
    plain.locator("#seed button").click()
    page.get_by_role("button", name="Start with 2 players").click()
    expect(page.locator("main[data-stage=playing]")).to_be_attached()
    for phone in (ann, bob):
        ask(phone, table, do="give")
    expect(page.locator("#result")).to_be_visible()

    record = ann.request.get(f"{table}/record").text()
    assert check_dice(record).fault is None
    assert re.search(r"^seeds: [0-9a-z]{16,28}, heads7$", record, re.MULTILINE)
    page.get_by_role("link", name="Check the sealed dice").click()
    expect(page.locator("#answer h2")).to_be_focused()
    rolls = check_dice(record).rolls
    expect(page.locator(".stamp")).to_have_text(f"✓ {rolls} of {rolls} rolls")
    expect(page.locator("#answer")).to_contain_text(NOTED)
    assert page.locator("#answer .words li").all_inner_texts() == words
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save this page").click()
    file = tmp_path / "verify.html"
    saved.value.save_as(file)
    _from_a_file(visitor(), file, record, words)


def test_a_phone_tells_another_seal_and_a_seed_left_out(visitor: Visitor) -> None:
    ann = visitor()
    table = open_table(ann, people=None, dice="sealed")
    page = ann.new_page()
    page.goto(table)
    expect(page.locator("#own-seed")).to_have_count(0)
    (_, noted), *_ = page.evaluate("Object.entries(JSON.parse(localStorage.seals))")
    assert set(noted) == {"digest", "seed"}
    page.evaluate("localStorage.seals = localStorage.seals.replace(/[0-9a-f]{64}/, 'ab'.repeat(32))")
    page.reload()
    expect(page.locator("#seal .refusal")).to_contain_text("This table showed another seal before.")
    host, over = sealed_over(Scene(visitor))
    record = host.request.get(f"{over}/record").text()
    check = visitor().new_page()
    check.goto("/verify")
    found = check_dice(record)
    assert found.proof is not None
    note = {found.proof.seal.table: {"digest": found.proof.seal.digest, "seed": "mine"}}
    check.evaluate("note => localStorage.setItem('seals', JSON.stringify(note))", note)
    check.locator("#record").fill(record)
    check.locator("#verify .main").click()
    expect(check.locator("#answer")).to_contain_text("The seed of this device is not in the record.")


def test_a_browser_that_keeps_nothing_plays_and_checks(visitor: Visitor) -> None:
    ann = visitor()
    ann.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('blocked') }})")
    page = ann.new_page()
    page.goto(open_table(ann, people=None, dice="sealed"))
    expect(page.locator("#own-seed")).to_have_count(0)
    _, table = sealed_over(Scene(visitor))
    page.goto(f"{table}/verify")
    expect(page.locator(".stamp")).to_contain_text("✓")


def test_a_rematch_with_sealed_dice_begins_when_both_phones_have_come(visitor: Visitor) -> None:
    ann, bob = visitor(), visitor()
    table = open_table(ann, people=None, dice="sealed")
    sit(bob, table, "Bob")
    pages = [ann.new_page(), bob.new_page()]
    for page in pages:
        page.goto(table)
        expect(page.locator("#own-seed")).to_have_count(0)
    pages[0].get_by_role("button", name="Start with 2 players").click()
    for phone in (ann, bob):
        expect(pages[0].locator("main[data-stage=playing]")).to_be_attached()
        ask(phone, table, do="give")
    for page in pages:
        page.get_by_role("button", name=re.compile("rematch", re.IGNORECASE)).click()
    for page in pages:
        expect(page.locator("main[data-stage=playing]")).to_be_attached()
        assert page.evaluate("Object.keys(JSON.parse(localStorage.seals)).length") == 2, "both seals were noted"


def _from_a_file(stranger: BrowserContext, file: Path, record: str, words: list[str]) -> None:
    """The saved page checks records with no network at all, and asks for nothing."""
    stranger.set_offline(True)
    asked: list[str] = []
    page = stranger.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    (kept := file.with_name("evening.record")).write_text(record)
    page.locator("#files").set_input_files(kept)
    expect(page.locator(".stamp")).to_contain_text("✓")
    assert page.locator("#answer .words li").all_inner_texts() == words
    assert asked == [file.as_uri()]
    for at in range(0, len(record) - 1, 97):
        other = "x" if record[at] != "x" else "y"
        fault = page.evaluate("text => pubdiceCheck.check(text).fault", record[:at] + other + record[at + 1 :])
        assert fault, f"character {at} was changed"


def test_a_text_with_several_records_is_checked_record_by_record(visitor: Visitor) -> None:
    host, table = sealed_over(Scene(visitor))
    _, other = sealed_over(Scene(visitor))
    records = [host.request.get(f"{each}/record").text() for each in (table, other)]
    page = visitor().new_page()
    page.goto("/verify")
    page.locator("#record").fill("\n\n".join([*records, records[0].replace("= ", "=", 1)]))
    page.locator("#verify .main").click()
    heads = page.locator("#answer h2")
    expect(heads).to_have_text(["Checked (1)", "Checked (2)", "The seal does not hold (3)"])
    expect(page.locator(".stamp")).to_have_count(2)


def test_the_page_and_python_find_the_same_faults(visitor: Visitor) -> None:
    page = visitor().new_page()
    page.goto("/verify")
    host, table = sealed_over(Scene(visitor))
    record = host.request.get(f"{table}/record").text()
    roll = re.search(r"^Ann: (\d+)", record, re.MULTILINE)
    assert roll
    other = roll[1][:-1] + ("1" if roll[1][-1] != "1" else "2")
    seed = re.search(r"^seed: (.)", record, re.MULTILINE)
    assert seed
    digit = "f" if seed[1] != "f" else "e"
    changed = {
        "nothing": record,
        "a name": record.replace("Ann", "Anna"),
        "a roll": _rechecked(record.replace(roll[1], other, 1)),
        "the seed": _rechecked(re.sub("^seed: .", f"seed: {digit}", record, flags=re.MULTILINE)),
        "no seed": _rechecked(re.sub("^seed: .*\n", "", record, flags=re.MULTILINE)),
        "no seal": re.sub("^seal: .*\n", "", record, flags=re.MULTILINE),
        "windows": record.replace("\n", "\r\n"),
    }
    for text in changed.values():
        verdict, found = check_dice(text), page.evaluate("text => pubdiceCheck.check(text)", text)
        facts = (verdict.fault, verdict.rolls, verdict.expected if verdict.fault == "roll" else "")
        assert facts == (found.get("fault"), found["rolls"], found.get("expected", ""))
        if verdict.fault == "roll":
            assert verdict.place is not None
            assert verdict.place.line == found["line"]
    faults = [check_dice(text).fault for text in changed.values()]
    assert faults[2:] == ["roll", "other-seed", "unopened", "unsealed", None]


def _rechecked(text: str) -> str:
    """A forged record with a digest of its own."""
    bare = re.sub("^check: .*\n", "", text, flags=re.MULTILINE)
    return bare.replace("\n\n", f"\ncheck: {text_digest(bare)}\n\n", 1)


@pytest.fixture
def verifier(visitor: Visitor) -> Page:
    page = visitor().new_page()
    page.goto("/verify")
    return page


def test_the_page_gives_the_vectors(verifier: Page) -> None:
    for vector in VECTORS["rolls"]:
        lots = verifier.evaluate(
            "([proof, roll, number]) => pubdiceCheck.draws(proof, roll, number, 6)",
            [VECTORS, vector["roll"], len(vector["dice"])],
        )
        assert [1 + lot for lot in lots] == vector["dice"]
    assert verifier.evaluate("proof => pubdiceCheck.draws(proof, 0, 1, 3)", VECTORS) == [VECTORS["draw"]]


@pytest.mark.parametrize("length", [0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000])
def test_the_page_has_sha_256(verifier: Page, length: int) -> None:
    text = "ä" * (length // 2) + "x" * (length % 2)
    assert verifier.evaluate("text => pubdiceCheck.sha256(text)", text) == hashlib.sha256(text.encode()).hexdigest()


def test_the_page_gives_any_roll_that_the_cup_gives(verifier: Page) -> None:
    for seed in range(40):
        proof = {"seed": f"{seed:064x}", "table": f"{seed:016x}/1", "seats": ["-", f"seat{seed}"]}
        lots = verifier.evaluate("proof => pubdiceCheck.draws(proof, 7, 50, 6)", proof)
        cup = SealedCup(str(proof["seed"]), str(proof["table"]), tuple(proof["seats"]), 7)
        assert tuple(1 + lot for lot in lots) == cup.roll(50, 0)
