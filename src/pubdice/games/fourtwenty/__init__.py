"""420 by Mark Steere."""

from importlib.resources import files

from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.fourtwenty.tips import tip
from pubdice.games.fourtwenty.words import FourTwentyWords
from pubdice.kit import Kit
from pubdice.policy import uniform

__all__ = ["KIT", "FourTwenty"]

KIT = Kit(
    name="420",
    options=(),
    build=lambda options: FourTwenty(),
    formats=("race", "drinks"),
    names=("Red", "Blue"),
    draws_from=3,
    words=FourTwentyWords(),
    policies={"tip": tip, "lucky": uniform},
    rules=lambda: (files(__package__ or __name__) / "RULES.md").read_text(encoding="utf-8"),
)
