"""A disk that does not answer: nobody waits without end, nobody sees what is not stored, and no move counts twice."""

import asyncio
from pathlib import Path
from unittest.mock import patch

import pytest

from pubdice.core.errors import NotStored
from pubdice.server.table import commit
from pubdice.server.table.commands import TableRequest, ask, request_of
from pubdice.server.table.commit import key_of
from pubdice.store import SqliteReader, writer
from pubdice.store.writer import ThreadWriter
from support.house import SECOND, Pub, at_the_pub, seated


@at_the_pub()
async def test_a_request_that_is_cut_off_while_its_command_is_stored_stops_no_command(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    stream = await bob.look(code)
    pub.disk.open.clear()
    asked = asyncio.ensure_future(ann.ask(code, "roll"))
    await pub.settle()
    asked.cancel()
    await pub.settle()
    assert not stream.log
    pub.disk.open.set()
    await pub.settle()
    assert stream.log == pub.stored(code)[-1:]
    assert pub.actor(code).state.seq == len(pub.stored(code))


@at_the_pub()
async def test_a_move_of_which_nothing_is_heard_is_answered_honestly_and_counts_once(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, code = await seated(pub)
    stream = await bob.look(code, 0)
    before, view = pub.stored(code), await pub.view(code)
    monkeypatch.setattr(commit, "KNOWN_WITHIN_S", 0.05)
    pub.disk.open.clear()
    for _ in range(2):
        refused = await ann.ask(code, "roll", "the-one-key")
        assert (refused.status, refused.data["code"]) == (503, "not-known")
        assert refused.data["why"] == "Not sure that was saved. Try again; it won't count twice."
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


@at_the_pub()
async def test_a_table_of_which_nothing_is_heard_is_opened_once(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit, "KNOWN_WITHIN_S", 0.05)
    ann, order = pub.client("Ann"), {"game": "midnight", "name": "Ann", "key": "the-one-key"}
    pub.disk.open.clear()
    assert (await ann.post("/tables", order)).data["code"] == "not-known"
    pub.disk.open.set()
    await pub.settle()
    monkeypatch.undo()
    codes = {await ann.order(people=None, key="the-one-key") for _ in range(3)}
    assert len(codes) == len(pub.store.tables()) == 1


def test_a_house_whose_disk_hangs_stops_all_the_same_and_loses_nothing_it_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit, "KNOWN_WITHIN_S", 0.2)
    monkeypatch.setattr(writer, "END_WITHIN_S", 0.2)
    pub = Pub(tmp_path / "house.db")
    acknowledged: list[str] = []

    async def evening() -> None:
        await pub.open()
        ann, _, code = await seated(pub)
        await ann.done(code, "roll")
        acknowledged.extend(pub.stored(code))
        pub.disk.open.clear()
        asked = [asyncio.ensure_future(ann.ask(code, "mark", marks=[0])) for _ in range(3)]
        await pub.settle()
        pub.house.closing()
        for each in asked:
            each.cancel()
        await asyncio.wait(asked, timeout=5)
        assert all(each.done() for each in asked)

    try:
        asyncio.run(asyncio.wait_for(evening(), 20))
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


@at_the_pub()
async def test_a_command_that_waited_while_the_table_was_loaded_again_is_done_there(pub: Pub) -> None:
    """Its repeat too: what is stored under its key is its answer, and never that the table has moved on."""
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


@at_the_pub()
async def test_a_line_stored_while_the_table_is_loaded_is_in_memory_too(pub: Pub) -> None:
    ann, _, code = await seated(pub)
    old = pub.actor(code)
    part = pub.store.part

    def late(table: int, start: int, most: int) -> list[str]:
        """The log is read to its end; then comes the outcome of an append of the old table's."""
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


@at_the_pub()
@pytest.mark.parametrize(
    ("code", "goes_on"), [("store-unreadable", True), ("log-damaged", False), ("game-gone", False)]
)
async def test_a_table_is_loaded_again_until_the_database_is_back_but_not_if_its_log_is_damaged(
    pub: Pub, code: str, goes_on: bool
) -> None:
    """A damaged log was read from end to end each second, for as long as a page was open."""
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
