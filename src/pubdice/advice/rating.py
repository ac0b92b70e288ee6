"""Ratings of choices apart from luck: a number from the value lost in real decisions, with its band.

    rating = 100 · (1 − r),   r = value lost / value at stake

The value at stake is the mean loss of choices drawn by lot in the same decisions (``writing_ledger``). So 100 is best
play, and 0 is as good as drawing lots. The scale is the same for every game, format and number of seats.

The estimate of r is Bayesian: a regression through the origin with a conjugate prior. A match with S at stake and L
lost has

    L = r S + noise,   noise of variance σ² S

Both are measured in the standard deviation of a match's luck at that game, so chips and chances add up. Let r | σ² be
normal about ``PRIOR_MEAN`` with the weight of ``PRIOR_STAKE``, and σ² inverse-gamma. Then r has Student's distribution
after any number of matches (Gelman et al., Bayesian Data Analysis, 3rd ed., 2013, sections 3.3 and 14.2; K. Murphy,
Conjugate Bayesian analysis of the Gaussian distribution, 2007). ``docs/solve/rating.md`` explains the prior and its
cost.
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from math import erf, sqrt

from pubdice.advice.ledger import SeatLedger
from pubdice.advice.luck_rank import Z95

PRIOR_MEAN, PRIOR_STAKE = 0.2, 2.5
"""The prior for an unknown player: the share of the stakes that such a player loses, and the stake that has the same
weight as this prior. The stake is in standard deviations of a match's luck. It is about one match of Midnight for two,
or five of Mexico."""

PRIOR_SHAPE, PRIOR_SCALE = 2.0, 0.1  # inverse-gamma prior of σ²: a mean of 0.1, with the weight of four matches

LEAST_MATCHES = 5  # the fewest matches for a band around the value lost per decision


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums over a player's matches of one game, in one unit. They can be stored when the matches are not."""

    matches: int = 0
    decisions: int = 0  # the number of real decisions (in which value can be lost)
    lost: float = 0.0  # the value lost in all real decisions
    lost2: float = 0.0  # the sum over matches of lost²
    lost_decisions: float = 0.0  # the sum over matches of lost · decisions
    decisions2: float = 0.0
    luck: float = 0.0
    variance: float = 0.0  # the variance of the luck
    rated: int = 0  # the number of matches with any value at stake
    at_stake: float = 0.0  # the sum over matches of S (see the head of the module)
    spread: float = 0.0  # the sum over matches of L²/S

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(*[mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)])


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate, and the band that covers the true value with 95%."""

    value: float
    low: float
    high: float


def sums_of(seat: SeatLedger) -> Sums:
    """Return the sums of one match."""
    rated = seat.at_stake > 0
    return Sums(
        matches=1,
        decisions=seat.decisions,
        lost=seat.lost,
        lost2=seat.lost**2,
        lost_decisions=seat.lost * seat.decisions,
        decisions2=float(seat.decisions**2),
        luck=seat.luck,
        variance=seat.variance,
        rated=int(rated),
        at_stake=seat.at_stake,
        spread=seat.lost**2 / seat.at_stake if rated else 0.0,
    )


def added(parts: Iterable[Sums]) -> Sums:
    """Add up sums of one game and one unit."""
    return sum(parts, Sums())


def rating(games: Iterable[Sums]) -> Interval:
    """Return the rating with its band, over games in any units. Without games, return the rating of the prior.

    >>> unknown, perfect = rating([]), rating([Sums(matches=100, rated=100, at_stake=200.0, variance=100.0)])
    >>> round(unknown.value), round(perfect.value, 1), unknown.high - unknown.low > 10 * (perfect.high - perfect.low)
    (80, 99.8, True)
    """
    lost = stake = spread = 0.0
    rated = 0
    for sums in games:
        if sums.variance > 0:  # without a variance of luck there is no unit
            unit = sqrt(sums.variance / sums.matches)
            lost, stake, spread = lost + sums.lost / unit, stake + sums.at_stake / unit, spread + sums.spread / unit
            rated += sums.rated
    weight = PRIOR_STAKE + stake
    mean = (PRIOR_STAKE * PRIOR_MEAN + lost) / weight
    shape = PRIOR_SHAPE + rated / 2
    scale = PRIOR_SCALE + max(0.0, spread + PRIOR_STAKE * PRIOR_MEAN**2 - weight * mean**2) / 2
    half = student(2 * shape) * sqrt(scale / (shape * weight))
    return Interval(100 * (1 - mean), 100 * (1 - mean - half), min(100.0, 100 * (1 - mean + half)))


def per_decision(sums: Sums) -> Interval | None:
    """Return the mean value lost in a real decision, in the solver's unit. None if there is no real decision.

    The band belongs to a ratio of sums over matches, because decisions of one match are not independent (W. Cochran,
    Sampling Techniques, 3rd ed., 1977, section 6.3). With fewer than ``LEAST_MATCHES`` matches, the band's two ends are
    the mean.
    """
    if not sums.decisions:
        return None
    mean = sums.lost / sums.decisions
    if sums.matches < LEAST_MATCHES:
        return Interval(mean, mean, mean)
    left = max(0.0, sums.lost2 - 2 * mean * sums.lost_decisions + mean**2 * sums.decisions2)
    half = student(sums.matches - 1) * sqrt(left * sums.matches / (sums.matches - 1)) / sums.decisions
    return Interval(mean, max(0.0, mean - half), mean + half)


def luck_band(sums: Sums) -> Interval:
    """Return all luck so far, in the solver's unit, with the band around 0 in which luck lies with a chance of 95%."""
    half = Z95 * sqrt(sums.variance)
    return Interval(sums.luck, -half, half)


def less_luck(games: Iterable[Sums]) -> float | None:
    """Return the chance that dice alone give less luck than this, over games in any units. None if there is no match.

    The luck at one game, in one unit, divided by its standard deviation, is close to normal. Games are weighted by
    their number of matches. To divide each match's luck by the match's own deviation would be wrong, because the
    variance of a match depends on its rolls. Then 1 of 9 players would be told of rare luck, instead of 1 of 20
    (``docs/solve/rating.md``).

    >>> less_luck([Sums(matches=4, variance=1.0)]), round(less_luck([Sums(matches=4, luck=2.0, variance=1.0)]), 3)
    (0.5, 0.977)
    """
    known = [sums for sums in games if sums.variance > 0]
    if not known:
        return None
    shift = sum(sqrt(sums.matches) * sums.luck / sqrt(sums.variance) for sums in known)
    return (1 + erf(shift / sqrt(2 * sum(sums.matches for sums in known)))) / 2


def student(degrees: float) -> float:
    """Return the two-sided 95% quantile of Student's distribution, from 4 degrees on (Abramowitz and Stegun 26.7.5).

    >>> [round(student(degrees), 3) for degrees in (4, 10, 1e9)]
    [2.776, 2.228, 1.96]
    """
    x = Z95
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92_160,
    )
    return x + sum(term / degrees**power for power, term in enumerate(terms, 1))
