"""Sealed dice in real browsers: phones add seeds, play a match, and check its record without the house."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from browser.page_players import JOINS
from browser.scene import Scene, Visitor, seated
from browser.states import sealed_over
from pubdice.core.seal import SealedCup, bound_by_header, bound_by_seeds
from pubdice.match.sealed_record import check_dice
from support.browser import RESTS_MS, ask, open_table, page_of, sit

USUAL = {"reduced_motion": "reduce", "keep": "plain"}
"""Dice land at once. Other files test how they fall."""
VECTORS = json.loads((Path(__file__).parents[1] / "published" / "sealed_dice.json").read_text())
WITHIN_MS = 20_000
"""The time limit. A match with sealed dice begins only after five answers of the house, one after another."""
NOTED = "This device added the seed of Ann, and noted the same rules, seats and digests before it opened that seed."


def test_each_phone_adds_a_seed_and_the_record_is_checked_from_a_file(visitor: Visitor, tmp_path: Path) -> None:
    ann, bob = visitor(), visitor(java_script_enabled=False)
    table = open_table(ann, people=None, dice="sealed")
    sit(bob, table, "Bob")
    page = page_of(ann, table)
    words = page.locator(".words li").all_inner_texts()
    assert len(words) == 8
    page.get_by_role("button", name="Start with 2 players").click()
    expect(page.locator("#start-why")).to_contain_text("Bob has not added a seed yet")
    plain = page_of(bob, table)
    assert plain.locator(".words li").all_inner_texts() == words, "the same words on every phone"
    plain.get_by_label("Your own seed").fill("heads 7")
    plain.locator("#seed button").click()
    page.get_by_role("button", name="Start with 2 players").click()
    expect(page.locator("main[data-stage=playing]")).to_be_attached(timeout=WITHIN_MS)
    # the page is drawn before its script notes what is new in it
    page.wait_for_function("() => Object.values(JSON.parse(localStorage.seals))[0].header.includes('seeds: ')")
    [(seal, note)] = page.evaluate("Object.entries(JSON.parse(localStorage.seals))")
    assert seal.startswith("2 ")
    for phone in (ann, bob):
        ask(phone, table, do="give")
    expect(page.locator("#result")).to_be_visible()
    page.wait_for_function("() => Object.values(JSON.parse(localStorage.seals))[0].ended")

    record = ann.request.get(f"{table}/record").text()
    assert check_dice(record).fault is None
    assert re.search(r"^seeds: [0-9a-z]{16,28}, heads7$", record, re.MULTILINE)
    page.locator("#more > summary").click()
    page.get_by_role("link", name="Check the sealed dice").click()
    expect(page.locator("#answer h2")).to_be_focused()
    check = check_dice(record)
    assert check.proof is not None
    assert check.proof.header == note["header"], "the phone noted all that was fixed, with all seeds"
    assert check.proof.fixed is not None
    assert check.proof.fixed.players == ("phone", "typed")
    rolls = check.rolls
    expect(page.locator(".stamp")).to_have_text(f"✓ {rolls} of {rolls} rolls")
    expect(page.locator("#answer")).to_contain_text(NOTED)
    assert page.locator("#answer .words li").all_inner_texts() == words
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save this page").click()
    file = tmp_path / "verify.html"
    saved.value.save_as(file)
    _from_a_file(visitor(keep=""), file, record, words)


OTHERS = {"another digest": r'"seal": "2 \1 ' + "ab" * 32, "version 1": r'"seal": "\1 \2'}


def test_a_phone_tells_another_seal(visitor: Visitor) -> None:
    """Test also a seal of version 1. A player would type a seed for it, which the house would know before it fixes the
    header.
    """
    ann = visitor(keep="")
    table = open_table(ann, people=None, dice="sealed")
    page = page_of(ann, table)
    expect(page.locator("#own-seed")).to_have_count(0)
    others = list(OTHERS.values())

    def told(route: Route) -> None:
        answer = route.fetch()
        text = re.sub(r'"seal": "2 ([0-9a-f]{16}/1) ([0-9a-f]{64})', others[0], answer.text())
        route.fulfill(response=answer, body=text)

    while others:
        [(_, noted)] = page.evaluate("Object.entries(JSON.parse(localStorage.seals))")
        assert len(noted["own"]) == 1
        page.route("**/t/*", lambda route: told(route) if route.request.method == "GET" else route.fallback())
        page.reload()
        expect(page.locator("#seal .refusal")).to_contain_text("This table told something else about its dice before")
        page.unroute_all(behavior="ignoreErrors")
        page.reload()
        expect(page.locator("#seal .refusal")).to_have_count(0)
        others.pop(0)


# Forged headers. test_forged_records.py checks each without a table. Here one is checked by day, and each nightly.
CHEATS: dict[str, Callable[[str], str]] = {
    "another digest": lambda text: re.sub(r"digests: [0-9a-f]{64}", "digests: " + "cd" * 32, text),
    "another seal": lambda text: re.sub(r"(seal: 2 [0-9a-f]{16})/1", r"\1/2", text),
    "a header that is none": lambda text: text.replace("attempt: 1", "attempt: 0"),
}


@pytest.mark.parametrize(
    "cheat", [pytest.param(cheat, marks=[pytest.mark.nightly] * (cheat != "another digest")) for cheat in CHEATS]
)
def test_a_house_that_tells_something_else_gets_no_seed_of_an_honest_phone(visitor: Visitor, cheat: str) -> None:
    ann, bob = visitor(keep=""), visitor(java_script_enabled=False)
    table = open_table(ann, people=None, dice="sealed")
    sit(bob, table, "Bob")
    page, sent = page_of(ann), list[str]()

    def cheated(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=CHEATS[cheat](answer.text()))

    page.route("**/t/*", lambda route: cheated(route) if route.request.method == "GET" else route.fallback())
    page.on("request", lambda request: sent.append(request.post_data or "") if request.method == "POST" else None)
    page.goto(table)
    expect(page.locator("#own-seed")).to_have_count(0)
    ask(bob, table, do="seed", seed="bobs")
    ask(ann, table, do="start")
    expect(page.locator("#seal .refusal")).to_contain_text("This table told something else about its dice before")
    assert any('"digest":' in body for body in sent)
    assert not any('"seed":' in body for body in sent), "the seed stays on the phone"
    assert ask(ann, table, do="start") == 409, "the match waits"
    page.unroute_all(behavior="ignoreErrors")


def two_phones(visitor: Visitor, **order: Any) -> tuple[list[BrowserContext], str, list[Page]]:
    """Open a table of Ann and Bob with sealed dice. Each has a page that has added its seed."""
    people, table = seated(visitor, "Bob", people=None, dice="sealed", **order)
    pages = [page_of(person, table) for person in people]
    for page in pages:
        expect(page.locator("#own-seed")).to_have_count(0)
    return people, table, pages


@pytest.mark.nightly
def test_a_phone_that_was_closed_opens_the_seed_it_kept_when_it_comes_back(visitor: Visitor) -> None:
    (_, bob), table, pages = two_phones(visitor)
    pages[1].close()
    pages[0].get_by_role("button", name="Start with 2 players").click()
    expect(pages[0].locator("#seal-line")).to_have_text("Waiting for Bob, whose phone opens its seed.")
    pages[1] = page_of(bob)
    pages[1].goto(table)
    for page in pages:
        expect(page.locator("main[data-stage=playing]")).to_be_attached(timeout=WITHIN_MS)
    headers = [page.evaluate("Object.values(JSON.parse(localStorage.seals))[0].header") for page in pages]
    assert headers[0] == headers[1]
    assert "\nplayers: phone, phone\n" in headers[0]
    assert "\nseeds: " in headers[0]


@pytest.fixture(scope="module")
def played(standing: Visitor) -> list[str]:
    """The tables of two finished matches with sealed dice, for all tests."""
    return [sealed_over(Scene(standing))[1] for _ in range(2)]


@pytest.mark.nightly
def test_a_browser_that_keeps_nothing_plays_and_checks(visitor: Visitor, played: list[str]) -> None:
    ann = visitor(keep="")
    ann.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('blocked') }})")
    page = page_of(ann, open_table(ann, people=None, dice="sealed"))
    expect(page.locator("#own-seed")).to_have_count(0)
    page.goto(f"{played[0]}/verify")
    expect(page.locator(".stamp")).to_contain_text("✓")


def _from_a_file(stranger: BrowserContext, file: Path, record: str, words: list[str]) -> None:
    """Check records in the saved page, without a network. It must make no requests."""
    stranger.set_offline(True)
    asked: list[str] = []
    page = page_of(stranger)
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


@pytest.fixture(scope="module")
def verifier(standing: Visitor) -> Page:
    """The page that checks records, for all tests."""
    return page_of(standing(), "/verify")


def test_a_text_with_several_records_is_checked_record_by_record(verifier: Page, played: list[str]) -> None:
    page = verifier
    records = [page.request.get(f"{table}/record").text() for table in played]
    page.locator("#record").fill("\n\n".join([*records, records[0].replace("= ", "=", 1)]))
    page.locator("#verify .main").click()
    heads = page.locator("#answer h2")
    expect(heads).to_have_text(["Checked (1)", "Checked (2)", "The seal does not hold (3)"])
    expect(page.locator(".stamp")).to_have_count(2)


@pytest.mark.parametrize(
    ("vectors", "bound", "seats"),
    [
        (VECTORS, bound_by_seeds(VECTORS["table"], VECTORS["seats"]), 3),
        (VECTORS["version 2"], bound_by_header("\n".join(VECTORS["version 2"]["header"])), 2),
    ],
    ids=["version 1", "version 2"],
)
def test_the_page_gives_the_vectors(verifier: Page, vectors: Any, bound: str, seats: int) -> None:
    proof = {"seed": VECTORS["seed"], "bound": bound}
    for vector in vectors["rolls"]:
        lots = verifier.evaluate(
            "([proof, roll, number]) => pubdiceCheck.draws(proof, roll, number, 6)",
            [proof, vector["roll"], len(vector["dice"])],
        )
        assert [1 + lot for lot in lots] == vector["dice"]
    assert verifier.evaluate("([proof, seats]) => pubdiceCheck.draws(proof, 0, 1, seats)", [proof, seats]) == [
        vectors["draw"]
    ]


def test_the_page_has_sha_256(verifier: Page) -> None:
    texts = ["ä" * (length // 2) + "x" * (length % 2) for length in (0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000)]
    digests = verifier.evaluate("texts => texts.map(pubdiceCheck.sha256)", texts)
    assert digests == [hashlib.sha256(text.encode()).hexdigest() for text in texts]


def test_the_page_gives_any_roll_that_the_cup_gives(verifier: Page) -> None:
    proofs = [{"seed": f"{seed:064x}", "bound": f"2|seat{seed}"} for seed in range(40)]
    found = verifier.evaluate("proofs => proofs.map(proof => pubdiceCheck.draws(proof, 7, 50, 6))", proofs)
    cups = [SealedCup(proof["seed"], proof["bound"], 7) for proof in proofs]
    assert [tuple(1 + lot for lot in lots) for lots in found] == [cup.roll(50, 0) for cup in cups]


@pytest.mark.nightly
def test_a_phone_that_slept_as_the_match_began_hears_that_it_is_played_without_its_seed(visitor: Visitor) -> None:
    (ann, bob), table, pages = two_phones(visitor, grace_s=1)
    pages[1].wait_for_function("() => Object.values(Object.values(JSON.parse(localStorage.seals))[0].own)[0].told")
    pages[1].close()
    expect(pages[0].locator("#seats")).to_contain_text("away", timeout=WITHIN_MS)
    pages[0].get_by_role("button", name="Start with 2 players").click()
    expect(pages[0].locator("main[data-stage=playing]")).to_be_attached(timeout=WITHIN_MS)
    assert "\nplayers: phone, away\n" in pages[0].evaluate("Object.values(JSON.parse(localStorage.seals))[0].header")
    (page := page_of(bob)).goto(table)
    expect(page.locator("#seal .hint")).to_contain_text("This match is played without a seed of Bob.")
    for phone in (ann, bob):
        ask(phone, table, do="give")
    expect(page.locator("#result")).to_be_visible()
    page.goto(f"{table}/verify")
    expect(page.locator("#answer h2")).to_have_text("Without your seed")
    expect(page.locator("#answer")).to_contain_text("According to this record no device was there for Bob")


@pytest.mark.nightly
def test_a_rematch_with_sealed_dice_begins_when_both_phones_have_come(visitor: Visitor) -> None:
    (ann, bob), table, pages = two_phones(visitor)
    pages[0].get_by_role("button", name="Start with 2 players").click()
    for phone in (ann, bob):
        expect(pages[0].locator("main[data-stage=playing]")).to_be_attached(timeout=WITHIN_MS)
        ask(phone, table, do="give")
    pages[0].get_by_role("button", name="Rematch", exact=True).click()
    joins = pages[1].get_by_role("button", name=JOINS)
    expect(joins).to_be_visible()
    pages[1].wait_for_timeout(RESTS_MS)
    joins.click()
    for page in pages:
        expect(page.locator("main[data-stage=playing]")).to_be_attached(timeout=WITHIN_MS)
        assert page.evaluate("Object.keys(JSON.parse(localStorage.seals)).length") == 2, "both seals were noted"
