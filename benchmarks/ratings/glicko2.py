"""Glicko-2 as its author describes it, only for comparison. The house does not use it.

Mark E. Glickman, Example of the Glicko-2 system, 2013 (glicko.net/glicko/glicko2.pdf). The steps are numbered as there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

SCALE, MIDDLE = 173.7178, 1500.0
TAU = 0.5
"""The constraint on the change of a volatility. The paper's example has 0.5, and calls 0.3 to 1.2 reasonable."""
CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Glicko:
    """A player's rating, its deviation, and the volatility. The defaults are the paper's for an unrated player."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


def after_period(player: Glicko, games: Sequence[tuple[Glicko, float]], tau: float = TAU) -> Glicko:
    """Return the player after a rating period.

    ``games`` has the opponents as they were when the period began, each with the player's score against them.
    """
    mu, phi = (player.rating - MIDDLE) / SCALE, player.deviation / SCALE  # step 2
    if not games:
        return Glicko(player.rating, SCALE * sqrt(phi**2 + player.volatility**2), player.volatility)
    weighed = []
    for other, score in games:
        g = 1 / sqrt(1 + 3 * (other.deviation / SCALE) ** 2 / pi**2)
        expected = 1 / (1 + exp(-g * (mu - (other.rating - MIDDLE) / SCALE)))
        weighed.append((g, expected, score))
    v = 1 / sum(g**2 * expected * (1 - expected) for g, expected, _ in weighed)  # step 3
    surplus = sum(g * (score - expected) for g, expected, score in weighed)
    sigma = _volatility(phi, v, v * surplus, player.volatility, tau)  # steps 4 and 5
    phi_star = sqrt(phi**2 + sigma**2)  # step 6
    phi_new = 1 / sqrt(1 / phi_star**2 + 1 / v)  # step 7
    return Glicko(SCALE * (mu + phi_new**2 * surplus) + MIDDLE, SCALE * phi_new, sigma)  # step 8


def _volatility(phi: float, v: float, delta: float, sigma: float, tau: float) -> float:
    """Return the new volatility: the root of f in step 5, by the Illinois algorithm."""
    a = log(sigma**2)

    def f(x: float) -> float:
        gap = exp(x) * (delta**2 - phi**2 - v - exp(x)) / (2 * (phi**2 + v + exp(x)) ** 2)
        return gap - (x - a) / tau**2

    low, high = a, log(delta**2 - phi**2 - v) if delta**2 > phi**2 + v else a - tau
    if delta**2 <= phi**2 + v:
        while f(high) < 0:
            high -= tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)
