"""What rerolling some dice of a hand at 420 leads to at once."""

from functools import cache

from pubdice.core.dice import Hand, rolls
from pubdice.games.fourtwenty.rules import DICE, TARGET


@cache
def reroll(kept: Hand) -> dict[str, float]:
    """The chances that rerolling all but the dice kept wins at once, ``win_now``, and that it goes ``over``."""
    ways = 6 ** (DICE - len(kept))
    totals = [(sum(kept) + sum(hand), count) for hand, count in rolls(DICE - len(kept))]
    won = sum(count for total, count in totals if total == TARGET)
    return {"win_now": won / ways, "over": sum(count for total, count in totals if total > TARGET) / ways}
