"""A log replayed a slice at a time, so that a long one holds up nobody at other tables. Knows no hub and no store."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from pubdice.party import Party, PartyState, Step
from pubdice.party.bounds import marks_after
from pubdice.party.events import Moved
from pubdice.server.tail import KEPT, Tail
from pubdice.table import Marked

PART = 500
"""Lines read at once: half a millisecond."""
SLICE_S = 0.001
"""How long lines are replayed at once, whosever they are; what comes in meanwhile waits so long."""
SHORT = 100
"""A log of so many lines is replayed in one go: 2 ms."""
SPOKEN = 63
"""Steps that happened at one time, and another, at most."""


class Slices:
    """One slice of work a turn of the loop, whoever's it is, in turn."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._begun = False

    async def begin(self) -> None:
        """Have a first slice: at once, unless somebody else has had one in this turn of the loop."""
        if self._begun or self._turn.locked():
            await self.breathe()
        else:
            self._begun = True
            asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        self._begun = False

    async def breathe(self) -> None:
        """Let everybody else go first."""
        async with self._turn:
            await asyncio.sleep(0)


Begun = tuple[PartyState, int]
"""How far a log is replayed already: the state there, and the marks since the last move."""


@dataclass(slots=True)
class Loaded:
    """What a log leads to: the state, the end of the log, marks since the last move, and what was said last.

    spoken: the latest steps but marks, which happened at one time.
    """

    state: PartyState
    marks: int = 0
    spoken: tuple[Step, ...] = ()
    tail: Tail = field(init=False)

    def __post_init__(self) -> None:
        self.tail = Tail(self.state)

    def take(self, step: Step, line: str) -> None:
        """A step more."""
        self.state = step.after
        self.tail.add(line, step.after)
        self.marks = marks_after(self.marks, step.line.event)


async def load(
    party: Party,
    read: Callable[[int, int], Sequence[str]],
    slices: Slices,
    begun: Begun | None = None,
    *,
    clock: Callable[[], float] = perf_counter,
) -> Loaded:
    """Replay a log, or the rest of one. read: so many lines from a number on.

    Raises BadNotation or IllegalAction for a log that cannot be.
    """
    loaded, runs, ended = Loaded(*begun) if begun else Loaded(party.start()), _Runs(), False
    at = 1 + loaded.state.seq
    await slices.begin()
    until = clock() + SLICE_S
    while not ended:
        lines = read(at, PART)
        ended = len(lines) < PART
        at += len(lines)
        for _ in _replay(party, loaded, runs, lines, ended=ended):
            if clock() >= until and len(loaded.tail.lines) >= SHORT:
                await slices.breathe()
                until = clock() + SLICE_S
        if not ended:
            await slices.breathe()
            until = clock() + SLICE_S
    return loaded


def replay(party: Party, loaded: Loaded, lines: Sequence[str]) -> Iterator[None]:
    """Take these lines, a step after the other. Raises as ``load``."""
    return _replay(party, loaded, _Runs(), lines, ended=True)


def _replay(party: Party, loaded: Loaded, runs: "_Runs", lines: Sequence[str], *, ended: bool) -> Iterator[None]:
    for passed, line in (*runs.feed(lines), *(runs.rest() if ended else ())):
        _pass_over(loaded, passed)
        for step in party.replay(loaded.state, [line]):
            loaded.take(step, line)
            loaded.spoken = _said_last(loaded.spoken, step)
        yield


def _said_last(spoken: tuple[Step, ...], step: Step) -> tuple[Step, ...]:
    if isinstance(step.line.event, Moved) and isinstance(step.line.event.event, Marked):
        return spoken
    return (*spoken[-SPOKEN:], step) if spoken and spoken[-1].line.at == step.line.at else (step,)


class _Runs:
    """Lines, each with how many marks before it are passed over: a mark takes the place of the one before it.

    Of marks in a row the latest are kept, as a phone may have missed them.
    """

    def __init__(self) -> None:
        self._run: deque[str] = deque(maxlen=KEPT)
        self._passed = 0

    def feed(self, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
        """What these lines make known."""
        for line in lines:
            if line.partition(" ")[2].startswith("mark"):
                self._passed += len(self._run) == KEPT
                self._run.append(line)
            else:
                yield from self.rest()
                yield 0, line

    def rest(self) -> Iterator[tuple[int, str]]:
        """The marks that the log ends with."""
        for line in self._run:
            yield self._passed, line
            self._passed = 0
        self._run.clear()


def _pass_over(loaded: Loaded, marks: int) -> None:
    """Count marks without looking at them. They are not in the end of the log: whoever missed them loads again."""
    state = loaded.state
    if not marks or state.play is None:
        return  # without a match there is nothing to mark: the first that is looked at is refused
    play = replace(state.play, seq=state.play.seq + marks)
    loaded.state = state.but(seq=state.seq + marks, play=play)
    loaded.tail = Tail(loaded.state)
    loaded.marks += marks
