"""Shut the Box on a card: which tiles to shut, and when one die is better than two.

No line looks at what the others have. The number below loses least; ``tests/games/shutbox/test_card.py`` tries others.
"""

from functools import partial

from pubdice.advice.card import LineCard, LineNames, card_line
from pubdice.games.shutbox.rules import ROLLS, BoxRound, ShutTheBox

LITTLE = 6
"""The most that the tiles that are up may add up to for one die to be better than two."""

SHUTS = (
    card_line("few", "Shut as few tiles as you can."),
    card_line("high", "Of several ways, shut the highest tile."),
)
ONE = card_line("one", "One die if the tiles that are up make {number} or less, else two.", number=LITTLE)


def card(game: ShutTheBox) -> LineCard:
    """The card under this house rule; the last line is for players who may choose the dice.

    Where one die has to be rolled and the digits are read as one number, the highest tile is no better than others.
    """
    lines = (*SHUTS, ONE) if game.die == "may" else SHUTS[:1] if game.die == "must" and game.left == "digits" else SHUTS
    return LineCard(lines, lambda names: partial(_play, names), watches=False)


def _play(names: LineNames, game: ShutTheBox, state: BoxRound) -> tuple[tuple[str, int], ...]:
    """The lines' move: one thing, or the choices they leave open, all equally likely."""
    left = game.legal(state)
    if left[0] in ROLLS:
        one, two = left
        return ((one if sum(state.up) <= LITTLE else two, 1),) if "one" in names else ((one, 1), (two, 1))
    if "few" in names:
        fewest = min(len(game.takes(move)) for move in left)
        left = tuple([move for move in left if len(game.takes(move)) == fewest])
    if "high" in names:
        highest = max(max(game.takes(move)) for move in left)
        left = tuple([move for move in left if max(game.takes(move)) == highest])
    return tuple([(move, 1) for move in left])
