"""Idempotency: a command or an order that is repeated under its key counts once, and is answered alike."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Any

import pytest

from support.house import Pub, play_out, seated


async def _again(pub: Pub, code: str) -> None:
    """Nothing happens meanwhile."""


async def _forgotten(pub: Pub, code: str) -> None:
    """The table is forgotten, and loaded again."""
    pub.forget()
    assert code not in pub.house.actors


async def _restarted(pub: Pub, code: str) -> None:
    await pub.restart()


async def _killed(pub: Pub, code: str) -> None:
    await pub.restart(kill=True)


async def _refused_by_now(pub: Pub, code: str) -> None:
    """The turn goes on. A roll would be refused now."""
    ann, bob = pub.client("Ann"), pub.client("Bob")
    await ann.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    await bob.done(code, "roll")


async def _over_by_now(pub: Pub, code: str) -> None:
    await play_out(pub, code, [pub.client("Ann"), pub.client("Bob")])


@pytest.mark.parametrize("meanwhile", [_again, _forgotten, _restarted, _killed, _refused_by_now, _over_by_now])
async def test_a_move_asked_a_hundred_times_counts_once(
    pub: Pub, meanwhile: Callable[[Pub, str], Awaitable[None]]
) -> None:
    ann, _, code = await seated(pub)
    first = await ann.ask(code, "roll", "the-one-key")
    assert first.status == 200
    await meanwhile(pub, code)
    before = pub.stored(code)
    answers = [await ann.ask(code, "roll", "the-one-key") for _ in range(50)]
    answers += await asyncio.gather(*[ann.ask(code, "roll", "the-one-key") for _ in range(50)])
    assert {(answer.status, answer.body) for answer in answers} == {(200, first.body)}
    assert pub.stored(code) == before
    assert sum(" roll " in line for line in before[:4]) == 1


@pytest.mark.parametrize("do", ["sit", "join", "give", "leave", "pace", "start", "close"])
async def test_whatever_is_asked_counts_once(pub: Pub, do: str) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    code = await ann.order(people=4 if do in ("start", "close") else 2)
    asker = bob if do in ("sit", "join", "leave") else ann
    if do in ("leave", "give"):
        await bob.done(code, "sit", name="Bob")
    words = pub.house.words(pub.actor(code), 0)
    table: dict[str, dict[str, Any]] = {
        "sit": {"name": "Bob"},
        "join": {"words": words},
        "pace": {"ms": 400},
        "close": {"seat": 3},
    }
    fields = table.get(do, {})
    first = await asker.ask(code, do, "the-one-key", **fields)
    assert first.status == 200, first.body
    before = pub.stored(code)
    for _ in range(2):
        answers = [await asker.ask(code, do, "the-one-key", **fields) for _ in range(5)]
        assert {(answer.status, answer.body) for answer in answers} == {(200, first.body)}
        assert pub.stored(code) == before
        await pub.restart()


async def test_the_same_key_of_another_person_is_another_command(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    await ann.done(code, "give", "the-one-key")
    await bob.done(code, "give", "the-one-key")
    assert [line.split(" ", 1)[1] for line in pub.stored(code)[-2:]] == ["stoodin 0 tip gave", "stoodin 1 tip gave"]


async def test_a_key_counts_once_at_each_table(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    _, _, other = await seated(pub)
    assert (await ann.done(code, "roll", "the-one-key")) == (await ann.done(other, "roll", "the-one-key"))
    assert len(pub.stored(code)) == len(pub.stored(other))


async def test_what_was_refused_has_not_used_its_key_up(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    refused = await bob.ask(code, "roll", "the-one-key")
    assert (refused.status, refused.data["code"]) == (403, "not-your-turn")
    await ann.done(code, "roll")
    await ann.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    assert (await bob.ask(code, "roll", "the-one-key")).status == 200


async def test_a_form_sent_twice_counts_once(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    for _ in range(2):
        answer = await ann.send(f"/t/{code}", key="the-one-key", do="roll")
        assert (answer.status, answer.headers["location"]) == (303, f"{pub.house.link(code)}#play")
    assert sum(" roll " in line for line in pub.stored(code)) == 1


async def test_a_table_ordered_twice_under_one_key_is_one_table(pub: Pub) -> None:
    ann = pub.client("Ann")
    codes = {await ann.order(key="the-one-key") for _ in range(3)}
    codes |= set(await asyncio.gather(*[ann.order(key="the-one-key") for _ in range(10)]))
    codes |= set(await asyncio.gather(*[ann.order(key="another-key") for _ in range(10)]))
    assert len(codes) == 2
    assert len(pub.store.tables()) == 2
    assert await pub.client("Bob").order(key="the-one-key") not in codes


async def test_a_first_command_repeated_is_the_same_persons(pub: Pub) -> None:
    """The token comes with the first page, so a seat whose answer was lost is no ghost's."""
    ann = pub.client("Ann")
    code = await ann.order(people=2)
    page = await pub.client().get(pub.house.link(code), "text/html")
    bare = await pub.client().get(f"/t/{code}", "text/html")
    assert bare.headers["set-cookie"].startswith("pubdice="), "a bare code leads to the link"
    assert page.headers["set-cookie"].startswith("pubdice=")


async def test_a_key_used_for_another_command_is_refused(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    first = await ann.ask(code, "roll", "the-one-key")
    for _ in range(2):
        for do, fields in (("leave", {}), ("pace", {"ms": 300}), ("sit", {"name": "Eve"}), ("mark", {"marks": [0]})):
            answer = await ann.ask(code, do, "the-one-key", **fields)
            assert (answer.status, answer.data["code"]) == (409, "key-used"), do
        assert (await ann.ask(code, "roll", "the-one-key")).body == first.body
        await pub.restart(kill=True)
    assert (await ann.send(f"/t/{code}", key="the-one-key", do="roll")).status == 303, "a form that asks the same"
    other = [await ann.ask(code, "nudge", "another-key"), await ann.ask(code, "pace", "another-key", ms=500)]
    assert [answer.status for answer in other] == [409, 200], "what was refused has used no key"


async def test_a_typed_line_and_a_call_use_their_key_like_all_else(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    first = await ann.ask(code, "roll", "the-roll-key")
    for do, fields in (("type", {"text": "1 r"}), ("react", {"phrase": 0})):
        answer = await ann.ask(code, do, "the-roll-key", **fields)
        assert (answer.status, answer.data["code"]) == (409, "key-used"), do
    assert (await ann.ask(code, "roll", "the-roll-key")).body == first.body
    line = (await ann.ask(code, "type", "the-line-key", text=f"{_face(pub, code)}")).body
    assert (await ann.ask(code, "type", "the-line-key", text=f"{_face(pub, code)}")).body == line
    called = (await ann.ask(code, "react", "the-call-key", phrase=1)).body
    length = len(pub.stored(code))
    for key, do, fields in (
        ("the-line-key", "type", {"text": "r"}),
        ("the-line-key", "nudge", {}),
        ("the-line-key", "react", {"phrase": 1}),
        ("the-call-key", "react", {"phrase": 2}),
        ("the-call-key", "pace", {"ms": 300}),
    ):
        answer = await ann.ask(code, do, key, **fields)
        assert (answer.status, answer.data["code"]) == (409, "key-used"), (key, do)
    assert (await ann.ask(code, "react", "the-call-key", phrase=1)).body == called
    assert len(pub.stored(code)) == length


def _face(pub: Pub, code: str) -> int:
    """A face that the mover has."""
    live = pub.actor(code).state.match
    assert live is not None
    face = live.state.trays[0].faces[0]
    assert face is not None
    return face


async def test_an_orders_key_opens_no_other_table(pub: Pub) -> None:
    ann = pub.client("Ann")
    order = {"game": "midnight", "name": "Ann", "key": "the-order-key"}
    code = (await ann.post("/tables", order)).data["code"]
    again = await ann.post("/tables", {**order, "game": "420"})
    assert (again.status, again.data["code"]) == (409, "key-used")
    assert (await ann.post("/tables", order)).data["code"] == code
    assert len(pub.store.tables()) == 1


async def test_an_answer_of_an_earlier_version_is_given_again(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    first = await ann.ask(code, "roll", "the-one-key")
    await pub.close()
    with closing(sqlite3.connect(pub.path)) as db:
        db.execute("UPDATE log SET body = x''")
        db.commit()
    await pub.open()
    assert (await ann.ask(code, "leave", "the-one-key")).body == first.body


@pytest.mark.parametrize("meanwhile", [_again, _forgotten, _restarted, _killed])
async def test_a_yes_to_a_choice_taken_back_counts_once(
    pub: Pub, meanwhile: Callable[[Pub, str], Awaitable[None]]
) -> None:
    ann, bob, code = await seated(pub)
    await ann.done(code, "roll")
    await ann.done(code, "roll", marks=[0])
    assert (await ann.ask(code, "back", "ask-the-others")).status == 200
    await meanwhile(pub, code)
    assert (await bob.get(f"/t/{code}/state")).data["view"]["answers"] == [1]
    first = await bob.ask(code, "agree", "the-one-key")
    assert first.status == 200
    await meanwhile(pub, code)
    before = pub.stored(code)
    answers = await asyncio.gather(*[bob.ask(code, "agree", "the-one-key") for _ in range(20)])
    assert {(answer.status, answer.body) for answer in answers} == {(200, first.body)}
    assert pub.stored(code) == before
    assert [line.partition(" ")[2] for line in before[-3:]] == ["backasked 0", "backagreed 1", "unplay 2"]
    record = (await ann.get(f"/t/{code}/record", "text/plain")).text
    assert "back Ann" in record.splitlines()


async def test_a_yes_on_its_way_to_an_earlier_question_is_late(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    await ann.done(code, "roll")
    await ann.done(code, "roll", marks=[0])
    await ann.done(code, "back")
    seen = (await bob.get(f"/t/{code}/state")).data["seq"]
    await ann.done(code, "roll", marks=[1])
    await ann.done(code, "back")
    late = await bob.ask(code, "agree", seen=seen)
    assert late.status == 409
    assert (await bob.get(f"/t/{code}/state")).data["view"]["answers"] == [1]
