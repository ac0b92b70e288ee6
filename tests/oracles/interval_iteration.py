"""A race of two, with a lower and an upper bound for every value. Knows no game.

With two seats and one prize what one gains the other loses, so the values v(k0, k1), the mover's chance to win, are
the one solution of

    v = F(v),   F(v)(k0, k1) = max over o in A(k0) of w[o] + sum over k' of P[o, k'] (1 - v(k1, k'))

(notation of ``race``). F turns order round, u <= v implies F(v) <= F(u), and is a contraction with modulus 1 - w_min.

Two-sided iteration. From lower <= v <= upper follows F(upper) <= v <= F(lower): start with 0 and 1, which need no
proof, and replace both. The gap shrinks by the modulus at least, in every step. Each step moves the bounds outwards
by more than its sums can be off, (K + 3) units of rounding, so that they are bounds of the true values, whatever the
rounding. Stop when the gap is at most the tolerance, or no longer shrinks.

Reference: two-sided value iteration, as interval iteration in S. Haddad, B. Monmege, Interval iteration algorithm for
MDPs and IMDPs (2018); here no end components have to be dealt with, since every action may win.
"""

from dataclasses import dataclass

import numpy as np

from pubdice.solve.arrays import Floats
from pubdice.solve.race.automaton import Automaton
from pubdice.solve.race.sweep import table


@dataclass(frozen=True, slots=True)
class Enclosure:
    """``lower <= v <= upper`` for all K * K states, proved; how many steps it took."""

    lower: Floats
    upper: Floats
    steps: int

    @property
    def width(self) -> float:
        """The greatest difference of the bounds."""
        return float((self.upper - self.lower).max())


def enclose(automaton: Automaton, tolerance: float = 1e-12) -> Enclosure:
    """Bounds of the values of a race of two that are no further apart than the tolerance, if floats can do it."""
    rules, kinds = table(automaton), automaton.kinds
    slack = (kinds + 3) * float(np.finfo(np.float64).eps)
    begins = np.cumsum([0, *map(len, rules.choices)])[:-1]
    offered = np.concatenate(rules.choices)

    def turned(value: Floats) -> Floats:
        worth = rules.win[:, None] + rules.move @ (1 - value.T)  # [action, k1]
        return np.asarray(np.maximum.reduceat(worth[offered], begins, axis=0))

    lower, upper = np.zeros((kinds, kinds)), np.ones((kinds, kinds))
    width, steps = 1.0, 0
    while width > tolerance:
        low, high = turned(upper) - slack, turned(lower) + slack
        lower, upper = np.maximum(lower, low), np.minimum(upper, high)
        steps += 1
        narrower = float((upper - lower).max())
        if narrower >= width and steps > 1:
            break
        width = narrower
    return Enclosure(lower.ravel(), upper.ravel(), steps)
