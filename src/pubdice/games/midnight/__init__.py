"""Midnight, also 1-4-24, with its variant 2-4-24."""

from functools import partial

from pubdice.core.game import uniform
from pubdice.games.midnight.rules import PAIRS, Midnight, tip
from pubdice.games.midnight.words import MidnightWords
from pubdice.kit import Kit, Option, lazy
from pubdice.match.formats import POINTS, POT, ROUNDS, TOTAL
from pubdice.text.catalogues import page

__all__ = ["KIT", "Midnight"]

KIT = Kit(
    name="midnight",
    options=(
        Option(
            "need",
            ("1 4", "2 4"),
            "dice you need",
            ("1 and 4 (standard)", "2 and 4 (the variant 2-4-24)"),
            "{choice} needed",
            more=tuple([pair for pair in PAIRS if pair not in ("1 4", "2 4")]),
            form="two different faces",
        ),
        Option(
            "follow",
            ("no", "yes"),
            "rolls of a turn",
            ("up to six (standard)", "no more than the opener of the round took"),
            before="no",
            words="no, yes",
        ),
    ),
    build=Midnight.chosen,
    formats=(ROUNDS, POT, POINTS, TOTAL),
    names=("Ann", "Bob"),
    draws_from=0,
    words=MidnightWords(),
    policies={"tip": tip, "lucky": uniform},
    thresholds={"cautious": 16, "bold": 22},  # 16 is the modest score that PlayPalace praises
    card_lines=lazy(f"{__name__}.card", "card"),
    rules=partial(page, __name__),
)
