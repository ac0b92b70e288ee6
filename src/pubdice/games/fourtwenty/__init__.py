"""420 by Mark Steere."""

from functools import partial

from pubdice.core.policy import uniform
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.fourtwenty.tips import tip
from pubdice.games.fourtwenty.words.play import FourTwentyWords
from pubdice.kit import Flag, Kit, Question, lazy
from pubdice.match.formats import DRINKS, RACE
from pubdice.text.catalogues import page

__all__ = ["KIT", "FourTwenty"]

QUESTIONS, ANSWERS, CARD = f"{__name__}.questions", f"{__name__}.words.answers", f"{__name__}.card.answer"

FOR_DRINKS = Flag("drinks", "", "for drinks, to the last one left, instead of a race")

KIT = Kit(
    name="420",
    options=(),
    build=lambda options: FourTwenty(),
    formats=(RACE, DRINKS),
    names=FourTwentyWords.sides,
    draws_from=3,
    words=FourTwentyWords(),
    policies={
        "tip": tip,
        "lucky": uniform,
        **{name: partial(lazy(f"{__name__}.policies", "policy"), name) for name in ("steady", "cautious", "bold")},
    },
    solver=lazy(f"{__name__}.solver", "FourTwentySolver"),
    odds=Question(
        (Flag("seats", "N", "how many play: 2 to 6, or 5 with --drinks (2)"), FOR_DRINKS),
        lazy(QUESTIONS, "odds"),
        lazy(ANSWERS, "tell_odds"),
    ),
    advise=Question(
        (
            Flag("hands", "HANDS", "every hand, the mover's first, in turn order: 6551,6541; - has not rolled yet"),
            FOR_DRINKS,
            Flag("player-one", "K", "with --drinks: which of the hands, from 1, opened the round (1)"),
        ),
        lazy(QUESTIONS, "advise"),
        lazy(ANSWERS, "tell_advice"),
    ),
    price=Question((), lazy(QUESTIONS, "price"), lazy(ANSWERS, "tell_prices")),
    card=Question(
        (Flag("svg", "", "print the card as an SVG picture, 10 by 10 cm"),),
        lazy(CARD, "answer"),
        lazy(CARD, "tell"),
    ),
    rules=partial(page, __name__),
)
