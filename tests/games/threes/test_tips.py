"""The tip at Threes keeps what its rule says, and is not much worse than best play."""

from fractions import Fraction

import pytest

from oracles.expectimax import expectimax
from pubdice.core.dice import Hand, rolls
from pubdice.core.game import Keep, RoundState
from pubdice.games.threes.rules import Moon, Threes, tip

GAME = Threes()


def _kept(free: Hand, locked: Hand = (), scores: tuple[int, ...] = (), seats: int = 3) -> Hand:
    ((keep, weight),) = tip(GAME, RoundState(seats, scores, locked, free))
    assert weight == 1
    assert keep in GAME.legal(RoundState(seats, scores, locked, free))
    return keep.dice


@pytest.mark.parametrize(
    ("free", "kept"),
    [
        ((1, 1, 2, 3, 3), (3, 3)),
        ((1, 3, 3, 3, 6), (1, 3, 3, 3)),
        ((2, 3, 3, 3, 3), (2, 3, 3, 3, 3)),
        ((1, 4, 5, 6, 6), (1,)),
        ((2, 2), (2, 2)),
        ((2, 4), (2,)),
    ],
)
def test_threes_are_kept_or_else_the_lowest_die_and_low_ones_of_the_last_two(free: Hand, kept: Hand) -> None:
    assert _kept(free, (6,) * (5 - len(free))) == kept


def test_the_last_to_play_stops_as_soon_as_that_wins() -> None:
    """dkdataland, "Threes": 3 3 2 2 2 against an 8 is a win with 6."""
    assert _kept((2, 2, 2, 3, 3), (), (8,), 2) == (2, 2, 2, 3, 3)
    assert _kept((2, 2, 2, 3, 3), (), (8,), 3) == (3, 3)
    assert _kept((2, 2, 2, 3, 3), (), (6,), 2) == (3, 3)


@pytest.mark.parametrize(
    ("moon", "locked", "kept"), [("yes", 0, 5), ("yes", 3, 2), ("first", 0, 5), ("first", 3, 1), ("no", 0, 1)]
)
@pytest.mark.parametrize(("seats", "scores"), [(2, (0,)), (2, ()), (3, (5,))])
def test_every_seat_keeps_a_moon(moon: Moon, locked: int, kept: int, seats: int, scores: tuple[int, ...]) -> None:
    game, state = Threes(moon), RoundState(seats, scores, (6,) * locked, (6,) * (5 - locked))
    assert tip(game, state) == ((Keep((6,) * kept), 1),)


def test_the_tip_means_no_more_than_a_quarter_of_a_point_above_the_best() -> None:
    def mean(state: RoundState) -> Fraction:
        if state.scores:
            return Fraction(state.scores[0])
        due = GAME.to_roll(state)
        total = Fraction()
        for hand, ways in rolls(due):
            rolled = GAME.roll(state, hand)
            total += ways * known(GAME.play(rolled, tip(GAME, rolled)[0][0]))
        return total * Fraction(1, 6**due)

    memory: dict[RoundState, Fraction] = {}

    def known(state: RoundState) -> Fraction:
        if state not in memory:
            memory[state] = mean(state)
        return memory[state]

    best = -expectimax(GAME, GAME.start(1), lambda result: Fraction(-result.scores[0]))
    assert best < known(GAME.start(1)) < best + Fraction(1, 4)
