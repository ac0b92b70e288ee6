"""Perft for dice: how many positions a game reaches, ply by ply and in all. Knows the Game protocol and counting only.

Definition. A *position* is a state of one round; two positions are the same if the states are equal. A *step* out of
a chance position is one distinct sorted roll of the dice due (so ``C(n + 5, 5)`` of them for n dice, however many ways
each can fall); a step out of a decision is one legal action; out of a terminal position there is none. *Ply* k is the
set of distinct positions that some walk of exactly k steps from ``game.start(seats)`` ends in: ply 0 is the start
alone, and in a game with cycles a position may stand on many plies. The *reachable* positions, which
``tests/published/perft.json`` has too, are the union of all plies. ``rolls`` and ``actions`` count steps, not the
positions they lead to: several steps may meet in one position.

The name and the habit, counts of positions as test data for move generation, are chess programming's.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from pubdice.core.dice import rolls
from pubdice.core.game import Game

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Ply:
    """Counts over a set of distinct positions: ``positions`` = ``chance`` + ``decision`` + ``terminal``.

    rolls: distinct rolls out of the chance positions. actions: legal actions out of the decisions.
    """

    positions: int
    chance: int
    decision: int
    terminal: int
    rolls: int
    actions: int


def steps(game: Game[S, Any], state: S) -> Iterator[S]:
    """The positions one step on, one for each roll or action, in the rules' order."""
    due = game.to_roll(state)
    if due:
        return (game.roll(state, hand) for hand, _ in rolls(due))
    return (game.play(state, action) for action in game.legal(state))


def count(game: Game[S, Any], states: Iterable[S]) -> Ply:
    """The counts over these positions."""
    positions = chance = decision = terminal = fell = actions = 0
    for state in states:
        positions += 1
        due = game.to_roll(state)
        legal = 0 if due else len(game.legal(state))
        if due:
            chance += 1
            fell += len(rolls(due))
        elif legal:
            decision += 1
            actions += legal
        else:
            terminal += 1
    return Ply(positions, chance, decision, terminal, fell, actions)


def perft(game: Game[S, Any], seats: int, depth: int) -> tuple[Ply, ...]:
    """Plies 0 to ``depth``; fewer if every walk has ended before."""
    ply = {game.start(seats)}
    plies = [count(game, ply)]
    while len(plies) <= depth and (ply := {after for state in ply for after in steps(game, state)}):
        plies.append(count(game, ply))
    return tuple(plies)
