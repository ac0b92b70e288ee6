"""420 by Mark Steere."""

from functools import partial

from pubdice.core.game import uniform
from pubdice.games.fourtwenty.rules import FourTwenty, tip
from pubdice.games.fourtwenty.words import FourTwentyWords
from pubdice.kit import Kit, lazy
from pubdice.match.formats import DRINKS, RACE
from pubdice.text.catalogues import page

__all__ = ["KIT", "FourTwenty"]

SOLVING, WORDS = f"{__name__}.solving", f"{__name__}.words"

KIT = Kit(
    name="420",
    options=(),
    build=lambda options: FourTwenty(),
    formats=(RACE, DRINKS),
    names=tuple(map(str, FourTwentyWords.sides)),
    draws_from=3,
    words=FourTwentyWords(),
    policies={
        "tip": tip,
        "lucky": uniform,
        **{name: partial(lazy(SOLVING, "policy"), name) for name in ("steady", "cautious", "bold")},
    },
    solver=lazy(SOLVING, "FourTwentySolver"),
    start_odds=lazy("pubdice.solve.race.races", "start_odds"),
    most_solved={"race": 6, "drinks": 5},
    tell_hands=lazy(WORDS, "tell_hands"),
    price=lazy(SOLVING, "price"),
    price_lines=lazy(SOLVING, "price_lines"),
    card_lines=lazy(f"{__name__}.card", "card"),
    rules=partial(page, __name__),
    tile=(6, 6, 5),
)
