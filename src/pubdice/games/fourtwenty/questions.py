"""What can be asked of solved 420 on the command line: the odds of every seat, the best keep of a position, prices."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pubdice.core.dice import Hand
from pubdice.core.errors import BadNotation
from pubdice.games.fourtwenty import position
from pubdice.games.fourtwenty.reroll import reroll
from pubdice.games.fourtwenty.rules import GAME
from pubdice.kit import read_dice, read_number
from pubdice.solve.hand_race import solutions
from pubdice.solve.hand_race.solutions import LEAST, MOST
from pubdice.solve.tolerance import best_first

MOST_PRICED = {False: 6, True: MOST[True]}
"""Seats, without and with drinks: prices of a race of seven take minutes."""
FRESH = "-"


def odds(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    """Every seat's chance to win the race, or to buy the drinks, from Player 1 on."""
    drinks = "drinks" in given
    seats = read_number("seats", given.get("seats", "2"), LEAST, MOST[drinks])
    found = solutions.odds(GAME, seats, drinks, folder)
    return {"buy" if drinks else "win": list(found.chances), "bound": found.bound, "nash_conv": found.nash_conv}


def advise(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    """Every legal keep of a position with its value and value lost, best first."""
    if "hands" not in given:
        raise BadNotation("flag-missing", flag="hands")
    hands = [_hand(text) for text in given["hands"].split(",")]
    drinks, player_one = "drinks" in given, None
    if "player-one" in given:
        if not drinks:
            raise BadNotation("flag-drinks", flag="player-one")
        player_one = read_number("player-one", given["player-one"], 1, len(hands)) - 1
    try:
        found = position.advise(hands, drinks, player_one, folder)
    except BadNotation as error:
        facts = {name: fact for name, fact in error.facts.items() if name != "found"}
        asked = given["player-one"] if error.code.startswith("player-one") else given["hands"]
        raise BadNotation(error.code, None, found=asked, **facts) from None
    keeps = best_first(found.keeps, lambda valued: valued[1])
    return {
        "value": found.value,
        "utility": "not buying" if drinks else "winning",
        "actions": [
            {"keep": list(dice[::-1]), "value": value, "lost": max(0.0, found.value - value), **reroll(dice)}
            for dice, value in keeps
        ],
        "bound": found.bound,
    }


def _hand(text: str) -> Hand:
    return () if text.strip() == FRESH else read_dice("hands", text)


def price(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    """Player 1's chances by the number of seats: to win the race, and not to buy the drinks."""
    rows = []
    for drinks, most in MOST_PRICED.items():
        for seats in range(LEAST, most + 1):
            found = solutions.odds(GAME, seats, drinks, folder)
            share = [1 - chance for chance in found.chances] if drinks else list(found.chances)
            fair = (seats - 1) / seats if drinks else 1 / seats
            rows.append(
                {
                    "rule": "drinks" if drinks else "race",
                    "choice": str(seats),
                    "share": share,
                    "advantage": share[0] - fair,
                    "bound": found.bound,
                }
            )
    return {"utility": "winning the race; not buying the drinks", "rows": rows}
