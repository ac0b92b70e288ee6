"""What costs much to make is made once: a record of a long match, a QR code."""

from typing import Any
from xml.etree import ElementTree

import pytest
import segno

from pubdice.core.cup import SeededCup
from pubdice.match import record
from pubdice.room import Caller
from pubdice.room import commands as ask
from pubdice.server.result_picture import qr_code
from support.house import Pub, at_the_pub, play_turn, seated

pytestmark = pytest.mark.usefixtures("twenty_seats")

ROUNDS, SEATS = 20, 20
"""The longest match there is at the largest table."""


async def longest(pub: Pub) -> str:
    """The longest match at the largest table, which bots have played."""
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["lucky"] * (SEATS - 1), rules={"format": f"rounds {ROUNDS}"})
    actor = pub.actor(code)
    lines, state, cup = [], actor.state, SeededCup("long")
    asked: ask.Command = ask.Give("lucky")
    person: str | None = ann.person
    while state.stage == "playing":
        steps = actor.room.decide(state, asked, Caller(person, pub.clock.ms), cup)
        lines += [step.write() for step in steps]
        state, person = steps[-1].after, None
        assert state.table is not None
        assert state.match is not None
        asked = ask.Bot(next(iter(state.table.match.legal(state.match.state.match)), None))
    pub.store.append(actor.number, actor.state.seq + 1, lines)
    pub.house.actors.pop(code).close()
    return code


@at_the_pub()
async def test_the_record_of_the_longest_match_is_made_once(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    code = await longest(pub)
    assert (await pub.table(code)).state.stage == "over"
    assert len(pub.stored(code)) > 2_000
    written, write = list[str](), record.write

    def watched(*given: Any) -> str:
        written.append(write(*given))
        return written[-1]

    monkeypatch.setattr(record, "write", watched)
    text = (await pub.client().get(f"/t/{code}/record")).text
    assert {(await pub.client().get(f"/t/{code}/record")).text for _ in range(5)} == {text}
    assert written == [text]


@at_the_pub()
async def test_a_record_goes_on_with_its_match(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    texts = []
    for _ in range(3):
        texts.append((await ann.get(f"/t/{code}/record")).text)
        await play_turn(pub, code, [ann, bob])
    assert texts == sorted(set(texts), key=len)


@at_the_pub()
async def test_a_qr_code_is_drawn_once_for_each_address(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, make = list[str](), segno.make

    def watched(address: str, **facts: Any) -> object:
        drawn.append(address)
        return make(address, **facts)

    monkeypatch.setattr(segno, "make", watched)
    qr_code.cache_clear()
    codes = [await pub.client("Ann").order() for _ in range(2)]
    for _ in range(3):
        answers = [await pub.client().get(f"/t/{code}/qr.svg") for code in codes]
        assert {answer.headers["content-type"] for answer in answers} == {"image/svg+xml"}
        assert answers[0].body != answers[1].body
        assert {ElementTree.fromstring(answer.text).tag for answer in answers} == {"{http://www.w3.org/2000/svg}svg"}
    assert drawn == [f"http://localhost:4224{pub.house.link(code)}" for code in codes]
