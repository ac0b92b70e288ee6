"""The solved races and rounds of drinks of one automaton, cached in memory and, if there is a folder, on disk.

A file has only the values of a race (``arrays``). One sweep computes the rest from them and tests them. Small races use
numpy. Races of at least ``COMPILED`` values use compiled sweeps, if numba is installed (``compiled_sweep``).
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from pubdice.core.errors import BadNotation
from pubdice.solve.acceleration import numba_there
from pubdice.solve.arrays import Floats, load, store
from pubdice.solve.race.automaton import Automaton
from pubdice.solve.race.compiled_sweep import fast_sweep
from pubdice.solve.race.race import (
    PRECISION,
    TOLERANCE,
    VERSION,
    SolvedRace,
    plain_pay,
    prizes,
    respond,
    respond_rounds,
    solve,
)
from pubdice.solve.race.seat import HandRace, one_seat
from pubdice.solve.race.sweep import Kernel, Work, sweep, sweep_all, table

LEAST_NUMBERS, MOST_NUMBERS = 100_000, 25_000_000
"""The least and most values of a race that is cached on disk. A smaller race is solved as fast as it is read. A larger
one takes too much space, with 8 bytes for each value."""
_DIGITS = 11


def race_key(automaton: Automaton, pay: Floats) -> str:
    """Return a hash of all inputs: the automaton, the prizes to more digits than matter, and ``VERSION``."""
    told = (VERSION, automaton.key(), pay.shape, [round(float(prize), _DIGITS) for prize in pay.ravel()])
    return sha256(repr(told).encode()).hexdigest()


def solve_stored(automaton: Automaton, pay: Floats, folder: Path | None, kernel: Kernel = sweep) -> SolvedRace:
    """Return the race, from the folder if its values are there and pass the test. Otherwise solve and store it."""
    stages, seats = pay.shape
    shape = (stages, seats, automaton.kinds**seats)
    numbers = int(np.prod(shape, dtype=object))
    if folder is None or not LEAST_NUMBERS <= numbers <= MOST_NUMBERS:
        return solve(automaton, seats, pay, kernel=kernel)
    key = race_key(automaton, pay)
    name = f"race-{seats}-{key[:16]}"
    stored = load(folder, name, key, {"values": (shape, "<f8")})
    if stored is not None:
        race = _tested(automaton, pay, stored["values"], kernel)
        if race is not None:
            return race
    race = solve(automaton, seats, pay, kernel=kernel)
    store(folder, name, key, {"values": race.values})
    return race


def _tested(automaton: Automaton, pay: Floats, values: Floats, kernel: Kernel) -> SolvedRace | None:
    policy = np.zeros((len(values), values.shape[2]), dtype=np.uint8)
    residual = np.empty(values.shape, dtype=PRECISION)
    worst = sweep_all(kernel, table(automaton), Work(values, pay, policy, residual))
    return SolvedRace(automaton, pay, values, policy, worst, 1) if worst <= TOLERANCE else None


LEAST = 2
MOST = {False: 7, True: 5}
"""The most seats solved. The key is True if they play for drinks."""
COMPILED = {True: 5_000_000, False: 10_000_000}
"""The number of values from which compiling pays. The key is True if a folder caches the compiled code."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A race with the error bound of its values. In drinks, the bound includes the errors of later rounds."""

    race: SolvedRace
    bound: float


@dataclass(frozen=True, slots=True)
class RaceOdds:
    """The chances at the start of a race."""

    chances: tuple[float, ...]  # each seat's chance to win the race, or to buy the drinks, from Player 1 on
    bound: float  # the error bound of a chance
    nash_conv: float  # the sum over seats of the gain from deviating alone


class Solutions:
    """The solved races of one automaton."""

    def __init__(self, automaton: Automaton, folder: Path | None = None) -> None:
        self.automaton = automaton
        self.folder = folder
        self._solved: dict[tuple[int, bool], Solution] = {}

    def solved(self, seats: int, drinks: bool) -> Solution:
        """Return the race of this many seats. If ``drinks``, return the first round of drinks with this many seats.

        Raises BadNotation if that many seats are not solved.
        """
        if not LEAST <= seats <= MOST[drinks]:
            raise BadNotation("seats-solved", found=seats, least=LEAST, most=MOST[drinks], drinks=drinks)
        if (seats, drinks) not in self._solved:
            self._solved[seats, drinks] = self._solve(seats, drinks)
        return self._solved[seats, drinks]

    def _solve(self, seats: int, drinks: bool) -> Solution:
        if not drinks:
            race = self._race(seats, plain_pay(seats))
            return Solution(race, race.bound)
        if seats == LEAST:
            race = self._race(seats, prizes(np.zeros(1)))
            return Solution(race, race.bound)
        later = self.solved(seats - 1, drinks)
        race = self._race(seats, prizes(later.race.start()))
        return Solution(race, race.bound + later.bound)

    def _race(self, seats: int, pay: Floats) -> SolvedRace:
        return solve_stored(self.automaton, pay, self.folder, self._kernel(pay.size * self.automaton.kinds**seats))

    def _kernel(self, numbers: int) -> Kernel:
        compiled = numbers >= COMPILED[self.folder is not None] and numba_there()
        return fast_sweep(self.folder) if compiled else sweep

    def odds(self, seats: int, drinks: bool) -> tuple[tuple[float, ...], float, float]:
        """Return (each seat's chance from Player 1 on, its error bound, NashConv).

        The chance is to win the race, or if ``drinks`` to buy.
        """
        key = sha256(repr((VERSION, self.automaton.key(), seats, drinks)).encode()).hexdigest()
        name = f"odds-{seats}-{'drinks' if drinks else 'race'}-{key[:16]}"
        folder = self.folder if self.automaton.kinds**seats * seats >= LEAST_NUMBERS else None
        stored = load(folder, name, key, {"odds": ((seats + 2,), "<f8")}) if folder is not None else None
        if stored is None:
            stored = {"odds": np.array(self._odds(seats, drinks))}
            if folder is not None:
                store(folder, name, key, stored)
        *chances, bound, nash_conv = (float(number) for number in stored["odds"])
        return tuple(chances), bound, nash_conv

    def _odds(self, seats: int, drinks: bool) -> tuple[float, ...]:
        solution = self.solved(seats, drinks)
        start = solution.race.start()
        kernel = self._kernel(solution.race.values.size)
        if drinks:
            rounds = tuple(self.solved(still_in, drinks).race for still_in in range(LEAST, seats + 1))
            found, chances = respond_rounds(rounds, kernel), 1 - start
        else:
            found, chances = respond(solution.race, kernel=kernel), start
        return (*map(float, chances), solution.bound, found.nash_conv)


@cache
def solutions(game: HandRace, folder: Path | None) -> Solutions:
    """Return the solutions of these rules, cached in the process."""
    return Solutions(one_seat(game).automaton, folder)


def odds(game: HandRace, seats: int, drinks: bool = False, folder: Path | None = None) -> RaceOdds:
    """Return the chances before the first roll. Raises BadNotation if that many seats are not solved."""
    return RaceOdds(*solutions(game, folder).odds(seats, drinks))
