"""A disk that refuses, takes its time or hangs: no page shows an unstored move, and no move counts twice."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pubdice.core.errors import NotStored
from pubdice.server.observe import Durations
from pubdice.server.table import actor, commit
from pubdice.server.table.commands import TableRequest, ask, request_of
from pubdice.server.table.commit import MOST_IN_FLIGHT, GroupCommit, key_of
from pubdice.store import Entry, SqliteReader, Stored, writer
from pubdice.store.writer import Outcome, ThreadWriter
from support.house import SECOND, Pub, seated


async def test_of_a_move_that_could_not_be_stored_nobody_sees_anything(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    streams = [await client.look(code) for client in (ann, bob, pub.client(), pub.client(speaks="de"))]
    shown = [len(stream.messages) for stream in streams]
    lines, view = pub.stored(code), await pub.view(code)
    for _ in range(3):
        pub.disk.failing = 1
        refused = await ann.ask(code, "roll", "the-one-key")
        assert (refused.status, refused.data["code"]) == (503, "store-unwritable")
        assert refused.data["why"] == "Couldn't save that. Nothing changed. Try again."
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


async def test_a_table_with_too_many_waiting_commands_refuses_more(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_a_bot_whose_move_was_not_stored_tries_again(pub: Pub) -> None:
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


async def test_a_table_that_was_not_stored_can_be_opened_again(pub: Pub) -> None:
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


async def test_a_request_cut_off_in_storing_is_seen_by_all_or_none(pub: Pub) -> None:
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


async def test_a_move_lost_in_a_hung_disk_counts_once(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, code = await seated(pub)
    stream = await bob.look(code, 0)
    before, view = pub.stored(code), await pub.view(code)
    monkeypatch.setattr(commit, "KNOWN_WITHIN_S", 0.5)
    pub.disk.open.clear()
    for _ in range(2):
        refused = await ann.ask(code, "roll", "the-one-key")
        assert (refused.status, refused.data["code"]) == (503, "not-known")
        assert refused.data["why"] == "Not sure that was saved. Try again. It won't count twice."
        assert stream.log == before
        await pub.advance(0)
        assert stream.ended, "it comes back to what is stored"
        assert (await pub.view(code))["seq"] == view["seq"]
        stream = await bob.look(code, 0)
    pub.disk.open.set()
    await pub.settle()
    monkeypatch.undo()
    assert stream.ended, "it is in the log after all"
    back = await bob.look(code, len(stream.log))
    assert stream.log + back.log == pub.stored(code)
    assert {(await ann.ask(code, "roll", "the-one-key")).status for _ in range(3)} == {200}
    assert sum(" roll " in line for line in pub.stored(code)) == 1
    assert pub.actor(code).state.seq == len(pub.stored(code))


async def test_a_table_of_which_nothing_is_heard_is_opened_once(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit, "KNOWN_WITHIN_S", 0.5)
    ann, order = pub.client("Ann"), {"game": "midnight", "name": "Ann", "key": "the-one-key"}
    pub.disk.open.clear()
    assert (await ann.post("/tables", order)).data["code"] == "not-known"
    pub.disk.open.set()
    await pub.settle()
    monkeypatch.undo()
    codes = {await ann.order(people=None, key="the-one-key") for _ in range(3)}
    assert len(codes) == len(pub.store.tables()) == 1


def test_a_house_whose_disk_hangs_stops_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "END_WITHIN_S", 0.2)
    pub = Pub(tmp_path / "house.db")
    acknowledged: list[str] = []

    async def evening() -> None:
        await pub.open()
        ann, _, code = await seated(pub)
        await ann.done(code, "roll")
        acknowledged.extend(pub.stored(code))
        monkeypatch.setattr(commit, "KNOWN_WITHIN_S", 0.2)
        pub.disk.open.clear()
        asked = [asyncio.ensure_future(ann.ask(code, "mark", marks=[0])) for _ in range(3)]
        await pub.settle()
        pub.house.closing()
        for each in asked:
            each.cancel()
        await asyncio.wait(asked, timeout=20)
        assert all(each.done() for each in asked)

    try:
        asyncio.run(asyncio.wait_for(evening(), 60))
        with pytest.raises(NotStored) as caught:
            pub.store.close()
        assert (caught.value.code, caught.value.facts["reason"]) == ("store-unwritable", "the disk does not answer")
    finally:
        pub.disk.open.set()
    thread_writer = pub.store._writer
    assert isinstance(thread_writer, ThreadWriter)
    thread_writer._thread.join(10)
    reader = SqliteReader(tmp_path / "house.db")
    [number] = reader.tables()
    assert len(reader.read(number)) >= 1 + len(acknowledged)
    assert reader.damage() == []
    reader.close()


async def test_a_command_waits_while_its_table_is_loaded_again(pub: Pub) -> None:
    """Its repeat too: the answer stored under its key counts."""
    ann, _, code = await seated(pub)
    old, roll = pub.actor(code), request_of({"key": "the-one-key", "do": "roll"})
    pub.disk.open.clear()
    requests = [request_of({"key": "another-key", "do": "nudge"}), roll, roll]
    person = str(ann.person)
    wanted = [TableRequest(request=request, person=person, key=key_of(person, request)) for request in requests]
    asked = [asyncio.ensure_future(ask(pub.house, old, each)) for each in wanted]
    await asyncio.sleep(0)
    pub.house.reload(old.code)
    pub.disk.open.set()
    _, first, second = await asyncio.gather(*asked, return_exceptions=True)
    assert first == second == await ask(pub.house, await pub.table(code), wanted[1])
    assert sum(" roll " in line for line in pub.stored(code)) == 1


async def test_a_line_stored_while_a_table_loads_is_in_memory(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    old = pub.actor(code)
    part = pub.store.part

    def late(table: int, start: int, most: int) -> list[str]:
        """The log is read to its end. Then comes the outcome of an append of the old table's."""
        found = part(table, start, most)
        if most > 1:  # the first line was read alone
            pub.store.part = part  # type: ignore[method-assign]
            pub.store.append(table, start + len(found), [f"{pub.clock.ms} paced 700"])
            pub.house.reload(old.code)
        return found

    pub.store.part = late  # type: ignore[method-assign]
    pub.house.reload(old.code)
    fresh = await pub.table(code)
    assert fresh.state.seq == pub.store.length(old.number) - 1
    assert fresh.state.pace_ms == 700
    assert (await ann.ask(code, "roll")).status == 200


@pytest.mark.parametrize(
    ("code", "goes_on"), [("store-unreadable", True), ("log-damaged", False), ("game-gone", False)]
)
async def test_a_table_is_loaded_again_unless_its_log_is_damaged(pub: Pub, code: str, goes_on: bool) -> None:
    """A damaged log was read from end to end each second while a page was open."""
    _, _, table = await seated(pub)
    actor = pub.actor(table)
    with (
        patch.object(type(actor.presence), "is_attended", return_value=True),
        patch.object(pub.house, "find", side_effect=NotStored(code)) as find,
    ):
        pub.house.reload(actor.code)
        for _ in range(5):
            await pub.advance(SECOND)
        assert (find.call_count > 3) is goes_on
        assert find.call_count >= 1


class Hung:
    """A store that keeps what it is given, and says nothing until it is asked to."""

    def __init__(self) -> None:
        self.given: list[tuple[Entry, Callable[[Any], object]]] = []

    def submit(self, entries: Sequence[tuple[Entry, Callable[[Any], object]]], loop_call: object = None) -> None:
        self.given += entries

    def answer(self) -> None:
        given, self.given = self.given, []
        for entry, done in given:
            done(Stored(entry.seen + 1))


async def test_what_a_store_that_does_not_answer_has_is_bounded() -> None:
    store, heard = Hung(), list[Outcome]()
    commit = GroupCommit(store, Durations())  # type: ignore[arg-type]

    def append(table: int) -> None:
        commit.append(Entry(table, 1, ("a",)), heard.append, lambda: None)

    for table in range(MOST_IN_FLIGHT + 3):
        append(table)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [outcome.code for outcome in heard if isinstance(outcome, NotStored)] == ["store-unwritable"] * 3
    assert len(store.given) == MOST_IN_FLIGHT
    store.answer()
    append(1)
    await asyncio.sleep(0)
    assert len(store.given) == 1, "there is room again"
    assert sum(isinstance(outcome, Stored) for outcome in heard) == MOST_IN_FLIGHT
