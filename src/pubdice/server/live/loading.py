"""Replays a log, a slice at a time, so that a long one delays nobody at other tables. Crash recovery is a
replay of the log: this is how a table comes back after a crash, a restart or a quiet hour. Knows no hub and no store.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from pubdice.room import Live, Room, RoomState, Step
from pubdice.room.bounds import marks_after
from pubdice.server.live.log_tail import LINES_KEPT, LogTail
from pubdice.server.show.messages import said_last

LINES_AT_ONCE = 500
"""Lines read at once: half a millisecond."""
SLICE_S = 0.001
"""How long all loading tables together replay lines in one turn of the event loop, which does nothing else then."""
SHORT = 100
"""A log of so many lines is replayed in one go: 2 ms."""


class FairSlices:
    """Cooperative scheduling: one slice of replay for each turn of the event loop, the waiting loads in order."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
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
"""Where the replay of a log has got to: the state there, and the marks since the last move."""


@dataclass(slots=True)
class Loaded:
    """A log replayed.

    marks: how many since the last move. spoken: the steps of the latest command: what pages said last.
    tail: the end of the log.
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
    """Replay a log, or the rest of one. read: takes a number, and returns so many lines from there on.

    Raises BadNotation or IllegalAction for a log that cannot be.
    """
    loaded, runs, ended = Loaded(*begun) if begun else Loaded(room.start()), _MarkRuns(), False
    next_line = 1 + loaded.state.seq
    await slices.begin()
    until = clock() + SLICE_S
    while not ended:
        lines = await read(next_line, LINES_AT_ONCE)
        ended = len(lines) < LINES_AT_ONCE
        next_line += len(lines)
        for _ in _replay(room, loaded, runs, lines, ended=ended):
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
            if line.partition(" ")[2].startswith("mark"):
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
    """Count so many marks without applying them. They are not in the tail: a page that missed them loads the table
    again.
    """
    state = loaded.state
    if not marks or state.match is None:
        return  # without a match there is nothing to mark: the replay refuses the first mark it applies
    table, play = state.match.table, state.match.state
    loaded.state = state.but(seq=state.seq + marks, match=Live(table, replace(play, seq=play.seq + marks)))
    loaded.tail = LogTail(loaded.state)
    loaded.marks += marks
