import pytest
from hypothesis import given

from play import CASES, Case, Choices, choices, walk
from pubdice.core.dice import Hand
from pubdice.core.game import RoundSeat
from pubdice.games.fourtwenty import FourTwenty
from pubdice.games.fourtwenty.rules import RoundState as FourTwentyState
from pubdice.games.fourtwenty.rules import tip as fourtwenty
from pubdice.games.midnight import Midnight
from pubdice.games.midnight.rules import RoundState as MidnightState
from pubdice.games.midnight.rules import tip as midnight


def _rerolls(mine: Hand, *others: Hand) -> Hand:
    state = FourTwentyState((mine, *others), RoundSeat(0), None)
    ((keep, _),) = fourtwenty(FourTwenty(), state)
    left = list(mine)
    for face in keep.dice:
        left.remove(face)
    return tuple(left)


def test_against_an_ideal_hand_only_the_1_is_rerolled() -> None:
    """Steere, "Strategy": 6 5 5 1 against 6 5 4 1."""
    assert _rerolls((1, 5, 5, 6), (1, 4, 5, 6)) == (1,)


def test_against_a_slow_hand_the_6_and_the_1_are_rerolled_for_an_ideal_one() -> None:
    """Steere, "Strategy": 6 5 5 1 against 4 3 3 2."""
    assert _rerolls((1, 5, 5, 6), (2, 3, 3, 4)) == (1, 6)


def test_an_ideal_hand_keeps_rerolling_its_single_die() -> None:
    """Steere, "Strategy": 6 5 4 1 rerolls the 1, whatever the others hold."""
    assert _rerolls((1, 4, 5, 6), (2, 3, 3, 4)) == (1,)
    assert _rerolls((1, 4, 5, 6), (1, 5, 5, 5)) == (1,)


def test_one_ideal_hand_among_several_presses_but_one_that_is_over_does_not() -> None:
    assert _rerolls((1, 5, 5, 6), (2, 3, 3, 4), (1, 4, 5, 6)) == (1,)
    assert _rerolls((1, 5, 5, 6), (4, 5, 6, 6)) == (1, 6)


def test_without_three_two_closest_to_10_are_kept_then_one_closest_to_5() -> None:
    assert _rerolls((1, 2, 5, 6), (1, 1, 1, 1)) == (1, 2)
    assert _rerolls((1, 1, 4, 6), (1, 1, 1, 1)) == (1, 1)
    assert _rerolls((1, 2, 3, 5), (1, 1, 1, 1)) == (1, 2, 3)
    assert _rerolls((4, 4, 4, 4), (1, 1, 1, 1)) == (4, 4, 4, 4)


def _keeps(free: Hand, locked: Hand = (), scores: tuple[int, ...] = (), need: tuple[int, int] = (1, 4)) -> Hand:
    ((keep, weight),) = midnight(Midnight(need), MidnightState(6, scores, locked, free))
    assert weight == 1
    return keep.dice


@pytest.mark.parametrize(
    ("locked", "free", "kept"),
    [
        ((), (1, 2, 3, 4, 5, 6), (1, 4, 5, 6)),
        ((), (1, 2, 3, 5, 6, 6), (1,)),
        ((), (2, 3, 4, 4, 5, 6), (4,)),
        ((), (2, 2, 3, 5, 5, 6), (6,)),
        ((1, 4), (2, 3, 5, 6), (5, 6)),
        ((1, 4), (2, 3, 3, 4), (4,)),
        ((1, 4, 6), (2, 2, 2), (2,)),
        ((6,), (1, 1, 4, 6, 6), (1, 4, 6, 6)),
        ((1, 4, 5, 6), (4, 6), (6,)),
    ],
)
def test_the_pair_is_locked_first_then_sixes_and_fives_never_less_unless_forced(
    locked: Hand, free: Hand, kept: Hand
) -> None:
    """PlayPalace, "Game Theory / Tips"."""
    assert _keeps(free, locked) == kept


def test_a_five_that_would_put_the_leader_out_of_reach_is_not_kept() -> None:
    """PlayPalace, "Game Theory / Tips": what beats the leader must stay within reach."""
    assert _keeps((3, 5, 5, 6), (1, 4), (21,)) == (5, 5, 6), "two fives still make 22"
    assert _keeps((3, 5, 5, 6), (1, 4), (22,)) == (5, 6), "one five still makes 23"
    assert _keeps((3, 5, 5, 6), (1, 4), (23,)) == (6,)
    assert _keeps((2, 3, 5, 5), (1, 4), (23,)) == (5,), "but a die must be kept"


def test_the_variant_locks_a_2_and_a_4() -> None:
    assert _keeps((1, 2, 3, 4, 5, 6), need=(2, 4)) == (2, 4, 5, 6)


RULES = {(case.kit.name, case.game): case for case in CASES}
"""A case of each game and its options: no policy is told the format, or who opens."""


@pytest.mark.parametrize("case", [pytest.param(case, id="-".join(map(str, key))) for key, case in RULES.items()])
@given(numbers=choices())
def test_every_policy_only_ever_takes_legal_actions(case: Case, numbers: Choices) -> None:
    for state, _ in walk(case.game, 3, numbers):
        legal = case.game.legal(state)
        if legal:
            for policy in case.kit.policies.values():
                weighted = policy(case.game, state)
                assert weighted
                assert all(action in legal and weight > 0 for action, weight in weighted)
                assert len({action for action, _ in weighted}) == len(weighted)
