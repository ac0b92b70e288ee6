"""Threes, also Tripps."""

from functools import partial

from pubdice.core.game import uniform
from pubdice.games.threes.rules import Threes, tip
from pubdice.games.threes.words import ThreesWords
from pubdice.kit import Kit, Option, lazy
from pubdice.match.formats import POT, ROUNDS
from pubdice.text.catalogues import page

__all__ = ["KIT", "Threes"]

KIT = Kit(
    name="threes",
    options=(
        Option(
            "moon",
            ("no", "yes", "first"),
            "shooting the moon",
            (
                "five sixes score 30 (standard)",
                "five sixes win the round at once",
                "five sixes win at once if they fall on the first roll",
            ),
            words="no, yes, first",
        ),
    ),
    build=Threes.chosen,
    formats=(ROUNDS, POT),
    names=("Ann", "Bob"),
    draws_from=0,
    words=ThreesWords(),
    policies={"tip": tip, "lucky": uniform},
    rules=partial(page, __name__),
    tile=(3, 3),
    card_lines=lazy(f"{__name__}.card", "card"),
)
