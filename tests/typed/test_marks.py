"""Marks: by face and by position, as PlayPalace ("Keyboard Shortcuts") describes both."""

import pytest

from pubdice.match.table import Die
from pubdice.typed import Choose, How
from pubdice.typed_dice import Keys, NoSuchDieError, choose

ROLL = tuple(Die(place, face, "free") for place, face in enumerate((3, 4, 4, 5, 1, 2)))
SECOND = (Die(0, 6, "free"), Die(1, 4, "locked"), Die(2, 3, "free"), Die(3, 5, "locked"), Die(4, 2, "free"))
"""The second and the fourth die were locked on the roll before."""


def _marks(keys: Keys, how: How, *digits: int, marks: tuple[int, ...] = (), dice: tuple[Die, ...] = ROLL) -> list[int]:
    """Places from 0, in the order marked; the digits are as people type them."""
    return list(choose(dice, marks, Choose(how, digits), keys))


def test_by_face_a_digit_marks_a_die_that_shows_it() -> None:
    assert _marks("face", "toggle", 5) == [3]
    assert _marks("face", "toggle", 1, 3) == [4, 0]


def test_by_face_the_same_digit_again_lets_it_go() -> None:
    assert _marks("face", "toggle", 5, marks=(3,)) == []
    assert _marks("face", "toggle", 5, marks=(3, 4)) == [4]


def test_by_face_a_second_die_of_that_face_is_marked_before_any_is_let_go() -> None:
    assert _marks("face", "toggle", 4) == [1]
    assert _marks("face", "toggle", 4, marks=(1,)) == [1, 2]
    assert _marks("face", "toggle", 4, marks=(1, 2)) == [1]


def test_by_face_a_digit_named_twice_in_a_line_means_two_dice() -> None:
    assert _marks("face", "toggle", 4, 4) == [1, 2]
    assert _marks("face", "toggle", 4, 4, marks=(1, 2)) == []
    assert _marks("face", "keep", 4, 4, 1) == [1, 2, 4]


def test_by_position_a_digit_is_a_place_marked_or_let_go() -> None:
    assert _marks("position", "toggle", 2) == [1]
    assert _marks("position", "toggle", 2, marks=(1,)) == []
    assert _marks("position", "toggle", 2, 6, marks=(1, 4)) == [4, 5]


@pytest.mark.parametrize("keys", ["face", "position"])
def test_a_sign_or_shift_marks_and_unmarks_without_toggling(keys: Keys) -> None:
    place = 3 if keys == "face" else 4
    assert _marks(keys, "mark", 5) == [place]
    with pytest.raises(NoSuchDieError):
        _marks(keys, "mark", 5, marks=(place,))
    assert _marks(keys, "unmark", 5, marks=(place,)) == []
    with pytest.raises(NoSuchDieError):
        _marks(keys, "unmark", 5)


def test_a_list_of_dice_to_keep_is_exact() -> None:
    assert _marks("face", "keep", 5, marks=(0, 1)) == [3]
    assert _marks("position", "keep", 5, marks=(0, 1)) == [4]
    assert _marks("face", "keep", marks=(0, 1)) == []


def test_a_list_of_dice_to_reroll_keeps_the_others() -> None:
    assert _marks("face", "reroll", 1, 4) == [0, 2, 3, 5]
    assert _marks("position", "reroll", 1, 4) == [1, 2, 4, 5]


def test_locked_dice_are_neither_named_nor_marked() -> None:
    assert _marks("face", "reroll", 6, dice=SECOND) == [2, 4]
    assert _marks("position", "reroll", 1, dice=SECOND) == [2, 4]
    for keys, digit in (("face", 4), ("face", 5), ("position", 2), ("position", 4)):
        for how in ("toggle", "mark", "keep", "reroll"):
            with pytest.raises(NoSuchDieError) as caught:
                _marks(keys, how, digit, dice=SECOND)  # type: ignore[arg-type]
            assert (caught.value.digit, caught.value.keys) == (digit, keys)


@pytest.mark.parametrize(
    ("keys", "digits"), [("face", (6,)), ("face", (5, 5)), ("face", (4, 4, 4)), ("position", (7,))]
)
def test_dice_that_are_not_there_are_refused(keys: Keys, digits: tuple[int, ...]) -> None:
    for how in ("toggle", "keep", "reroll"):
        with pytest.raises(NoSuchDieError):
            _marks(keys, how, *digits)
