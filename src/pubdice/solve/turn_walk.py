"""A turn walked through by its rules, to see whether every seat's goes alike. Knows no game, and needs no numpy.

``solve.turns`` enumerates the turn of a single seat and takes it for everybody's. That is so where nothing in a turn
depends on the turns before it. A game that has its own rules for what is kept or rolled may break that: its opener may
set how often the others roll. So the turn of a seat alone, of the first of two, and of the second after each of the
first's scores are walked through and compared position by position, as the seat sees them (``TurnGame.alone``).
"""

from typing import Any

from pubdice.core.dice import hands
from pubdice.core.turn_game import RoundState, TurnGame
from pubdice.solve.plain.components import components

TURN = ("alone", "legal", "mover", "play", "roll", "rolled", "to_roll")
"""The methods of a ``TurnGame`` by which a turn goes."""
MOST_POSITIONS = 100_000
"""Of a turn (Midnight: 12,398), and of all second turns together; of more, every second or third score is tried."""
TurnPositions = dict[RoundState, tuple[int, tuple[Any, ...], list[Any]]]
"""By how the seat sees a position: the dice to roll, what is legal, and what follows, or the score at the end."""


def turns_alike(game: TurnGame) -> bool:
    """Whether a turn ends, and goes alike whatever the turns before it came to."""
    if all(getattr(type(game), name) is getattr(TurnGame, name) for name in TURN):
        after = [game.scored(game.start(2), hand) for hand in hands(game.number_of_dice)]
        return all(game.alone(state) == game.start(1) for state in after if len(state.scores) == 1)
    alone, first = _walked(game, game.start(1)), _walked(game, game.start(2))
    if alone is None or first is None or alone[0] != first[0] or not _ends(alone[0]):
        return False
    left = [state for state in first[1] if len(state.scores) == 1]
    left.sort(key=lambda state: game.better(state.scores[0]))
    if any(game.alone(state) != game.start(1) for state in left):
        return False
    every = 1 + len(left) * len(alone[0]) // MOST_POSITIONS
    second = (_walked(game, state) for state in {*left[::every], *left[-1:]})
    return all(found is not None and found[0] == alone[0] for found in second)


def _walked(game: TurnGame, start: RoundState) -> tuple[TurnPositions, set[RoundState]] | None:
    """(the positions of the turn that begins here, the rounds it ends in).

    None if there are too many, or if positions that look alike to the seat go on in different ways.
    """
    turn, ended, known, waiting = TurnPositions(), set[RoundState](), {start}, [start]
    while waiting:
        state, follow = waiting.pop(), list[Any]()
        due, legal = game.to_roll(state), game.legal(state)
        after = [game.roll(state, hand) for hand in hands(due)] if due else [game.play(state, act) for act in legal]
        for each in after:
            if len(each.scores) > len(start.scores):
                follow.append(each.scores[len(start.scores)])
                ended.add(each)
                continue
            follow.append(game.alone(each))
            if each not in known:
                known.add(each)
                waiting.append(each)
        here = due, legal, follow
        if turn.setdefault(game.alone(state), here) != here or len(known) > MOST_POSITIONS:
            return None
    return turn, ended


def _ends(turn: TurnPositions) -> bool:
    """Whether no position of a turn can come back."""
    number = {view: at for at, view in enumerate(turn)}
    after = [[number[view] for view in follow if view in number] for _, _, follow in turn.values()]
    return len(components(after)) == len(turn) and all(at not in each for at, each in enumerate(after))
