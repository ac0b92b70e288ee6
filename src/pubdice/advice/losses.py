"""The losses of seats in matches, and a confidence interval (*band*) for the mean loss. Works for any game.

A seat's loss in a match is exact. As a measure of the player it is not, because another night brings other decisions.
Slips are few and differ much in size, most decisions lose nothing, and no loss is below 0. So the usual t interval
reaches below 0 and covers too little, and a bootstrap cannot include a slip that was not made. The band here models
losses as a compound Poisson sum: slips come independently, with sizes like the observed ones.

It is the mid-p gamma interval of M. P. Fay and S. Kim (Biometrical Journal 59, 2017). The plain gamma interval of Fay
and Feuer (1997) covers 99% and more. The mid-p interval belongs to an even mixture of two distributions. One of them
assumes one more slip, as costly as any choice of the night could have been. The costliest slip that was made would not
do, because then a night without slips would have no band. ``tests/advice/test_losses.py`` compares the band with the
other two intervals.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, lgamma, log, sqrt

from pubdice.advice.coach import Coach
from pubdice.checked_record import Checked
from pubdice.match.record import Played
from pubdice.solve.pauses import ResumableJob, Steps

LEVEL = 0.95  # the chance that a band covers the true mean


@dataclass(frozen=True, slots=True)
class SeatLosses:
    """A seat's losses in a match."""

    name: str
    losses: tuple[float, ...]  # at each real decision (at which value could be lost)
    # the greatest loss that a choice at one of these decisions could have had, 0 if there is no decision
    dearest: float

    @property
    def lost(self) -> float:
        """The total loss in the match."""
        return sum(self.losses)


@dataclass(frozen=True, slots=True)
class LossUnit:
    """The unit of losses, from the solver (``Solver.utility``, ``InUnits.amount``)."""

    utility: str
    amount: str = ""

    @classmethod
    def of(cls, text: str) -> "LossUnit":
        """Read the unit from the text of a ledger (``advice.ledger.Ledger.utility``)."""
        utility, _, amount = text.partition("|")
        return cls(utility, amount)


@dataclass(frozen=True, slots=True)
class MatchLosses:
    """Every seat's losses in a match, and their unit."""

    seats: tuple[SeatLosses, ...]
    unit: LossUnit


@dataclass(frozen=True, slots=True)
class LossBand:
    """The mean loss of a decision, with the ends of its confidence interval.

    The interval covers the true mean with chance ``LEVEL``.
    """

    mean: float
    low: float
    high: float


def match_losses(checked: Checked, coach: Coach, but: Collection[int] = ()) -> MatchLosses:
    """Compute the losses of the seats of a match. ``but`` has the seats to leave out, such as bots. Raises Unsolved."""
    return ResumableJob(weighing_losses(checked, coach, but)).at_once


def weighing_losses(checked: Checked, coach: Coach, but: Collection[int]) -> Steps[MatchLosses]:
    """Compute ``match_losses`` in steps, one for each move."""
    lost: list[list[float]] = [[] for _ in checked.header.names]
    dearest = [0.0 for _ in checked.header.names]
    for step in checked.steps:
        yield
        mover = checked.match.mover(step.before)
        if mover is None or not isinstance(step.move, Played) or len(checked.match.legal(step.before)) == 1:
            continue
        advice = coach.advise(step.before)
        if advice.counts and mover not in but:
            lost[mover].append(advice.of(step.move.action).lost)
            dearest[mover] = max(dearest[mover], advice.choices[-1].lost)
    named = zip(checked.header.names, map(tuple, lost), dearest, strict=True)
    seats = tuple(SeatLosses(*each) for seat, each in enumerate(named) if seat not in but)
    return MatchLosses(seats, LossUnit(coach.solver.utility, getattr(coach.solver, "amount", "")))


def loss_band(losses: Sequence[float], dearest: float, most: float = inf) -> LossBand | None:
    """Return the band of the mean loss, or None if there is no decision.

    ``dearest`` is the greatest loss that was possible, at least as great as each of ``losses``. ``most`` is the most
    that any one decision can lose.
    """
    if not losses:
        return None
    number, total, squares = len(losses), sum(losses), sum(loss * loss for loss in losses)
    seen = GammaSpread(total * total / squares, squares / total) if total else GammaSpread()
    above, more = total + dearest, squares + dearest * dearest
    unseen = GammaSpread(above * above / more, more / above) if above else GammaSpread()
    low, high = (_between(seen, unseen, chance) for chance in ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return LossBand(total / number, low / number, min(high / number, most))


@dataclass(frozen=True, slots=True)
class GammaSpread:
    """A gamma variable. If its shape is 0, it is the constant 0."""

    shape: float = 0.0
    scale: float = 0.0

    def below(self, value: float) -> float:
        """Return the chance that the variable is at most ``value``."""
        return gamma_below(self.shape, value / self.scale) if self.shape else 1.0


def _between(one: GammaSpread, other: GammaSpread, chance: float) -> float:
    """Return the quantile of an even mixture of two gamma variables, to 9 digits."""

    def below(value: float) -> float:
        return (one.below(value) + other.below(value)) / 2

    if below(0.0) >= chance or not other.shape:
        return 0.0
    least, most = 0.0, other.scale * (other.shape + 12 * sqrt(other.shape) + 40)
    while most - least > 1e-9 * most:
        middle = (least + most) / 2
        least, most = (middle, most) if below(middle) < chance else (least, middle)
    return (least + most) / 2


@lru_cache(maxsize=4096)
def gamma_below(shape: float, value: float) -> float:
    """Return the distribution function of a gamma variable of scale 1, by its series of positive terms.

    >>> round(gamma_below(1, 7.377759 / 2), 6), round(gamma_below(5, 3.246973 / 2), 6)
    (0.975, 0.025)
    """
    if value <= 0:
        return 0.0
    if value > shape + 12 * sqrt(shape) + 40:  # the tail is below 1e-16, and from 745 on exp would underflow
        return 1.0
    term = total = exp(shape * log(value) - value - lgamma(shape + 1))
    at, last = shape, -inf
    while total != last:
        at += 1
        term *= value / at
        last, total = total, total + term
    return min(1.0, total)
