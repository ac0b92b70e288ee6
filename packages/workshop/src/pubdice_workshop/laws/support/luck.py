"""The luck ranks of a match, computed in one step for tests. The house and the terminal compute them in parts."""

from collections.abc import Sequence

from pubdice.advice.coach import Coach
from pubdice.advice.luck_rank import LuckRanks, LuckSample


def luck_ranks(coach: Coach, text: str, luck: Sequence[float]) -> LuckRanks:
    """Return each seat's luck rank (its place among replays with other dice) in a finished match. ``text`` is the
    record of the match, and seeds the dice of the replays.
    """
    sample = LuckSample(coach, text)
    sample.go_on()
    return sample.ranks(luck)
