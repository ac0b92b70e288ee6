"""Positions of a round for the laws of words: all of them if they are few, otherwise those of a seeded walk."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Any

from play import endless, walk
from pubdice.core.dice import hands
from pubdice.core.game import RoundState, TurnGame
from support.profiles import NIGHTLY

MOST = 6000
"""A round with at most this many positions is searched whole."""
MOST_OF_A_TURN = 1_000_000
OF_A_TURN = MOST if NIGHTLY else 2000
"""Approximate number of positions to take of a turn."""
WALKED = 1500
"""Number of positions to take of a larger round. 420 for two has some 48,000 after the first turns alone."""


def steps(game: Any, state: Any) -> Iterator[Any]:
    if due := game.to_roll(state):
        yield from (game.roll(state, hand) for hand in hands(due, game.faces.sides))
    else:
        yield from (game.play(state, action) for action in game.legal(state))


def reached(game: Any, seats: int, most: int) -> list[Any]:
    """Positions reached from the start by depth-first search, at most ``most`` and one more."""
    found = {game.start(seats): None}
    for state in found_along(found, game):
        found.setdefault(state)
        if len(found) > most:
            break
    return list(found)


def found_along(found: dict[Any, None], game: Any) -> Iterator[Any]:
    """The successors of each position, and of each position found on the way."""
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        for after in steps(game, state):
            if after not in found:
                waiting.append(after)
                yield after


def positions(game: Any, seats: int) -> list[Any]:
    """The positions of a round for this many seats.

    In a ``TurnGame`` a turn is the same as when played alone. So each of its positions is taken as the first seat's.
    Every second one is also taken behind scores that other turns can end with. Midnight has 12,355 positions, of which
    every seventh is taken, and every third at night.
    """
    if isinstance(game, TurnGame):
        return list(_in_turns(game, seats))
    found = reached(game, seats, MOST)
    if len(found) <= MOST:
        return found
    numbers, walked = endless(seats), dict[Any, None]()
    while len(walked) < WALKED:
        walked.update(dict.fromkeys(state for state, _ in islice(walk(game, seats, numbers), 300)))
    return list(walked)


def _in_turns(game: TurnGame, seats: int) -> Iterator[RoundState]:
    alone = reached(game, 1, MOST_OF_A_TURN)
    ends = sorted({state.scores[0] for state in alone if state.scores and not game.wins_at_once(state.scores[0])})
    pairs = list(product(ends, repeat=seats - 1))
    stride = 1 + len(alone) // OF_A_TURN
    for at, state in enumerate([state for state in alone if not state.scores][::stride]):
        yield replace(state, seats=seats)
        if at % 2:
            yield replace(state, seats=seats, scores=pairs[at * 7919 % len(pairs)])
