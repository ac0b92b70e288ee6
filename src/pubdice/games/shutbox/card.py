"""The card of Shut the Box: the tiles to shut, and when to roll one die. No line looks at other seats' scores.

A card with the number below loses the least value. ``tests/games/shutbox/test_card.py`` tries others.
"""

from functools import partial

from pubdice.advice.card import LineCard, LineNames, card_line
from pubdice.games.shutbox.rules import CHOOSES, ROLLS, BoxRound, ShutTheBox

LITTLE = 6
"""The highest sum of the tiles left up with which one die is better than two."""

SHUTS = (
    card_line("few", "Shut as few tiles as you can."),
    card_line("high", "Of several ways, shut the highest tile."),
)
ONE = card_line("one", "One die if the tiles that are up make {number} or less, else two.", number=LITTLE)


def card(game: ShutTheBox) -> LineCard:
    """Return the card under these house rules.

    The last line is there only if players may choose one die. The line about the highest tile is missing if players
    must roll one die and the tiles left are read as one number, because the line gains nothing then.
    """
    lines = (
        (*SHUTS, ONE) if game.die in CHOOSES else SHUTS[:1] if game.die == "must" and game.left == "digits" else SHUTS
    )
    return LineCard(lines, lambda names: partial(_play, names), watches=False)


def _play(names: LineNames, game: ShutTheBox, state: BoxRound) -> tuple[tuple[str, int], ...]:
    """Return the move that the card's named lines prescribe.

    If they leave several open, return all, with equal weights.
    """
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
