"""Solved races kept on disk (``cache``): only their values, which one sweep turns into the rest and proves."""

from hashlib import sha256
from pathlib import Path

import numpy as np

from pubdice.solve.arrays import Floats
from pubdice.solve.cache import load, store
from pubdice.solve.race.automaton import Automaton
from pubdice.solve.race.race import PRECISION, TOLERANCE, VERSION, SolvedRace, solve
from pubdice.solve.race.sweep import Kernel, Work, sweep, sweep_all, table

LEAST_NUMBERS, MOST_NUMBERS = 100_000, 25_000_000
"""Races of fewer values are solved as quickly as read; more of them would fill people's disks (8 bytes each)."""
_DIGITS = 11


def race_key(automaton: Automaton, pay: Floats) -> str:
    """A hash of all that decides the values: the automaton, the prizes to more digits than matter, and the method."""
    told = (VERSION, automaton.key(), pay.shape, [round(float(prize), _DIGITS) for prize in pay.ravel()])
    return sha256(repr(told).encode()).hexdigest()


def solve_stored(automaton: Automaton, pay: Floats, folder: Path | None, kernel: Kernel = sweep) -> SolvedRace:
    """The race, from the folder if it is there and holds good, else solved and kept there."""
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
