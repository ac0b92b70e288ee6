"""The review of a match: every decision graded, every roll weighed, and each seat's result split. Works for any game.

Let v(s) be the seats' values in state s. Each step from s to t changes them by v(t) - v(s). For each seat

    expectation + luck + skill + given = result

- expectation: v at the start of the record
- luck: the changes by all seats' draws and rolls
- skill: the changes by the seat's own decisions
- given: the changes by the other seats' decisions
- result: v at the end of the record

The sum telescopes, so it is exact. If all seats play best, luck is 0 on average. Skill is never above 0.

A solver that looks no further than the round under way (``solve.solver.ByRound``) starts each round afresh. Then the
value of each fresh round is added to the expectation, and the result is the sum of all rounds.
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
    """A seat's result and its parts, in the unit of the review: expectation + luck + skill + given = result.

    Attributes:
        expectation: The seat's value at the start.
        luck: The change by all rolls and draws.
        skill: The change by the seat's own decisions. Best play has 0.
        given: The change by the other players' decisions.
        result: The seat's value at the end.

    """

    expectation: float
    luck: float = 0.0
    skill: float = 0.0
    given: float = 0.0
    result: float = 0.0


@dataclass(frozen=True, slots=True)
class GradedDecision:
    """A decision with more than one legal action.

    Attributes:
        turn: The number of the turn in the match, from 1.
        seat: The mover, from 0.
        state: The state of the match before the decision.
        chosen: The action played, with its value, loss and verdict.
        best: The best action.
        counts: True if value can be lost here.
        blind: The mean loss of a choice drawn by lot, with the same chance for each legal action.

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
    """A roll, and the change of the roller's value by it.

    Attributes:
        turn: The number of the turn in the match, from 1.
        round: The number of the round, from 1.
        seat: The roller, from 0.
        dice: The dice as they fell.
        gain: The change of the roller's value, in the unit of the review.
        step: The index of the move in the match, from 0.

    """

    turn: int
    round: int
    seat: Seat
    dice: Roll
    gain: float
    step: int = 0


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a match, as ``pubdice.review`` returns it.

    Attributes:
        utility: The unit of the values, such as "share of the match".
        bound: The error bound. No value is off by more.
        splits: Each seat's result, split into luck and skill.
        decisions: Every decision with more than one legal action, in order.
        worst: The decision that lost most. None if no decision lost anything.
        best_roll: The roll that gained most for its roller. None if no roll gained anything.
        line: Each seat's value before the first move and after each move. Results of earlier rounds are included, so
            the line ends at the result.
        names: The players' names, for ``to_dict``.
        write: Writes an action as notation, for ``to_dict``.

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
        """Return the review as data for programs, in the values that the game counts (``counted``).

        ``write`` writes an action as notation.
        """
        return replace(counted(self), names=tuple(names), write=write).to_dict()

    def to_dict(self) -> dict[str, Any]:
        """Return the review as plain data, for ``json`` and data frames. Values are not converted."""
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
    """Review every step of a replay."""
    return ResumableJob(reviewing(coach, steps)).at_once


def reviewing(coach: Coach, steps: Iterable[ReplayStep[MatchState[Any]]]) -> Steps[Review]:
    """Do the work of ``review``, one step of the replay at a time."""
    match, solver = coach.match, coach.solver
    here: Sequence[float] = solver.values(match.start())
    splits = [Split(value) for value in here]
    done = [0.0] * match.seats  # the sum of earlier rounds' results, if the solver is ``ByRound``
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
    """Convert a review to the values that the game counts.

    It changes only for a seat that plays alone in a game that the lowest score wins. Solvers negate such scores. Here
    they are positive, and luck that helped is negative. Losses stay as they are.
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
    """Return the seats' values at the end of a round and at the start of the next.

    If the solver is not ``ByRound``, or this step does not end a round, or it ends the match, return None.
    """
    ended = coach.match.round_ended(before, after)
    if ended is None or after.over or not isinstance(coach.solver, ByRound):
        return None
    return coach.solver.between(after)


MOST_MOVES = 2_000  # the most moves of a match with a receipt. A keep and a roll are one move each.


@dataclass(frozen=True, slots=True)
class ShownMove:
    """A move as it is shown: a draw, a roll or a choice, with the forced moves after it."""

    first: int  # the index of its first step in the replay, from 0
    last: int  # one more than the index of its last step
    decision: int  # the number of the decision, from 1, or 0 if it is no decision
    ends: int  # 2 if a round ended with it, 1 if a turn ended, otherwise 0


def receipt_moves(match: Match[Any, Any], steps: Sequence[ReplayStep[MatchState[Any]]]) -> tuple[ShownMove, ...]:
    """Return the moves of a match that are shown. Raises Unsolved if there are more than ``MOST_MOVES``."""
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
