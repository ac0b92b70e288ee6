"""What rerolling some dice of a hand at 420 leads to at once."""

from functools import cache

from pubdice.core.dice import Hand, rolls
from pubdice.games.fourtwenty.rules import DICE, TARGET


@cache
def over(kept: Hand) -> float:
    """The chance that rerolling all but the dice kept goes over 20."""
    due = DICE - len(kept)
    total: int = 6**due
    return sum(ways for hand, ways in rolls(due) if sum(kept) + sum(hand) > TARGET) / total
