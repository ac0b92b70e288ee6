"""Positions of a round for the laws about words. If a round has few positions, all are taken. Otherwise the positions
of a seeded random walk are taken.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Any

from play import endless, walk
from pubdice.core.dice import hands
from pubdice.core.game import RoundState, TurnGame
from support.profiles import NIGHTLY

MOST = 6000
"""The limit up to which all positions of a round are taken."""
MOST_OF_A_TURN = 1_000_000
OF_A_TURN = MOST if NIGHTLY else 1000
"""The approximate number of positions to take of a turn."""
WALKED = 1500 if NIGHTLY else 750
"""The number of positions to take of a larger round. 420 for two seats has some 48,000 after the first turns alone."""


def steps(game: Any, state: Any) -> Iterator[Any]:
    if due := game.to_roll(state):
        yield from (game.roll(state, hand) for hand in hands(due, game.faces.sides))
    else:
        yield from (game.play(state, action) for action in game.legal(state))


def reached(game: Any, seats: int, most: int) -> list[Any]:
    """Return positions found by depth-first search from the start. The search stops when it has found more than
    ``most``.
    """
    found = {game.start(seats): None}
    for state in found_along(found, game):
        found.setdefault(state)
        if len(found) > most:
            break
    return list(found)


def found_along(found: dict[Any, None], game: Any) -> Iterator[Any]:
    """Yield the successors of each position in ``found``, and their successors in turn. Each position comes once, if
    the caller adds it to ``found``.
    """
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        for after in steps(game, state):
            if after not in found:
                waiting.append(after)
                yield after


def positions(game: Any, seats: int) -> list[Any]:
    """Return positions of a round for this many seats.

    In a ``TurnGame`` a turn does not depend on the other seats, so the positions of one turn are enough. If there are
    many, only every n-th is taken: by default every thirteenth of Midnight's 12,355, at night every third. The first
    seat is the mover in each of them. Every second one is also taken with other seats' scores before it.
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
