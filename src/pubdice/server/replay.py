"""Replays a table's log: whole or on from a state, and at once or a slice at a time, so that a long one delays nobody.

Crash recovery is a replay of the log: this is how a table comes back after a crash, a restart or a quiet hour. Keeps
the end of the log for pages that reconnect. Knows no live table.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from pubdice.match.record import Played
from pubdice.match.table import Marked
from pubdice.room import Live, Room, RoomState, Step
from pubdice.room.events import Moved
from pubdice.room.log_lines import marks_after
from pubdice.server.shared_lock import SharedLock

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
