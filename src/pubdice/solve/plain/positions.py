"""Every position of a round, found from the rules alone, as arrays; bounded, as their number is not known before.

Positions are numbered as they are found, breadth first from the start, so the numbers depend on the rules and on
nothing else. A round need not end: positions may follow themselves. What follows a position stands in one run of
``after``, in the rules' order: at a roll every hand with its ways, at a choice every legal action.

The rules are asked once for each roll and action of each position, a few microseconds each, so both are bounded:
``MOST_POSITIONS`` for memory, some 230 bytes each, and ``MOST_MOVES`` for time.

A game that is the same from every chair and says so (``TurnedSeats``) is asked about positions as their movers see
them. The arrays have each of these once for every seat that the mover may be (``_lifted``): that takes no rules.
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
"""Told what is done and what there is to do, as numbers, again and again; 0 to do: nobody knows yet."""

CHANCE, END = -1, -2
"""In the place of a mover: the dice decide, or nothing does."""
MOST_POSITIONS = 600_000
MOST_MOVES = 1_500_000
MOST_POSITIONS_OF_TWO = 3_000_000
MOST_MOVES_OF_TWO = 9_000_000
"""Of two seats, which are solved in blocks where a round can come back (``solution``): some 40 s and 1.4 GB."""
MOST_MERGES = 12
"""The most times that loose nodes are merged, as their followers became one: each time all are looked through."""
MANY, WORTH = 200_000, 20
"""Of so many nodes a twentieth must become one, or merging them takes longer than it saves."""
EVERY = 20_000
"""Positions between two calls of a ``Progress``: some tenths of a second."""


@dataclass(frozen=True, eq=False)
class Positions:
    """The positions of one round.

    number: of every position, in canonical form if the game has one (``CanonicalStates``); the start is 0. Where seats
    are turned (``TurnedSeats``), ``lift`` has the positions: [number · seats + the mover], -1 if it is not reached;
    else None. mover: [positions] the seat at a choice, else CHANCE or END. starts: [positions + 1] where the run of
    each begins. after: the positions that follow. ways: in how many ways each does, 1 at a choice. results: one an end,
    each once. result: [positions] which of them, at an end; -1 elsewhere. lowest_wins: as the game says.
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
    lift: Numbers | None = None

    def at(self, game: Game[Any, Any], state: Any) -> int | None:
        """The position of a state; None if no round comes to it. Where seats are turned, of an end one alike."""
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
        """A position by each result of the round."""
        kinds, places = np.unique(self.result, return_index=True)
        return {
            self.results[kind]: place for kind, place in zip(kinds.tolist(), places.tolist(), strict=True) if kind >= 0
        }


class _Finder:
    """Positions found so far, each with its number, and those whose followers have still to be asked for.

    turn: by how many seats each move turns the round, where it is turned for its mover.
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
        """Note a position, and what follows it."""
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
    """(the most positions, the most moves) of a round with this number of seats."""
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
    """Every position of a round with this number of seats. Raises Unsolved: "too-many-positions", "too-many-moves".

    turned: whether positions that differ by who sits where are asked about once, if the game says how.
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
    """The positions once for every seat that the mover may be. found: as their movers see them. turn: [moves]."""
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
    """A result as it stands when its seat 0 is the seat ``by``."""
    seats = len(result.scores)
    winners = sorted((seat + by) % seats for seat in result.winners)
    scores = result.scores
    return RoundResult(tuple(map(RoundSeat, winners)), (*scores[seats - by :], *scores[: seats - by]))


def _reached(found: Positions) -> Positions:
    """The positions that a round can come to, of some that were laid out for every seat."""
    assert found.lift is not None, "laid out for every seat"
    kept = _distances(found) >= 0
    if kept.all():
        return found
    here = np.flatnonzero(kept)
    place = np.where(kept, np.cumsum(kept) - 1, -1)
    moves, runs = rows(found.starts, here), np.diff(found.starts)[here]
    ends = found.result[here]
    named = np.unique(ends[ends >= 0])
    again = np.full(len(found.results) + 1, -1, dtype=np.int64)  # the last is for -1
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
    """The state under which a position is found: the one that the game names for it, or itself.

    By the name of what the game adds, as ``isinstance`` of a protocol takes 8 µs, and each action of a bot asks this.
    """
    return game.canonical(state) if hasattr(game, "canonical") else state


def _distances(found: Positions) -> Numbers:
    """[positions] the least number of steps from the start to each; -1 where none leads."""
    distance = np.full(len(found.mover), -1, dtype=np.int64)
    distance[0] = 0
    fresh, steps = np.array([0]), 0
    while len(fresh):
        after = np.unique(found.after[rows(found.starts, fresh)])
        fresh, steps = after[distance[after] < 0], steps + 1
        distance[fresh] = steps
    return distance
