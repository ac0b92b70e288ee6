"""Ship, Captain and Crew, also 6-5-4."""

from functools import partial

from pubdice.core.game import uniform
from pubdice.games.ship.rules import Ship, tip
from pubdice.games.ship.words import ShipWords
from pubdice.kit import Kit, Option, lazy
from pubdice.match.formats import POT, ROUNDS, TOTAL, first_to
from pubdice.text.catalogues import page

__all__ = ["KIT", "Ship"]

KIT = Kit(
    name="ship",
    options=(
        Option(
            "cargo",
            ("together", "single", "stays"),
            "rolling cargo again",
            ("both dice together (standard)", "each die by itself", "never: the turn ends with all three aboard"),
            words="together, single, stays",
        ),
        Option(
            "boxcars",
            ("no", "yes"),
            "a cargo of 6 6",
            ("counts 12 (standard)", "wins the round at once"),
            words="no, yes",
        ),
    ),
    build=Ship.chosen,
    formats=(ROUNDS, POT, first_to(50), TOTAL),
    names=("Ann", "Bob"),
    draws_from=0,
    words=ShipWords(),
    policies={"tip": tip, "lucky": uniform},
    rules=partial(page, __name__),
    card_lines=lazy(f"{__name__}.card", "card"),
)
