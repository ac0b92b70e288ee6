from math import comb
from typing import Any

import pytest

import pig
from oracles.reachable import ReachableCount, reachable
from pubdice.core.dice import rolls
from pubdice.games.fourtwenty import FourTwenty
from pubdice.games.midnight import Midnight
from pubdice.solve.finite.enumerated import Ply, count, perft, steps

EVERY_NEED = pytest.mark.parametrize("game", [Midnight(), Midnight((2, 4))], ids=["1-4", "2-4"])


def _hands(dice: int) -> int:
    """Multisets of so many dice, by stars and bars."""
    return comb(dice + 5, 5)


def test_ply_0_is_the_start_and_ply_1_every_first_roll() -> None:
    assert perft(Midnight(), 1, 1) == (Ply(1, 1, 0, 0, 462, 0), Ply(462, 0, 462, 0, 0, 11914))
    assert perft(FourTwenty(), 2, 1)[1] == Ply(126, 121, 0, 5, 121 * 126, 0)
    assert (_hands(6), _hands(4)) == (462, 126)


@EVERY_NEED
def test_one_seat_of_midnight_closes_on_the_counts_of_combinatorics(game: Midnight) -> None:
    """Chance: 0 to 5 locked. Decisions: so many locked beside the rest free. Terminal: a miss, or 4 to 24."""
    chance = sum(_hands(locked) for locked in range(6))
    decisions = sum(_hands(locked) * _hands(6 - locked) for locked in range(6))
    found = reachable(game, 1, 10**6)
    assert found.closed
    assert (found.total.chance, found.total.decision, found.total.terminal) == (chance, decisions, 22)
    assert found.total.rolls == decisions, "every roll out of a chance position is a decision of its own"
    assert found.total.positions == chance + decisions + 22 == 12398


def test_actions_of_midnight_are_the_non_empty_choices_out_of_every_free_hand() -> None:
    """A hand with a choice of it is the choice and the rest, two hands: the choices of all hands are a convolution."""
    actions = sum(
        _hands(6 - free) * sum(_hands(kept) * _hands(free - kept) for kept in range(1, free + 1))
        for free in range(1, 7)
    )
    assert reachable(Midnight(), 1, 10**6).total.actions == actions == 88571
    assert perft(Midnight(), 1, 1)[1].actions == sum(_hands(kept) * _hands(6 - kept) for kept in range(1, 7)) == 11914


def test_a_turn_of_midnight_is_at_most_twelve_steps() -> None:
    plies = perft(Midnight(), 1, 99)
    assert len(plies) == 13, "ply 12 is terminal, and nothing follows"
    assert plies[12] == Ply(22, 0, 0, 22, 0, 0)


def test_420_before_anybody_keeps_is_counted_by_hand() -> None:
    """Five hands total 20; the other 121 go on, and face 121 again."""
    twenty = sum(1 for hand, _ in rolls(4) if sum(hand) == 20)
    going_on = _hands(4) - twenty
    plies = perft(FourTwenty(), 2, 2)
    assert twenty == 5
    assert (plies[2].decision, plies[2].terminal) == (going_on**2, going_on * twenty)
    assert plies[2].actions == going_on * sum(_keeps(hand) for hand, _ in rolls(4) if sum(hand) != 20)


def _keeps(hand: tuple[int, ...]) -> int:
    """Legal keeps of a hand, from the words of Steere alone."""
    if sum(hand) > 20:
        return 1
    found: set[tuple[int, ...]] = {()}
    for chosen in range(1, 15):
        kept = tuple(face for place, face in enumerate(hand) if chosen >> place & 1)
        if sum(kept) >= 5 * len(kept):
            found.add(kept)
    return len(found)


def test_a_position_may_stand_on_many_plies_but_is_reached_once() -> None:
    plies = perft(FourTwenty(), 2, 2)
    found = reachable(FourTwenty(), 2, 1000)
    assert not found.closed
    assert found.depth == 2
    assert found.total.positions == sum(ply.positions for ply in plies) == 1 + 126 + 15246


@pytest.mark.parametrize(("limit", "positions"), [(0, 1), (1, 1 + 462), (462, 1 + 462), (463, 1 + 462 + 483)])
def test_a_search_stops_after_the_ply_that_passes_the_limit(limit: int, positions: int) -> None:
    found = reachable(Midnight(), 1, limit)
    assert not found.closed
    assert found.total.positions == positions


def test_a_game_the_house_does_not_have_is_counted_too_though_its_graph_has_no_end() -> None:
    """A turn of Pig may add up without end."""
    found = reachable(pig.Pig(20), 2, 2000)
    assert not found.closed
    assert found.total.positions == found.total.chance + found.total.decision + found.total.terminal
    assert found.total.actions == 2 * found.total.decision
    assert found.total.rolls == 6 * found.total.chance


@pytest.mark.parametrize(
    ("game", "seats"), [(Midnight(), 2), (FourTwenty(), 3), (pig.Pig(), 2)], ids=["midnight", "420", "pig"]
)
def test_positions_of_a_ply_are_the_steps_out_of_the_one_before(game: Any, seats: int) -> None:
    plies = perft(game, seats, 2)
    first = set(steps(game, game.start(seats)))
    assert count(game, first) == plies[1]
    assert count(game, {after for state in first for after in steps(game, state)}) == plies[2]


def test_depth_0_is_the_start_alone() -> None:
    assert perft(FourTwenty(), 2, 0) == (Ply(1, 1, 0, 0, 126, 0),)
    assert isinstance(reachable(FourTwenty(), 2, 0), ReachableCount)
