"""Midnight's card: eight lines to play by, their numbers found by computation, each with what ignoring it costs.

The form of the lines is ours (``lines.py``), the numbers in them are not:

- which faces fit, and with how many dice left, maximises the mean score from both needed dice in hand and four to roll,
  face by face from the highest down until nothing gets better;
- from which score to beat on, and with how many dice, the last seat keeps one 6 and nothing else maximises its share of
  a round of two whose opener plays for the best mean score, over all pairs.

A line's cost is the exact value of all lines minus that of all the others, read as printed: in points of the mean score
for the lines of a turn, in shares of the round for those of the last seat. What the card gives up is the value of best
play minus its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pubdice.game import Result
from pubdice.games.midnight.lines import ALWAYS, Fit, Lines, Six
from pubdice.games.midnight.mats import laid_out, sentence
from pubdice.games.midnight.questions import NEED
from pubdice.games.midnight.rules import BEST, Midnight, Turns
from pubdice.games.midnight.turn import turn
from pubdice.games.midnight.win import win
from pubdice.mat import svg, text
from pubdice.policy import Policy
from pubdice.solve.evaluate import Sheet
from pubdice.solve.finite import ROUNDING
from pubdice.words import Language

FITS = (None, *((left, single) for left in (0, 1, 2, ALWAYS) for single in (False, True)))
SIXES = tuple((score, dice) for score in range(14, BEST + 1) for dice in (4, 5, 6))


class Maker:
    """The values of lines under one pair of needed faces, and the numbers found with them."""

    def __init__(self, need: tuple[int, int]) -> None:
        self.game = Midnight(need)
        self.turn = turn(need)
        self.sheet = Sheet(self.game, self.game.start(1))
        self._lasts: dict[tuple[Lines, int], float] = {}
        steady = self.turn.solve(self.turn.mean)
        self.best = float(steady.value[self.turn.start])
        self.opens = dict(zip(self.turn.scores, map(float, steady.chance[self.turn.start]), strict=True))
        round_of_two = win(need, "share", 2, nobody=0.5)
        self._worth = {score: round_of_two.utility(score, 1 if score else 0, 0) for score in self.opens}
        reply = [self.turn.best(worth[:, None])[0] for worth in self._worth.values()]
        self.best_last = float(sum(chance * value for chance, value in zip(self.opens.values(), reply, strict=True)))

    def mean(self, policy: Policy[Any, Any], start: Turns | None = None) -> float:
        """The mean score of a turn."""
        return self.sheet.value(policy, _score, start)

    def last(self, lines: Lines) -> float:
        """The last seat's share of a round of two against an opener with the best mean score."""
        return sum(chance * self._against(score, lines) for score, chance in self.opens.items())

    def _against(self, beat: int, lines: Lines) -> float:
        six = lines.six if lines.six and beat >= lines.six.score else None
        lines = replace(lines, six=six and Six(0, six.dice))
        if (lines, beat) not in self._lasts:
            worth = dict(zip(self.turn.scores, map(float, self._worth[beat]), strict=True))
            self._lasts[lines, beat] = self.sheet.value(
                lambda game, state: lines.keep(game, state.locked, state.free, beat),
                lambda result: worth[result.scores[0]],
            )
        return self._lasts[lines, beat]

    def lines(self) -> Lines:
        """The card's lines, with the numbers that make them best."""
        both = Turns(1, (), tuple(sorted(self.game.need)))
        found: dict[int, Fit] = {}
        value, moved = self.mean(Lines(), both), True
        while moved:
            moved = False
            for face in range(6, 1, -1):
                for fit in FITS:
                    tried = {other: found[other] for other in range(6, 1, -1) if other in found and other != face}
                    if fit is not None:
                        tried[face] = Fit(face, *fit)
                    there = self.mean(_fitted(tried), both)
                    if there > value + 1e-12:
                        found, value, moved = tried, there, True
        stopping = replace(_fitted(found), stop=True)
        six = max(SIXES, key=lambda pair: round(self.last(replace(stopping, six=Six(*pair))), 12))
        return replace(stopping, six=Six(*six))


def _score(result: Result) -> float:
    return result.scores[0]


def _fitted(fits: Mapping[int, Fit]) -> Lines:
    return Lines(fits=tuple(fits[face] for face in sorted(fits, reverse=True)))


@dataclass(frozen=True, slots=True)
class Played:
    """The lines, what each costs if ignored, what they are worth, and what best play is."""

    lines: Lines
    costs: tuple[tuple[str, float], ...]
    mean: float
    best: float
    last: float
    best_last: float


@cache
def played(need: tuple[int, int]) -> Played:
    """The card of a pair, worked out once."""
    maker = Maker(need)
    lines = maker.lines()
    mean, last = maker.mean(lines), maker.last(lines)
    fits = {
        f"fit {fit.face}": replace(lines, fits=tuple(each for each in lines.fits if each != fit)) for fit in lines.fits
    }
    ending = [f"fit {fit.face}" for fit in lines.fits if not fit.left]
    without = {
        "take": replace(lines, take=False),
        "one": replace(lines, one=False),
        **{name: others for name, others in fits.items() if name not in ending},
        "highest": replace(lines, highest=False),
        **{name: fits[name] for name in ending},
    }
    costs = [(name, mean - maker.mean(others)) for name, others in without.items()]
    costs += [("stop", last - maker.last(replace(lines, stop=False)))]
    costs += [("six", last - maker.last(replace(lines, six=None)))]
    return Played(lines, tuple(costs), mean, maker.best, last, maker.best_last)


def answer(given: Mapping[str, str]) -> dict[str, Any]:
    """The card as plain data."""
    first, second = map(int, NEED.read(given.get("need", NEED.choices[0])).split())
    card = played((first, second))
    data: dict[str, Any] = {
        "need": [first, second],
        "lines": [
            {
                "line": name,
                "text": sentence(Language(), name, card.lines, (first, second)),
                "cost": cost,
                "utility": "share of the round" if name in ("stop", "six") else "mean score",
            }
            for name, cost in card.costs
        ],
        "mean": {"value": card.mean, "best": card.best, "given_up": card.best - card.mean},
        "last": {"value": card.last, "best": card.best_last, "given_up": card.best_last - card.last},
        "bound": ROUNDING * BEST,
    }
    if "svg" in given:
        data["svg"] = svg(laid_out(Language(), data, card.lines))
    return data


def tell(language: Language, data: dict[str, Any]) -> list[str]:
    """The card in lines, or the lines of its picture."""
    first, second = data["need"]
    card = laid_out(language, data, played((first, second)).lines)
    return svg(card).splitlines() if "svg" in data else text(card)
