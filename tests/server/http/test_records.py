"""Saved records opened again: in a pocket only, checked whole, shown as the table that they came from."""

import re

import pytest

from pubdice.advice import luck_rank
from pubdice.server.http.guard import MOST_BODY
from pubdice.server.http.record_routes import MOST_OPEN, OpenRecords
from server.http.test_ask import asked_of
from server.http.test_pocket import pocket
from support.asgi_client import Client
from support.house import Pub, at_the_pub, play_out, seated
from support.html_tree import Node, read


@pytest.fixture(autouse=True)
def few_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck_rank, "MOST_REPLAYS", 25)


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


@at_the_pub()
async def test_a_saved_record_shows_what_its_table_shows(pub: Pub) -> None:
    ann, link, text = await saved(pub)
    answer = await ann.send("/record", record=text.replace("\n", "\r\n"))
    opened = answer.headers["location"].removesuffix("/receipt")
    assert re.fullmatch("/record/[0-9a-f]{16}", opened)
    assert (await ann.get(opened)).headers["location"] == f"{opened}/receipt"
    for path in ("/receipt", "/ask/1"):
        assert (await asked_of(ann, opened + path)).data == (await asked_of(ann, link + path)).data
    assert (await asked_of(ann, f"{opened}/receipt.svg")).text == (await asked_of(ann, f"{link}/receipt.svg")).text
    for path in ("/receipt", "/receipt?step=0", "/ask/1"):
        page = read((await asked_of(ann, opened + path, "text/html")).text)
        links = [str(node.attrs["href"]) for node in page.one("main").all("a")]
        assert not [each for each in links if "/t/" in each or each == opened], "a record has no table"
    questions = re.findall(r"again=\d+", (await asked_of(ann, f"{opened}/receipt", "text/html")).text)
    for each in questions[:1]:
        assert "Question 1 of" in (await asked_of(ann, f"{opened}/receipt?{each}", "text/html")).text
    assert (await ann.get(f"{opened}/ask/none")).status == 404


@at_the_pub()
async def test_the_records_of_an_evening_are_listed(pub: Pub) -> None:
    ann, _, one = await saved(pub)
    two = re.sub(r"\bBob\b", "Dot", re.sub(r"\bAnn\b", "Cy", one))
    page = read((await ann.send("/record", record=f"{one}\n{two}")).text)
    titles = [node.words() for node in page.one("ol").all("a")]
    assert titles == ["Midnight with Ann and Bob", "Midnight with Cy and Dot"]
    assert len({node.attrs["href"] for node in page.one("ol").all("a")}) == 2


@at_the_pub()
async def test_what_is_no_whole_record_is_refused_in_a_sentence(pub: Pub) -> None:
    ann, _, text = await saved(pub)
    assert (await refused(ann, "")).words()
    assert "pubdice 1" in (await refused(ann, "hello")).words()
    cut = "\n".join(text.strip().split("\n")[:-1])
    assert (await refused(ann, cut)).words() == "The game isn't over yet."
    await refused(ann, text.replace("game: midnight", "game: chess"))
    page = await ann.get("/record/0123456789abcdef/receipt", "text/html")
    assert (page.status, "Open its file again." in page.text) == (404, True)


@at_the_pub()
async def test_a_pocket_takes_longer_bodies_and_a_house_opens_no_records(pub: Pub) -> None:
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
    records = OpenRecords()
    names = [records.add(str(number), None) for number in range(MOST_OPEN)]  # type: ignore[arg-type]
    records.find(names[0])
    records.add("one more", None)  # type: ignore[arg-type]
    assert records.find(names[0])[0] == "0"
    with pytest.raises(Exception, match="record-closed"):
        records.find(names[1])
