"""Printed advice by the encyclopedia, PlayPalace and Steere, compared with the figures that judge it."""

import pytest

from pubdice_lab.claims import Claim
from pubdice_lab.fourtwenty_claims import looks, of_420
from pubdice_lab.midnight_claims import _always, house, of_midnight, over_rounds


def _named(found: tuple[Claim, ...], words: str) -> Claim:
    return next(claim for claim in found if words in claim.advice)


def test_modest_scores_beat_24_or_nothing_and_lose_to_22() -> None:
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


def test_looking_at_other_hands_pays_with_four_seats_first() -> None:
    assert looks(2)[0] < 1e-10
    assert looks(3)[0] < 1e-10
    assert looks(4)[0] == pytest.approx(0.00335, abs=1e-5)
