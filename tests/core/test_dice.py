from collections import Counter
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubdice.core.dice import FACES, Hand, hands, rolls, subhands, together, ways, without

HANDS = st.lists(st.sampled_from(FACES), max_size=6).map(lambda faces: tuple(sorted(faces)))


@pytest.mark.parametrize("number", range(5))
def test_rolls_are_every_ordered_roll_sorted_and_counted(number: int) -> None:
    counted = Counter(tuple(sorted(dice)) for dice in product(FACES, repeat=number))
    assert dict(rolls(number)) == counted
    assert [hand for hand, _ in rolls(number)] == sorted(counted)


@pytest.mark.parametrize(("number", "hands"), [(0, 1), (1, 6), (2, 21), (3, 56), (4, 126), (5, 252), (6, 462)])
def test_there_are_as_many_hands_as_multisets_of_six_faces(number: int, hands: int) -> None:
    assert len(rolls(number)) == hands == comb(number + 5, 5)
    assert sum(count for _, count in rolls(number)) == 6**number


def test_ways_of_the_rarest_and_the_commonest_hand() -> None:
    assert ways((6, 6, 6, 6, 6, 6)) == 1
    assert ways((1, 2, 3, 4, 5, 6)) == 720
    assert ways((1, 4, 6, 6, 6, 6)) == 30
    assert ways(()) == 1


@given(HANDS)
def test_subhands_are_distinct_and_as_many_as_the_choices_of_each_face(hand: Hand) -> None:
    parts = subhands(hand)
    expected = 1
    for times in Counter(hand).values():
        expected *= times + 1
    assert len(set(parts)) == len(parts) == expected
    assert all(part == tuple(sorted(part)) for part in parts)
    assert list(map(len, parts)) == sorted(map(len, parts))


@given(HANDS)
def test_what_is_taken_out_and_put_back_is_the_hand(hand: Hand) -> None:
    for part in subhands(hand):
        assert together(without(hand, part), part) == hand


@pytest.mark.parametrize(("hand", "part"), [((3, 4), (5,)), ((3, 4), (3, 3)), ((), (1,))])
def test_dice_that_are_not_in_the_hand_cannot_be_taken_out(hand: Hand, part: Hand) -> None:
    with pytest.raises(ValueError, match="is not part of"):
        without(hand, part)


def test_only_one_to_six_are_faces() -> None:
    assert FACES in hands(len(FACES))
    assert not any(tuple(sorted((1, wrong))) in hands(2) for wrong in (0, 7, -1, 10))
