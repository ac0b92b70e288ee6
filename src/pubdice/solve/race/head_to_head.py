"""Two given policies raced against each other, exactly: the chance that either wins. Knows no game.

Two seats take turns, each with a hand of its own, and the first to win ends the round. Hands are numbered 0 … H - 1,
the start among them, and what may be done with them 0 … M - 1: ``win[a]`` is the chance that a wins at once,
``move[a, h]`` that it leads to hand h. A policy gives the mover's action for its own hand x and the other's hand y,
W(a | x, y). With u(x, y) the chance that Player 1 wins when it is to move with x against y, and v(x, y) when the other
is to move with y against Player 1's x,

    u(x, y) = sum over a of W1(a | x, y) · (win[a] + sum over x' of move[a, x'] v(x', y))
    v(x, y) = sum over a of W2(a | y, x) · sum over y' of move[a, y'] u(x, y').

Nothing is maximised. Each half is a contraction with modulus 1 - min win, so going round until nothing moves by more
than ``STILL`` leaves an error below ``STILL`` / (1 - modulus squared).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.arrays import Floats
from pubdice.solve.tolerance import STILL


@dataclass(frozen=True, slots=True)
class Arena:
    """What one seat can do, whatever its policy."""

    win: Floats
    move: Floats
    start: int

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return int(self.move.shape[1])


class PolicyArray(Protocol):
    """A policy as an array."""

    def turn(self, after: Floats) -> Floats:
        """[own, other] what a turn comes to, given what each action does, [action, other]."""


@dataclass(frozen=True, slots=True)
class OwnHandPolicy:
    """A policy that looks at its own hand only, and may be mixed: ``weights[H, M]``, the chance of each action."""

    weights: Floats

    def turn(self, after: Floats) -> Floats:
        """The actions' worth, weighted: ``PolicyArray.turn``."""
        return np.asarray(self.weights @ after)


@dataclass(frozen=True, slots=True)
class BothHandsPolicy:
    """A policy that looks at both hands: ``choice[own, other]``, the action."""

    choice: NDArray[np.intp]

    def turn(self, after: Floats) -> Floats:
        """The worth of the action chosen: ``PolicyArray.turn``."""
        return np.asarray(np.take_along_axis(after, self.choice, axis=0))


def player(hands: Sequence[Any], actions: int, policy: Callable[[Any, Any], Sequence[tuple[int, int]]]) -> PolicyArray:
    """A policy, given as weighted actions for (own hand, other hand), as arrays.

    Where it is the same whatever the other hand is, it may be mixed; otherwise it has to be one action.
    """
    told = [[tuple(policy(own, other)) for other in hands] for own in hands]
    if all(row.count(row[0]) == len(row) for row in told):
        weights = np.zeros((len(hands), actions))
        for own, row in enumerate(told):
            for action, weight in row[0]:
                weights[own, action] += weight
        return OwnHandPolicy(weights / weights.sum(axis=1, keepdims=True))
    if any(len(weighted) > 1 for row in told for weighted in row):
        raise ValueError("a policy that looks at the other hand takes one action")
    return BothHandsPolicy(np.array([[weighted[0][0] for weighted in row] for row in told], dtype=np.intp))


def wins(arena: Arena, first: PolicyArray, second: PolicyArray) -> tuple[float, float]:
    """(the chance that Player 1 wins, how far off it may be)."""
    win, move = arena.win[:, None], arena.move
    value = np.full((arena.hands, arena.hands), 0.5)
    moved = 1.0
    while moved > STILL:
        waiting = second.turn(move @ value.T).T
        after = first.turn(win + move @ waiting)
        moved, value = float(np.abs(after - value).max()), after
    modulus = (1 - float(arena.win.min())) ** 2
    return float(value[arena.start, arena.start]), 2 * STILL / (1 - modulus)
