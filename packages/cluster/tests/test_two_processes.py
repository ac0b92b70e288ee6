"""Tests of two processes of one house, beat by beat: leaders, presence, hints, and the state that a page may show."""

import asyncio
import json
import threading
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import pytest

from pubdice.core.errors import NotStored
from pubdice.server.pages.visit import PageVisit
from pubdice.server.table.actor import QueuedCommand, TableActor
from pubdice.server.table.codes import read_code
from pubdice.server.table.house import MOST_LOADS
from pubdice.server.table.presence import Stream as Line
from pubdice.server.wire import Done
from pubdice.store.house_store import HouseReads
from pubdice.store.sqlite.store import SqliteReader
from pubdice.store.writer import Entry, Repeated, Stored
from pubdice_cluster.batched_reads import BatchedReads
from pubdice_cluster.neighbours import GONE_MS
from pubdice_cluster.replication import BEAT_EVERY_S, CUT_OFF_S, LOOK_EVERY_S
from pubdice_cluster.shared_presence import SharedPresence
from pubdice_cluster.shared_table import MOST_TRIES, SharedTable
from support.asgi_client import Stream
from support.shared_house import BoardNodes, SharedPub, at_two_houses

BEAT_MS = round(1000 * BEAT_EVERY_S)
WITHIN_MS = 2_000
"""The most milliseconds until a table goes on after its leading process has died."""
BOTS: dict[str, Any] = {"bots": ["lucky", "tip"], "people": 1, "rules": {"format": "rounds 20"}, "pace_ms": 300}


async def _live(ms: int, *pubs: SharedPub) -> None:
    """Let time pass. Meanwhile these processes send beats, and look at the logs at their usual interval."""
    clock = pubs[0].clock
    until = clock.ms + ms
    while clock.ms < until:
        for pub in pubs:
            await pub.beat()
            if clock.ms % 2_000 < BEAT_MS:
                await pub.look()
        await pubs[0].advance(BEAT_MS)
        await pubs[-1].calm()


def _die(pub: SharedPub) -> None:
    """Kill or freeze a process. It no longer sends beats, reports presence or acts."""
    pub.is_frozen = True
    for actor in pub.house.actors.values():
        actor.autoplay.close()


async def _goes_on_after(one: SharedPub, two: SharedPub, *watching: SharedPub) -> int:
    """Return the milliseconds from the death of the first process until the log of its bots grows again. The processes
    in ``watching`` have a page open.
    """
    ann = one.client("Ann")
    code = await ann.order(**BOTS)
    await ann.done(code, "give")
    for pub in watching:
        await pub.client("Bea").look(code)
    await _live(6_000, one, two)
    before = len(one.stored(code))
    assert before > 6, "they play"
    _die(one)
    died = one.clock.ms
    while len(one.stored(code)) == before:
        await _live(BEAT_MS, two)
        assert one.clock.ms < died + 20_000, "it stands still"
    return one.clock.ms - died


@at_two_houses
async def test_the_beat_after_a_failed_one_tells_the_timers(one: SharedPub, two: SharedPub) -> None:
    ann = one.client("Ann")
    code = await ann.order(**BOTS)
    await ann.done(code, "give")
    await ann.look(code)
    await one.look()
    with (
        patch.object(BoardNodes, "beat", side_effect=NotStored("store-unreadable")),
        pytest.raises(NotStored, match="store-unreadable"),
    ):
        await one.follower.beat()
    await one.beat()
    assert one.board.acting[one.number] == ((await one.table(code)).number,)


@at_two_houses
async def test_a_table_watched_at_both_goes_on_in_two_seconds(one: SharedPub, two: SharedPub) -> None:
    assert await _goes_on_after(one, two, one, two) <= WITHIN_MS


@at_two_houses
async def test_an_unwatched_table_goes_on_within_two_seconds(one: SharedPub, two: SharedPub) -> None:
    assert await _goes_on_after(one, two) <= WITHIN_MS


@at_two_houses
async def test_while_both_live_the_leading_process_alone_acts(one: SharedPub, two: SharedPub) -> None:
    ann = one.client("Ann")
    code = await ann.order(**BOTS)
    await ann.done(code, "give")
    await two.client("Bea").look(code)
    await _live(6_000, one, two)
    assert len(one.stored(code)) > 6
    assert {node for node, _, _ in one.board.told} == {1}


@at_two_houses
async def test_a_process_that_stood_still_takes_no_other_for_gone(one: SharedPub, two: SharedPub) -> None:
    """If a machine stood still or the database was frozen, all beats seem old. The process waits until its own beats
    are regular again.
    """
    await _live(4_000, one, two)
    living, late_ms = one.follower.neighbours, 10_000
    one.clock.ms += late_ms
    for _ in range(GONE_MS // BEAT_MS):
        await one.beat()
        assert two.number in living.living
        one.clock.ms += BEAT_MS
    await one.beat()
    assert living.living == {one.number}, "two has beaten no more meanwhile"


@at_two_houses
async def test_presence_is_told_at_changes_and_now_and_then(one: SharedPub, two: SharedPub) -> None:
    ann = one.client("Ann")
    code = await ann.order(people=2)
    await ann.look(code)
    table, here, follower = (await one.table(code)).number, one.board.here, one.follower
    await one.look()
    assert here[table, one.number]
    here.clear()
    await one.look()
    assert here == {}, "nothing has changed"
    follower._tell_all = True
    await one.look()
    assert here[table, one.number], "a database that was restored has forgotten it"
    held = dict(follower.tables)
    for follower._tell_all in (False, True):
        follower.tables.update(held)
        await one.look()
        assert here[table, one.number]
        follower.tables.clear()
        await one.look()
        assert here[table, one.number] == "", "nobody of this process is at the table any more"


@at_two_houses
async def test_a_process_that_cannot_look_is_cut_off_until_it_can(one: SharedPub, two: SharedPub) -> None:
    follower, process, wait = one.follower, one.follower.process, asyncio.sleep
    looks = list[bool]()

    async def look() -> None:
        looks.append(follower._tell_all)
        if 2 < len(looks) <= 22:
            raise NotStored("store-unreadable")

    async def pause(seconds: float) -> None:
        pauses.append((seconds, process.cut_off))
        one.clock.ms += round(seconds * 1000)
        await wait(0)
        if len(looks) == 24:
            raise asyncio.CancelledError

    pauses = list[tuple[float, bool]]()
    follower._seen_s = follower.time_s()
    with (
        patch.object(follower, "look", look),
        patch("pubdice_cluster.replication.asyncio.sleep", pause),
        pytest.raises(asyncio.CancelledError),
    ):
        await follower._look_often()
    assert [number for number, tell_all in enumerate(looks) if tell_all] == [0, 5, 10, 15, 20]
    assert [seconds for seconds, _ in pauses] == [*[LOOK_EVERY_S] * 2, *[BEAT_EVERY_S] * 20, *[LOOK_EVERY_S] * 2]
    (first, *_), (*_, last) = [[at for at, (_, is_cut_off) in enumerate(pauses) if is_cut_off]] * 2
    assert first == 2 + round((CUT_OFF_S - LOOK_EVERY_S) / BEAT_EVERY_S) + 1, "6 s after the last look"
    assert last == 21, "until it has looked again"


@at_two_houses
async def test_a_move_is_told_once_its_commit_is_known(one: SharedPub, two: SharedPub) -> None:
    """The writer asks again and gets "repeated". So the lines are this process's own, and no other process knows them
    yet.
    """
    ann = one.client("Ann")
    code = await ann.order(bots=["tip"], people=1)
    ears = [await pub.client("Bea").look(code) for pub in (one, two)]
    whole = one.store.submit

    def answered_late(entries: Any, loop_call: Any = None) -> None:
        def again(entry: Entry, done: Any) -> Any:
            return lambda outcome: done(Repeated(entry.answer, entry.body) if isinstance(outcome, Stored) else outcome)

        whole([(entry, again(entry, done)) for entry, done in entries], loop_call)

    one.store.submit = answered_late  # type: ignore[method-assign]
    one.board.told.clear()
    seq = await ann.done(code, "pace", ms=900)
    one.store.submit = whole  # type: ignore[method-assign]
    await two.calm()
    assert [(node, length) for node, _, length in one.board.told] == [(1, seq + 1)]
    assert [ear.messages[-1].data["seq"] for ear in ears] == [seq, seq], "without a look"


@at_two_houses
async def test_a_repeated_command_is_told_to_no_process(one: SharedPub, two: SharedPub) -> None:
    ann = one.client("Ann")
    code = await ann.order(bots=["tip"], people=1)
    for pace in (800, 900):
        await ann.done(code, "pace", key=f"a-key-for-{pace}", ms=pace)
    one.board.told.clear()
    assert (await ann.ask(code, "pace", "a-key-for-800", ms=800)).status == 200
    assert one.board.told == []


@at_two_houses
async def test_a_stream_that_joins_a_actor_just_replaced_ends(one: SharedPub, two: SharedPub) -> None:
    """If the stream did not end, its page would hear nothing for as long as it waits for a heartbeat."""
    ann = one.client("Ann")
    code = await ann.order(bots=["tip"], people=1)
    table, finder = PageVisit.table, list[str]()

    async def replaced_meanwhile(visit: PageVisit, **more: Any) -> TableActor:
        actor = await table(visit, **more)
        if not finder:
            finder.append(visit.path("code"))
            one.house.reload(actor.code)
        return actor

    with patch.object(PageVisit, "table", replaced_meanwhile):
        ear = await ann.look(code)
        await one.calm()
    assert finder, "it was replaced"
    assert (ear.status, ear.ended) == (200, True)
    again = await ann.look(code)
    await one.calm()
    assert not again.ended
    await ann.done(code, "pace", ms=900)
    await one.calm()
    assert again.messages[-1].data["log"]


def _held_up(actor: TableActor) -> asyncio.Event:
    """Hold up a table's looks at its log until the returned event is set."""
    assert isinstance(actor, SharedTable)
    reads, free = actor._links.reads, asyncio.Event()

    async def held_up(table: int, start: int) -> list[str]:
        await free.wait()
        found: list[str] = await reads.part(table, start)
        return found

    actor._links = replace(actor._links, reads=cast(BatchedReads, SimpleNamespace(part=held_up)))
    return free


@at_two_houses
async def test_a_table_is_not_shown_without_a_look_at_its_log(one: SharedPub, two: SharedPub) -> None:
    ann = one.client("Ann")
    code = await ann.order(bots=["tip"], people=1)
    free = _held_up(await two.table(code))
    seq = await ann.done(code, "pace", ms=900)
    with patch("pubdice_cluster.shared_table.LOOK_WITHIN_S", 0.01):
        refused = await two.client("Ann").get(f"/t/{code}/state")
    assert (refused.status, refused.data["code"], refused.headers["retry-after"]) == (503, "store-unreadable", "1")
    assert refused.data["why"] == "Couldn't read the tables right now. Try again."
    free.set()
    found = await two.client("Ann").get(f"/t/{code}/state")
    assert (found.status, found.data["view"]["seq"]) == (200, seq)


@at_two_houses
async def test_a_failed_look_is_told_to_its_own_request_alone(one: SharedPub, two: SharedPub) -> None:
    """The look of another request fails after Ann's look has succeeded, and before she gets her answer."""
    ann = one.client("Ann")
    code = await ann.order(bots=["tip"], people=1)
    seq = await ann.done(code, "pace", ms=900)
    actor, table = await two.table(code), PageVisit.table

    async def another_meanwhile(visit: PageVisit, **more: Any) -> TableActor:
        found = await table(visit, **more)
        free = _held_up(actor)
        with patch("pubdice_cluster.shared_table.LOOK_WITHIN_S", 0.01):
            assert await two.house.find(actor.code) is actor, "a page is shown what is in memory"
            with pytest.raises(NotStored, match="store-unreadable"):
                await two.house.find(actor.code, current=True)
        free.set()
        return found

    with patch.object(PageVisit, "table", another_meanwhile):
        found = await two.client("Ann").get(f"/t/{code}/state")
    assert (found.status, found.data["view"]["seq"]) == (200, seq)


async def _clocked(one: SharedPub) -> tuple[str, int]:
    """Open a table with a clock of 5 minutes, and let Ann and Bob be away for long. Return its code and its number of
    events.
    """
    ann, bob = one.client("Ann"), one.client("Bob")
    code = await ann.order(people=2, clock_s=300)
    seq = await bob.done(code, "sit", name="Bob")
    await one.advance(600_000)
    await _live(4_000, one)
    return code, seq


def _deadlines(*streams: Stream) -> dict[int, set[int]]:
    """Return the deadlines of the turn that these pages showed, by position."""
    shown: dict[int, set[int]] = {}
    for stream in streams:
        for message in stream.messages:
            shown.setdefault(message.data["view"]["seq"], set()).add(message.data["view"]["clock"])
    return shown


@at_two_houses
async def test_pages_of_both_processes_show_one_deadline(one: SharedPub, two: SharedPub) -> None:
    """Ann and Bob come back to an empty table at different processes, 700 ms apart, before either process has
    reported.
    """
    code, seq = await _clocked(one)
    pages = [await one.client("Ann").look(code)]
    await one.advance(700)
    pages.append(await two.client("Bob").look(code))
    await two.calm()
    await _live(6_000, one, two)
    pages += [await pub.client("Eve").look(code) for pub in (one, two)]
    await two.calm()
    shown = _deadlines(*pages)
    assert all(len(each) == 1 for each in shown.values()), shown
    assert [line.split()[1] for line in one.stored(code)[seq:]] == ["retimed"], "once, though two have come"
    (deadline,) = shown[seq + 1]
    assert one.clock.ms < deadline <= one.clock.ms + 300_000, "the turn has all its time again"


@at_two_houses
async def test_who_comes_by_another_process_gives_nobody_more_time(one: SharedPub, two: SharedPub) -> None:
    ann, bob = one.client("Ann"), one.client("Bob")
    code = await ann.order(people=2, clock_s=30)
    seq = await bob.done(code, "sit", name="Bob")
    page = await ann.look(code)
    await _live(10_000, one, two)
    other = await two.client("Bob").look(code)
    await _live(8_000, one, two)
    assert len(one.stored(code)) == seq
    shown = _deadlines(page, other)
    assert len(shown[seq]) == 1
    await page.drop()
    await _live(4_000, one, two)
    again = await one.client("Ann").look(code)
    await _live(4_000, one, two)
    assert len(one.stored(code)) == seq, "somebody was there all the time"
    assert len(_deadlines(page, other, again)[seq]) == 1


@at_two_houses
async def test_a_command_that_loses_is_answered_after_five_tries(one: SharedPub, two: SharedPub) -> None:
    ann = one.client("Ann")
    code = await ann.order(bots=["tip"], people=1)
    actor, asked = await one.table(code), list[object]()

    async def always_grown(command: object, refusal: Exception) -> tuple[Exception, bool]:
        asked.append(command)
        return refusal, True

    with patch.object(actor, "_outcome", always_grown):
        assert (await ann.ask(code, "bank")).status == 409
    assert len(asked) == 1 + MOST_TRIES, "each loses, and the sixth is the last"
    assert await ann.done(code, "roll")


@at_two_houses
async def test_a_replaced_table_is_not_looked_at(one: SharedPub, two: SharedPub) -> None:
    actor = await two.table(await one.client("Ann").order(bots=["tip"], people=1))
    assert isinstance(actor, SharedTable)
    two.house.reload(actor.code)
    assert actor.look_soon().done()
    assert not await actor.catch_up()


@at_two_houses
async def test_a_log_that_differs_at_each_look_is_refused(one: SharedPub, two: SharedPub) -> None:
    """Each look finds another last line than the one in memory, as if some reads came from an old primary."""
    ann = one.client("Ann")
    code = await ann.order(bots=["tip"], people=1)
    seq, looks = await ann.done(code, "pace", ms=900), 0

    async def of_another_server(table: int, start: int) -> list[str]:
        nonlocal looks
        looks += 1
        return ["0 paced 800"]

    async def by_a_thread(ask: Any, *values: object) -> Any:
        await asyncio.sleep(0.001)
        return ask(*values)

    with (
        patch.object(two.follower.links.reads, "part", of_another_server),
        patch.object(two.house, "read", by_a_thread),
        patch.object(two.follower, "read", by_a_thread),
    ):
        await two.table(code)
        refused = await two.client("Ann").get(f"/t/{code}/state")
        await two.calm()
    assert (refused.status, refused.headers.get("retry-after")) == (503, "1")
    assert looks <= MOST_LOADS
    found = await two.client("Ann").get(f"/t/{code}/state")
    assert (found.status, found.data["view"]["seq"]) == (200, seq)


@at_two_houses
async def test_a_log_that_grows_at_each_load_is_refused(one: SharedPub, two: SharedPub) -> None:
    ann = one.client("Ann")
    code = await ann.order(bots=["tip"], people=1)
    part, loads = SqliteReader.part, 0

    def late_again(reads: SqliteReader, table: int, start: int, most: int) -> list[str]:
        nonlocal loads
        loads += start == 0
        two.house.reload(read_code(code) or code)
        return part(reads, table, start, most)

    with patch.object(SqliteReader, "part", late_again):
        assert (await two.client("Ann").get(f"/t/{code}/state")).data["code"] == "store-unreadable"
    assert loads == MOST_LOADS
    assert (await two.client("Ann").get(f"/t/{code}/state")).status == 200


@at_two_houses
async def test_a_chain_of_refused_commands_is_not_nested(one: SharedPub, two: SharedPub) -> None:
    """A reply may submit a command, whose reply submits another, and so on. A thousand of them need no deeper stack
    than one.
    """
    actor, depths = await one.table(await one.client("Ann").order(bots=["tip"], people=1)), list[int]()
    one.house.reload(actor.code)  # after this, each command is refused at once

    def next_one(command: QueuedCommand, outcome: object) -> None:
        depths.append(sum(1 for _ in traceback.walk_stack(None)))
        if len(depths) < 1_000:
            actor.submit(QueuedCommand(person=None, key=None, answer=Done(0), reply=next_one))

    actor.submit(QueuedCommand(person=None, key=None, answer=Done(0), reply=next_one))
    assert len(depths) == 1_000
    assert len(set(depths)) == 1


@at_two_houses
async def test_a_table_is_loaded_once_the_database_is_back(one: SharedPub, two: SharedPub) -> None:
    """No other process loads the table either, so the bots would stand still until a person opens it."""
    ann = one.client("Ann")
    code = await ann.order(**BOTS)
    await ann.done(code, "give")
    ear = await ann.look(code)
    actor = await one.table(code)
    with patch.object(HouseReads, "find", side_effect=NotStored("store-unreadable")):
        one.house.reload(actor.code)
        await one.advance(3_000)
        assert actor.code not in one.house.actors
    await ear.drop()
    before = len(one.stored(code))
    await one.advance(6_000)
    assert len(one.stored(code)) > before, "they play on"


@at_two_houses
async def test_the_log_says_once_where_the_database_is(one: SharedPub, two: SharedPub) -> None:
    follower, clock, said = one.follower, one.clock, list[tuple[str, object, object]]()

    def log(event: str, level: int = 0, **facts: object) -> None:
        said.append((event, facts.get("before"), facts["server"]))

    async def beats(seconds: int, **failing: Any) -> None:
        for _ in range(seconds):
            with patch.object(BoardNodes, "beat", **failing) if failing else nullcontext():
                await follower.try_beat()
            clock.ms += 1_000

    with patch.object(follower, "_log", log):
        await beats(2)
        await beats(3, side_effect=NotStored("store-unreadable"))
        await beats(1)
        assert said == [], "a database that is slow fills no log"
        await beats(20, side_effect=NotStored("store-unreadable"))
        assert said == [("database-away", None, "here")]
        await beats(2)
        assert said[1:] == [("database-back", None, "here")]
        follower.cluster.nodes.server = "there"  # type: ignore[misc]
        await beats(3)
        assert said[2:] == [("database-moved", "here", "there")]
        await beats(9, side_effect=NotStored("store-unreadable"))
        follower.cluster.nodes.server = "here"  # type: ignore[misc]
        await beats(3)
        assert said[3:] == [
            ("database-away", None, "there"),
            ("database-moved", "there", "here"),
            ("database-back", None, "here"),
        ]


@asynccontextmanager
async def _trying_others(pub: SharedPub) -> AsyncIterator[Callable[[int], Awaitable[None]]]:
    """Let the process try the database's other servers when in doubt. Yields a function that checks the number of
    tries.
    """
    trying = asyncio.create_task(pub.follower.look_further())

    async def has_tried(times: int) -> None:
        for _ in range(20_000):
            await asyncio.sleep(0.001)
            if pub.board.looked_further == times:
                break
        await asyncio.sleep(0.01)
        assert pub.board.looked_further == times

    try:
        yield has_tried
    finally:
        trying.cancel()


@at_two_houses
async def test_other_servers_are_tried_while_the_database_is_silent(one: SharedPub, two: SharedPub) -> None:
    one.board.looked_further, follower = 0, one.follower

    async def silent(ask: object, *values: object) -> Any:
        await asyncio.Event().wait()

    async with _trying_others(one) as has_tried:
        await follower.try_beat()
        one.clock.ms += BEAT_MS
        await follower.try_beat()
        await has_tried(1)  # by the first beat, since the process seems to have stood still
        with (
            patch("pubdice_cluster.replication.SILENT_S", 0.01),
            patch.object(follower, "cluster", replace(follower.cluster, read=silent)),
        ):
            for times in range(2, 5):
                await follower.try_beat()
                await has_tried(times)
        one.clock.ms += BEAT_MS
        await follower.try_beat()
        await has_tried(4)
        one.clock.ms += 5_000
        await follower.try_beat()
        await has_tried(5)
        one.board.looked_further = None  # stands for an address without other servers, which must not be tried
        with (
            patch("pubdice_cluster.replication.SILENT_S", 0.01),
            patch.object(follower, "cluster", replace(follower.cluster, read=silent)),
        ):
            await follower.try_beat()


@at_two_houses
async def test_beats_do_not_wait_for_a_server_that_is_off(one: SharedPub, two: SharedPub) -> None:
    """In an earlier version the beats came only every 3.4 s. So the other processes took this one for gone, and it took
    over no tables.
    """
    one.board.looked_further, answers = 0, threading.Event()
    try:
        with patch.object(BoardNodes, "look_further", lambda nodes: answers.wait(10)):
            async with _trying_others(one), asyncio.timeout(5):
                for _ in range(10):
                    await one.follower.try_beat()
                    await asyncio.sleep(0.001)
                    one.clock.ms += BEAT_MS
                _die(two)
                one.board.acting[two.number], one.board.beats[two.number] = (7,), one.clock.ms - 5_000
                await one.follower.try_beat()
                assert (7, two.number) in one.follower.adopting
    finally:
        answers.set()


@at_two_houses
async def test_all_who_ask_while_a_table_is_loaded_again_get_the_same(one: SharedPub, two: SharedPub) -> None:
    code = await one.client("Ann").order()
    old = await one.house.find(code)
    looking = asyncio.Event()

    async def catch_up(_: SharedTable) -> bool:
        await looking.wait()
        return True

    async def read(ask: Callable[..., Any], *values: object) -> Any:
        await asyncio.sleep(0.01)  # other tasks run meanwhile, as if the read went over a network
        return ask(*values)

    with patch.object(one.house, "read", read), patch.object(SharedTable, "catch_up", catch_up):
        finding = [asyncio.ensure_future(one.house.find(code)) for _ in range(5)]
        await asyncio.sleep(0)
        one.house.reload(code)
        looking.set()
        async with asyncio.timeout(5):
            found = set(await asyncio.gather(*finding))
    assert found == {one.house.actors[code]}
    assert old not in found


NOW = 1_000_000


def test_a_table_that_nobody_is_at_has_nothing_to_tell() -> None:
    assert SharedPresence((), NOW).to_text() == ""


def test_a_person_with_a_stream_elsewhere_is_here() -> None:
    here, there = SharedPresence(["ann"], NOW - 60_000), SharedPresence(["ann"], NOW)
    here.join(Line("ann", "en"))
    assert not there.is_attended(NOW)
    assert there.hear({2: here.to_text()}, NOW)
    assert there.is_attended(NOW)
    assert there.seen(["ann"], NOW + 60_000) == NOW + 60_000
    assert there.was_attended_elsewhere(NOW), "so nobody's turn has more time"
    assert not there.was_attended_elsewhere(NOW - 60_001), "who came first had the table to themselves"
    assert not there.hear({2: here.to_text()}, NOW), "nothing has changed"


def test_one_who_goes_there_was_seen_when_they_went() -> None:
    here, there = SharedPresence(["ann"], NOW), SharedPresence(["ann"], NOW)
    stream = Line("ann", "en")
    here.join(stream)
    there.hear({2: here.to_text()}, NOW)
    here.leave(stream, NOW + 30_000)
    told = here.to_text()
    assert json.loads(told) == [0, {"ann": NOW + 30_000}, NOW, 0]
    assert there.hear({2: told}, NOW + 32_000)
    assert there.seen(["ann"], NOW + 90_000) == NOW + 32_000
    assert not there.is_attended(NOW + 90_000)


def test_a_process_that_has_gone_takes_nobody_along_at_once() -> None:
    there = SharedPresence(["ann"], NOW)
    there.hear({2: json.dumps([NOW, {"ann": 0}, NOW, 0])}, NOW)
    assert there.hear({}, NOW + 9_000)
    assert there.seen(["ann"], NOW + 60_000) == NOW + 9_000


def test_what_loading_assumes_is_told_to_nobody() -> None:
    """Otherwise, if a process that had forgotten the table looked at it, all people would seem to be back at the other
    processes.
    """
    here, loaded = SharedPresence(["ann"], NOW - 60_000), SharedPresence(["ann"], NOW)
    stream = Line("ann", "en")
    here.join(stream)
    here.leave(stream, NOW - 50_000)
    assert loaded.to_text() == ""
    loaded.hear({2: here.to_text()}, NOW)
    assert loaded.seen(["ann"], NOW) == NOW - 50_000, "what the others know counts"


def test_a_table_left_at_another_process_was_not_empty() -> None:
    here, there = SharedPresence(["ann"], NOW - 60_000), SharedPresence(["ann"], NOW)
    here.attend(NOW - 50_000, 0)
    here.see("ann", NOW - 50_000)
    here.attend(NOW - 5_000, 45_000)
    there.hear({2: here.to_text()}, NOW)
    assert there.was_attended_elsewhere(NOW)
    assert not there.was_attended_elsewhere(NOW + 40_000), "nobody was there any more"
