"""What printed advice costs at Midnight, as the page of the game says, found again by the naive solver."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from oracles import naive_midnight as naive
from oracles.naive_midnight import Dice
from pubdice_lab.strategy import claims_in_full

PAGE = (Path(__file__).parents[3] / "docs/games/midnight.md").read_text(encoding="utf-8")
BEATS = [0, *range(4, 25)]


@cache
def claims() -> str:
    """All printed advice with its figures, as ``pubdice paper`` writes it."""
    return claims_in_full()


def told(advice: str) -> str:
    """The figures of a piece of advice."""
    start = claims().index(advice)
    return " ".join(claims()[start : claims().index("\n\n", start)].split())


def _lacking(locked: Dice) -> list[int]:
    return [face for face in (1, 4) if face not in locked]


def _take(locked: Dice, rolled: Dice) -> Sequence[Dice]:
    needed = {face for face in _lacking(locked) if face in rolled}
    return [kept for kept in naive.keeps(rolled) if needed <= set(kept)]


def _highest(locked: Dice, rolled: Dice) -> Sequence[Dice]:
    every = naive.keeps(rolled)
    return every if _lacking(locked) else [kept for kept in every if kept == rolled[-len(kept) :]]


def _sixes(locked: Dice, rolled: Dice) -> Sequence[Dice]:
    every = naive.keeps(rolled)
    return every if _lacking(locked) else [kept for kept in every if kept.count(6) == rolled.count(6)]


def _fives(locked: Dice, rolled: Dice) -> Sequence[Dice]:
    every = _sixes(locked, rolled)
    return every if _lacking(locked) else [kept for kept in every if kept.count(5) == rolled.count(5)]


def _low(locked: Dice, rolled: Dice) -> Sequence[Dice]:
    every = naive.keeps(rolled)
    if _lacking(locked) or max(rolled) <= 3:
        return every
    return [kept for kept in every if kept == rolled or not {2, 3} & set(kept)]


def _never_low(locked: Dice, rolled: Dice) -> Sequence[Dice]:
    some = [kept for kept in _low(locked, rolled) if not {2, 3} & set(kept)]
    return _low(locked, rolled) if _lacking(locked) or max(rolled) <= 3 else some


@cache
def aims() -> naive.Floats:
    """[score, aim] the mean, qualifying, a round of two as its opener, and as its last seat against each score."""
    against = np.array([naive.against(beat) for beat in range(25)]).T
    opener = 1 - naive.values(against)
    return np.column_stack([naive.SCORES, naive.SCORES > 0, opener, against[:, BEATS]])


@cache
def free() -> naive.Floats:
    return naive.values(aims())


@pytest.mark.parametrize(
    ("advice", "allowed"),
    [
        pytest.param("Take the 1 and the 4 as soon", _take, marks=pytest.mark.nightly),
        ("With the pair in hand, go for", _highest),
        ("Sixes are gold.", _sixes),
        ("Fives are solid.", _fives),
        ("Once qualified, do not spend", _low),
    ],
)
def test_what_advice_costs_is_what_the_page_says(advice: str, allowed: naive.Keeps) -> None:
    mean, qualify, opener, *last = map(float, free() - naive.values(aims(), allowed))
    said = told(advice)
    costs = {
        f"{mean:.4f} points of the mean score": mean,
        f"{100 * qualify:.2f}% of qualifying": qualify,
        f"{100 * opener:.2f}% of a round of two to its opener": opener,
        f"{100 * max(last):.2f}% of a round of two to its last seat against {BEATS[int(np.argmax(last))]}": max(last),
    }
    for words, cost in costs.items():
        assert (words in said) == (cost > 1e-9), words
    free_below = re.search(r"Against less than (\d+) the last seat loses nothing", said)
    first = next((beat for beat, cost in zip(BEATS, last, strict=True) if cost > 1e-9), None)
    assert (int(free_below[1]) if free_below else None) == first
    row = re.search(rf"^\| {re.escape(advice)}[^|]*\| (\S+) \| (\S+) \| (\S+) against (\d+) \|$", PAGE, re.MULTILINE)
    assert bool(row) == (max(mean, opener, *last) > 1e-9)
    if row:
        worst = f"{100 * max(last):.2f}%", str(BEATS[int(np.argmax(last))])
        assert row.groups() == (f"{mean:.4f}" if mean > 1e-9 else "0", f"{100 * opener:.2f}%", *worst)


def test_never_to_keep_a_2_or_3_costs_what_the_page_says() -> None:
    _, _, _, *last = map(float, free() - naive.values(aims(), _never_low))
    worst = f"you lose up to {100 * max(last):.2f}% of a round of two, against {BEATS[int(np.argmax(last))]}."
    assert worst in told("Once qualified, do not spend")


def test_the_page_says_the_worth_of_the_leader_s_score() -> None:
    steady = naive.best(naive.SCORES)
    gains = {beat: float(free()[3 + at] - steady @ naive.against(beat)) for at, beat in enumerate(BEATS)}
    most = max(gains, key=lambda beat: gains[beat])
    average = sum(float(steady[beat]) * gain for beat, gain in gains.items())
    said = told("Play to the leader's score")
    assert f"{100 * gains[15]:.2f}% of the round against 15" in said
    assert f"most against {most}, {100 * gains[most]:.2f}%" in said
    assert f"{100 * average:.2f}% on average" in said
    page = " ".join(PAGE.split())
    assert f"worth {100 * average:.2f}% of the round on average, and {100 * gains[most]:.2f}% against {most}." in page


def test_advice_that_is_free_is_told_as_free() -> None:
    free = "with both dice, go for the highest dice; keep every 6; keep no 2 or 3 unless you keep all."
    assert f"True, and free for every aim: {free}" in " ".join(PAGE.split())


@pytest.mark.nightly
def test_the_chances_to_reach_a_score_are_what_the_page_says() -> None:
    rows = re.findall(r"^\| (\d+) or more \| ([\d.]+)% \| ([\d.]+)% \|$", PAGE, re.MULTILINE)
    assert len(rows) == 4
    steady = naive.best(naive.SCORES)
    for score, played, mean in rows:
        reached = (int(score) <= naive.SCORES).astype(float)
        assert played == f"{100 * float(naive.values(reached)):.2f}"
        assert mean == f"{100 * float(steady @ reached):.2f}"
