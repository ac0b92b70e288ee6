"""A state → what to do. A policy gives every action it may take a whole-number weight; it draws nothing itself."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from pubdice.core.game import Game

S = TypeVar("S")
A = TypeVar("A")
S_contra = TypeVar("S_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)


class Policy(Protocol[S_contra, A_co]):
    """At a decision: the actions it may take with their weights, positive integers.

    game: a ``Game`` of the policy's own kind, so a policy says which and reads its options.
    """

    def __call__(self, game: Any, state: S_contra) -> tuple[tuple[A_co, int], ...]:
        """The weighted actions; never empty at a decision."""


def uniform(game: Game[S, A], state: S) -> tuple[tuple[A, int], ...]:
    """Any legal action, all equally likely."""
    return tuple((action, 1) for action in game.legal(state))


def pick(weighted: tuple[tuple[A, int], ...], draw: Callable[[int], int]) -> A:
    """One action, each as likely as its weight; ``draw(n)`` gives 0 … n - 1, all equally likely."""
    lot = draw(sum(weight for _, weight in weighted)) if len(weighted) > 1 else 0
    for action, weight in weighted:
        if lot < weight:
            return action
        lot -= weight
    raise ValueError("a policy gave no action")
