"""Replays a table's log: whole or on from a state, and at once or a slice at a time, so that a long one delays nobody.

Crash recovery is a replay of the log: this is how a table comes back after a crash, a restart or a quiet hour. Keeps
the end of the log for pages that reconnect, checks logs, and writes their matches as records. Knows no live table.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter

from pubdice.core.errors import BadNotation, IllegalAction, NotStored, Refused
from pubdice.kit import Kit, installed
from pubdice.match import record
from pubdice.match.notation import Header, RawHeader
from pubdice.match.record import Move, Played, with_night
from pubdice.match.sealed_record import with_proof
from pubdice.match.table import Marked, Table, moves, read_event
from pubdice.room import Live, Room, RoomState, Step, read_setup
from pubdice.room.apply import rules_of
from pubdice.room.events import Moved
from pubdice.room.setup import least_seats, with_seats
from pubdice.room.state import is_cut, marks_after, proof_of
from pubdice.server.shared_lock import SharedLock
from pubdice.store.house_store import HouseReads

LINES_KEPT = 640
"""The least number of lines kept of a log that has more; the oldest go when there are twice as many."""
SNAPSHOT_EVERY = 32
"""The number of events between snapshots of the state, so a page that reconnects costs the replay of what it missed,
and of fewer lines than this.
"""


class LogTail:
    """The latest lines of one log. start: the state before the first of them."""

    def __init__(self, start: RoomState) -> None:
        self.lines: list[str] = []
        self._snapshots = [start]

    @property
    def first(self) -> int:
        """The number of events before the first line kept."""
        return self._snapshots[0].seq

    def add(self, line: str, after: RoomState) -> None:
        """Add a line, and the state after it."""
        self.lines.append(line)
        if after.seq % SNAPSHOT_EVERY == 0:
            self._snapshots.append(after)
            if len(self.lines) >= 2 * LINES_KEPT:
                self._forget()

    def _forget(self) -> None:
        before = self.first
        self._snapshots = [snapshot for snapshot in self._snapshots if snapshot.seq >= before + LINES_KEPT]
        del self.lines[: self.first - before]

    def since(self, seq: int) -> Sequence[str]:
        """The lines after a number of events, as far as they are kept."""
        return self.lines[max(0, seq - self.first) :]

    def steps(self, room: Room, seq: int) -> list[Step]:
        """The steps after a number of events, as far as lines are kept, replayed from the nearest snapshot before."""
        snapshot = next((snapshot for snapshot in reversed(self._snapshots) if snapshot.seq <= seq), self._snapshots[0])
        return [step for step in room.replay(snapshot, self.lines[snapshot.seq - self.first :]) if step.after.seq > seq]


# Replays a log, a slice at a time, so that a long one delays nobody at other tables. Crash recovery is a replay of
# the log: this is how a table comes back after a crash, a restart or a quiet hour. Knows no actor and no store.


LINES_AT_ONCE = 500
"""Lines read at once: half a millisecond."""
SLICE_S = 0.001
"""The time that all loading tables together replay lines in one turn of the event loop, which does nothing else then.
"""
SHORT = 100
"""The most lines of a log that is replayed in one go: 2 ms."""
SPOKEN = 63
"""The most steps of one time that are remembered beside the latest."""


class FairSlices:
    """Cooperative scheduling: one slice of replay for each turn of the event loop, the waiting loads in order."""

    def __init__(self) -> None:
        self._turn = SharedLock()
        self._begun = False

    async def begin(self) -> None:
        """Wait for a first slice: not at all, unless another load has had one in this turn of the loop."""
        if self._begun or self._turn.locked():
            await self.breathe()
        else:
            self._begun = True
            asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        self._begun = False

    async def breathe(self) -> None:
        """Wait for the next slice: behind the other loads, and for one turn of the loop."""
        async with self._turn:
            await asyncio.sleep(0)


ReplayedSoFar = tuple[RoomState, int]
"""The progress of a log's replay: the state there, and the marks since the last move."""


@dataclass(slots=True)
class Loaded:
    """A log replayed.

    marks: the number since the last move. spoken: the steps of the latest command, from which pages have their last
    lines. tail: the end of the log.
    """

    state: RoomState
    marks: int = 0
    spoken: tuple[Step, ...] = ()
    tail: LogTail = field(init=False)

    def __post_init__(self) -> None:
        self.tail = LogTail(self.state)

    def take(self, step: Step, line: str) -> None:
        """Add a step and its line: the state after it, and the marks so far."""
        self.state = step.after
        self.tail.add(line, step.after)
        self.marks = marks_after(self.marks, step.line.event)


async def load(
    room: Room,
    read: Callable[[int, int], Awaitable[Sequence[str]]],
    slices: FairSlices,
    begun: ReplayedSoFar | None = None,
    *,
    clock: Callable[[], float] = perf_counter,
) -> Loaded:
    """Replay a log, or the rest of one. read: takes a number, and returns some lines from there on.

    Raises BadNotation or IllegalAction for a log that cannot be.
    """
    loaded, runs, ended = Loaded(*begun) if begun else Loaded(room.start()), _MarkRuns(), False
    # Line 0 is the setup, so event n is in line n.
    next_line = 1 + loaded.state.seq
    await slices.begin()
    until = clock() + SLICE_S
    while not ended:
        lines = await read(next_line, LINES_AT_ONCE)
        # A log that ends with a full batch costs one more read, which finds nothing.
        ended = len(lines) < LINES_AT_ONCE
        next_line += len(lines)
        for _ in _replay(room, loaded, runs, lines, ended=ended):
            # A short log goes through in one go: a wait for the other loads would be longer than its rest.
            if clock() >= until and len(loaded.tail.lines) >= SHORT:
                await slices.breathe()
                until = clock() + SLICE_S
        if not ended:
            await slices.breathe()
            until = clock() + SLICE_S
    return loaded


def replay(room: Room, loaded: Loaded, lines: Sequence[str]) -> Iterator[None]:
    """Replay these lines on top of ``loaded``, one step for each ``next``. Raises as ``load`` does."""
    return _replay(room, loaded, _MarkRuns(), lines, ended=True)


def _replay(room: Room, loaded: Loaded, runs: "_MarkRuns", lines: Sequence[str], *, ended: bool) -> Iterator[None]:
    for skipped, line in (*runs.feed(lines), *(runs.rest() if ended else ())):
        _skip_marks(loaded, skipped)
        for step in room.replay(loaded.state, [line]):
            loaded.take(step, line)
            loaded.spoken = said_last(loaded.spoken, step)
        yield


class _MarkRuns:
    """Finds the marks that need no replay: in a run of marks each replaces the one before.

    The latest ``LINES_KEPT`` of a run are replayed all the same, as a phone may have missed them.
    """

    def __init__(self) -> None:
        self._run: deque[str] = deque(maxlen=LINES_KEPT)
        self._skipped = 0

    def feed(self, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
        """The lines to replay now, each with how many marks to skip before it; a run that may go on is held back."""
        for line in lines:
            # By text, without parsing: a log may have thousands of marks, and most are not replayed.
            if line.partition(" ")[2].startswith("mark"):
                # A full deque drops its oldest as this one is added: that one is skipped.
                self._skipped += len(self._run) == LINES_KEPT
                self._run.append(line)
            else:
                yield from self.rest()
                yield 0, line

    def rest(self) -> Iterator[tuple[int, str]]:
        """The run of marks that was held back."""
        for line in self._run:
            yield self._skipped, line
            self._skipped = 0
        self._run.clear()


def _skip_marks(loaded: Loaded, marks: int) -> None:
    """Count marks without applying them. They are not in the tail: a page that missed them loads the table again."""
    state = loaded.state
    if not marks or state.match is None:
        return  # without a match there is nothing to mark: the replay refuses the first mark it applies
    table, play = state.match.table, state.match.state
    # Both count events, the room and its match. Without the second the next line's ``seen`` would refer to another.
    loaded.state = state.but(seq=state.seq + marks, match=Live(table, replace(play, seq=play.seq + marks)))
    loaded.tail = LogTail(loaded.state)
    loaded.marks += marks


def said_last(spoken: tuple[Step, ...], step: Step) -> tuple[Step, ...]:
    """The steps of the latest command, once this one has happened. spoken: before it. Marks say nothing.

    A log has no boundaries of commands, and must show what a table in memory shows. So a command's steps are known by
    their time, which they share. But all moves of a match may share one, where the clock stands still or bots play at
    once. Of them a command is a choice, the roll straight after it, and the moves forced by that.
    """
    event = step.line.event
    if isinstance(event, Moved) and isinstance(event.event, Marked):
        return spoken
    if not spoken or spoken[-1].line.at != step.line.at:
        return (step,)
    begins = False
    if isinstance(event, Moved) and isinstance(spoken[-1].line.event, Moved):
        begins = _is_choice(step) if isinstance(event.event, Played) else not _is_choice(spoken[-1])
    return (step,) if begins else (*spoken[-SPOKEN:], step)


def _is_choice(step: Step) -> bool:
    """True if somebody played, and could have played otherwise."""
    event, live = step.line.event, step.before.match
    return (
        live is not None and isinstance(event, Moved) and isinstance(event.event, Played) and len(live.state.legal) > 1
    )


# Whether a log can have come about: it is replayed from its first line, as a house does that loads the table.


LINES_CHECKED = 2_000


def read_log(reader: HouseReads, table: int) -> Iterator[str]:
    """A log's lines, a part at a time, so that a long one takes no more memory than a short one. Raises NotStored."""
    start = 0
    while lines := reader.part(table, start, LINES_CHECKED):
        yield from lines
        start += len(lines)


def verify(log: Iterable[str], games: Mapping[str, Kit]) -> int:
    """Replay a log; returns the number of its events. Raises NotStored for the first line that cannot stand there."""
    return replayed(log, games)[0]


def replayed(log: Iterable[str], games: Mapping[str, Kit]) -> tuple[int, RoomState]:
    """The same, and the state at its end. NotStored: "log-impossible", "game-gone", and the reader's own."""
    events, lines = 0, iter(log)
    try:
        setup = read_setup(next(lines, ""))
        kit = installed(games, setup.rules["game"])
        kit.normalize(RawHeader(with_seats(setup.rules, max(setup.seats, least_seats(kit)))))
        room = Room(kit, setup)
        state = room.start()
        for step in room.replay(state, lines):
            events, state = events + 1, step.after
        if is_cut(state):
            raise IllegalAction("cannot-happen")
    # KeyError, IndexError: a game or a seat that does not exist, which only a forged file can name.
    except (BadNotation, IllegalAction, KeyError, IndexError, ValueError):
        raise NotStored("log-impossible", event=events + 1) from None
    return events, state


# Which seats of a match were not one person's from its beginning to its end, by the lines of its log.


SPOIL = frozenset(("sat", "shared", "botted", "left", "removed", "stoodin", "timedout"))
"""Tags of a log's lines after which a seat was not one person's from the beginning of the match to its end."""


def spoilt_seats(lines: Iterable[str]) -> frozenset[int]:
    """The seats that somebody else, or a bot, had at some time during the match. lines: those of its log."""
    begun, spoilt = False, set[int]()
    for line in lines:
        _, tag, *facts = line.split(" ", 3)
        begun = begun or tag == "started"
        if begun and tag in SPOIL and facts and facts[0].isdecimal():
            spoilt.add(int(facts[0]))
    return frozenset(spoilt)


# A table's match as a record: written from its log in a thread, one at a time; the latest ones are cached.
#
# Records of long logs are written in the replay process, if there is one.


MOST_RECORDS = 4
"""Records kept: one may be 2 MB."""
MOVES = ("draw", "roll", "play", "back")
"""The tags of a log's lines that are moves of the match, or take one back."""
WriteRecord = Callable[[int, int, Header, Table], Awaitable[str | None]]
"""Writes the record of a table from the first lines of its log; None if the house must write it."""


class Records:
    """The records of a house's tables.

    read: takes a table and a number, and returns some lines from there on; called from any thread. write: is asked
    first.
    """

    def __init__(self, read: Callable[[int, int, int], Sequence[str]], write: WriteRecord) -> None:
        self._read, self._write = read, write
        self._latest: OrderedDict[tuple[int, int], str] = OrderedDict()
        self._one_at_a_time = SharedLock()

    async def of(self, number: int, kit: Kit, state: RoomState) -> str:
        """The record of a table's match so far, under the present names. Raises Refused before it has begun."""
        if state.match is None:
            raise Refused("no-record")
        table = state.match.table
        key = number, state.seq
        async with self._one_at_a_time:
            if key not in self._latest:
                header = kit.normalize(RawHeader(rules_of(state)))
                text = await self._write(number, state.seq, header, table)
                if text is None:
                    lines = lines_of(partial(self._read, number), state.seq)
                    text = await asyncio.to_thread(write_record, header, table, lines)
                self._latest[key] = with_night(with_proof(text, proof_of(state)), state.setup.night)
                if len(self._latest) > MOST_RECORDS:
                    self._latest.popitem(last=False)
            return self._latest[key]


def write_record(header: Header, table: Table, lines: Iterator[str]) -> str:
    """The record of a match, from a log's lines."""
    return record.write(header, table.match, moves_of(table, lines))


def lines_of(read: Callable[[int, int], Sequence[str]], seq: int) -> Iterator[str]:
    """The first ``seq`` lines of a log, a part at a time. read: takes a number, returns some lines from there."""
    next_line = 1
    while next_line <= seq and (lines := read(next_line, min(LINES_AT_ONCE, 1 + seq - next_line))):
        yield from lines
        next_line += len(lines)


def moves_of(table: Table, lines: Iterator[str]) -> list[Move]:
    """The moves of the match among a log's lines."""
    events = (line.partition(" ")[2] for line in lines)
    return moves(read_event(table, text) for text in events if text.partition(" ")[0] in MOVES)
