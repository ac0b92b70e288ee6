"""Saved records opened again: in a pocket only, checked whole, shown as the table that they came from."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from pubdice.advice import luck_rank as ranks
from pubdice.core.seal import KeyedSeals
from pubdice.games import GAMES
from pubdice.match.notation import parse
from pubdice.match.sealed_record import DiceCheck, check_dice, proof_in, with_proof
from pubdice.server.pages.record import MOST_OPEN, OpenRecord, OpenRecords
from pubdice.server.web.guard import MOST_BODY
from server.http.test_ask import asked_of
from server.http.test_pocket import pocket
from support.asgi_client import Client
from support.house import Pub, play_out, seated
from support.html_tree import Node, read
from support.sealed_match import played, record_of


@pytest.fixture(autouse=True)
def few_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "MOST_REPLAYS", 25)


async def saved(pub: Pub, game: str = "midnight") -> tuple[Client, str, str]:
    """A pocket with a match that is over: its browser, the match's link, and its record."""
    ann, bob, code = await seated(pub, game=game, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    link = pub.house.link(code)
    text = (await ann.get(f"{link}/record")).text
    return await pocket(pub), link, text


async def refused(client: Client, text: str) -> Node:
    """The page that says why a record is not opened, with what was typed."""
    answer = await client.send("/record", record=text)
    assert answer.status in (409, 422), answer.status
    page = read(answer.text)
    assert page.one("textarea").text.strip() == text.strip()
    return page.one("p", id="why")


async def test_a_saved_record_shows_what_its_table_shows(pub: Pub) -> None:
    ann, link, text = await saved(pub)
    answer = await ann.send("/record", record=text.replace("\n", "\r\n"))
    opened = answer.headers["location"].removesuffix("/receipt")
    assert re.fullmatch("/record/[0-9a-f]{16}", opened)
    assert (await ann.get(opened)).headers["location"] == f"{opened}/receipt"
    for path in ("/receipt", "/ask/1"):
        assert (await asked_of(ann, opened + path)).data == (await asked_of(ann, link + path)).data
    ours, tables = [(await asked_of(ann, f"{each}/receipt.svg")).text for each in (opened, link)]
    assert ours == re.sub(" · [0-9]+ [A-Z][a-z]+", "", tables), "a record knows no day"
    assert "polyline" in ours
    for path in ("/receipt", "/receipt?step=0", "/ask/1"):
        page = read((await asked_of(ann, opened + path, "text/html")).text)
        links = [str(node.attrs["href"]) for node in page.one("main").all("a")]
        assert not [each for each in links if "/t/" in each or each == opened], "a record has no table"
    questions = re.findall(r"again=\d+", (await asked_of(ann, f"{opened}/receipt", "text/html")).text)
    for each in questions[:1]:
        assert "Question 1 of" in (await asked_of(ann, f"{opened}/receipt?{each}", "text/html")).text
    assert (await ann.get(f"{opened}/ask/none")).status == 404


async def test_the_records_of_an_evening_are_listed(pub: Pub) -> None:
    ann, _, one = await saved(pub)
    two = re.sub(r"\bBob\b", "Dot", re.sub(r"\bAnn\b", "Cy", one))
    page = read((await ann.send("/record", record=f"{one}\n{two}")).text)
    titles = [node.words() for node in page.one("ol").all("a")]
    assert titles == ["Midnight with Ann and Bob", "Midnight with Cy and Dot"]
    assert len({node.attrs["href"] for node in page.one("ol").all("a")}) == 2


async def test_what_is_no_whole_record_is_refused_in_a_sentence(pub: Pub) -> None:
    ann, _, text = await saved(pub)
    assert (await refused(ann, "")).words()
    assert "pubdice 1" in (await refused(ann, "hello")).words()
    cut = "\n".join(text.strip().split("\n")[:-1])
    assert (await refused(ann, cut)).words() == "The game isn't over yet."
    await refused(ann, text.replace("game: midnight", "game: chess"))
    page = await ann.get("/record/0123456789abcdef/receipt", "text/html")
    assert (page.status, "Open its file again." in page.text) == (404, True)


def sealed(key: bytes = b"k") -> str:
    """The record of a match with sealed dice, under the seals of a key."""
    return record_of(*played(GAMES["midnight"], KeyedSeals(key * 32, lambda count: key * count)))


def with_other_seed(text: str) -> str:
    """A record whose rolls don't follow from its seed, with a right sum of its text, as a forger would write it."""
    proof = proof_in(parse(sealed(b"o")), sealed(b"o"))
    return with_proof(re.sub("^(seal|seeds|seed|check): .*\n", "", text, flags=re.MULTILINE), proof)


async def test_an_opened_record_says_if_its_dice_were_sealed(pub: Pub) -> None:
    ann, _, plain = await saved(pub)
    text = sealed()
    rolls = check_dice(text).rolls
    sealed_sentences = {
        "en": f"The dice are the ones that were sealed: all {rolls} rolls match.",
        "de": f"Die Würfel sind die versiegelten: Alle {rolls} Würfe stimmen.",
    }
    plain_told = {
        "en": "These dice were not sealed, so there is nothing to check.",
        "de": "Diese Würfel waren nicht versiegelt, also gibt es nichts zu prüfen.",
    }
    for language in ("en", "de"):
        ann.speaks, sentences = language, (sealed_sentences[language], plain_told[language])
        for record, sentence in zip((text, plain), sentences, strict=True):
            address = (await ann.send("/record", record=record)).headers["location"]
            waiting = await ann.get(address, "text/html")
            worked_out = await asked_of(ann, address, "text/html")
            for page in (waiting, worked_out):
                said = [node.words() for node in read(page.text).one("main").all("p")]
                assert [line for line in said if line == sentence], said
        listed = read((await ann.send("/record", record=f"{text}\n{plain}")).text).one("ol").words()
        assert all(sentence in listed for sentence in sentences)


async def test_a_sealed_record_that_was_changed_is_refused(pub: Pub) -> None:
    ann, text = await pocket(pub), sealed()
    changed = re.sub(r"\bAnn\b", "Eve", text)
    assert (await refused(ann, changed)).words() == (
        "The text of this record was changed after it was written. Ask for the file as the house saved it."
    )
    forged = with_other_seed(text)
    assert "roll 1 should be" in (await refused(ann, forged)).words()
    assert "roll 1 should be" in (await refused(ann, f"{text}\n{forged}")).words()
    ann.speaks = "de"
    assert (await refused(ann, changed)).words().startswith("Der Text dieser Aufzeichnung")


async def test_an_evenings_file_says_where_its_seals_break_off(pub: Pub) -> None:
    ann = await pocket(pub)
    for key, told in ((b"o", "A new chain of seals begins with match 1"), (b"k", "in their order, each once")):
        page = read((await ann.send("/record", record=f"{sealed()}\n{sealed(key)}")).text)
        (said,) = [node.words() for node in page.one("main").all("p", **{"class": "refusal"})]
        assert told in said


async def test_a_pocket_opens_records_and_a_house_does_not(pub: Pub) -> None:
    ann, _, text = await saved(pub)
    long = await ann.send("/record", record="#" * 2 * MOST_BODY + "\n" + text)
    assert long.status != 413
    assert (await ann.send("/record", record="#" * 70_000)).status == 413
    pub.pocket = False
    await pub.restart()
    eve = pub.client("Eve")
    assert (await eve.get("/record")).status == 404
    assert (await eve.send("/record", record="x")).status == 404
    assert (await eve.send("/record", record="#" * 2 * MOST_BODY)).status == 413
    assert "/record" not in (await eve.get("/", "text/html")).text


def test_only_the_latest_records_stay_open() -> None:
    records = OpenRecords(SimpleNamespace(games={}))  # type: ignore[arg-type]
    some = OpenRecord("0", None, DiceCheck(None, 0, "unsealed"))  # type: ignore[arg-type]
    names = [records.add(replace(some, text=str(number))) for number in range(MOST_OPEN)]
    records.find(names[0])
    records.add(replace(some, text="one more"))
    assert records.find(names[0]).text == "0"
    with pytest.raises(Exception, match="record-closed"):
        records.find(names[1])
