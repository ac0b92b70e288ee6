"""The values of a race in which every seat plays a given policy, best or not: one linear system, solved directly.

    V[t][j](k0, rest) = w[o] pay[t][j] + sum over k' of P[o, k'] V[t + 1][j - 1](rest, k'), o = policy[t](k0, rest)

in the words of ``solve.race.race``. One equation for each stage, seat and state, so for small races only.
"""

from itertools import product

import numpy as np

from pubdice.solve.arrays import Floats
from pubdice.solve.race.automaton import Automaton
from pubdice.solve.race.race import SolvedRace
from pubdice.solve.race.sweep import PolicyChoices


def evaluate(automaton: Automaton, policy: PolicyChoices, pay: Floats) -> SolvedRace:
    """The race under ``policy[S, K**seats]``; its residual is the greatest error of any equation."""
    stages, seats = pay.shape
    kinds, size = automaton.kinds, automaton.kinds**seats
    places = np.arange(stages * seats * size).reshape(stages, seats, size)
    matrix, right = np.eye(places.size), np.zeros(places.size)
    for stage, seat, state in product(range(stages), range(seats), range(size)):
        row, action = places[stage, seat, state], policy[stage, state]
        right[row] = automaton.wins[action] / automaton.total * pay[stage, seat]
        first = state % kinds ** (seats - 1) * kinds
        after = places[(stage + 1) % stages, seat - 1, first : first + kinds]
        matrix[row, after] -= np.array(automaton.ways[action]) / automaton.total
    values = np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
    residual = float(np.abs(matrix @ values - right).max())
    return SolvedRace(automaton, pay, values.reshape(places.shape), policy, residual, 0)
