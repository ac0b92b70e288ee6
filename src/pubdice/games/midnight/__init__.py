"""Midnight, also 1-4-24, with its variant 2-4-24."""

from collections.abc import Mapping
from importlib.resources import files

from pubdice.games.midnight.rules import Midnight
from pubdice.games.midnight.tips import tip
from pubdice.games.midnight.words import MidnightWords
from pubdice.kit import Kit, Option
from pubdice.policy import uniform

__all__ = ["KIT", "Midnight"]


def _build(options: Mapping[str, str]) -> Midnight:
    first, second = options["need"].split()
    return Midnight((int(first), int(second)))


KIT = Kit(
    name="midnight",
    options=(Option("need", ("1 4", "2 4"), "the pair that qualifies; 2 4 plays the variant 2-4-24"),),
    build=_build,
    formats=("rounds", "pot"),
    names=("Ann", "Bob"),
    draws_from=0,
    words=MidnightWords(),
    policies={"tip": tip, "lucky": uniform},
    rules=lambda: (files(__package__ or __name__) / "RULES.md").read_text(encoding="utf-8"),
)
