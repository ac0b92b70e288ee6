"""Midnight's card: the numbers in its lines, found by computation, and what lines are worth.

The form of the lines is ours (``lines.py``), the numbers in them are not:

- which faces fit, and with how many dice left, maximises the mean score from both needed dice in hand and four to roll,
  face by face from the highest down until nothing gets better;
- from which score to beat on, and with how many dice, the last seat keeps one 6 and nothing else maximises its share of
  a round of two whose opener plays for the best mean score, over all pairs.

The lines of a turn are measured in points of the mean score, those of the last seat in shares of that round.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

from pubdice.core.game import Policy, RoundResult
from pubdice.games.midnight.card.lines import ALWAYS, CardLines, Fit, Six
from pubdice.games.midnight.rules import BEST, Midnight, RoundState
from pubdice.solve.finite.evaluate import Sheet
from pubdice.solve.numerics import TIE, first_best
from pubdice.solve.turns.turn import duel, turn

FITS = (None, *((left, single) for left in (0, 1, 2, ALWAYS) for single in (False, True)))
SIXES = tuple((score, dice) for score in range(14, BEST + 1) for dice in (4, 5, 6))


class Maker:
    """The values of lines under one pair of needed faces, and the numbers found with them."""

    def __init__(self, need: tuple[int, int]) -> None:
        self.game = Midnight(need)
        self.turn = turn(self.game)
        self.sheet = Sheet(self.game, self.game.start(1))
        self._lasts: dict[tuple[CardLines, int], float] = {}
        steady = self.turn.solve(self.turn.mean)
        self.best = float(steady.value[self.turn.start])
        self.opens = dict(zip(self.turn.scores, map(float, steady.chance[self.turn.start]), strict=True))
        self._worth = {score: duel(self.game, score) for score in self.opens}
        reply = [self.turn.best(worth[:, None])[0] for worth in self._worth.values()]
        self.best_last = float(sum(chance * value for chance, value in zip(self.opens.values(), reply, strict=True)))

    def mean(self, policy: Policy[Any, Any], start: RoundState | None = None) -> float:
        """The mean score of a turn."""
        return self.sheet.value(policy, _score, start)

    def last(self, lines: CardLines) -> float:
        """The last seat's share of a round of two against an opener with the best mean score."""
        return sum(chance * self._against(score, lines) for score, chance in self.opens.items())

    def _against(self, beat: int, lines: CardLines) -> float:
        six = lines.six if lines.six and beat >= lines.six.score else None
        lines = replace(lines, six=six and Six(0, six.dice))
        if (lines, beat) not in self._lasts:
            worth = dict(zip(self.turn.scores, map(float, self._worth[beat]), strict=True))
            self._lasts[lines, beat] = self.sheet.value(
                lambda game, state: lines.keep(game, state.locked, state.free, beat),
                lambda result: worth[result.scores[0]],
            )
        return self._lasts[lines, beat]

    @cached_property
    def lines(self) -> CardLines:
        """The card's lines, with the numbers that make them best."""
        both = RoundState(1, (), tuple(sorted(self.game.need)))
        found: dict[int, Fit] = {}
        value, moved = self.mean(CardLines(), both), True
        while moved:
            moved = False
            for face in range(6, 1, -1):
                for fit in FITS:
                    tried = {other: found[other] for other in range(6, 1, -1) if other in found and other != face}
                    if fit is not None:
                        tried[face] = Fit(face, *fit)
                    there = self.mean(_fitted(tried), both)
                    if there > value + TIE:
                        found, value, moved = tried, there, True
        fitted = _fitted(found)
        six = first_best(SIXES, lambda pair: self.last(replace(fitted, six=Six(*pair))))
        return replace(fitted, six=Six(*six))


def _score(result: RoundResult) -> float:
    return result.scores[0]


def _fitted(fits: Mapping[int, Fit]) -> CardLines:
    return CardLines(fits=tuple(fits[face] for face in sorted(fits, reverse=True)))


@cache
def maker(need: tuple[int, int]) -> Maker:
    """The maker of a pair's card, made once."""
    return Maker(need)
