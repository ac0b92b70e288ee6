"""Midnight, also 1-4-24, with its variant 2-4-24."""

from collections.abc import Mapping
from functools import partial

from pubdice.core.game import uniform
from pubdice.games.midnight.rules import Midnight
from pubdice.games.midnight.tips import tip
from pubdice.games.midnight.words import MidnightWords
from pubdice.kit import Kit, Option, lazy
from pubdice.match.formats import POT, ROUNDS
from pubdice.text.catalogues import page

__all__ = ["KIT", "Midnight"]


def _build(options: Mapping[str, str]) -> Midnight:
    first, second = options["need"].split()
    return Midnight((int(first), int(second)))


KIT = Kit(
    name="midnight",
    options=(
        Option(
            "need",
            ("1 4", "2 4"),
            "dice you need",
            ("1 and 4 (standard)", "2 and 4 (the variant 2-4-24)"),
            "{choice} needed",
        ),
    ),
    build=_build,
    formats=(ROUNDS, POT),
    names=("Ann", "Bob"),
    draws_from=0,
    words=MidnightWords(),
    policies={"tip": tip, "lucky": uniform},
    thresholds={"cautious": 16, "bold": 22},  # 16 is the modest score that PlayPalace praises
    card_lines=lazy(f"{__name__}.card", "card"),
    claims=lazy(f"{__name__}.claims", "claims"),
    rules=partial(page, __name__),
)
