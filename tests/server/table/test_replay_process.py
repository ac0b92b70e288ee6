"""Long logs replayed in a process of their own: the same table comes of it, whatever goes wrong."""

import asyncio
import os
import signal
from dataclasses import replace
from functools import partial
from multiprocessing import active_children
from typing import Any

import pytest

from pubdice.core.errors import NotStored
from pubdice.match.header import RawHeader
from pubdice.room.beginning import rules_of
from pubdice.server import log_process, replay
from pubdice.server.fair_lock import FairLock
from pubdice.server.log_process import ReplayProcess, program_stamp, replay_further
from pubdice.server.match_records import Records
from pubdice.server.replay import FairSlices, ReplayedSoFar, load
from pubdice.server.table.commit import at_once
from pubdice.store.sqlite.store import SqliteReader
from server.table.test_long_logs import played, replayed
from support.house import Pub, at_the_pub

pytestmark = pytest.mark.usefixtures("twenty_seats")


@pytest.mark.parametrize("marks", [0, 3, 700])
@at_the_pub()
async def test_a_part_at_a_time_leads_to_the_same_table(pub: Pub, marks: int) -> None:
    _, code = await played(pub, marks=marks, least=marks + 900)
    number = pub.store.find(code)
    assert number is not None
    room, state, _ = replayed(pub, code)
    begun: ReplayedSoFar | None = None
    while begun is None or begun[0].seq < state.seq - 100:
        left = state.seq - 50 - (begun[0].seq if begun else 0)
        begun = replay_further(partial(SqliteReader, pub.path), program_stamp(), number, begun, min(350, left))
        assert begun is not None
    loaded = await load(room, partial(at_once, pub.store.part, number), FairSlices(), begun)
    assert loaded.state == state
    assert loaded.marks == (await load(room, partial(at_once, pub.store.part, number), FairSlices())).marks


@at_the_pub()
async def test_marks_that_a_log_ends_with_are_counted_across_parts(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["lucky"], rules={"format": "rounds 2"})
    await ann.done(code, "roll")
    actor = pub.actor(code)
    line = pub.store.read(actor.number)[-1].replace("roll", "mark").rpartition(" ")[0]
    pub.store.append(actor.number, actor.state.seq + 1, [f"{line} {number % 6}" for number in range(2_500)])
    begun = None
    for _ in range(2):
        begun = replay_further(partial(SqliteReader, pub.path), program_stamp(), actor.number, begun, 900)
    assert begun is not None
    loaded = await load(actor.room, partial(at_once, pub.store.part, actor.number), FairSlices(), begun)
    assert loaded.marks == 2_500
    assert loaded.state == replayed(pub, code)[1]


@at_the_pub()
async def test_a_house_with_a_process_for_long_logs_keeps_its_own_time(pub: Pub) -> None:
    ann, long = await played(pub)
    _, short = await played(pub, least=300)
    replayer = ReplayProcess(partial(SqliteReader, pub.path))
    pub.house.config = replace(pub.house.config, log_reader=replayer)
    _, state, _ = replayed(pub, long)
    read: dict[int, int] = {}
    part = pub.store.part

    def counted(number: int, start: int, most: int) -> list[str]:
        lines = part(number, start, most)
        read[number] = read.get(number, 0) + len(lines)
        return lines

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pub.store, "part", counted)
        found, other = await asyncio.gather(pub.table(long), pub.table(short))
    replayer.close()
    assert found.state == state
    assert read[found.number] <= replay.LINES_KEPT + 2, "the end and the first line"
    assert read[other.number] > 300, "short ones it replays itself"
    assert found.loaded.tail.first == state.seq - replay.LINES_KEPT
    assert await ann.done(long, "resume") > state.seq


@at_the_pub()
async def test_a_process_that_is_killed_is_done_without(pub: Pub) -> None:
    codes = [(await played(pub))[1] for _ in range(2)]
    replayer = ReplayProcess(partial(SqliteReader, pub.path))
    pub.house.config = replace(pub.house.config, log_reader=replayer)
    kill, before = list[int](), set(active_children())
    do = replayer._do

    async def killed(*given: Any) -> Any:
        work = asyncio.ensure_future(do(*given))
        while not (found := set(active_children()) - before):
            await asyncio.sleep(0.001)
        kill.extend(child.pid for child in found if child.pid)
        os.kill(kill[0], signal.SIGKILL)
        return await work

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replayer, "_do", killed)
        assert (await pub.table(codes[0])).state == replayed(pub, codes[0])[1]
    assert (await pub.table(codes[1])).state == replayed(pub, codes[1])[1]
    assert len(kill) == 1
    assert not set(active_children()) - before, "and not tried again"


@at_the_pub()
async def test_the_record_of_a_long_log_is_the_same_from_there(pub: Pub) -> None:
    ann, code = await played(pub)
    own = (await ann.get(f"/t/{code}/record")).text
    replayer = ReplayProcess(partial(SqliteReader, pub.path))
    actor = await pub.table(code)
    assert actor.state.table is not None
    header = actor.room.kit.normalize(RawHeader(rules_of(actor.state)))
    assert await replayer.record(actor.number, actor.state.seq, header, actor.state.table) == own
    replayer.close()
    asked: list[int] = []

    async def elsewhere(table: int, lines: int, *given: object) -> str | None:
        asked.append(lines)
        return "from there" if len(asked) == 1 else None

    records = Records(pub.store.part, elsewhere)
    assert await records.of(actor.number, actor.room.kit, actor.state) == "from there"
    await ann.done(code, "resume")
    assert await records.of(actor.number, actor.room.kit, actor.state) == own, "the house's own, where there is none"
    assert asked[1] > asked[0]


@at_the_pub()
async def test_what_another_version_of_the_program_says_does_not_count(pub: Pub) -> None:
    _, code = await played(pub, least=300)
    number = pub.store.find(code)
    assert number is not None
    assert replay_further(partial(SqliteReader, pub.path), program_stamp(), number, None, 100) is not None
    assert replay_further(partial(SqliteReader, pub.path), (1, 2, 3), number, None, 100) is None


@at_the_pub()
async def test_a_damaged_log_is_the_house_s_to_refuse(pub: Pub) -> None:
    ann, code = await played(pub)
    number = pub.store.find(code)
    assert number is not None
    pub.store.append(number, len(pub.store.read(number)), ["1 nonsense"] * 2_000)
    replayer = ReplayProcess(partial(SqliteReader, pub.path))
    pub.house.config = replace(pub.house.config, log_reader=replayer)
    with pytest.raises(NotStored, match="log-damaged"):
        await pub.house.find(code)
    replayer.close()
    assert (await ann.get("/")).status == 200
    pub.event_log.errors.clear()


@at_the_pub()
async def test_the_process_leaves_when_there_is_no_long_log_for_a_while(pub: Pub) -> None:
    _, code = await played(pub)
    number = pub.store.find(code)
    assert number is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_process, "LEAVE_AFTER_S", 0.05)
        replayer, before = ReplayProcess(partial(SqliteReader, pub.path)), set(active_children())
        assert await replayer.begin(number, pub.store.length(number))
        (process,) = set(active_children()) - before
        assert process.is_alive()
        for _ in range(500):
            if not process.is_alive():
                break
            await asyncio.sleep(0.01)
        assert not process.is_alive()
        assert await replayer.begin(number, pub.store.length(number)), "and comes again"
    replayer.close()


def test_the_log_of_which_the_least_is_left_comes_first() -> None:
    async def served() -> list[int]:
        turns, order = FairLock(), list[int]()

        async def wait(left: int) -> None:
            async with turns.turn("", left):
                await asyncio.sleep(0)
                order.append(left)

        await asyncio.gather(*(wait(left) for left in (300_000, 200_000, 4_000, 30_000)))
        return order

    assert asyncio.run(served()) == [300_000, 4_000, 30_000, 200_000]
