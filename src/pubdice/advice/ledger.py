"""The ledger of a match: each seat's result, luck with its variance, and value lost, for the players' book.

The parts are those of a review (``advice.review``): expectation + luck + skill + given = result. A *real decision* is a
decision in which value can be lost. The value *at stake* in it is the mean loss of a choice drawn by lot. Divided by
it, losses in easy and in hard decisions can be compared.

The variance of luck is exact for the states that came up. Before each roll and draw, the values after all outcomes,
weighted by chance, have a variance about the present value. These variances add up, because the changes are martingale
differences. Over many matches the sum of luck has this variance, whatever the choices.
"""

from dataclasses import dataclass
from typing import Any

from pubdice.advice.coach import Coach
from pubdice.advice.review import between, receipt_moves, reviewing
from pubdice.checked_record import Checked
from pubdice.core.dice import rolls
from pubdice.core.game import Seat
from pubdice.match.match import MatchState
from pubdice.solve.pauses import Steps
from pubdice.solve.solver import InUnits


@dataclass(frozen=True, slots=True)
class SeatLedger:
    """One seat's result in a match, with its parts and its decisions."""

    expectation: float
    luck: float
    skill: float
    given: float
    result: float
    variance: float
    decisions: int  # the number of real decisions
    lost: float  # the value lost in all real decisions
    at_stake: float  # the value at stake in all real decisions


@dataclass(frozen=True, slots=True)
class Ledger:
    """A match's ledger, with an entry for each seat."""

    utility: str
    """The name of the solver's utility. If the solver has a unit of its own (``InUnits``), "|" and the unit's sentence
    follow."""
    seats: tuple[SeatLedger, ...]


def writing_ledger(checked: Checked, coach: Coach) -> Steps[Ledger]:
    """Write a match's ledger in steps: first its review, then the variances.

    Raises ValueError if the match is not over, and Unsolved if it is too long or too large.
    """
    if not checked.is_over:
        raise ValueError("the match is not over")
    receipt_moves(checked.match, checked.steps)  # raises Unsolved if there are too many moves
    found = yield from reviewing(coach, checked.steps)
    variance = [0.0] * checked.match.seats
    for step in checked.steps:
        if checked.match.to_draw(step.before) or checked.match.to_roll(step.before):
            yield from _adding_variance(coach, step.before, variance)
    seats = []
    for seat, split in enumerate(found.splits):
        mine = [each for each in found.decisions if each.seat == seat and each.counts]
        seats.append(
            SeatLedger(
                expectation=split.expectation,
                luck=split.luck,
                skill=split.skill,
                given=split.given,
                result=split.result,
                variance=variance[seat],
                decisions=len(mine),
                lost=sum(each.chosen.lost for each in mine),
                at_stake=sum(each.blind for each in mine),
            )
        )
    solver: object = coach.solver
    unit = f"|{solver.amount}" if isinstance(solver, InUnits) else ""
    return Ledger(found.utility + unit, tuple(seats))


def _adding_variance(coach: Coach, state: MatchState[Any], variance: list[float]) -> Steps[None]:
    """Add the variance of one roll or draw to each seat's variance. Each outcome is a step."""
    match = coach.match
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
            variance[seat] += chance * (ended[seat] - here[seat]) ** 2
        yield
