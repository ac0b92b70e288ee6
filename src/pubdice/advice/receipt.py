"""A receipt in numbers: what a review prints, rounded so that it adds up, and the moves it can be followed by.

Rounding is by the largest remainder. The seats' expectations are rounded together, and so are their results: each
column adds up to its rounded total. Then a seat's luck, skill and what the others gave are rounded to the difference of
the two that are printed: all are rounded down, and what is missing goes to the greatest remainders, one unit each. A
part that is nothing stays nothing. So every printed sum is exact, and a part is off by two units at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

from pubdice.advice.review import GradedDecision, Review, Split
from pubdice.core.errors import Unsolved
from pubdice.match.match import Match, MatchState
from pubdice.match.record import Played, ReplayStep

MOST_MOVES = 2_000
"""Moves of a match that a receipt is written for; a keep and a roll are one each."""
MOST_COSTLY = 5
"""Keeps that are asked again."""
MOST_OPTIONS = 5
"""Choices that such a question offers."""


@dataclass(frozen=True, slots=True)
class PrintedSplit:
    """A seat's split in printed units; expectation + luck + skill + given = result."""

    expectation: int
    luck: int
    skill: int
    given: int
    result: int


@dataclass(frozen=True, slots=True)
class ShownMove:
    """A move as it is shown: a draw, a roll or a choice, with the forced moves that followed it.

    steps: those of the replay, from and to, the last one left out. decision: its number from 1; 0 where there was none.
    ends: 2 if a round ended, 1 if a turn did, else 0.
    """

    first: int
    last: int
    decision: int
    ends: int


def rounded(parts: Sequence[float], scale: int, total: int | None = None) -> tuple[int, ...]:
    """The parts in whole units, of which ``scale`` make 1, adding up to the total: their rounded sum, if none is given.

    >>> rounded([1 / 3, 1 / 3, 1 / 3], 100), rounded([0.5, 0.0], 10, 6), rounded([0.25, -0.05], 10)
    ((34, 33, 33), (6, 0), (3, -1))
    """
    units = [round(part * scale, 6) for part in parts]
    found = [floor(unit) for unit in units]
    left = (round(sum(units)) if total is None else total) - sum(found)
    step = 1 if left > 0 else -1
    order = sorted(range(len(units)), key=lambda at: (not units[at], step * (found[at] - units[at])))
    most = sum(map(bool, units)) or len(units)
    for turn in range(abs(left)):
        found[order[turn % most]] += step
    return tuple(found)


def printed_splits(splits: Sequence[Split], scale: int) -> tuple[PrintedSplit, ...]:
    """Every seat's split as it is printed."""
    begun = rounded([split.expectation for split in splits], scale)
    ended = rounded([split.result for split in splits], scale)
    found = []
    for split, expectation, result in zip(splits, begun, ended, strict=True):
        luck, given, skill = rounded([split.luck, split.given, split.skill], scale, result - expectation)
        found.append(PrintedSplit(expectation, luck, skill, given, result))
    return tuple(found)


def shown_moves(match: Match[Any, Any], steps: Sequence[ReplayStep[MatchState[Any]]]) -> tuple[ShownMove, ...]:
    """The moves of a match that are shown. Raises Unsolved for more than ``MOST_MOVES``."""
    found: list[ShownMove] = []
    decisions = 0
    for at, step in enumerate(steps):
        legal = len(match.legal(step.before)) if isinstance(step.move, Played) else 0
        ends = 2 if match.round_ended(step.before, step.after) else int(match.passed_on(step.before, step.after))
        if legal == 1 and found:
            last = found[-1]
            found[-1] = ShownMove(last.first, at + 1, last.decision, max(ends, last.ends))
            continue
        decisions += legal > 1
        found.append(ShownMove(at, at + 1, decisions if legal > 1 else 0, ends))
    if len(found) > MOST_MOVES:
        raise Unsolved("too-long", count=len(found), most=MOST_MOVES)
    return tuple(found)


def costly(found: Review) -> tuple[tuple[int, GradedDecision], ...]:
    """The decisions that lost most, with their numbers from 1, in the order of the match."""
    lost = [(number, each) for number, each in enumerate(found.decisions, 1) if each.chosen.lost > 0]
    lost.sort(key=lambda numbered: -numbered[1].chosen.lost)
    return tuple(sorted(lost[:MOST_COSTLY], key=lambda numbered: numbered[0]))
