"""Rounds of two that come again after a tie, from the rules alone. Imports nothing of the house.

Two seats share each prize. So a round that may come again is one number: the opener's chance x to win it in the end. A
match is then a row of such rounds, each won with x or 1 - x. Let F(x) be the opener's value of one play of the round,
if a tie is worth x. F is monotone and rises more slowly than x. If F(x - d) > x - d and F(x + d) < x + d, the true x
lies between: a proof without an iteration.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

Worth = Callable[[int], float]
Turns = Callable[[Sequence[Worth]], Sequence[float]]
"""The best mean of a turn for each of several worths of its score."""


@dataclass(frozen=True)
class Round:
    """A round of two. ``beats``: True if one score wins against another. ``at_once``: the second seat has no turn."""

    turns: Turns
    scores: tuple[int, ...]
    beats: Callable[[int, int], bool]
    at_once: tuple[int, ...] = ()

    def after(self, tie: float) -> dict[int, float]:
        """The opener's chance to win in the end, by its score. ``tie``: its chance once the round comes again."""

        def reply(score: int) -> Worth:
            return lambda other: -1.0 if self.beats(score, other) else 0.0 if self.beats(other, score) else -tie

        left = [score for score in self.scores if score not in self.at_once]
        found = {score: -value for score, value in zip(left, self.turns(list(map(reply, left))), strict=True)}
        return found | dict.fromkeys(self.at_once, 1.0)

    def played(self, tie: float) -> float:
        """The opener's chance before its turn."""
        (value,) = self.turns([self.after(tie).__getitem__])
        return value

    def proves(self, found: float, within: float) -> bool:
        """True if the opener's chance is known to lie no further than this from ``found``."""
        return self.played(found - within) > found - within and self.played(found + within) < found + within


def share(chance: float, opener: str, left: int, lead: int) -> float:
    """The opener's share of a match with so many rounds left, in which it leads by so many rounds.

    chance: an opener's chance to win a round.
    """

    @cache
    def of(left: int, lead: int) -> float:
        if not left:
            return (1 + (lead > 0) - (lead < 0)) / 2
        won, lost = lead + 1, lead - 1
        again = {"fixed": (True, True), "rotate": (False, False), "winner": (True, False), "loser": (False, True)}
        stays_won, stays_lost = again[opener]
        one = of(left - 1, won) if stays_won else 1 - of(left - 1, -won)
        other = of(left - 1, lost) if stays_lost else 1 - of(left - 1, -lost)
        return chance * one + (1 - chance) * other

    return of(left, lead)


def chips(chance: float, opener: str, left: int) -> float:
    """The opener's mean gain from so many pots of one chip each, before it pays into the first."""
    if not left:
        return 0.0
    stays_won, stays_lost = opener in ("fixed", "winner"), opener in ("fixed", "loser")
    later = chips(chance, opener, left - 1)
    return sum(
        part * (gain + (later if stays else -later))
        for part, gain, stays in ((chance, 1, stays_won), (1 - chance, -1, stays_lost))
    )
