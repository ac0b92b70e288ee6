"""What every number of seats comes to at 420: the one price there is, as the game has no house rules."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pubdice.core.errors import Unsolved
from pubdice.games.fourtwenty.rules import GAME
from pubdice.solve.race.races import races

MOST_PRICED = {False: 6, True: 5}
"""Seats, without and with drinks."""
LEAST = 2


def price(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    """Player 1's chances by the number of seats: to win the race, and to buy the drinks, as ``odds`` has them.

    ``advantage`` is how much better off than an even share Player 1 is: more wins, or less to buy.
    """
    rows = []
    for drinks, most in MOST_PRICED.items():
        for seats in range(LEAST, most + 1):
            try:
                chances, bound, _ = races(GAME, folder).odds(seats, drinks)
            except Unsolved:  # without numpy only two seats are solved
                continue
            rows.append(
                {
                    "rule": "drinks" if drinks else "race",
                    "choice": str(seats),
                    "buy" if drinks else "win": list(chances),
                    "advantage": (chances[0] - 1 / seats) * (-1 if drinks else 1),
                    "bound": bound,
                }
            )
    return {"utility": "winning the race; buying the drinks", "rows": rows}
