"""The tip at Ship stops where its rule says, and plays forced keeps as the table does."""

import pytest

from pubdice.core.dice import Hand
from pubdice.core.game import Keep, RoundState
from pubdice.games.ship.rules import Ship, tip

GAME, SINGLE = Ship(), Ship("single")


def _tip(game: Ship, free: Hand, scores: tuple[int, ...] = (), seats: int = 3, rolls: int = 1) -> Hand:
    state = RoundState(seats, scores, (), free, rolls)
    ((keep, weight),) = tip(game, state)
    assert weight == 1
    assert keep in game.legal(state)
    return keep.dice


@pytest.mark.parametrize(
    ("cargo", "scores", "stops"),
    [
        ((4, 4), (), True),
        ((3, 4), (), False),
        ((4, 4), (9,), False),
        ((4, 4), (8,), True),
        ((1, 1), (0, 0), True),
        ((3, 4), (6, 3), True),
        ((3, 4), (7, 3), False),
    ],
)
def test_it_stops_with_8_that_ties_the_best_and_as_the_last_with_what_wins(
    cargo: Hand, scores: tuple[int, ...], stops: bool
) -> None:
    free = tuple(sorted((4, 5, 6, *cargo)))
    assert _tip(GAME, free, scores) == (free if stops else (4, 5, 6))


def test_one_by_one_it_holds_a_5_and_a_6() -> None:
    assert _tip(SINGLE, (1, 4, 5, 6, 6)) == (4, 5, 6, 6)
    assert _tip(SINGLE, (1, 4, 4, 5, 6)) == (4, 5, 6)


def test_alone_it_plays_for_its_cargo() -> None:
    assert _tip(GAME, (1, 1, 4, 5, 6), (), 1) == (4, 5, 6)


def test_where_there_is_no_choice_it_does_what_the_rules_leave() -> None:
    assert tip(GAME, RoundState(2, (), (), (1, 2, 3, 4, 5), 1)) == ((Keep(), 1),)
