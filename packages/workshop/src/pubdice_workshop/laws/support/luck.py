"""Luck ranks of a match at once: a house and the terminal play the replays a part at a time."""

from collections.abc import Sequence

from pubdice.advice.coach import Coach
from pubdice.advice.luck_rank import LuckRanks, LuckSample


def luck_ranks(coach: Coach, text: str, luck: Sequence[float]) -> LuckRanks:
    """The ranks of every seat's luck in a match that is over. text: its record, which seeds the dice of the replays."""
    sample = LuckSample(coach, text)
    sample.go_on()
    return sample.ranks(luck)
