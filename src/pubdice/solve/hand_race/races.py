"""The solved races of a game with whatever solves them here: ``solutions`` where numpy is, else ``BareRaces``."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import mul
from pathlib import Path
from sys import float_info
from typing import Any, Protocol

from pubdice.core.dice import Hand
from pubdice.core.errors import Unsolved
from pubdice.solve.acceleration import numpy_there
from pubdice.solve.hand_race.seat import HandRace, OneSeat, one_seat
from pubdice.solve.numerics import guessed_limit
from pubdice.solve.race.automaton import Automaton

# A race of two seats, solved without numpy: value iteration on lists, to the tolerance of ``race.race``.
#
# With V(x, y) the mover's chance to win, its hand of kind x against y,
#
#     V(x, y) = max over a in A(x) of w[a] + sum over k of P[a, k] · (1 - V(y, k)),
#
# gone through until no value moves by more than ``TOLERANCE``; every action wins with chance w_min at least, so
# values are then within that, with the rounding of the sums, over w_min, wherever the last sweep began. So it may
# begin with a guess of the limit (``numerics.guessed_limit``): 85 sweeps instead of 252 at 420. Drinks of two are the
# same race: who wins does not buy.


TOLERANCE = 5e-15
"""As in ``race.race``."""
MOST_SWEEPS = 4_000
GUESSED_AFTER = 6
"""Sweeps until the limit is guessed again, five at least."""
SEATS = 2


@dataclass(frozen=True, slots=True)
class BareRace:
    """A solved race. chance: [kinds, kinds] the mover's chance to win; moved: by the last sweep, at most."""

    automaton: Automaton
    chance: Sequence[Sequence[float]]
    moved: float

    def value(self, stage: int, kinds: Sequence[int]) -> list[float]:
        """The value of each seat, the mover's first; stage: nothing depends on who was Player 1."""
        mine = self.chance[kinds[0]][kinds[1]]
        return [mine, 1 - mine]

    def after(self, stage: int, action: int, others: Sequence[int]) -> list[float]:
        """The same once the mover has taken an action and before its dice fall."""
        automaton, theirs = self.automaton, self.chance[others[0]]
        left = sum(map(mul, automaton.ways[action], [1 - chance for chance in theirs]))
        mine = (automaton.wins[action] + left) / automaton.total
        return [mine, 1 - mine]


@dataclass(frozen=True, slots=True)
class BareSolution:
    """A race with the bound of its values."""

    race: BareRace
    bound: float


class BareRaces:
    """The race of two of one automaton; others need a house. title: stands in refusals."""

    def __init__(self, automaton: Automaton, title: str) -> None:
        self.automaton, self.title = automaton, title
        self._solved: BareSolution | None = None

    def solved(self, seats: int, drinks: bool) -> BareSolution:
        """The race of two. Raises Unsolved("needs-house") for more seats."""
        if seats != SEATS:
            raise Unsolved("needs-house", title=self.title)
        if self._solved is None:
            race = solve_two(self.automaton)
            rounding = (self.automaton.kinds + 3) * float_info.epsilon
            self._solved = BareSolution(race, (race.moved + rounding) / float(self.automaton.least_win))
        return self._solved

    def odds(self, seats: int, drinks: bool) -> tuple[tuple[float, ...], float, float]:
        """Each seat's chance of winning, or of buying, from Player 1 on; their bound; 0, as nobody gains by leaving
        play that is best to within ``TOLERANCE``.
        """
        solution = self.solved(seats, drinks)
        start = solution.race.value(0, (self.automaton.start,) * SEATS)
        return tuple([1 - each for each in start] if drinks else start), solution.bound, 0.0


def solve_two(automaton: Automaton) -> BareRace:
    """The race of two. Raises Unsolved("unsettled")."""
    kinds, total = range(automaton.kinds), automaton.total
    wins = [won / total for won in automaton.wins]
    moves = [[ways / total for ways in row] for row in automaton.ways]
    chance = [[0.5] * automaton.kinds for _ in kinds]
    latest: list[list[float]] = []
    for _ in range(MOST_SWEEPS):
        columns = []
        for other in kinds:
            left = [1 - each for each in chance[other]]
            worth = [won + sum(map(mul, row, left)) for won, row in zip(wins, moves, strict=True)]
            columns.append([max([worth[action] for action in automaton.choices[kind]]) for kind in kinds])
        now = [list(row) for row in zip(*columns, strict=True)]
        moved = max([abs(now[kind][other] - chance[kind][other]) for kind in kinds for other in kinds])
        chance = now
        if moved <= TOLERANCE:
            return BareRace(automaton, chance, moved)
        latest.append([each for row in chance for each in row])
        if len(latest) == GUESSED_AFTER:
            guess = iter(guessed_limit(latest[-5], latest[-3], latest[-1]))
            chance = [[next(guess) for _ in kinds] for _ in kinds]
            latest = []
    raise Unsolved("unsettled", steps=MOST_SWEEPS)


class AnyRace(Protocol):
    """A solved race: values of every seat, the mover's first."""

    @property
    def automaton(self) -> Automaton:
        """What every seat is."""

    def value(self, stage: int, kinds: Sequence[int]) -> Any:
        """The value of each seat, the mover's first."""

    def after(self, stage: int, action: int, others: Sequence[int]) -> Any:
        """The same once the mover has taken an action and before its dice fall."""


class AnySolution(Protocol):
    """A race with the bound of its values, which counts those of later rounds too."""

    @property
    def race(self) -> AnyRace:
        """The race that was solved."""

    @property
    def bound(self) -> float:
        """No value is further off."""


class AnyRaces(Protocol):
    """What has been solved of one automaton."""

    def solved(self, seats: int, drinks: bool) -> AnySolution:
        """The race of so many seats, or the round of drinks. Raises BadNotation, or Unsolved("needs-house")."""

    def odds(self, seats: int, drinks: bool) -> tuple[tuple[float, ...], float, float]:
        """Each seat's chance of winning, or of buying, from Player 1 on; their bound; NashConv."""


@cache
def races(game: HandRace, folder: Path | None) -> AnyRaces:
    """The solved races of these rules, one set a process."""
    if not numpy_there():
        return BareRaces(one_seat(game).automaton, type(game).__name__)
    found: AnyRaces = import_module("pubdice.solve.hand_race.solutions").solutions(game, folder)
    return found


# What each keep of a hand is worth to the seat whose turn it is.


def keep_values(one: OneSeat, solved: AnySolution, stage: int, hands: Sequence[Hand]) -> tuple[tuple[Hand, float], ...]:
    """The mover's legal keeps with their values, in the rules' order.

    stage: the mover's place counted from Player 1. hands: the mover's first, the others in turn order.
    """
    others = [one.kind[hand] for hand in hands[1:]]
    value = {
        action: float(solved.race.after(stage, action, others)[0])
        for action in solved.race.automaton.choices[one.kind[hands[0]]]
    }
    return tuple((dice, value[action]) for dice, action in one.keeps[hands[0]])


def values_of_two(game: HandRace, own: Hand, other: Hand) -> dict[Hand, float]:
    """The dice that may be kept of a hand, in the rules' order, each with the chance to win a race of two."""
    return dict(keep_values(one_seat(game), races(game, None).solved(2, drinks=False), 0, (own, other)))
