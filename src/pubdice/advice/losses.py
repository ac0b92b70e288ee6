"""What the seats of matches gave away, and how far the mean of each may be off. Knows no game.

What a seat has lost in a match is exact. What it says of the player is less so: another night would bring other
decisions. Slips are few and of very different size, most decisions lose nothing, and no loss is below 0, so the usual
t interval reaches below 0 and covers too little, and so does a bootstrap, which cannot think of a slip that was not
made. The band here takes the losses as a compound Poisson sum, slips that come by themselves with sizes like those
seen, and is the gamma interval of M. P. Fay and E. J. Feuer (Statistics in Medicine 16, 1997) for such sums: exact
where all slips cost the same, and holding at least 95 % in all cases they tried. ``tests/advice/test_losses.py`` has
how often it holds beside the other two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, lgamma, log, sqrt

from pubdice.advice.coach import Coach
from pubdice.match.record import Played
from pubdice.records import Checked

LEVEL = 0.95
"""How often a band holds."""


@dataclass(frozen=True, slots=True)
class SeatLosses:
    """A seat's name, and what it lost at each of its real decisions, those at which something could be lost."""

    name: str
    losses: tuple[float, ...]

    @property
    def lost(self) -> float:
        """What it lost in the match."""
        return sum(self.losses)


@dataclass(frozen=True, slots=True)
class LossUnit:
    """What losses are counted in, as a solver says it (``Solver.utility``, ``InUnits.amount``)."""

    utility: str
    amount: str = ""


@dataclass(frozen=True, slots=True)
class MatchLosses:
    """What every seat of a match lost, and in which unit."""

    seats: tuple[SeatLosses, ...]
    unit: LossUnit


@dataclass(frozen=True, slots=True)
class LossBand:
    """The mean loss of a decision, and the band in which it lies with ``LEVEL``."""

    mean: float
    low: float
    high: float


def match_losses(checked: Checked, coach: Coach) -> MatchLosses:
    """What the seats of a match lost. Raises Unsolved."""
    lost: list[list[float]] = [[] for _ in checked.header.names]
    for step in checked.steps:
        mover = checked.match.mover(step.before)
        if mover is None or not isinstance(step.move, Played) or len(checked.match.legal(step.before)) == 1:
            continue
        advice = coach.advise(step.before)
        if advice.counts:
            lost[mover].append(advice.of(step.move.action).lost)
    seats = tuple(SeatLosses(name, tuple(each)) for name, each in zip(checked.header.names, lost, strict=True))
    return MatchLosses(seats, LossUnit(coach.solver.utility, getattr(coach.solver, "amount", "")))


def loss_band(losses: Sequence[float], dearest: float) -> LossBand | None:
    """The band of the mean loss. dearest: the dearest slip that may have come, no less than each of these losses.

    None without a decision.
    """
    if not losses:
        return None
    number, total, squares = len(losses), sum(losses), sum(loss * loss for loss in losses)
    outside = (1 - LEVEL) / 2
    low = squares / total * gamma_quantile(total * total / squares, outside) if total else 0.0
    above, more = total + dearest, squares + dearest * dearest
    high = more / above * gamma_quantile(above * above / more, 1 - outside) if above else 0.0
    return LossBand(total / number, low / number, high / number)


@lru_cache(maxsize=4096)
def gamma_quantile(shape: float, below: float) -> float:
    """Where a gamma variable of scale 1 lies below with this chance, to 12 digits.

    >>> round(2 * gamma_quantile(1, 0.975), 4), round(2 * gamma_quantile(5, 0.025), 4)
    (7.3778, 3.247)
    """
    least, most = 0.0, shape + 12 * sqrt(shape) + 40
    while most - least > 1e-12 * most:
        middle = (least + most) / 2
        if middle in (least, most):
            break
        least, most = (middle, most) if _gamma_below(shape, middle) < below else (least, middle)
    return (least + most) / 2


def _gamma_below(shape: float, value: float) -> float:
    """The chance that a gamma variable of scale 1 lies below a value: its series, whose terms are all positive."""
    if value <= 0:
        return 0.0
    term = total = exp(shape * log(value) - value - lgamma(shape + 1))
    at, last = shape, -inf
    while total != last:
        at += 1
        term *= value / at
        last, total = total, total + term
    return min(1.0, total)
