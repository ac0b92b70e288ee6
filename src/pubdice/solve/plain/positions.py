"""Every position of a round, found from the rules alone, as arrays; bounded, as nobody knows how many there are.

Positions are numbered as they are found, breadth first from the start, so the numbers depend on the rules and on
nothing else. A round need not end: positions may follow themselves. What follows a position stands in one run of
``after``, in the rules' order: at a roll every hand with its ways, at a choice every legal action.

The rules are asked once for each roll and action of each position, a few microseconds each, so both are bounded:
``MOST_POSITIONS`` for memory, some 230 bytes each, and ``MOST_MOVES`` for time.
"""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.core.dice import rolls
from pubdice.core.errors import Unsolved
from pubdice.core.game import CanonicalStates, Game, RoundResult

Numbers = NDArray[np.int64]
Progress = Callable[[int, int], None]
"""Told what is done and what there is to do, as numbers, again and again; 0 to do: nobody knows yet."""

CHANCE, END = -1, -2
"""In the place of a mover: the dice decide, or nothing does."""
MOST_POSITIONS = 600_000
MOST_MOVES = 1_500_000
EVERY = 20_000
"""Positions between two calls of a ``Progress``: some tenths of a second."""


@dataclass(frozen=True, eq=False)
class Positions:
    """The positions of one round.

    number: of every position, in canonical form if the game has one (``CanonicalStates``); the start is 0. mover:
    [positions] the seat at a choice, else CHANCE or END. starts: [positions + 1] where the run of each begins. after:
    the positions that follow. ways: in how many ways each does, 1 at a choice. results: one an end, each once. result:
    [positions] which of them, at an end; -1 elsewhere. lowest_wins: as the game says.
    """

    seats: int
    number: dict[Any, int]
    mover: Numbers
    starts: Numbers
    after: Numbers
    ways: Numbers
    results: tuple[RoundResult, ...]
    result: Numbers
    lowest_wins: bool


class _Finder:
    """Positions found so far, each with its number, and those whose followers have still to be asked for."""

    def __init__(self, start: Any, canonical: Callable[[Any], Any] | None) -> None:
        self.canonical = canonical
        self.number: dict[Any, int] = {start: 0}
        self.waiting: list[Any] = [start]
        self.mover, self.result = array("q"), array("q")
        self.starts, self.after, self.ways = array("q", [0]), array("q"), array("q")
        self.results: dict[RoundResult, int] = {}

    def follow(self, game: Game[Any, Any], state: Any) -> None:
        """Note a position, and what follows it."""
        number, after = self.number, self.after
        result = game.result(state)
        if result is not None:
            self._note(END, self.results.setdefault(result, len(self.results)))
            return
        due = game.to_roll(state)
        if due:
            following = [game.roll(state, hand) for hand, _ in rolls(due)]
            self.ways.extend([count for _, count in rolls(due)])
            mover = CHANCE
        else:
            following = [game.play(state, action) for action in game.legal(state)]
            self.ways.extend([1] * len(following))
            found = game.mover(state)
            if found is None or not following:
                raise ValueError(f"a round that is not over goes on: {state}")
            mover = found
        if self.canonical is not None:
            following = [self.canonical(each) for each in following]
        for each in following:
            at = number.get(each)
            if at is None:
                at = number[each] = len(number)
                self.waiting.append(each)
            after.append(at)
        self._note(mover, -1)

    def _note(self, mover: int, result: int) -> None:
        self.mover.append(mover)
        self.result.append(result)
        self.starts.append(len(self.after))


def find_positions(
    game: Game[Any, Any],
    seats: int,
    progress: Progress | None = None,
    *,
    most: int | None = None,
    most_moves: int | None = None,
    every: int = EVERY,
) -> Positions:
    """Every position of a round of so many seats. Raises Unsolved: "too-many-positions", "too-many-moves"."""
    most, most_moves = most or MOST_POSITIONS, most_moves or MOST_MOVES
    found = _Finder(canonical(game, game.start(seats)), game.canonical if isinstance(game, CanonicalStates) else None)
    for done, state in enumerate(found.waiting):
        found.follow(game, state)
        if len(found.number) > most:
            raise Unsolved("too-many-positions", count=len(found.number), most=most)
        if len(found.after) > most_moves:
            raise Unsolved("too-many-moves", count=len(found.after), most=most_moves)
        if progress is not None and done % every == 0:
            progress(done, 0)
    return Positions(
        seats=seats,
        number=found.number,
        mover=np.array(found.mover, dtype=np.int64),
        starts=np.array(found.starts, dtype=np.int64),
        after=np.array(found.after, dtype=np.int64),
        ways=np.array(found.ways, dtype=np.int64),
        results=tuple(found.results),
        result=np.array(found.result, dtype=np.int64),
        lowest_wins=game.lowest_wins,
    )


def canonical(game: Game[Any, Any], state: Any) -> Any:
    """The state under which a position is found: the one that the game names for it, or itself."""
    return game.canonical(state) if isinstance(game, CanonicalStates) else state


def rows(starts: Numbers, chosen: Numbers) -> Numbers:
    """The places of the runs of the rows chosen, one run behind the other.

    >>> rows(np.array([0, 2, 2, 5]), np.array([2, 0])).tolist()
    [2, 3, 4, 0, 1]
    """
    lengths = starts[chosen + 1] - starts[chosen]
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts[chosen] - before, lengths) + np.arange(lengths.sum())


def heights(starts: Numbers, after: Numbers) -> Numbers:
    """[rows] the most steps from each row to one without followers; -1 where a cycle can be reached."""
    count = len(starts) - 1
    left = np.diff(starts)
    parents = np.repeat(np.arange(count), left)[np.argsort(after, kind="stable")]
    parent_starts = np.concatenate(([0], np.cumsum(np.bincount(after, minlength=count))))
    height = np.full(count, -1, dtype=np.int64)
    ready, level = np.flatnonzero(left == 0), 0
    while len(ready):
        height[ready] = level
        above, times = np.unique(parents[rows(parent_starts, ready)], return_counts=True)
        left[above] -= times
        ready, level = above[left[above] == 0], level + 1
    return height
