"""A race between two given policies, evaluated exactly, with all hands and keeps as arrays made from the rules.

Two seats take turns, each with its own hand, and the first seat to win ends the round. Hands are numbered 0 … H - 1,
including the start, and actions 0 … M - 1. ``win[a]`` is the chance that action a wins at once, ``move[a, h]`` the
chance that it leads to hand h. A policy is W(a | x, y), the share of action a if the mover has hand x and the other
seat hand y. Let u(x, y) be the chance that Player 1 wins when it is to move with x against y. Let v(x, y) be the same
chance when the other seat is to move with y against Player 1's x. Then

    u(x, y) = sum over a of W1(a | x, y) · (win[a] + sum over x' of move[a, x'] v(x', y))
    v(x, y) = sum over a of W2(a | y, x) · sum over y' of move[a, y'] u(x, y').

Nothing is maximised or sampled. Each half is a contraction with modulus 1 - min win. The iteration stops when no value
moves by more than ``STILL``, so the error is below ``STILL`` / (1 - modulus squared).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pubdice.core.dice import Hand
from pubdice.core.game import Keep, Policy
from pubdice.solve.arrays import Floats
from pubdice.solve.numerics import NOTHING, STILL, first_best
from pubdice.solve.race.races import values_of_two
from pubdice.solve.race.seat import HandRace, one_seat, outcomes


@dataclass(frozen=True, slots=True)
class Arena:
    """All actions of one seat, for any policy: ``win[M]``, ``move[M, H]``, and ``start``, the fresh hand."""

    win: Floats
    move: Floats
    start: int

    @property
    def hands(self) -> int:
        """The number of hands."""
        return int(self.move.shape[1])


class PolicyArray(Protocol):
    """A policy as an array, for a mover with its own hand against the other seat's hand."""

    def turn(self, after: Floats) -> Floats:
        """Return [own, other] the value of a turn for each pair of hands, given the value of each action, [action,
        other].
        """


@dataclass(frozen=True, slots=True)
class OwnHandPolicy:
    """A policy that sees only its own hand, and may be mixed. ``weights[H, M]``: the chance of each action."""

    weights: Floats

    def turn(self, after: Floats) -> Floats:
        """Return the mean value of the actions, as ``PolicyArray.turn``."""
        return np.asarray(self.weights @ after)


@dataclass(frozen=True, slots=True)
class BothHandsPolicy:
    """A policy that sees both hands. ``choice[own, other]``: the action that it takes."""

    choice: NDArray[np.intp]

    def turn(self, after: Floats) -> Floats:
        """Return the value of the action taken, as ``PolicyArray.turn``."""
        return np.asarray(np.take_along_axis(after, self.choice, axis=0))


def player(hands: Sequence[Any], actions: int, policy: Callable[[Any, Any], Sequence[tuple[int, int]]]) -> PolicyArray:
    """Convert a policy, given as weighted actions for (own hand, other hand), to an array.

    Raises ValueError if the policy is mixed and also depends on the other hand.
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
    """Return (the chance that Player 1 wins, its error bound)."""
    win, move = arena.win[:, None], arena.move
    value = np.full((arena.hands, arena.hands), 0.5)
    moved = 1.0
    while moved > STILL:
        waiting = second.turn(move @ value.T).T
        after = first.turn(win + move @ waiting)
        moved, value = float(np.abs(after - value).max()), after
    modulus = (1 - float(arena.win.min())) ** 2
    return float(value[arena.start, arena.start]), 2 * STILL / (1 - modulus)


@dataclass(frozen=True)
class RaceContest:
    """The arena of two seats, with the numbers of its hands and keeps."""

    game: HandRace
    arena: Arena
    hands: tuple[Hand, ...]
    """The hands by number. A seat that has not rolled yet has the hand ``()``."""
    keeps: dict[Hand, int]
    """The action's number by the dice kept."""
    rolled: Any
    """A state in which both seats have rolled and the first seat is to choose. Other states are made from it."""

    def player(self, policy: Policy[Any, Keep]) -> PolicyArray:
        """Convert a policy of the game to an array, by asking it about every pair of hands."""

        def asked(own: Hand, other: Hand) -> list[tuple[int, int]]:
            if not own:
                return [(self.keeps[()], 1)]
            # if the mover has rolled, so has the other seat, so a pair with an empty hand never occurs: any stand-in
            # will do
            weighted = policy(self.game, replace(self.rolled, hands=(own, other or own)))
            return [(self.keeps[keep.dice], weight) for keep, weight in weighted]

        return player(self.hands, len(self.keeps), asked)

    def share(self, first: PolicyArray, second: PolicyArray) -> float:
        """Return the chance that Player 1 wins if Player 1 follows ``first`` and Player 2 follows ``second``."""
        return wins(self.arena, first, second)[0]

    @cached_property
    def perfect(self) -> PolicyArray:
        """Best play in a race of two, as an array."""
        return self.player(best)

    def share_against_best(self, policy: Policy[Any, Keep]) -> float:
        """Return a policy's chance to win against best play, as the mean over being Player 1 and being Player 2."""
        mine = self.player(policy)
        return (self.share(mine, self.perfect) + 1 - self.share(self.perfect, mine)) / 2

    def missed(self, policy: Policy[Any, Keep]) -> int:
        """Count the pairs of hands, own and other, for which the policy may choose a keep that is not the best.

        As the other hand, each kind of hand is tried once, because all hands of a kind are equally strong opponents.
        """
        others = {kind: hand for hand, kind in one_seat(self.game).kind.items() if hand}.values()
        missed = 0
        for own, other in product(filter(None, self.hands), others):
            values = values_of_two(self.game, own, other)
            kept = policy(self.game, replace(self.rolled, hands=(own, other)))
            missed += min(values[keep.dice] for keep, _ in kept) < max(values.values()) - NOTHING
        return missed


@cache
def contest(game: HandRace) -> RaceContest:
    """Return the contest of two seats under these rules."""
    one = one_seat(game)
    hands = tuple(one.keeps)
    fallen = next(hand for hand in hands if hand)
    state = game.roll(game.roll(game.start(2), fallen), fallen)
    keeps: dict[Hand, int] = {}
    rows: list[dict[Hand | None, int]] = []
    for hand, offered in one.keeps.items():
        for dice, _ in offered:
            if dice not in keeps:
                keeps[dice] = len(keeps)
                at = game.start(2) if not hand else replace(state, hands=(hand, state.hands[1]))
                rows.append(outcomes(game, at if not hand else game.play(at, Keep(dice))))
    totals = [sum(row.values()) for row in rows]
    arena = Arena(
        np.array([row.get(None, 0) / total for row, total in zip(rows, totals, strict=True)]),
        np.array([[row.get(hand, 0) / total for hand in hands] for row, total in zip(rows, totals, strict=True)]),
        hands.index(()),
    )
    return RaceContest(game, arena, hands, keeps, state)


def best(game: HandRace, state: Any) -> tuple[tuple[Keep, int], ...]:
    """Play best in a race of two, as a policy. Of equal keeps it takes the first, like the bot ``perfect``."""
    values = values_of_two(game, state.hands[state.mover], state.hands[1 - state.mover])
    return ((Keep(first_best(values, values.__getitem__)), 1),)
