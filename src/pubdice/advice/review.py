"""A match reviewed: every decision graded, every roll weighed, and the result split for each seat. Knows no game.

With v(s) the values of every seat in state s, each step from s to t changes them by v(t) - v(s). For each seat

    expectation + luck + skill + given = result,

expectation: v at the start of the record; luck: the changes by draws and rolls, anybody's; skill: those by the seat's
own decisions; given: those by the others'; result: v where the record ends. The sum telescopes, so it is exact. Under
best play by all, luck is 0 on average, and skill is never above 0.

A solver that looks no further than the round under way (``solve.solver.ByRound``) starts each round afresh: a fresh
round is then expectation too, and the result is the sum of all rounds.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import fmean
from typing import Any

from pubdice.advice.coach import Choice, Coach
from pubdice.core.dice import Roll
from pubdice.core.errors import Unsolved
from pubdice.core.game import Seat
from pubdice.match.match import Match, MatchState
from pubdice.match.record import Drawn, Played, ReplayStep, Rolled
from pubdice.solve.pauses import ResumableJob, Steps
from pubdice.solve.solver import LOW_SCORE, ByRound, as_counted


@dataclass(slots=True)
class Split:
    """A seat's result and what it is made of."""

    expectation: float
    luck: float = 0.0
    skill: float = 0.0
    given: float = 0.0
    result: float = 0.0


@dataclass(frozen=True, slots=True)
class GradedDecision:
    """A decision with more than one legal action: the state, the choice, and the best. ``turn`` counts from 1.

    blind: the average loss of a choice by lot, every legal action as likely as any other.
    """

    turn: int
    seat: Seat
    state: MatchState[Any]
    chosen: Choice
    best: Choice
    counts: bool
    blind: float = 0.0


@dataclass(frozen=True, slots=True)
class RollLuck:
    """A roll, and what the roller gained by it. step: which of the replay, from 0."""

    turn: int
    round: int
    seat: Seat
    dice: Roll
    gain: float
    step: int = 0


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a match. worst: the decision that lost most, None if none lost anything.

    best_roll: the roll that gained most for its roller, None if none gained anything. line: every seat's value before
    the first step and after each, with what earlier rounds came to, so that it ends at the result. names: the players,
    and write: an action as records have it, where a program is told (``to_dict``).
    """

    utility: str
    bound: float
    splits: tuple[Split, ...]
    decisions: tuple[GradedDecision, ...]
    worst: GradedDecision | None
    best_roll: RollLuck | None
    line: tuple[tuple[float, ...], ...] = ()
    names: tuple[str, ...] = ()
    write: Callable[[Any], str] = field(default=str, repr=False, compare=False)

    def data(self, names: Sequence[str], write: Callable[[Any], str]) -> dict[str, Any]:
        """The review for programs; values as the game counts them. write: an action as records have it."""
        return replace(counted(self), names=tuple(names), write=write).to_dict()

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, such as ``json`` and data frames take. Values are as they stand here."""
        names = self.names

        def decision(each: GradedDecision) -> dict[str, Any]:
            return {
                "turn": each.turn,
                "round": each.state.number,
                "seat": names[each.seat],
                "kept": self.write(each.chosen.action),
                "best": self.write(each.best.action),
                "value": each.chosen.value,
                "lost": each.chosen.lost,
                "verdict": each.chosen.verdict,
                "counts": each.counts,
            }

        fall = self.best_roll
        roll = fall and {
            "turn": fall.turn,
            "round": fall.round,
            "seat": names[fall.seat],
            "roll": list(fall.dice),
            "gain": fall.gain,
        }
        return {
            "utility": self.utility,
            "bound": self.bound,
            "seats": {name: asdict(split) for name, split in zip(names, self.splits, strict=True)},
            "decisions": [decision(each) for each in self.decisions],
            "worst": self.worst and decision(self.worst),
            "best_roll": roll,
        }


def review(coach: Coach, steps: Iterable[ReplayStep[MatchState[Any]]]) -> Review:
    """Every step of a replay weighed."""
    return ResumableJob(reviewing(coach, steps)).at_once


def reviewing(coach: Coach, steps: Iterable[ReplayStep[MatchState[Any]]]) -> Steps[Review]:
    """The work of ``review``, which may be left after each step."""
    match, solver = coach.match, coach.solver
    here: Sequence[float] = solver.values(match.start())
    splits = [Split(value) for value in here]
    done = [0.0] * match.seats  # by rounds that the values have left behind
    decisions: list[GradedDecision] = []
    falls: list[RollLuck] = []
    line = [tuple(here)]
    turn, opened = 0, True
    for at, step in enumerate(steps):
        before, move, after = step.before, step.move, step.after
        mover = match.mover(before)
        if opened and not isinstance(move, Drawn):
            turn += 1
        opened = isinstance(move, Drawn) or match.passed_on(before, after)
        there = solver.values(after)
        ended, carried = between(coach, before, after) or (there, there)
        for seat, split in enumerate(splits):
            change = ended[seat] - here[seat]
            if not isinstance(move, Played):
                split.luck += change
            elif seat == mover:
                split.skill += change
            else:
                split.given += change
            split.expectation += there[seat] - carried[seat]
            done[seat] += ended[seat] - carried[seat]
        if mover is not None and isinstance(move, Rolled):
            falls.append(RollLuck(turn, before.number, mover, move.dice, ended[mover] - here[mover], at))
        elif mover is not None and isinstance(move, Played) and len(match.legal(before)) > 1:
            advice = coach.advise(before)
            chosen, blind = advice.of(move.action), fmean(choice.lost for choice in advice.choices)
            decisions.append(GradedDecision(turn, mover, before, chosen, advice.best, advice.counts, blind))
        here = there
        line.append(tuple([value + earlier for value, earlier in zip(here, done, strict=True)]))
        yield
    for seat, split in enumerate(splits):
        split.result = here[seat] + done[seat]
    worst = max((each for each in decisions if each.chosen.lost > 0), key=lambda each: each.chosen.lost, default=None)
    luckiest = max((each for each in falls if each.gain > coach.same), key=lambda each: each.gain, default=None)
    return Review(solver.utility, solver.bound, tuple(splits), tuple(decisions), worst, luckiest, tuple(line))


def counted(found: Review) -> Review:
    """The review as the game counts, to be told: where the lowest score wins, scores of a seat that plays alone are not
    below zero, and luck that helped it is a minus. Losses stay as they are.
    """

    def turn(amount: float) -> float:
        return as_counted(found.utility, amount)

    def turned(choice: Choice) -> Choice:
        return replace(choice, value=turn(choice.value))

    if found.utility != LOW_SCORE:
        return found
    splits = [
        Split(*map(turn, (each.expectation, each.luck, each.skill, each.given, each.result))) for each in found.splits
    ]
    decisions = tuple([replace(each, chosen=turned(each.chosen), best=turned(each.best)) for each in found.decisions])
    worst = found.worst and decisions[found.decisions.index(found.worst)]
    roll = found.best_roll and replace(found.best_roll, gain=turn(found.best_roll.gain))
    line = tuple([tuple(map(turn, row)) for row in found.line])
    return replace(found, splits=tuple(splits), decisions=decisions, worst=worst, best_roll=roll, line=line)


def between(
    coach: Coach, before: MatchState[Any], after: MatchState[Any]
) -> tuple[Sequence[float], Sequence[float]] | None:
    """The worth of a round the step ended, and the value the next starts from, if the solver starts each afresh."""
    ended = coach.match.round_ended(before, after)
    if ended is None or after.over or not isinstance(coach.solver, ByRound):
        return None
    return coach.solver.between(after)


MOST_MOVES = 2_000
"""Moves of a match that a receipt is written for; a keep and a roll are one each."""


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


def receipt_moves(match: Match[Any, Any], steps: Sequence[ReplayStep[MatchState[Any]]]) -> tuple[ShownMove, ...]:
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
