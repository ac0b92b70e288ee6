"""The tables of a load test, with people and bots of both games of the law, and what its people try."""

import random
from typing import Any

RULES = {"midnight": {"format": "rounds 20"}, "420": {"format": "drinks"}}
"""The longest matches there are, by game."""
TABLES: tuple[dict[str, Any], ...] = (
    {"game": "midnight", "people": 3},
    {"game": "420", "people": 2},
    {"game": "midnight", "people": 2, "bots": ["lucky"]},
    {"game": "420", "people": 1, "bots": ["lucky", "tip"]},
)


def drawn_move(view: dict[str, Any], source: random.Random) -> dict[str, Any]:
    """A command that somebody whose turn it is may try; the rules may refuse it."""
    if view["ask"] != "keep":
        return {"do": "roll"}
    free = [die["place"] for die in view["dice"] if die["status"] in ("free", "marked")]
    marks = source.sample(free, source.randint(1, len(free)))
    return {"do": source.choice(("mark", "roll", "roll", "bank")), "marks": marks}
