"""The rating finds skill apart from luck, and its bands hold what they promise; Glicko-2 is as its paper prints it."""

from itertools import product
from pathlib import Path
from random import Random
from statistics import pvariance

import numpy as np
import pytest

from benchmarks.ratings.__main__ import Club, first, ordered, reached
from benchmarks.ratings.glicko2 import Glicko, after_period
from pubdice.advice.coach import Coach
from pubdice.advice.ledger import SeatLedger, writing_ledger
from pubdice.advice.rating import (
    LEAST_MATCHES,
    PRIOR_MEAN,
    PRIOR_SCALE,
    PRIOR_SHAPE,
    PRIOR_STAKE,
    Sums,
    added,
    less_luck,
    luck_band,
    per_decision,
    rating,
    student,
    sums_of,
)
from pubdice.checked_record import read_checked
from pubdice.core.dice import FACES
from pubdice.games import GAMES
from pubdice.solve.pauses import ResumableJob
from pubdice.text.catalogues import language

EXACT = 1e-9
PAGE = Path(__file__).parents[2] / "docs/solve/rating.md"


def test_glicko_2_is_as_in_the_worked_example_of_its_paper() -> None:
    others = [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]
    found = after_period(Glicko(1500, 200, 0.06), others)
    assert found.rating == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


@pytest.mark.nightly
def test_students_quantiles_are_those_of_scipy() -> None:
    from scipy.stats import t as student_t  # noqa: PLC0415 - a second, for each process that collects the tests

    for degrees in (4, 5, 7.5, 20, 300):
        assert student(degrees) == pytest.approx(student_t.ppf(0.975, degrees), abs=2e-3)


def seat(lost: float, stake: float, luck: float = 0.0, decisions: int = 3) -> SeatLedger:
    return SeatLedger(0.5, luck, -lost, 0.0, 0.5, 0.25, decisions, lost, stake)


def test_a_rating_is_100_for_best_play_0_for_lots_and_no_luck_moves_it() -> None:
    best = added(sums_of(seat(0.0, 0.5)) for _ in range(500))
    lots = added(sums_of(seat(0.5, 0.5, luck=at % 2)) for at in range(500))
    assert rating([best]).value == pytest.approx(100, abs=0.5)
    assert rating([lots]).value == pytest.approx(0, abs=0.5)
    lucky = added(sums_of(seat(0.0, 0.5, luck=0.4)) for _ in range(500))
    assert rating([lucky]) == rating([best])


def test_units_add_up_and_sums_that_were_kept_are_as_good_as_matches() -> None:
    chances = added(sums_of(seat(0.1, 0.4)) for _ in range(40))
    chips = added(
        sums_of(SeatLedger(0, 0, -1.0, 0, 0, 25.0, 3, 1.0, 4.0)) for _ in range(40)
    )  # the same in chips, ten of which are a chance
    assert rating([chances]).value == pytest.approx(rating([chips]).value)
    both = rating([chances, chips])
    assert both.high - both.low < rating([chances]).high - rating([chances]).low


@pytest.mark.parametrize("matches", [0, 3, 30])
def test_the_band_leaves_out_a_fortieth_of_what_is_likely_on_either_side(matches: int) -> None:
    """By the model of docs/solve/rating.md, L = r S + noise of variance σ² S, summed over a grid of r and σ²."""
    played = [seat(0.3 * (at % 3), 1.0 + at % 2) for at in range(matches)]
    found = rating([added(map(sums_of, played))])
    ratio, variance = np.meshgrid(np.linspace(-3, 3, 1_201), np.geomspace(3e-3, 30, 80), indexing="ij")
    log = -PRIOR_SHAPE * np.log(variance) - PRIOR_SCALE / variance  # of log σ², whose steps are equal
    log -= (np.log(variance) + PRIOR_STAKE * (ratio - PRIOR_MEAN) ** 2 / variance) / 2
    for each in played:  # chances are measured in the standard deviation of a match's luck: a half
        lost, stake = each.lost / 0.5, each.at_stake / 0.5
        log -= (np.log(variance) + (lost - ratio * stake) ** 2 / (variance * stake)) / 2
    likely = np.exp(log - log.max()).sum(axis=1)
    below = np.cumsum(likely) / likely.sum()
    ends = [100 * (1 - ratio[np.searchsorted(below, share), 0]) for share in (0.975, 0.025)]
    assert (found.low, found.high) == pytest.approx((ends[0], min(100.0, ends[1])), abs=1)


def test_the_band_of_value_lost_needs_some_matches() -> None:
    few = added(sums_of(seat(0.1, 0.4)) for _ in range(LEAST_MATCHES - 1))
    assert per_decision(Sums()) is None
    found = per_decision(few)
    assert found is not None
    assert found.low == found.value == found.high
    many = per_decision(added(sums_of(seat(0.1 * (at % 3), 0.4)) for at in range(60)))
    assert many is not None
    assert many.value == pytest.approx(0.1 / 3)
    assert many.low < many.value < many.high


def test_nothing_is_said_of_luck_without_a_match() -> None:
    assert less_luck([]) is less_luck([Sums()]) is None
    assert luck_band(Sums(matches=4, luck=1.0, variance=1.0)).high == pytest.approx(1.96, abs=0.01)


RECORD = """pubdice 1
game: ship
seats: Ann, Bob
format: rounds 1

round 1
"""


@pytest.mark.nightly
def test_a_ledger_is_the_review_and_its_variance_is_that_of_the_outcomes() -> None:
    club = Club("ship", "rounds 1", Random(5))
    played = [club.play((0.3, 0.0))[0] for _ in range(1500)]
    for mine in (one for both in played for one in both):
        assert mine.expectation + mine.luck + mine.skill + mine.given == pytest.approx(mine.result, abs=EXACT)
        assert mine.skill == pytest.approx(-mine.lost, abs=EXACT)
    for place in (0, 1):
        luck = [both[place].luck for both in played]
        variance = sum(both[place].variance for both in played) / len(played)
        assert abs(sum(luck)) < 4 * (variance * len(luck)) ** 0.5, "luck is 0 on average"
        assert sum(each * each for each in luck) / len(luck) == pytest.approx(variance, rel=0.15)


def test_the_ledger_of_a_record_has_the_variance_of_each_of_its_rolls() -> None:
    club = Club("ship", "rounds 1", Random(5))
    checked = read_checked(RECORD + "Ann: 65433 k65433\nBob: 65411 k654 35 k35\n", GAMES, language("en"))
    right = [0.0, 0.0]
    for step in checked.steps:
        if due := checked.match.to_roll(step.before):
            worth = [
                club.coach.solver.values(checked.match.roll(step.before, dice)) for dice in product(FACES, repeat=due)
            ]
            right = [each + pvariance(some) for each, some in zip(right, zip(*worth, strict=True), strict=True)]
    found = ResumableJob(writing_ledger(checked, club.coach)).at_once.seats
    assert [each.variance for each in found] == pytest.approx(right, abs=EXACT)
    assert sum(each.luck for each in found) == pytest.approx(0, abs=EXACT)


@pytest.mark.nightly
def test_luck_that_is_called_rare_is_about_as_rare_as_that() -> None:
    club = Club("mexico", "lives 1", Random(6))
    told = [less_luck([added(sums_of(club.play((0.2, 0.0))[0][0]) for _ in range(10))]) for _ in range(200)]
    rare = sum(share is not None and not 0.025 < share < 0.975 for share in told) / len(told)
    assert rare < 0.11


def test_the_better_player_is_found() -> None:
    club = Club("mexico", "lives 1", Random(7))
    sums = [Sums(), Sums()]
    for _ in range(150):
        for place, mine in enumerate(club.play((0.0, 0.5))[0]):
            sums[place] += sums_of(mine)
    better, worse = rating([sums[0]]), rating([sums[1]])
    assert better.low > worse.high


def test_a_league_counts_pairs_in_order_and_games_until_the_goal() -> None:
    assert ordered([3, 2, 1]) == 1
    assert ordered([1, 1]) == 0.5
    assert reached([0.95, 0.8, 0.9, 0.91], 0.9) == 3
    middle, low, high = first([0.5, 0.92, 0.95], 100)
    assert low <= middle == 2 <= high


def test_a_match_that_is_not_over_has_no_ledger() -> None:
    kit = GAMES["ship"]
    checked = read_checked(RECORD, GAMES, language("en"))
    assert kit.solver is not None
    with pytest.raises(ValueError, match="not over"):
        next(writing_ledger(checked, Coach(kit.solver(checked.match), checked.match)))


def _played(game: str, form: str, slack: float, games: int) -> Sums:
    club = Club(game, form, Random(3))
    return added(sums_of(club.play((slack, slack))[0][0]) for _ in range(games))


@pytest.mark.nightly
def test_the_same_carelessness_gives_different_ratings_at_different_games() -> None:
    """docs/solve/rating.md: "Compare ratings within one game and format only"."""
    ship, mexico = (_played(game, form, 0.05, 400) for game, form in (("ship", "rounds 1"), ("mexico", "lives 1")))
    assert ship.lost / ship.at_stake > 2 * mexico.lost / mexico.at_stake


@pytest.mark.parametrize(
    ("game", "form", "matches"), [("midnight", "rounds 1", (1, 2)), ("mexico", "lives 3", (4.5, 5.5))]
)
def test_the_prior_weighs_as_many_matches_as_the_page_says(game: str, form: str, matches: tuple[float, float]) -> None:
    """docs/solve/rating.md: one or two matches of Midnight, five of Mexico with three lives; and what is left of it."""
    played = _played(game, form, 0.05, 40 if game == "midnight" else 300)
    stake = played.at_stake / played.matches / (played.variance / played.matches) ** 0.5
    assert matches[0] < PRIOR_STAKE / stake < matches[1]
    for lost, points in ((0.0, 0.5), (0.7, 0.5), (1.0, 1.0), (1.2, 1.0)):  # of what is at stake; after 500 matches
        assert 100 * PRIOR_STAKE * abs(lost - PRIOR_MEAN) / (PRIOR_STAKE + 500 * stake) < points
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert "by less than a point, and one above 30 by less than half a point" in page


def test_the_bot_that_draws_lots_is_near_1_and_best_play_loses_nothing() -> None:
    """Slackness without end weighs every choice alike, as ``lucky`` does."""
    lots, best = _played("mexico", "lives 1", 1e9, 600), _played("mexico", "lives 1", 0.0, 50)
    assert lots.lost / lots.at_stake == pytest.approx(1, abs=0.15)
    assert best.lost == pytest.approx(0, abs=EXACT)
