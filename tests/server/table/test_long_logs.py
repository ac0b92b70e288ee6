"""Tables with long logs: loaded once, in slices or by a process beside the loop."""

import asyncio
import os
import signal
from dataclasses import replace
from functools import partial
from multiprocessing import active_children
from typing import Any
from xml.etree import ElementTree

import pytest
import segno

from pubdice.core.cup import SeededCup
from pubdice.core.errors import NotStored
from pubdice.match import record
from pubdice.match.header import RawHeader
from pubdice.match.table import Mark, moves
from pubdice.room import Caller, Room, RoomState, read_setup
from pubdice.room import commands as ask
from pubdice.room.beginning import rules_of
from pubdice.room.log_lines import Moved
from pubdice.server import log_process, replay
from pubdice.server import replay as logs
from pubdice.server.log_process import ReplayProcess, program_stamp, replay_further
from pubdice.server.match_records import Records
from pubdice.server.replay import FairSlices, ReplayedSoFar, load
from pubdice.server.result_picture import qr_code
from pubdice.server.table.commit import at_once
from pubdice.store.sqlite.store import SqliteReader
from support.asgi_client import Client
from support.house import Pub

pytestmark = pytest.mark.usefixtures("twenty_seats")

LONG = 3_000


async def played(pub: Pub, *, marks: int = 0, least: int = LONG) -> tuple[Client, str]:
    """Ann's table, whose log bots have made long. Before each of their moves she could have marked so often."""
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["lucky"] * 19, rules={"format": "rounds 20"})
    actor = pub.actor(code)
    state, cup, lines = actor.state, SeededCup("long"), list[str]()

    at = pub.clock.ms - 100_000

    def do(command: ask.Command, person: str | None) -> None:
        nonlocal state, at
        at += 1
        for step in actor.room.decide(state, command, Caller(person, at), cup):
            lines.append(step.write())
            state = step.after

    do(ask.RollOrBank("roll"), ann.person)
    for number in range(marks):
        do(Mark((number % 6,)), ann.person)
    do(ask.Give("lucky"), ann.person)
    while len(lines) < least and state.stage == "playing":
        assert state.table is not None
        assert state.match is not None
        do(ask.Bot(next(iter(state.table.match.legal(state.match.state.match)), None)), None)
    pub.store.append(actor.number, actor.state.seq + 1, lines)
    pub.house.actors.pop(code).close()
    return ann, code


async def test_the_latest_lines_are_kept_with_a_state_for_each_32(pub: Pub) -> None:
    """A state of a table of 20 is some kilobytes: with each line it would be megabytes for each table."""
    state = pub.actor(await pub.client("Ann").order()).state
    tail = logs.LogTail(replace(state, seq=0))
    most = 0
    for seq in range(1, 4 * logs.LINES_KEPT):
        tail.add(f"{seq}", replace(state, seq=seq))
        most = max(most, len(tail._snapshots))
        assert tail.since(seq - 1) == [f"{seq}"]
    assert most <= 2 * logs.LINES_KEPT / logs.SNAPSHOT_EVERY + 1
    assert len(tail.lines) <= 2 * logs.LINES_KEPT


def replayed(pub: Pub, code: str) -> tuple[Room, RoomState, list[Moved]]:
    """A table as all of its log makes it, line by line."""
    number = pub.store.find(code)
    assert number is not None
    setup, *lines = pub.store.read(number)
    room = Room(pub.games["midnight"], read_setup(setup))
    state, moved = room.start(), list[Moved]()
    for step in room.replay(state, lines):
        state = step.after
        if isinstance(step.line.event, Moved):
            moved.append(step.line.event)
    return room, state, moved


async def test_a_long_log_is_replayed_for_a_millisecond_at_once(pub: Pub) -> None:
    _, code = await played(pub)
    number = pub.store.find(code)
    assert number is not None
    room, state, _ = replayed(pub, code)
    replay, now, since, begun = Room.replay, 0.0, 0.0, False

    class Counted(logs.FairSlices):
        async def begin(self) -> None:
            nonlocal begun
            begun = True

        async def breathe(self) -> None:
            nonlocal since
            since = now

    def read(start: int, most: int) -> list[str]:
        assert begun, "before anything is read"
        assert most <= logs.LINES_AT_ONCE
        return pub.store.part(number, start, most)

    def slow(self: Room, before: RoomState, lines: list[str]) -> object:
        nonlocal now
        now += 0.0004 * len(lines)
        if before.seq > logs.SHORT:
            assert now - since < logs.SLICE_S + 0.0004
        return replay(self, before, lines)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Room, "replay", slow)
        loaded = await load(room, partial(at_once, read), Counted(), clock=lambda: now)
    assert loaded.state == state
    assert now > 1


async def test_one_log_is_replayed_in_a_turn_of_the_loop(pub: Pub) -> None:
    codes = [(await played(pub, least=300))[1] for _ in range(5)]
    loop, turn, part, busy = asyncio.get_running_loop(), 0, pub.store.part, dict[int, set[int]]()

    def count() -> None:
        nonlocal turn
        turn += 1
        if len(pub.house.actors) < len(codes):
            loop.call_soon(count)

    def counted(number: int, start: int, most: int) -> list[str]:
        if start:
            busy.setdefault(turn, set()).add(number)
        return part(number, start, most)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pub.store, "part", counted)
        count()
        await asyncio.gather(*(pub.house.find(code) for code in codes))
    assert len(busy) >= len(codes)
    assert all(len(tables) == 1 for tables in busy.values())


@pytest.mark.parametrize("marks", [logs.LINES_KEPT + 1, 2 * logs.LINES_AT_ONCE + 5])
async def test_marks_of_old_logs_are_passed_over(pub: Pub, marks: int) -> None:
    _, code = await played(pub, marks=marks, least=marks + 100)
    _, state, _ = replayed(pub, code)
    assert (await pub.table(code)).state == state


async def test_a_log_that_ends_in_marks_shows_the_last(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["lucky"], rules={"format": "rounds 2"})
    await ann.done(code, "roll")
    actor = pub.actor(code)
    line = pub.store.read(actor.number)[-1].replace("roll", "mark").rpartition(" ")[0]
    pub.store.append(actor.number, actor.state.seq + 1, [f"{line} {number % 6}" for number in range(1_500)])
    before = await pub.view(code)
    pub.house.actors.pop(code).close()
    after = await pub.view(code)
    assert after["seq"] == before["seq"] + 1_500
    assert pub.actor(code).loaded.marks == 1_500
    assert [die["status"] for die in after["dice"]].index("marked") == 1499 % 6
    await ann.done(code, "roll")
    _, state, _ = replayed(pub, code)
    assert (await pub.table(code)).state == state


async def test_of_a_long_log_only_the_end_is_kept_in_memory(pub: Pub) -> None:
    _, code = await played(pub)
    actor = await pub.table(code)
    kept = actor.loaded.tail
    assert len(kept.lines) < 2 * logs.LINES_KEPT + logs.SNAPSHOT_EVERY
    assert kept.first + len(kept.lines) == actor.state.seq
    steps = kept.steps(actor.room, actor.state.seq - 500)
    assert [step.write() for step in steps] == list(kept.since(actor.state.seq - 500))
    assert steps[-1].after == actor.state
    assert b"reload" in actor.spectators.since(kept.first - 1, "en")


async def test_the_record_of_a_long_log_is_that_of_its_moves(pub: Pub) -> None:
    ann, code = await played(pub, marks=1_200)
    room, state, moved = replayed(pub, code)
    assert state.table is not None
    header = room.kit.normalize(RawHeader(rules_of(state)))
    text = record.write(header, state.table.match, moves(each.event for each in moved))
    assert (await ann.get(f"/t/{code}/record")).text == text


@pytest.mark.parametrize("marks", [3, 700])
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


async def test_what_another_version_of_the_program_says_does_not_count(pub: Pub) -> None:
    _, code = await played(pub, least=300)
    number = pub.store.find(code)
    assert number is not None
    assert replay_further(partial(SqliteReader, pub.path), program_stamp(), number, None, 100) is not None
    assert replay_further(partial(SqliteReader, pub.path), (1, 2, 3), number, None, 100) is None


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


async def test_the_process_leaves_after_a_while_without_a_long_log(pub: Pub) -> None:
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


ROUNDS, SEATS = 20, 20
"""The longest match there is at the largest table."""


async def longest(pub: Pub) -> str:
    """The longest match at the largest table, played by bots."""
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
