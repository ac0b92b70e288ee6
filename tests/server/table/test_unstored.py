"""A disk that refuses or takes its time: nobody sees what is not stored, and the client that asked is told."""

import asyncio

import pytest

from pubdice.server.table import actor
from support.house import SECOND, Pub, at_the_pub, seated


@at_the_pub()
async def test_of_a_move_that_could_not_be_stored_nobody_sees_anything(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    streams = [await client.look(code) for client in (ann, bob, pub.client(), pub.client(speaks="de"))]
    shown = [len(stream.messages) for stream in streams]
    lines, view = pub.stored(code), await pub.view(code)
    for _ in range(3):
        pub.disk.failing = 1
        refused = await ann.ask(code, "roll", "the-one-key")
        assert (refused.status, refused.data["code"]) == (503, "store-unwritable")
        assert refused.data["why"] == "Couldn't save that. Nothing changed; try again."
        await pub.settle()
        assert [len(stream.messages) for stream in streams] == shown
        assert pub.stored(code) == lines
        assert await pub.view(code) == view
        assert (await ann.get(f"/t/{code}/record")).text.endswith("first: Ann\n\n")
    assert (await ann.ask(code, "roll", "the-one-key")).status == 200
    await pub.settle()
    assert len(pub.stored(code)) == len(lines) + 1
    for stream, number in zip(streams, shown, strict=True):
        assert [message.data["log"] for message in stream.messages[number:]] == [pub.stored(code)[-1:]]


@at_the_pub()
async def test_a_form_that_could_not_be_stored_comes_back_with_the_reason(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    pub.disk.failing = 1
    answer = await ann.send(f"/t/{code}", key="the-one-key", do="roll")
    assert answer.status == 503
    assert "Couldn&#39;t save that. Nothing changed; try again." in answer.text


@at_the_pub()
async def test_while_it_is_being_stored_nobody_sees_it(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    stream = await bob.look(code)
    shown, view = len(stream.messages), await pub.view(code)
    pub.disk.open.clear()
    asked = asyncio.ensure_future(ann.ask(code, "roll"))
    await pub.settle()
    assert not asked.done()
    assert len(stream.messages) == shown
    assert await pub.view(code) == view
    pub.disk.open.set()
    assert (await asked).status == 200


@at_the_pub()
async def test_what_waits_at_a_table_has_a_bound_and_what_comes_after_is_refused_at_once(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actor, "MOST_QUEUED", 5)
    ann, _, code = await seated(pub)
    pub.disk.open.clear()
    asked = [asyncio.ensure_future(ann.ask(code, "pace", ms=ms)) for ms in range(1, 20)]
    await pub.settle()
    refused = [each.result() for each in asked if each.done()]
    assert {(each.status, each.data["code"], each.headers["retry-after"]) for each in refused} == {(429, "often", "1")}
    waiting = [each for each in asked if not each.done()]
    assert 5 <= len(waiting) <= 6, "one is being stored"
    pub.disk.open.set()
    assert {(await each).status for each in waiting} == {200}


@at_the_pub()
async def test_bots_whose_move_could_not_be_stored_try_again_by_themselves(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], pace_ms=0, rules={"format": "rounds 1"})
    await ann.done(code, "roll")
    pub.disk.failing = 0
    await ann.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])
    pub.disk.failing = 5
    await pub.settle()
    before = pub.stored(code)
    await pub.advance(3 * SECOND)
    assert len(pub.stored(code)) <= len(before) + 1
    await pub.advance(20 * SECOND)
    assert (await pub.view(code))["stage"] == "over"


@at_the_pub()
async def test_a_table_that_could_not_be_opened_is_not_there_and_can_be_opened_again(pub: Pub) -> None:
    ann = pub.client("Ann")
    for failing in (1, 1):
        pub.disk.failing = failing
        refused = await ann.post("/tables", {"game": "midnight", "name": "Ann", "key": "the-one-key"})
        assert (refused.status, refused.data["code"]) == (503, "store-unwritable")
    assert not pub.store.tables()
    for _ in range(2):
        pub.disk.failing = 1
        assert (await ann.post("/tables", {"game": "midnight", "name": "Ann", "listed": True})).status == 503
        assert not pub.store.tables()
        assert "/t/" not in (await ann.get("/", "text/html")).text
        assert "/t/" not in (await pub.client().get("/", "text/html")).text
    code = await ann.order(key="the-one-key", listed=True)
    assert await ann.order(key="the-one-key", listed=True) == code
    assert pub.house.link(code) in (await pub.client().get("/", "text/html")).text


@at_the_pub()
async def test_a_request_that_is_cut_off_while_it_is_stored_is_seen_by_all_or_by_none(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    stream = await bob.look(code, 0)
    for wait in (True, False):
        pub.disk.open.clear()
        asked = asyncio.ensure_future(ann.ask(code, "roll" if wait else "bank", "one-key-" + str(wait), marks=[]))
        await pub.settle()
        asked.cancel()
        if wait:
            await pub.settle()
        pub.disk.open.set()
        await asyncio.wait([asked])
        await pub.settle()
        view = await pub.view(code)
        assert view["seq"] == len(pub.stored(code))
        assert (await ann.get(f"/t/{code}/state")).data["seq"] == len(pub.stored(code))
        again = await ann.ask(code, "roll" if wait else "bank", "one-key-" + str(wait), marks=[])
        assert again.status in (200, 409)
        await pub.settle()
        assert (await ann.get(f"/t/{code}/state")).data["seq"] == len(pub.stored(code))
        if stream.ended:
            stream = await bob.look(code, 0)
        assert stream.log == pub.stored(code)
