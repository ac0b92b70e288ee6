"""Replays a table's log: whole or from a state on, in one go or in slices, so a long log holds up no other work.

Crash recovery is a replay of the log: a table comes back in this way after a crash, a restart or a quiet hour. Keeps
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
"""The least number of lines kept of a longer log. When there are twice as many, the oldest are dropped."""
SNAPSHOT_EVERY = 32
"""The number of events between snapshots. A reconnect replays the events that its page missed, and fewer than this
number of events before them.
"""


class LogTail:
    """The latest lines of one log. ``start`` is the state before the first kept line."""

    def __init__(self, start: RoomState) -> None:
        self.lines: list[str] = []
        self._snapshots = [start]

    @property
    def first(self) -> int:
        """The number of events before the first line kept."""
        return self._snapshots[0].seq

    def add(self, line: str, after: RoomState) -> None:
        """Add a line, and the state after the line."""
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
        """Return the kept lines after the event with this number."""
        return self.lines[max(0, seq - self.first) :]

    def steps(self, room: Room, seq: int) -> list[Step]:
        """Return the steps after the event with this number, replayed from the last snapshot.

        Steps whose lines are not kept are missing.
        """
        snapshot = next((snapshot for snapshot in reversed(self._snapshots) if snapshot.seq <= seq), self._snapshots[0])
        return [step for step in room.replay(snapshot, self.lines[snapshot.seq - self.first :]) if step.after.seq > seq]


LINES_AT_ONCE = 500
"""The most lines read at once. They take half a millisecond."""
SLICE_S = 0.001
"""The time in one turn of the event loop for which all loading tables together may replay lines, and so hold it up."""
SHORT = 100
"""The most lines of a log that is replayed in one go, in 2 ms."""
SPOKEN = 63
"""The most earlier steps of a command that are kept beside its latest step."""


class FairSlices:
    """Cooperative scheduling: one slice of replay a turn of the event loop. Loading tables take slices in order."""

    def __init__(self) -> None:
        self._turn = SharedLock()
        self._begun = False

    async def begin(self) -> None:
        """Wait for the first slice. It comes at once, unless another table has had a slice in this turn of the loop."""
        if self._begun or self._turn.locked():
            await self.breathe()
        else:
            self._begun = True
            asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        self._begun = False

    async def breathe(self) -> None:
        """Wait for the next slice, behind the other loads and for at least one turn of the loop."""
        async with self._turn:
            await asyncio.sleep(0)


ReplayedSoFar = tuple[RoomState, int]
"""The progress of a log's replay: the state, and the number of marks since the last move."""


@dataclass(slots=True)
class Loaded:
    """A replayed log."""

    state: RoomState
    marks: int = 0  # the number of marks since the last move
    spoken: tuple[Step, ...] = ()  # the steps of the latest command, which pages show as their last lines
    tail: LogTail = field(init=False)  # the end of the log

    def __post_init__(self) -> None:
        self.tail = LogTail(self.state)

    def take(self, step: Step, line: str) -> None:
        """Add a step and its line."""
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
    """Replay a log, or the rest of a log after ``begun``. ``read(start, most)`` returns lines of the log.

    Raises BadNotation or IllegalAction if the log is impossible.
    """
    loaded, runs, ended = Loaded(*begun) if begun else Loaded(room.start()), _MarkRuns(), False
    # Line 0 is the setup, so event n is in line n.
    next_line = 1 + loaded.state.seq
    await slices.begin()
    until = clock() + SLICE_S
    while not ended:
        lines = await read(next_line, LINES_AT_ONCE)
        # A log that ends with a full batch costs one more read, which is empty.
        ended = len(lines) < LINES_AT_ONCE
        next_line += len(lines)
        for _ in _replay(room, loaded, runs, lines, ended=ended):
            # A short log is replayed in one go: a wait for the other loads would take longer.
            if clock() >= until and len(loaded.tail.lines) >= SHORT:
                await slices.breathe()
                until = clock() + SLICE_S
        if not ended:
            await slices.breathe()
            until = clock() + SLICE_S
    return loaded


def replay(room: Room, loaded: Loaded, lines: Sequence[str]) -> Iterator[None]:
    """Replay these lines on top of ``loaded``, one line for each ``next``. Raises as ``load``."""
    return _replay(room, loaded, _MarkRuns(), lines, ended=True)


def _replay(room: Room, loaded: Loaded, runs: "_MarkRuns", lines: Sequence[str], *, ended: bool) -> Iterator[None]:
    for skipped, line in (*runs.feed(lines), *(runs.rest() if ended else ())):
        _skip_marks(loaded, skipped)
        for step in room.replay(loaded.state, [line]):
            loaded.take(step, line)
            loaded.spoken = said_last(loaded.spoken, step)
        yield


class _MarkRuns:
    """Finds the marks (a player's choice of dice, before it counts) that need no replay: each replaces the one before.

    The latest ``LINES_KEPT`` marks of a run are replayed all the same, because a phone may have missed them.
    """

    def __init__(self) -> None:
        self._run: deque[str] = deque(maxlen=LINES_KEPT)
        self._skipped = 0

    def feed(self, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the lines to replay now, each with the number of marks to skip before it.

        Hold back a run of marks at the end, because more marks may follow.
        """
        for line in lines:
            # By text, without parsing: a log may have thousands of marks, and most are skipped.
            if line.partition(" ")[2].startswith("mark"):
                # A full deque drops its oldest as this one is added. The dropped one is skipped.
                self._skipped += len(self._run) == LINES_KEPT
                self._run.append(line)
            else:
                yield from self.rest()
                yield 0, line

    def rest(self) -> Iterator[tuple[int, str]]:
        """Yield the run of marks that was held back."""
        for line in self._run:
            yield self._skipped, line
            self._skipped = 0
        self._run.clear()


def _skip_marks(loaded: Loaded, marks: int) -> None:
    """Count marks without applying them. The tail lacks them, so a page that missed them loads the table again."""
    state = loaded.state
    if not marks or state.match is None:
        return  # without a match there is nothing to mark: the replay refuses the first mark it applies
    table, play = state.match.table, state.match.state
    # Both the room and its match count events. If the match did not, ``seen`` in the next line would refer to another
    # event.
    loaded.state = state.but(seq=state.seq + marks, match=Live(table, replace(play, seq=play.seq + marks)))
    loaded.tail = LogTail(loaded.state)
    loaded.marks += marks


def said_last(spoken: tuple[Step, ...], step: Step) -> tuple[Step, ...]:
    """Return the steps of the latest command, with ``step`` as its last. ``spoken`` has the steps of the command before
    ``step``, which may be another.

    Marks don't count. A log does not mark where a command begins, yet the replayed table must show the same as the live
    one. A command's steps share their time. But all moves of a match may share one time, if the clock stands still or
    bots play at once. Among moves, a command is a choice, the roll straight after it, and the moves forced by that
    roll.
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
    """Return True if a player made this move and could have made another."""
    event, live = step.line.event, step.before.match
    is_played = isinstance(event, Moved) and isinstance(event.event, Played)
    return is_played and live is not None and len(live.state.legal) > 1
