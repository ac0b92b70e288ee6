"""Tables with long logs: loaded in slices, shown from their end, their records written beside the loop."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from pubdice.core.cup import SeededCup
from pubdice.match import record
from pubdice.match.header import RawHeader
from pubdice.match.table import Mark, moves
from pubdice.room import Caller, Room, RoomState, read_setup
from pubdice.room import commands as ask
from pubdice.room.beginning import rules_of
from pubdice.room.events import Moved
from pubdice.server import replay as logs
from pubdice.server.replay import load
from pubdice.server.table.commit import at_once
from support.asgi_client import Client
from support.house import Pub, at_the_pub, without_time

pytestmark = pytest.mark.usefixtures("twenty_seats")

LONG = 3_000


async def played(pub: Pub, *, marks: int = 0, least: int = LONG) -> tuple[Client, str]:
    """Ann's table, whose log bots have made long; before each of their moves she could have marked so often."""
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


@at_the_pub()
async def test_the_latest_lines_of_a_log_are_kept_with_a_state_for_each_32(pub: Pub) -> None:
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


@at_the_pub()
async def test_while_a_long_log_is_loaded_others_are_answered(pub: Pub) -> None:
    _, long = await played(pub)
    bob = pub.client("Bob")
    short = await bob.order()
    loading_it = asyncio.ensure_future(pub.client().get(f"/t/{long}/state"))
    answered = 0
    for at in range(5):
        await bob.done(short, "pace", ms=at)
        answered += not loading_it.done()
    assert answered, "before it is loaded"
    assert (await loading_it).status == 200


@at_the_pub()
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


@at_the_pub()
async def test_of_many_logs_asked_for_at_once_one_is_replayed_in_a_turn_of_the_loop(pub: Pub) -> None:
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


@at_the_pub()
async def test_a_table_that_is_asked_for_by_many_is_loaded_once(pub: Pub) -> None:
    _, code = await played(pub)
    found = await asyncio.gather(*(pub.house.find(code) for _ in range(5)))
    assert len(set(found)) == 1
    assert found[0] is pub.house.actors[code]


@pytest.mark.parametrize("marks", [1, logs.LINES_KEPT, logs.LINES_KEPT + 1, 2 * logs.LINES_AT_ONCE + 5])
@at_the_pub()
async def test_marks_of_old_logs_are_passed_over_and_the_table_is_the_same(pub: Pub, marks: int) -> None:
    _, code = await played(pub, marks=marks, least=marks + 100)
    _, state, _ = replayed(pub, code)
    assert (await pub.table(code)).state == state


@at_the_pub()
async def test_a_log_that_ends_in_marks_shows_the_last_and_says_what_was_said_before(pub: Pub) -> None:
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


@at_the_pub()
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


@at_the_pub()
async def test_a_loaded_table_shows_what_the_one_before_showed(pub: Pub) -> None:
    ann, code = await played(pub)
    await ann.done(code, "resume")
    before, story = await pub.view(code), pub.house.actors[code].spectators.story("en", 30)
    pub.house.actors.pop(code).close()
    assert without_time(await pub.view(code)) == without_time(before)
    assert pub.house.actors[code].spectators.story("en", 30) == story


@at_the_pub()
async def test_the_record_of_a_long_log_is_that_of_its_moves(pub: Pub) -> None:
    ann, code = await played(pub, marks=1_200)
    room, state, moved = replayed(pub, code)
    assert state.table is not None
    header = room.kit.normalize(RawHeader(rules_of(state)))
    text = record.write(header, state.table.match, moves(each.event for each in moved))
    assert (await ann.get(f"/t/{code}/record")).text == text
