"""A pot between two seats that is carried over until one of them takes it: ``turns.rounds.pot_share`` for two seats, on
lists.
"""

from functools import partial
from pathlib import Path
from typing import Any

from pubdice.core.game import GameOfTurns
from pubdice.solve.numerics import ROUNDING
from pubdice_pocket.pure_python.bare_turn import bare_turn
from pubdice_pocket.pure_python.best_replies import BareReplies
from pubdice_pocket.pure_python.kept_solutions import kept_lines, kept_turn
from pubdice_pocket.pure_python.two_turns import BareRound, Pair

MOST_STEPS = 200


def two_seat_pot(game: GameOfTurns, opener: str, folder: Path | None = None) -> dict[str, Any]:
    """Return both seats' chances to take a pot that is carried over after ties and missed rounds, as plain data.

    ``turns.rounds.pot_share`` does the same for more seats.
    """
    replies = BareReplies(bare_turn(game, partial(kept_turn, game, folder)), kept_lines(game, folder))
    share: Pair = (0.5, 0.5)
    moved, left = 1.0, 0.0
    for _ in range(MOST_STEPS):
        # under the other rules the opener opens again after a tie or a missed round
        goes_on = (share[1], share[0]) if opener == "rotate" else share
        after = BareRound(replies, (goes_on, (1.0, 0.0), (0.0, 1.0), goes_on)).start()
        before, moved, share = moved, max(abs(after[0] - share[0]), abs(after[1] - share[1])), after
        if moved < ROUNDING:
            break
        left = max(left, moved / before)
    bound = (moved + ROUNDING) / (1 - left)
    return {"share": list(share), "utility": "the pot, carried until a player takes it", "bound": bound}
