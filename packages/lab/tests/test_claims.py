"""Printed advice by the encyclopedia, PlayPalace and Steere, compared with the figures that judge it."""

import pytest

from pubdice_lab.claims import Claim
from pubdice_lab.fourtwenty_claims import looks, of_420
from pubdice_lab.midnight_claims import _always, house, of_midnight, over_rounds


def _named(found: tuple[Claim, ...], words: str) -> Claim:
    return next(claim for claim in found if words in claim.advice)


@pytest.mark.parametrize(
    ("words", "verdict", "costs"),
    [
        ("best chance to qualify", "true", {"qualify": 0}),
        ("as soon as they show", "depends", {"mean score": 0, "qualify": 0, "opener": 0.01950, "last seat": 0.04965}),
        ("go for the highest", "true", {"mean score": 0, "qualify": 0, "opener": 0, "last seat": 0}),
        ("Sixes are gold", "true", {"mean score": 0, "qualify": 0, "opener": 0, "last seat": 0}),
        ("Fives are solid", "depends", {"mean score": 0.01281, "qualify": 0, "opener": 0.00058, "last seat": 0.00282}),
        ("a 2 or a 3", "true", {"mean score": 0, "qualify": 0, "opener": 0, "last seat": 0}),
        ("leader's score", "true", {"last seat": 0}),
    ],
)
def test_what_advice_at_midnight_costs(words: str, verdict: str, costs: dict[str, float]) -> None:
    claim = _named(of_midnight(), words)
    assert claim.verdict == verdict
    assert dict(claim.costs) == pytest.approx(costs, abs=1e-5)


def test_without_ending_the_turn_keeping_no_2_or_3_would_cost_something() -> None:
    assert "you lose up to 1.21% of a round of two, against 17" in _named(of_midnight(), "a 2 or a 3").shown


def test_modest_scores_beat_24_or_nothing_lose_to_22_and_against_24_it_depends() -> None:
    """These are the numbers behind a sentence of the page."""
    claim = _named(of_midnight(), "modest scores")
    assert claim.verdict == "depends"
    costs = dict(claim.costs)
    for modest in ("a 15 in every round", "best chance of 14", "best chance of 16"):
        assert costs[f"{modest} against 24 or nothing"] == 0
        assert costs[f"{modest} against best chance of 22"] > 0.1
    assert costs["a 15 in every round against best chance of 24"] > 0.3
    assert costs["best chance of 14 against best chance of 24"] == 0
    assert costs["best chance of 16 against best chance of 24"] == 0
    assert costs["a 15 in every round against best chance of 22"] == pytest.approx(0.480, abs=0.001)


def test_over_rounds_counts_round_wins() -> None:
    """A player who always has 15 meets a coin between 24 and 0, for three rounds. It wins the rounds in which the coin
    has 0.
    """
    coin = (_always(24) + _always(0)) / 2
    assert over_rounds(_always(15), coin, 3) == pytest.approx(0.5)
    assert over_rounds(_always(15), (_always(24) + 3 * _always(0)) / 4, 1) == pytest.approx(0.75)
    assert over_rounds(_always(15), _always(15), 5) == pytest.approx(0.5)
    assert len(house().scores) == 22


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("How much to risk", "depends"),
        ("are ideal", "true"),
        ("against (6, 5, 4, 1)", "true"),
        ("against (4, 3, 3, 2)", "false"),
    ],
)
def test_advice_at_420(words: str, verdict: str) -> None:
    assert _named(of_420(), words).verdict == verdict


def test_rerolling_two_against_a_poor_hand_costs_2_46_per_cent_of_the_race() -> None:
    assert dict(_named(of_420(), "(4, 3, 3, 2)").costs) == pytest.approx({"race of two": 0.024602}, abs=1e-6)


def test_looking_at_other_hands_pays_with_four_seats_first() -> None:
    assert looks(2)[0] < 1e-10
    assert looks(3)[0] < 1e-10
    assert looks(4)[0] == pytest.approx(0.00335, abs=1e-5)
