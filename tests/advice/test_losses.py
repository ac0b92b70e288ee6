"""Losses of seats, and the band of their mean: it holds where slips are few, and where the usual bands do not."""

from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest

from advice.known_match import WON, coached
from pubdice.advice.losses import LossUnit, MatchLosses, SeatLosses, gamma_below, loss_band, match_losses
from pubdice.advice.night_ranking import ranked
from pubdice.advice.spoken_advice import Amounts
from pubdice.text.language import Language

DECISIONS, TRIALS = 20, 400
T_19 = 2.093
"""Student's t for 95 % with 19 degrees of freedom."""


@pytest.mark.parametrize(
    ("freedom", "below", "value"),
    [(1, 0.95, 3.841459), (2, 0.5, 1.386294), (5, 0.025, 0.831212), (20, 0.975, 34.169607), (100, 0.95, 124.342113)],
)
def test_chances_are_those_of_printed_tables(freedom: int, below: float, value: float) -> None:
    """A chi-square variable is twice a gamma variable of half its degrees of freedom."""
    assert gamma_below(freedom / 2, value / 2) == pytest.approx(below, abs=1e-6)


def test_a_band_lies_round_the_mean_and_never_below_nothing() -> None:
    for losses in ([0.0, 0.0, 0.1], [0.2] * 5, [0.01, 0.3, 0.0, 0.0]):
        band = loss_band(losses, max(losses))
        assert band is not None
        assert 0 <= band.low < mean(losses) < band.high
    assert loss_band([], 0.1) is None
    spotless = loss_band([0.0] * 10, 0.2)
    assert spotless is not None
    assert (spotless.low, spotless.mean) == (0, 0)
    assert spotless.high == pytest.approx(0.2 * 2.995732 / 10), "as of a slip that was not seen: the rule of three"


@pytest.mark.nightly
def test_it_holds_where_t_and_bootstrap_do_not() -> None:
    """One decision in eight is a slip, of very different size: what people lose looks so."""
    random = Random(8)
    true = 0.125 * 0.05
    held = {"gamma": 0, "t": 0, "bootstrap": 0}
    for _ in range(TRIALS):
        losses = [random.expovariate(20) if random.random() < 0.125 else 0.0 for _ in range(DECISIONS)]
        band = loss_band(losses, max(0.05, *losses))
        assert band is not None
        held["gamma"] += band.low <= true <= band.high
        half = T_19 * stdev(losses) / sqrt(DECISIONS)
        held["t"] += abs(mean(losses) - true) <= half
        means = sorted(mean(random.choices(losses, k=DECISIONS)) for _ in range(100))
        held["bootstrap"] += means[2] <= true <= means[97]
    assert held["gamma"] >= 0.95 * TRIALS, held
    assert held["t"] < 0.9 * TRIALS, held
    assert held["bootstrap"] < 0.9 * TRIALS, held


def test_the_dearest_choice_of_a_seat_is_one_that_it_could_have_made() -> None:
    """Ann, who kept what was best, could have lost most of the match; Bob had lost it by then."""
    ann, bob = match_losses(*coached(WON)).seats
    assert ann.lost == 0
    assert 0.5 < ann.dearest <= 1
    assert 0 < max(bob.losses) <= bob.dearest < ann.dearest


@pytest.mark.parametrize("often", [0.02, 0.1, 0.3])
def test_it_holds_in_a_night_so_short_that_nobody_slips(often: float) -> None:
    """With the dearest slip that was made in place of what could be lost it held 15 to 89 in a hundred."""
    random, true, held = Random(5), often * 0.03, 0
    for _ in range(TRIALS):
        night = [
            [min(0.2, random.expovariate(1 / 0.03)) if random.random() < often else 0.0 for _ in range(5)]
            for _ in range(2)
        ]
        seats = [SeatLosses(name, tuple(losses), 0.2) for name, losses in zip(("Ann", "Bob"), night, strict=True)]
        bands = [row.band for row in ranked([MatchLosses(tuple(seats), LossUnit("match"))]).rows]
        held += sum(band is not None and band.low <= true <= band.high for band in bands)
    assert held >= 0.95 * 2 * TRIALS


@pytest.mark.parametrize("ratio", [10**-power for power in range(5)])
def test_the_band_is_about_what_was_lost_however_dear_others_were(ratio: float) -> None:
    found = loss_band([ratio, ratio, ratio, *[0.0] * 17], 1.0)
    assert found is not None
    assert 0 <= found.low <= found.mean <= found.high
    assert found.high <= (3 * ratio + 1) * 6 / 20, "a slip as dear as the dearest, and chance on top"


@pytest.mark.parametrize("shape", [0.3, 1, 2, 30, 700])
def test_the_gamma_function_never_falls(shape: float) -> None:
    found = [gamma_below(shape, value) for value in (0.01, 0.1, 1, 5, 50, 500, 700, 746, 800, 900, 5_000)]
    assert found == sorted(found)
    assert found[-1] == 1.0


@pytest.mark.parametrize("utility", ["match", "chips", "score"])
def test_nothing_has_no_sign_and_a_loss_and_a_gain_of_a_size_differ_by_one(utility: str) -> None:
    amounts = Amounts(Language(), LossUnit(utility))
    assert amounts.value(0.0) == amounts.value(-1e-6) == amounts.value(1e-6)
    for amount in (0.0, 0.002, 0.5, 1.0):
        assert amounts.value(amount)[0].isdigit()
    for amount in (0.02, 0.5, 1.0):
        assert amounts.value(-amount)[1:] == amounts.value(amount)


def test_who_had_no_real_decision_is_told_so_and_the_others_what_one_cost_with_its_band() -> None:
    losses = (0.05, 0.0, 0.15, 0.0)
    band = loss_band(losses, 0.15)
    assert band is not None
    night = [MatchLosses((SeatLosses("Ann", (), 0.0), SeatLosses("Bob", losses, 0.15)), LossUnit("match"))]
    language = Language()
    mean, low, high = (language.per_cent(share) for share in (0.05, band.low, band.high))
    assert ranked(night).sentences(language)[1:] == [
        "1. Ann, table 1: lost 0.0%. No real decision.",
        f"2. Bob, table 1: lost 20.0%. 4 real decisions, {mean} each ({low} to {high}).",
    ]


def test_printed_units_are_tenths_of_a_percent_or_hundredths() -> None:
    assert Amounts(Language(), LossUnit("match")).printed(56) == "5.6%"
    assert Amounts(Language(), LossUnit("score")).printed(56) == "0.56"


def test_no_decision_loses_more_than_the_whole_match() -> None:
    row = ranked([MatchLosses((SeatLosses("Ann", (0.56, 0.0), 0.56),), LossUnit("match"))]).data()[0]
    assert row["high"] == 1.0
    row = ranked([MatchLosses((SeatLosses("Ann", (0.56, 0.0), 0.56),), LossUnit("score"))]).data()[0]
    assert row["high"] > 1.0, "points are no share"


@pytest.mark.parametrize(
    ("lost", "lead"),
    [
        ({"Ann": 0.2, "Bob": 0.1, "Cid": 0.3}, "Bob made the fewest mistakes: 10.0% lost."),
        ({"Ann": 0.2, "Bob": 0.1, "Cid": 0.1}, "Bob and Cid made the fewest mistakes: 10.0% lost each."),
        ({"Ann": 0.2, "Bob": 0.2, "Cid": 0.2}, "Everybody lost the same: 20.0%."),
        ({"Ann": 0.2}, "Ann made the fewest mistakes: 20.0% lost."),
    ],
)
def test_a_ranking_begins_with_who_lost_least(lost: dict[str, float], lead: str) -> None:
    night = [MatchLosses(tuple(SeatLosses(name, (each,), each) for name, each in lost.items()), LossUnit("match"))]
    assert ranked(night).lead(Language()) == lead
