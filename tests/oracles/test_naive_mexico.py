"""The oracle of Mexico: against every threshold in the smallest match, and against the house's rules step by step."""

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from oracles.naive_mexico import HANDS, ROLLS, Dice, Naive, Standing, rank
from play import Case
from pubdice.core.dice import rolls
from pubdice.games.mexico import KIT
from pubdice.match.match import Match, MatchState

RANKED: list[Dice] = sorted(HANDS, key=rank)
CHANCE = [Fraction(ROLLS.count(dice), 36) for dice in RANKED]
BEST = len(RANKED) - 1
SHARES = {
    (2, 1): (Fraction(4271357, 7185645), Fraction(2914288, 7185645)),
    (2, 2): (
        Fraction(203652339646784065621, 371019958468062211125),
        Fraction(167367618821278145504, 371019958468062211125),
    ),
    (2, 3): (
        Fraction(3424630421920597486393118392105039, 6385685607979177375867742746509375),
        Fraction(2961055186058579889474624354404336, 6385685607979177375867742746509375),
    ),
    (3, 1): (
        Fraction(2596861647187595246362681, 6804471197158402067815050),
        Fraction(46618077034790162457937, 151210471047964490395890),
        Fraction(1054898041702624755422602, 3402235598579201033907525),
    ),
}
"""Every seat's chance to be the last one left, the opener first, by seats and lives; found by this oracle."""


@pytest.mark.parametrize(
    ("seats", "lives"), [pytest.param(*key, marks=[pytest.mark.nightly] * (key > (2, 2))) for key in SHARES]
)
def test_the_shares_are_these(seats: int, lives: int) -> None:
    assert Naive().match(seats, lives) == SHARES[seats, lives]
    assert sum(SHARES[seats, lives]) == 1


def test_the_first_of_two_has_the_edge_and_less_of_it_with_more_lives() -> None:
    edges = [float(SHARES[2, lives][0]) for lives in (1, 2, 3)]
    assert edges == pytest.approx([0.594429, 0.548899, 0.536298], abs=1e-6)


@cache
def _ends(thresholds: tuple[int, ...]) -> dict[tuple[int, int], Fraction]:
    """The chance to stop after so many rolls with each rank, if one stops from a threshold on; the last roll counts."""
    found, going = dict[tuple[int, int], Fraction](), Fraction(1)
    for used, least in enumerate((*thresholds, 0), start=1):
        for at, chance in enumerate(CHANCE):
            if at >= least:
                found[used, at] = going * chance
        going *= sum(CHANCE[:least], Fraction(0))
    return found


def _replies(again: Fraction) -> dict[tuple[int, int], Fraction]:
    """What stopping with a rank after so many rolls is worth to the first, against the best of all thresholds."""
    worth = {}
    for used, mine in product((1, 2, 3), range(len(RANKED))):
        values = []
        for thresholds in product(range(len(RANKED)), repeat=used - 1):
            value = Fraction(0)
            for (_, theirs), chance in _ends(thresholds).items():
                value += chance * (1 if theirs < mine else again if theirs == mine else 0)
            values.append(value)
        worth[used, mine] = min(values)
    return worth


@pytest.mark.nightly
def test_one_life_of_two_is_what_every_pair_of_thresholds_says() -> None:
    """All 21 thresholds for each roll of each player: none is better than the oracle's share, and one is as good.

    That one stops with 54 first, which is the median that Wikipedia names ("Strategy and Odds").
    """
    again = Naive().match(2, 1)[0]
    worth = _replies(again)
    values = {
        thresholds: sum(chance * worth[end] for end, chance in _ends(thresholds).items())
        for thresholds in product(range(len(RANKED)), repeat=2)
    }
    best = max(values.values())
    assert best == again
    assert [_named(thresholds) for thresholds, value in values.items() if value == best] == [("54", "61")]


def _named(thresholds: tuple[int, ...]) -> tuple[str, ...]:
    return tuple("".join(map(str, RANKED[at])) for at in thresholds)


def _by_rules(match: Match[Any, Any], naive: Naive, seats: int) -> tuple[Fraction, ...]:
    """Every seat's share of a round of the house's rules under best play, where the oracle values what comes next."""
    known: dict[Any, tuple[Fraction, ...]] = {}

    def after(state: MatchState[Any]) -> tuple[Fraction, ...]:
        if state.over or state.number > 1:
            order = tuple(map(int, state.order))
            return naive.value(Standing(state.tally.points, order, bool(state.tally.pot)))
        if state.round not in known:
            due = match.to_roll(state)
            if due:
                fell = [(ways, after(match.roll(state, hand))) for hand, ways in rolls(due)]
                shares = tuple(
                    sum((ways * values[seat] for ways, values in fell), Fraction(0)) / 6**due for seat in range(seats)
                )
            else:
                mover = match.mover(state)
                assert mover is not None
                shares = max(
                    (after(match.play(state, action)) for action in match.legal(state)), key=lambda to: to[mover]
                )
            known[state.round] = shares
        return known[state.round]

    return after(match.start())


@pytest.mark.parametrize(
    ("seats", "lives", "hold", "lost"),
    [
        (2, 1, False, 1),
        (2, 2, False, 1),
        (2, 1, True, 1),
        pytest.param(2, 3, False, 2, marks=pytest.mark.nightly),
        pytest.param(2, 2, True, 1, marks=pytest.mark.nightly),
        pytest.param(3, 1, False, 1, marks=pytest.mark.nightly),
    ],
)
def test_a_round_of_the_houses_rules_is_worth_what_the_oracle_says(
    seats: int, lives: int, hold: bool, lost: int
) -> None:
    fields = ("hold", "1 2" if hold else "none"), ("format", f"lives {lives} mexico {lost}"), ("opener", "loser")
    naive = Naive(hold, lost)
    assert _by_rules(Case(KIT, fields).table(seats)[1].match, naive, seats) == naive.match(seats, lives)


def test_a_standing_turned_round_the_table_is_worth_the_same() -> None:
    naive = Naive()
    value = naive.value(Standing((1, 2), (1, 0)))
    assert naive.value(Standing((2, 1), (0, 1))) == value[::-1]
