import pytest

from pubdice.match.table import Die, Tray


def test_dice_fall_into_the_empty_places_in_order_and_the_others_stay() -> None:
    tray = Tray().rolled((3, 4, 4, 5, 1, 2)).keep((4, 5), (), ())
    assert tray.faces == (None, 4, None, 5, None, None)
    again = tray.rolled((6, 3, 2, 6))
    assert again.faces == (6, 4, 3, 5, 2, 6)
    assert again.kept == {1, 3}


def test_the_die_a_person_marked_is_kept_though_another_shows_the_same_face() -> None:
    tray = Tray().rolled((3, 4, 4, 5, 1, 2))
    assert tray.keep((4, 5), (), (3, 2)).faces == (None, None, 4, 5, None, None)
    assert tray.keep((4, 5), (), (2,)).faces == (None, 4, None, 5, None, None), (
        "marks that show another hand do not count"
    )


def test_locked_dice_stay_locked_and_are_not_found_again() -> None:
    tray = Tray().rolled((4, 1, 4, 6, 6, 6)).keep((4,), (), ()).rolled((2, 4, 6, 6, 6))
    assert tray.faces == (4, 2, 4, 6, 6, 6)
    again = tray.keep((4,), (4,), ())
    assert again.faces == (4, None, 4, None, None, None)
    assert again.kept == {0, 2}
    assert tray.free((4,)) == (1, 2, 3, 4, 5)


def test_where_nothing_is_locked_every_die_may_be_chosen_again() -> None:
    tray = Tray().rolled((6, 5, 5, 1)).keep((5, 5, 6), (), ()).rolled((2,))
    assert tray.free(()) == (0, 1, 2, 3)
    assert tray.keep((5,), (), ()).faces == (None, 5, None, None)


def test_of_the_dice_that_stayed_some_may_be_final_and_others_chosen_again() -> None:
    """Ship with the cargo one by one: 6 5 4 are final, the 6 beside them was only held."""
    tray = Tray().rolled((2, 6, 5, 4, 6)).keep((4, 5, 6, 6), (), ())
    assert [die.status for die in tray.dice((4, 5, 6))] == ["locked", "locked", "locked", "free"]
    again = tray.rolled((3,))
    assert again.free((4, 5, 6)) == (0, 4)
    assert again.keep((3,), (4, 5, 6), ()).faces == (3, 6, 5, 4, None)


def test_of_equal_dice_that_stayed_the_one_that_was_final_before_stays_so() -> None:
    tray = Tray().rolled((2, 3, 6, 5, 4)).keep((4, 5, 6), (), ()).rolled((6, 1)).keep((6,), (4, 5, 6), ())
    assert [die.status for die in tray.dice((4, 5, 6))] == ["free", "locked", "locked", "locked"]
    assert tray.rolled((2,)).keep((), (4, 5, 6), ()).faces == (None, None, 6, 5, 4)


def test_a_full_set_of_new_dice_begins_a_new_tray() -> None:
    tray = Tray().rolled((1, 2, 3, 4)).keep((3, 4), (), ()).rolled((6, 6))
    assert tray.rolled((5, 5, 5, 5)) == Tray((5, 5, 5, 5))


def test_where_a_turn_adds_dice_they_fall_beside_those_that_lie_there_and_all_are_locked() -> None:
    opened = Tray().rolled((6, 2))
    assert [die.status for die in opened.dice((2, 6))] == ["locked", "locked"]
    drawn = opened.keep((), (2, 6), ())
    assert drawn.faces == (6, 2)
    third = drawn.rolled((4,), (2, 6))
    assert third.dice((2, 4, 6)) == (Die(0, 6, "locked"), Die(1, 2, "locked"), Die(2, 4, "locked"))
    fourth = third.keep((), (2, 4, 6), ()).rolled((2,), (2, 4, 6))
    assert fourth.faces == (6, 2, 4, 2)
    assert fourth.free((2, 2, 4, 6)) == ()


def test_more_or_fewer_dice_than_are_in_the_cup_leave_the_locked_ones_where_they_lie() -> None:
    tray = Tray().rolled((6, 3)).keep((6,), (), ())
    assert tray.rolled((4, 5), (6,)).faces == (6, 4, 5)
    wide = Tray().rolled((6, 3, 2)).keep((6,), (), ())
    assert wide.rolled((4,), (6,)).faces == (6, 4, None)
    assert wide.rolled((4,), (6,)).dice((6,)) == (Die(0, 6, "locked"), Die(1, 4, "free"))


def test_dice_that_the_rules_no_longer_see_make_way_for_a_new_set() -> None:
    tray = Tray().rolled((6, 2)).keep((), (2, 6), ())
    assert tray.rolled((4,)).faces == (4,)


def test_keeping_none_puts_every_die_in_the_cup() -> None:
    tray = Tray().rolled((6, 6, 6, 6)).keep((), (), ())
    assert tray.faces == (None, None, None, None)
    assert tray.dice(()) == ()
    assert tray.rolled((1, 2, 3, 4)).faces == (1, 2, 3, 4)


def test_dice_are_seen_with_place_face_and_status() -> None:
    tray = Tray().rolled((4, 1, 6)).keep((4,), (), ()).rolled((5, 2))
    assert tray.dice((4,), (2,)) == (Die(0, 4, "locked"), Die(1, 5, "free"), Die(2, 2, "marked"))


def test_a_hand_is_found_left_to_right_but_not_at_the_places_named() -> None:
    tray = Tray((4, 6, 4, 4))
    assert tray.find((4, 4), frozenset()) == (0, 2)
    assert tray.find((4, 4), frozenset({0})) == (2, 3)
    assert tray.shows((1, 0)) == (4, 6)
    with pytest.raises(ValueError, match="does not show"):
        tray.find((5,), frozenset())
