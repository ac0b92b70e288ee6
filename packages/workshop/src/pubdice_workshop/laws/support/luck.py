"""Luck ranks of a match in one step, for tests. A house and the terminal play the replays in parts."""

from collections.abc import Sequence

from pubdice.advice.coach import Coach
from pubdice.advice.luck_rank import LuckRanks, LuckSample


def luck_ranks(coach: Coach, text: str, luck: Sequence[float]) -> LuckRanks:
    """Each seat's luck rank in a finished match. ``text`` is its record, which seeds the dice of the replays."""
    sample = LuckSample(coach, text)
    sample.go_on()
    return sample.ranks(luck)
