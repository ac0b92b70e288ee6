"""A race of two in exact rationals: values as fractions, and proof that they are the values. Knows no game.

Under a policy o(k0, k1) the values of ``interval_iteration`` solve a linear system with whole-number coefficients, one
equation a state:

    total v(k0, k1) + sum over k' of ways[o, k'] v(k1, k') = wins[o] + sum over k' of ways[o, k']

1. The policy comes from the floats of ``race``.
2. The system is solved exactly by p-adic lifting (J. Dixon, Exact solution of linear equations using p-adic
   expansions, 1982): its inverse modulo one prime p gives the solution digit by digit to base p, in integers of
   machine size, and the fractions are found from enough digits by Euclid's algorithm (P. Wang, 1981). Digits are
   added until the fractions found solve the system, checked in whole numbers: nothing rests on how many digits should
   have been enough.
3. Every other action in every state is compared, in whole numbers over the common denominator. If none is better, v
   solves the Bellman equation, which has one solution (``interval_iteration``): v is proved, and with it what each
   action loses.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, isqrt

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.race.automaton import Automaton
from pubdice.solve.race.race import solve

PRIME = 2**31 - 1
DIGITS = 64
"""So many digits more each time the fractions found are not yet the solution."""

Ints = NDArray[np.int64]


class NotProved(ArithmeticError):
    """Some action is better than the policy's: the floats have chosen wrongly."""


@dataclass(frozen=True, slots=True)
class Exact:
    """The exact values of a race of two, all over one ``denominator``, and how they were proved.

    worse, equal: how many actions of all states, the policy's own aside, lose something and lose nothing. least: the
    least that one of the worse ones loses.
    """

    automaton: Automaton
    numerators: tuple[int, ...]
    denominator: int
    policy: tuple[int, ...]
    worse: int
    equal: int
    least: Fraction

    def value(self, mover: int, other: int) -> Fraction:
        """The chance that the mover wins, by the kinds of the two seats."""
        return Fraction(self.numerators[mover * self.automaton.kinds + other], self.denominator)

    @property
    def start(self) -> Fraction:
        """The chance of Player 1 at a cleared table."""
        return self.value(self.automaton.start, self.automaton.start)


def exact_two_seats(automaton: Automaton) -> Exact:
    """The race of two, exactly. Raises NotProved if the policy found in floats is not the best."""
    kinds = automaton.kinds
    policy = tuple(int(action) for action in solve(automaton, 2).policy[0])
    matrix = np.zeros((kinds**2, kinds**2), dtype=np.int64)
    right = np.zeros(kinds**2, dtype=np.int64)
    for state, action in enumerate(policy):
        other = state % kinds
        matrix[state, state] += automaton.total
        matrix[state, other * kinds : (other + 1) * kinds] += automaton.ways[action]
        right[state] = automaton.total
    numerators, denominator = solved(matrix, right)
    worse, equal, least = _compared(automaton, policy, numerators, denominator)
    return Exact(automaton, numerators, denominator, policy, worse, equal, least)


def _compared(
    automaton: Automaton, policy: tuple[int, ...], numerators: tuple[int, ...], denominator: int
) -> tuple[int, int, Fraction]:
    kinds, losses, equal = automaton.kinds, [], 0
    for state, chosen in enumerate(policy):
        mover, other = divmod(state, kinds)
        following = numerators[other * kinds : (other + 1) * kinds]
        for action in automaton.choices[mover]:
            if action == chosen:
                continue
            ways = automaton.ways[action]
            after = automaton.total * denominator - sum(map(int.__mul__, ways, following))
            loss = numerators[state] * automaton.total - after
            if loss < 0:
                raise NotProved(f"action {action} beats {chosen} in state {mover}, {other}")
            if loss:
                losses.append(loss)
            else:
                equal += 1
    return len(losses), equal, Fraction(min(losses, default=0), automaton.total * denominator)


def solved(matrix: Ints, right: Ints) -> tuple[tuple[int, ...], int]:
    """The solution of a square whole-number system: numerators over one denominator. Entries must be below 2**15.

    >>> solved(np.array([[2, 1], [1, 3]]), np.array([1, 1]))
    ((2, 1), 5)
    """
    inverse = inverse_mod(matrix)
    modulus, residues, rest = 1, [0] * len(right), right.astype(np.int64)
    while True:
        for _ in range(DIGITS):
            digit = _product_mod(inverse, rest)
            residues = [old + modulus * int(new) for old, new in zip(residues, digit, strict=True)]
            rest = (rest - matrix @ digit) // PRIME
            modulus *= PRIME
        found = _over_one_denominator(residues, modulus)
        if found is not None and _solves(matrix, right, *found):
            return found


def _product_mod(matrix: Ints, vector: Ints) -> Ints:
    """The product modulo the prime; entries are cut in halves, so that no sum leaves 64 bits."""
    reduced = vector % PRIME
    low, high = reduced & 0xFFFF, reduced >> 16
    return np.asarray(((matrix @ high % PRIME << 16) + matrix @ low) % PRIME)


def inverse_mod(matrix: Ints) -> Ints:
    """The inverse modulo the prime, by Gauss and Jordan. Raises ZeroDivisionError if there is none."""
    size = len(matrix)
    work = np.concatenate([matrix % PRIME, np.eye(size, dtype=np.int64)], axis=1)
    for column in range(size):
        pivot = column + int(np.argmax(work[column:, column] != 0))
        if work[pivot, column] == 0:
            raise ZeroDivisionError(f"singular modulo {PRIME}")
        work[[column, pivot]] = work[[pivot, column]]
        work[column] = work[column] * pow(int(work[column, column]), -1, PRIME) % PRIME
        factors = work[:, column].copy()
        factors[column] = 0
        rows = np.flatnonzero(factors)
        work[rows] = (work[rows] - factors[rows, None] * work[column] % PRIME) % PRIME
    return work[:, size:].copy()


def _over_one_denominator(residues: list[int], modulus: int) -> tuple[tuple[int, ...], int] | None:
    """Fractions that are these residues, over one denominator, if some with small numbers are."""
    most, denominator = isqrt(modulus // 2), 1
    for residue in residues:
        numerator = _centred(residue * denominator, modulus)
        if abs(numerator) > most // 2**64:
            further = _fraction(residue * denominator % modulus, modulus, most)
            if further is None:
                return None
            denominator *= further
    numerators = [_centred(residue * denominator, modulus) for residue in residues]
    common = gcd(denominator, *numerators)
    return tuple(numerator // common for numerator in numerators), denominator // common


def _centred(number: int, modulus: int) -> int:
    rest = number % modulus
    return rest - modulus if 2 * rest > modulus else rest


def _fraction(residue: int, modulus: int, most: int) -> int | None:
    """The denominator of the fraction with numbers up to ``most`` that is this residue, None if there is none."""
    before, now, old, new = modulus, residue, 0, 1
    while now > most:
        quotient = before // now
        before, now, old, new = now, before - quotient * now, new, old - quotient * new
    return abs(new) if 0 < abs(new) <= most else None


def _solves(matrix: Ints, right: Ints, numerators: tuple[int, ...], denominator: int) -> bool:
    for row, whole in zip(matrix, right, strict=True):
        places = np.flatnonzero(row)
        if sum(int(row[place]) * numerators[place] for place in places) != int(whole) * denominator:
            return False
    return True
