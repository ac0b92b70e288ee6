"""A race of two seats, solved without numpy: value iteration on lists, to the tolerance of ``race.race``.

V(x, y) is the mover's chance to win with a hand of kind x against one of kind y:

    V(x, y) = max over a in A(x) of w[a] + sum over k of P[a, k] · (1 - V(y, k)).

The iteration stops when no value moves by more than ``TOLERANCE``. Every action wins with chance w_min at least. So the
error is at most the tolerance plus the rounding of the sums, over w_min, from any start of the last sweep. A sweep may
therefore start from a guess of the limit (``numerics.guessed_limit``). With guesses, 420 takes 85 sweeps instead of
252. Drinks of two are the same race: the winner does not buy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from sys import float_info

from pubdice.core.errors import Unsolved
from pubdice.solve.numerics import guessed_limit
from pubdice.solve.race.automaton import Automaton
from pubdice.solve.race.seat import HandRace, one_seat

TOLERANCE = 5e-15  # the same as in ``race.race``
MOST_SWEEPS = 4_000
GUESSED_AFTER = 6  # the number of sweeps between two guesses of the limit, at least five
SEATS = 2


@dataclass(frozen=True, slots=True)
class BareRace:
    """A solved race."""

    automaton: Automaton
    chance: Sequence[Sequence[float]]  # [mover's kinds, other's kinds] the mover's chance to win
    moved: float  # the greatest change in the last sweep

    def value(self, stage: int, kinds: Sequence[int]) -> list[float]:
        """Return the value of each seat, the mover's first. ``stage`` is not used, because nothing depends on Player 1
        here.
        """
        mine = self.chance[kinds[0]][kinds[1]]
        return [mine, 1 - mine]

    def after(self, stage: int, action: int, others: Sequence[int]) -> list[float]:
        """Return the value of each seat after the mover's action and before its roll, the mover's first."""
        automaton, theirs = self.automaton, self.chance[others[0]]
        left = sum(map(mul, automaton.ways[action], [1 - chance for chance in theirs]))
        mine = (automaton.wins[action] + left) / automaton.total
        return [mine, 1 - mine]


@dataclass(frozen=True, slots=True)
class BareSolution:
    """A race, with the greatest possible error of its values."""

    race: BareRace
    bound: float


class BareRaces:
    """The race of two seats in one game. Races of more seats need a house."""

    def __init__(self, game: HandRace) -> None:
        self.automaton, self.title = one_seat(game).automaton, type(game).__name__
        self._solved: BareSolution | None = None

    def solved(self, seats: int, drinks: bool) -> BareSolution:
        """Return the race of two seats. Raises Unsolved("needs-house") for more seats."""
        if seats != SEATS:
            raise Unsolved("needs-house", title=self.title)
        if self._solved is None:
            race = solve_two(self.automaton)
            rounding = (self.automaton.kinds + 3) * float_info.epsilon
            self._solved = BareSolution(race, (race.moved + rounding) / float(self.automaton.least_win))
        return self._solved

    def odds(self, seats: int, drinks: bool) -> tuple[tuple[float, ...], float, float]:
        """Return the chance of each seat to win (or in drinks, to buy), from Player 1 on, then the error bound, then 0.

        The 0 is what a seat could gain by playing otherwise: this play is best to within ``TOLERANCE``.
        """
        solution = self.solved(seats, drinks)
        start = solution.race.value(0, (self.automaton.start,) * SEATS)
        return tuple([1 - each for each in start] if drinks else start), solution.bound, 0.0


def solve_two(automaton: Automaton) -> BareRace:
    """Solve the race of two seats. Raises Unsolved("unsettled")."""
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
