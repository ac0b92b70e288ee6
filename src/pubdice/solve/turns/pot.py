"""One pot, played for until somebody takes it, by value iteration over its rounds."""

from typing import Any

import numpy as np

from pubdice.core.errors import BadNotation
from pubdice.core.turn_game import TurnGame
from pubdice.solve.tolerance import ROUNDING
from pubdice.solve.turns.rounds import Before, Round
from pubdice.solve.turns.turn import turn

MOST_STEPS = 200


def pot_share(game: TurnGame, seats: int, opener: str) -> dict[str, Any]:
    """Each seat's chance to take one pot that ties and missed rounds carry over, from its opener on.

    With v(j) the share of the j-th seat in turn order, v is the value of a round whose sole winner has it all and which
    otherwise begins again, with v handed on as the opener rule says: a fixed point, found by going round until nothing
    moves. A round is left undecided with chance q < 1, so what the last step moved, divided by 1 - q, bounds the error.
    """
    if opener == "loser" and seats > 2:  # who scored least does not follow from who won
        raise BadNotation("opener", found=opener, openers=("rotate", "fixed", "winner"))
    turned = turn(game)
    share = np.full(seats, 1 / seats)
    moved, left = 1.0, 0.0  # what the last step moved, and the greatest part of a move that a later step still made
    for _ in range(MOST_STEPS):
        payoff = np.empty((1 << seats, seats))
        for winners in range(1 << seats):
            first = (winners & -winners).bit_length() - 1
            following = {"rotate": 1 % seats, "winner": max(first, 0)}.get(opener, 0)
            payoff[winners] = np.eye(seats)[first] if winners.bit_count() == 1 else np.roll(share, following)
        after = Round(turned, payoff).values(Before(0))
        before, moved, share = moved, float(np.abs(after - share).max()), after
        if moved < ROUNDING:
            break
        left = max(left, moved / before)
    bound = (moved + ROUNDING) / (1 - left)
    return {"share": share.tolist(), "utility": "the pot, carried until somebody takes it", "bound": bound}
