"""Mexico: two dice, the opener sets the number of rolls, the lowest loses a life."""

from functools import partial

from pubdice.core.game import uniform
from pubdice.games.mexico.lives import LIVES, same_openers
from pubdice.games.mexico.position import POSITION
from pubdice.games.mexico.rules import Mexico
from pubdice.games.mexico.tips import tip
from pubdice.games.mexico.words import MexicoWords
from pubdice.kit import Kit, Option, lazy
from pubdice.match.formats import POT, ROUNDS
from pubdice.text.catalogues import page

__all__ = ["KIT", "Mexico"]

KIT = Kit(
    name="mexico",
    options=(
        Option(
            "hold",
            ("none", "1 2"),
            "a die you may leave when you roll again",
            ("none: you roll both", "a 1 or a 2, for one roll"),
        ),
    ),
    build=lambda options: Mexico(options["hold"] != "none"),
    formats=(LIVES, ROUNDS, POT),
    names=("Ann", "Bob", "Cid"),
    draws_from=0,
    words=MexicoWords(),
    policies={"tip": tip, "lucky": uniform},
    rules=partial(page, __name__),
    card_lines=lazy(f"{__name__}.card", "card"),
    position=POSITION,
    price_notes={"opener": same_openers},
)
