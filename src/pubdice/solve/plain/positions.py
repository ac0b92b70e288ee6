"""Every position of a round, as arrays, found from the rules alone. Limits apply, as the number is unknown beforehand.

Positions are numbered breadth first from the start, so their numbers depend only on the rules. A round need not end: a
position may lead back to itself. The followers of a position are one run of ``after``, in the rules' order: at a roll
every hand with its number of ways, at a choice every legal action. Such a roll or action is called a *move*.

The rules are asked once for each move of each position, a few microseconds each. So there are two limits:
``MOST_POSITIONS`` for memory, some 230 bytes each, and ``MOST_MOVES`` for time.

A game that treats all seats alike can say so (``TurnedSeats``). Then the rules are asked about each position only as
its mover sees it. ``_lifted`` copies these positions for every seat that the mover may be, without asking the rules
again.
"""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pubdice.core.dice import rolls
from pubdice.core.errors import Unsolved
from pubdice.core.game import CanonicalStates, Game, RoundResult, RoundSeat, TurnedSeats
from pubdice.solve.plain.cycles import Numbers, rows

Progress = Callable[[int, int], None]
"""A function that is called repeatedly with the work done so far and the total work. The total is 0 while it is
unknown."""

CHANCE, END = -1, -2
"""Values in ``Positions.mover`` for a position that has no mover: CHANCE at a roll, END at an end."""
MOST_POSITIONS = 600_000
MOST_MOVES = 1_500_000
MOST_POSITIONS_OF_TWO = 3_000_000
MOST_MOVES_OF_TWO = 9_000_000
"""The limits for two seats: some 40 s and 1.4 GB. A round that can repeat is solved in blocks (``two_sided``)."""
MOST_MERGES = 12
"""The most passes that merge loose nodes (which can reach a cycle). Each pass looks at all of them, because the merges
of one pass make new merges possible."""
MANY, WORTH = 200_000, 20
"""With more than ``MANY`` nodes, merging stops at a pass that would merge fewer than one node in ``WORTH``, because
such a pass takes longer than it saves."""
EVERY = 20_000
"""The number of positions between two calls of a ``Progress``: some tenths of a second."""


@dataclass(frozen=True, eq=False)
class Positions:
    """The positions of one round. A run is the part of ``after`` and ``ways`` that belongs to one position."""

    seats: int
    number: dict[Any, int]
    """The number of every position, in canonical form if the game has one (``CanonicalStates``). The start is 0."""
    mover: Numbers
    """[positions] the seat to move at a choice, otherwise CHANCE or END."""
    starts: Numbers
    """[positions + 1] the start of each position's run. The last entry is the end of the last run."""
    after: Numbers
    """[moves] the followers of each position, run by run."""
    ways: Numbers
    """[moves] the number of ways in which the move can fall, 1 for an action."""
    results: tuple[RoundResult, ...]
    """The possible results of the round, each once."""
    result: Numbers
    """[positions] the index of an end's result in ``results``, -1 elsewhere."""
    lowest_wins: bool
    lift: Numbers | None = None
    """If seats are turned (``TurnedSeats``), the position by [number · seats + mover], or -1 if no round reaches it."""

    def at(self, game: Game[Any, Any], state: Any) -> int | None:
        """Return the position of a state, or None if no round reaches it.

        If seats are turned, an end is any position with the same result.
        """
        if self.lift is None:
            return self.number.get(canonical(game, state))
        assert hasattr(game, "turned"), "its positions were found turned"
        mover = game.mover(state)
        if mover is None:
            return self._ends.get(game.result(state))
        number = self.number.get(canonical(game, game.turned(state) if mover else state))
        place = -1 if number is None else int(self.lift[number * self.seats + mover])
        return place if place >= 0 else None

    @cached_property
    def _ends(self) -> dict[RoundResult | None, int]:
        kinds, places = np.unique(self.result, return_index=True)
        return {
            self.results[kind]: place for kind, place in zip(kinds.tolist(), places.tolist(), strict=True) if kind >= 0
        }


class _Finder:
    """The positions found so far, each with its number, and a queue of positions whose followers are not known yet.

    If the game turns positions for their mover, ``turn`` has, for each move, the number of seats by which it turns
    them.
    """

    def __init__(self, start: Any, canonical: Callable[[Any], Any] | None, turned: Callable[[Any], Any] | None) -> None:
        self.canonical, self.turned = canonical, turned
        self.number: dict[Any, int] = {start: 0}
        self.waiting: list[Any] = [start]
        self.mover, self.result = array("q"), array("q")
        self.starts, self.after, self.ways = array("q", [0]), array("q"), array("q")
        self.turn = array("b")
        self.results: dict[RoundResult, int] = {}

    def follow(self, game: Game[Any, Any], state: Any) -> None:
        number, after = self.number, self.after
        result = game.result(state)
        if result is not None:
            self._note(END, self.results.setdefault(result, len(self.results)))
            return
        due = game.to_roll(state)
        if due:
            fallen = rolls(due, game.faces.sides)
            following = [game.roll(state, hand) for hand, _ in fallen]
            self.ways.extend([count for _, count in fallen])
            mover = CHANCE
        else:
            following = [game.play(state, action) for action in game.legal(state)]
            self.ways.extend([1] * len(following))
            found = game.mover(state)
            if found is None or not following:
                raise ValueError(f"a round that is not over goes on: {state}")
            mover = found
        if self.turned is not None:
            turn = [game.mover(each) or 0 for each in following]
            self.turn.extend(turn)
            following = [self.turned(each) if by else each for each, by in zip(following, turn, strict=True)]
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


def limits(seats: int) -> tuple[int, int]:
    """Return (the most positions, the most moves) of a round with this number of seats."""
    return (MOST_POSITIONS_OF_TWO, MOST_MOVES_OF_TWO) if seats == 2 else (MOST_POSITIONS, MOST_MOVES)


def find_positions(
    game: Game[Any, Any],
    seats: int,
    progress: Progress | None = None,
    *,
    most: int | None = None,
    most_moves: int | None = None,
    every: int = EVERY,
    turned: bool = True,
) -> Positions:
    """Find every position of a round with this number of seats.

    Raises Unsolved: "too-many-positions" or "too-many-moves". If ``turned`` and the game allows it, the rules are asked
    only once about positions that differ by a rotation of the seats.
    """
    usual = limits(seats)
    most, most_moves = most or usual[0], most_moves or usual[1]
    turns = turned and isinstance(game, TurnedSeats)
    each = seats if turns else 1
    start = canonical(game, game.start(seats))
    found = _Finder(
        start,
        game.canonical if isinstance(game, CanonicalStates) else None,
        game.turned if turns and isinstance(game, TurnedSeats) else None,
    )
    for done, state in enumerate(found.waiting):
        found.follow(game, state)
        if len(found.number) * each > most:
            raise Unsolved("too-many-positions", count=len(found.number) * each, most=most)
        if len(found.after) * each > most_moves:
            raise Unsolved("too-many-moves", count=len(found.after) * each, most=most_moves)
        if progress is not None and done % every == 0:
            progress(done, 0)
    positions = Positions(
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
    return _lifted(positions, np.array(found.turn, dtype=np.int64)) if turns else positions


def _lifted(found: Positions, turn: Numbers) -> Positions:
    """Copy each position for every seat that the mover may be.

    found: the positions as their movers see them. turn: [moves] the number of seats by which each move turns.
    """
    seats, count = found.seats, len(found.mover)
    runs = np.diff(found.starts)
    mover = np.arange(seats * count) % seats
    base = np.repeat(found.mover, seats)
    starts = np.concatenate(([0], np.cumsum(np.repeat(runs, seats))))
    places = rows(found.starts, np.repeat(np.arange(count), seats))
    owner = np.repeat(mover, np.repeat(runs, seats))
    after = found.after[places] * seats + (owner + turn[places]) % seats
    results: dict[RoundResult, int] = {}
    numbered = [
        results.setdefault(_turned_result(result, by), len(results)) for result in found.results for by in range(seats)
    ]
    result = np.full(seats * count, -1, dtype=np.int64)
    over = base == END
    if over.any():
        kinds = np.repeat(found.result, seats)[over] * seats + mover[over]
        result[over] = np.array(numbered, dtype=np.int64)[kinds]
    lifted = Positions(
        seats=seats,
        number=found.number,
        mover=np.where(base >= 0, mover, base),
        starts=starts,
        after=after,
        ways=found.ways[places],
        results=tuple(results),
        result=result,
        lowest_wins=found.lowest_wins,
        lift=np.arange(seats * count),
    )
    return _reached(lifted)


def _turned_result(result: RoundResult, by: int) -> RoundResult:
    """Return a result with the seats renumbered: seat 0 becomes the seat ``by``."""
    seats = len(result.scores)
    winners = sorted((seat + by) % seats for seat in result.winners)
    scores = result.scores
    return RoundResult(tuple(map(RoundSeat, winners)), (*scores[seats - by :], *scores[: seats - by]))


def _reached(found: Positions) -> Positions:
    """Drop the copies of positions that no round can reach."""
    assert found.lift is not None, "laid out for every seat"
    kept = _distances(found) >= 0
    if kept.all():
        return found
    here = np.flatnonzero(kept)
    place = np.where(kept, np.cumsum(kept) - 1, -1)
    moves, runs = rows(found.starts, here), np.diff(found.starts)[here]
    ends = found.result[here]
    named = np.unique(ends[ends >= 0])
    again = np.full(len(found.results) + 1, -1, dtype=np.int64)  # the last entry is for -1
    again[named] = np.arange(len(named))
    return Positions(
        seats=found.seats,
        number=found.number,
        mover=found.mover[here],
        starts=np.concatenate(([0], np.cumsum(runs))),
        after=place[found.after[moves]],
        ways=found.ways[moves],
        results=tuple(found.results[each] for each in named.tolist()),
        result=again[ends],
        lowest_wins=found.lowest_wins,
        lift=place,
    )


def canonical(game: Game[Any, Any], state: Any) -> Any:
    """Return the canonical form of a state, or the state itself if the game has no canonical form.

    Uses ``hasattr``, because ``isinstance`` of a protocol takes 8 µs, and every action of a bot calls this function.
    """
    return game.canonical(state) if hasattr(game, "canonical") else state


def _distances(found: Positions) -> Numbers:
    """Return [positions] the fewest steps from the start to each position, or -1 if none leads there."""
    distance = np.full(len(found.mover), -1, dtype=np.int64)
    distance[0] = 0
    fresh, steps = np.array([0]), 0
    while len(fresh):
        after = np.unique(found.after[rows(found.starts, fresh)])
        fresh, steps = after[distance[after] < 0], steps + 1
        distance[fresh] = steps
    return distance
