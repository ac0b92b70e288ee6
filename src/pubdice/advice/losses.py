"""The losses of seats in matches, and the error band of each mean. Knows no game.

A seat's loss in a match is exact. As a measure of the player it is less so: another night would bring other decisions.
Slips are few and of very different size, most decisions lose nothing, and no loss is below 0, so the usual t interval
reaches below 0 and covers too little, and a bootstrap cannot think of a slip that was not made. The band here takes the
losses as a compound Poisson sum: slips that come by themselves, with sizes like those seen. It is the mid-p gamma
interval of M. P. Fay and S. Kim (Biometrical Journal 59, 2017; with the plain one of Fay and Feuer, 1997, it holds 99 %
and more): half of it thinks of one more slip, as dear as any choice of the night could have been: if it were as dear as
the dearest that was made, a night without slips would have no band at all. ``tests/advice/test_losses.py`` holds it
beside the other two.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, lgamma, log, sqrt

from pubdice.advice.coach import Coach
from pubdice.checked_record import Checked
from pubdice.match.record import Played
from pubdice.solve.pauses import ResumableJob, Steps

LEVEL = 0.95
"""The share of cases in which a band holds."""


@dataclass(frozen=True, slots=True)
class SeatLosses:
    """A seat's name, and what it lost at each of its real decisions, those at which something could be lost.

    dearest: what the dearest choice at one of them would have lost; 0 without one.
    """

    name: str
    losses: tuple[float, ...]
    dearest: float

    @property
    def lost(self) -> float:
        """Its loss in the match."""
        return sum(self.losses)


@dataclass(frozen=True, slots=True)
class LossUnit:
    """The unit of losses, by the solver (``Solver.utility``, ``InUnits.amount``)."""

    utility: str
    amount: str = ""

    @classmethod
    def of(cls, text: str) -> "LossUnit":
        """The unit that a ledger names (``advice.ledger.Ledger.utility``)."""
        utility, _, amount = text.partition("|")
        return cls(utility, amount)


@dataclass(frozen=True, slots=True)
class MatchLosses:
    """Every seat's loss in a match, and the unit."""

    seats: tuple[SeatLosses, ...]
    unit: LossUnit


@dataclass(frozen=True, slots=True)
class LossBand:
    """The mean loss of a decision, and the band in which it lies with ``LEVEL``."""

    mean: float
    low: float
    high: float


def match_losses(checked: Checked, coach: Coach, but: Collection[int] = ()) -> MatchLosses:
    """The losses of the seats of a match. but: seats that are left out, such as bots'. Raises Unsolved."""
    return ResumableJob(weighing_losses(checked, coach, but)).at_once


def weighing_losses(checked: Checked, coach: Coach, but: Collection[int]) -> Steps[MatchLosses]:
    """The work of ``match_losses``, which may be left after each step."""
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
    """The band of the mean loss. dearest: the dearest slip that may have come, no less than each of these losses.

    most: what one decision can lose. None without a decision.
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
    """A gamma variable; without a shape it is 0."""

    shape: float = 0.0
    scale: float = 0.0

    def below(self, value: float) -> float:
        """The chance that it is no greater."""
        return gamma_below(self.shape, value / self.scale) if self.shape else 1.0


def _between(one: GammaSpread, other: GammaSpread, chance: float) -> float:
    """The value that a variable that is one of two, each as often, lies below with this chance; to 9 digits."""

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
    """The chance that a gamma variable of scale 1 is no greater: its series, whose terms are all positive.

    >>> round(gamma_below(1, 7.377759 / 2), 6), round(gamma_below(5, 3.246973 / 2), 6)
    (0.975, 0.025)
    """
    if value <= 0:
        return 0.0
    if value > shape + 12 * sqrt(shape) + 40:  # what lies above is less than 1e-16; and exp would underflow from 745 on
        return 1.0
    term = total = exp(shape * log(value) - value - lgamma(shape + 1))
    at, last = shape, -inf
    while total != last:
        at += 1
        term *= value / at
        last, total = total, total + term
    return min(1.0, total)
