"""The ledger of a match: each seat's result, its luck with the variance, and its value lost, for the players' book.

The parts are a review's (``advice.review``): expectation + luck + skill + given = result. A *real decision* is one
in which something can be lost. What is *at stake* in it is what a choice by lot would lose on average, so that
losses can be compared between easy and hard decisions.

The variance of the luck is exact for the states that came up: before each roll and each draw the values after all
its outcomes, each by its chance, have a variance about the value there, and these add up, as the changes are
martingale differences. Over many matches the sum of luck has this variance, whatever was chosen.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pubdice.advice.coach import Coach
from pubdice.advice.review import Review, between, receipt_moves, reviewing
from pubdice.checked_record import Checked
from pubdice.core.dice import rolls
from pubdice.core.game import Seat
from pubdice.match.match import MatchState
from pubdice.solve.pauses import ResumableJob, ShouldYield, Steps, all_at_once
from pubdice.solve.solver import InUnits


@dataclass(frozen=True, slots=True)
class SeatLedger:
    """One seat's match. decisions: real ones; lost: all value lost in them; at_stake: all that was at stake."""

    expectation: float
    luck: float
    skill: float
    given: float
    result: float
    variance: float
    decisions: int
    lost: float
    at_stake: float


@dataclass(frozen=True, slots=True)
class Ledger:
    """A match's ledger, a seat each.

    utility: the solver's name of its values; of a solver with a unit of its own (``InUnits``), "|" and the sentence for
    that unit after it.
    """

    utility: str
    seats: tuple[SeatLedger, ...]


class LedgerWriter:
    """Writes a match's ledger, a part at a time: its review, then the variances.

    Raises ValueError before the match is over, Unsolved for one that is too long or too large.
    """

    def __init__(self, checked: Checked, coach: Coach) -> None:
        if not checked.is_over:
            raise ValueError("the match is not over")
        receipt_moves(checked.match, checked.steps)  # refuses what is too long
        self._checked, self._coach = checked, coach
        self._variance = [0.0] * checked.match.seats
        self._written = ResumableJob(self._writing())

    def go_on(self, enough: ShouldYield = all_at_once) -> Ledger | None:
        """The ledger; None if there is more to work out."""
        return self._written.go_on(enough)

    def _writing(self) -> Steps[Ledger]:
        found = yield from reviewing(self._coach, self._checked.steps)
        for state in _chances(self._checked):
            yield from self._add(state)
        return self._ledger(found)

    def _add(self, state: MatchState[Any]) -> Steps[None]:
        """Add the variance of one roll or draw, which may be left after each outcome."""
        coach, match = self._coach, self._coach.match
        due = match.to_roll(state)
        if match.to_draw(state):
            after = [(match.draw(state, Seat(seat)), 1 / match.seats) for seat in range(match.seats)]
        else:
            sides = match.game.faces.sides
            after = [(match.roll(state, hand), ways / sides**due) for hand, ways in rolls(due, sides)]
        here = coach.solver.values(state)
        for outcome, chance in after:
            ended, _ = between(coach, state, outcome) or (coach.solver.values(outcome), ())
            for seat in range(match.seats):
                self._variance[seat] += chance * (ended[seat] - here[seat]) ** 2
            yield

    def _ledger(self, found: Review) -> Ledger:
        seats = []
        for seat, (split, variance) in enumerate(zip(found.splits, self._variance, strict=True)):
            mine = [each for each in found.decisions if each.seat == seat and each.counts]
            seats.append(
                SeatLedger(
                    expectation=split.expectation,
                    luck=split.luck,
                    skill=split.skill,
                    given=split.given,
                    result=split.result,
                    variance=variance,
                    decisions=len(mine),
                    lost=sum(each.chosen.lost for each in mine),
                    at_stake=sum(each.blind for each in mine),
                )
            )
        solver: object = self._coach.solver
        unit = f"|{solver.amount}" if isinstance(solver, InUnits) else ""
        return Ledger(found.utility + unit, tuple(seats))


def _chances(checked: Checked) -> Iterator[MatchState[Any]]:
    """The states before each draw and each roll of a record."""
    for step in checked.steps:
        if checked.match.to_draw(step.before) or checked.match.to_roll(step.before):
            yield step.before


def ledger(checked: Checked, coach: Coach) -> Ledger:
    """A match's ledger. Raises as ``LedgerWriter`` does."""
    found = LedgerWriter(checked, coach).go_on()
    assert found is not None, "it was not left before its end"
    return found
