"""Dice on the table: where they fall, which are marked, named or typed in, and what is taken back."""

import pytest

from match.scripted_table import ROLL, ask_all, fourtwenty_table, midnight_table, refusal_of, round_of
from pubdice.core.dice import Roll
from pubdice.core.errors import IllegalAction, Refused
from pubdice.core.game import Keep, Seat
from pubdice.games.midnight import Midnight
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from pubdice.match.record import Drawn, Played, Rolled
from pubdice.match.table import (
    Die,
    Draw,
    EnterDice,
    Mark,
    Marked,
    RollOrBank,
    Table,
    TableState,
    TakeBack,
    TakenBack,
    Tray,
    moves,
    read_event,
    write_event,
)
from support.scripted_cup import ScriptedCup


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


TABLE = Table(Match(Midnight(), 2, Rounds(1)), ("Ann", "Bob"))
FALLEN = (3, 4, 4, 5, 1, 2)


def _rolled() -> TableState:
    return TABLE.apply(TABLE.start(), Rolled(FALLEN))


def test_the_dice_named_stay_where_they_lie_and_a_log_says_where() -> None:
    state, cup = _rolled(), ScriptedCup([(6, 6, 6, 6)])
    events = TABLE.decide(state, RollOrBank("roll", marks=(2, 3)), cup)
    assert events == (Played(Keep((4, 5)), (2, 3)), Rolled((6, 6, 6, 6)))
    texts = [write_event(TABLE, event) for event in events]
    assert texts == ["play k45 2 3", "roll 6666"]
    for text in texts:
        state = TABLE.apply(state, read_event(TABLE, text))
    assert [(die.place, die.face) for die in TABLE.view(state, state.match.order[0]) if die.status == "locked"] == [
        (2, 4),
        (3, 5),
    ]


def test_the_dice_named_count_and_not_those_marked_before() -> None:
    cup = ScriptedCup([(6,) * 5])
    (marked,) = TABLE.decide(_rolled(), Mark((0, 1)), cup)
    state = TABLE.apply(_rolled(), marked)
    played, _ = TABLE.decide(state, RollOrBank("roll", marks=(3,)), cup)
    assert played == Played(Keep((5,)), (3,))


def test_dice_marked_before_are_not_named_twice() -> None:
    cup = ScriptedCup([(6,) * 4])
    (marked,) = TABLE.decide(_rolled(), Mark((2, 3)), cup)
    played, _ = TABLE.decide(TABLE.apply(_rolled(), marked), RollOrBank("roll", marks=(2, 3)), cup)
    assert played == Played(Keep((4, 5)))


@pytest.mark.parametrize("places", [(6,), (-1,), (2, 2), (0, 99)])
def test_dice_that_do_not_lie_there_refuse_the_whole_roll(places: tuple[int, ...]) -> None:
    with pytest.raises(Refused) as error:
        TABLE.decide(_rolled(), RollOrBank("roll", marks=places), ScriptedCup())
    assert error.value.code == "not-markable"


@pytest.mark.parametrize("text", ["play k45 0 3", "play k45 2", "play k45 2 3 4", "play k44 2 2", "play k45 2 9"])
def test_a_line_whose_places_do_not_show_what_is_kept_cannot_have_happened(text: str) -> None:
    with pytest.raises(IllegalAction):
        TABLE.apply(_rolled(), read_event(TABLE, text))


def test_no_die_can_have_been_marked_while_a_roll_is_due() -> None:
    """At 420 a hand lies there between its rolls, and what was kept of it is not locked."""
    table = fourtwenty_table()
    state, _ = ask_all(table, table.start(), ROLL, ROLL, rolls=[(6, 5, 5, 1), (6, 5, 5, 1)])
    assert table.apply(state, Marked((1,))).marks == (1,)
    due = table.apply(state, Played(Keep((5, 5))))
    assert [die.face for die in table.view(due, Seat(0))] == [5, 5]
    with pytest.raises(IllegalAction) as error:
        table.apply(due, Marked((1,)))
    assert error.value.code == "not-markable"


def test_a_record_knows_no_places() -> None:
    assert moves([Rolled(FALLEN), Played(Keep((4, 5)), (2, 3))]) == [Rolled(FALLEN), Played(Keep((4, 5)))]


NOTHING = ScriptedCup()


def test_the_last_real_die_is_kept_and_scored_too_and_can_still_be_taken_back() -> None:
    table = midnight_table(dice="real")
    state, _ = ask_all(table, table.start(), EnterDice((1, 4, 6, 6, 6, 3)), Mark((0, 1, 2, 3, 4)), ROLL)
    assert table.match.to_roll(state.match) == 1
    done, events = ask_all(table, state, EnterDice((2,)))
    assert events == [Rolled((2,)), Played(Keep((2,)))]
    back, events = ask_all(table, done, TakeBack())
    assert events == [TakenBack()]
    assert (back.match, back.trays, back.seq) == (state.match, state.trays, done.seq + 1)
    again, _ = ask_all(table, back, EnterDice((5,)))
    assert round_of(again).scores == (23,)


def test_with_real_dice_the_house_never_rolls_or_draws() -> None:
    table = midnight_table(dice="real")
    assert refusal_of(table, table.start(), ROLL) == "enter-dice"
    assert refusal_of(table, table.start(), TakeBack()) == "nothing-to-take-back"
    state, events = ask_all(table, table.start(), EnterDice((3, 4, 4, 5, 1, 2)), Mark((1,)), ROLL)
    assert events == [Played(Keep((4,)))], "keeps the die; the rest are rolled on the table"
    drinks = fourtwenty_table(3, "real", first=None)
    assert refusal_of(drinks, drinks.start(), Draw()) == "name-player-one"
    state, events = ask_all(drinks, drinks.start(), Draw(Seat(2)))
    assert events == [Drawn(Seat(2))]
    assert state.mover == 2


@pytest.mark.parametrize("dice", [(1, 2, 3), (1,) * 7, (), (1, 2, 3, 4, 5, 7), (0, 1, 2, 3, 4, 5)])
def test_real_dice_that_cannot_have_fallen_are_refused(dice: Roll) -> None:
    table = midnight_table(dice="real")
    with pytest.raises(IllegalAction):
        table.decide(table.start(), EnterDice(dice), NOTHING)


def test_dice_cannot_be_entered_where_a_choice_is_due() -> None:
    table = midnight_table(dice="real")
    state, _ = ask_all(table, table.start(), EnterDice((3, 4, 4, 5, 1, 2)))
    assert refusal_of(table, state, EnterDice((3, 4, 4, 5, 1, 2))) == "no-roll"


def test_taking_back_undoes_the_marks_and_keeps_that_followed_but_only_once() -> None:
    table = midnight_table(dice="real")
    state, _ = ask_all(table, table.start(), EnterDice((3, 4, 4, 5, 1, 2)), Mark((1,)), Mark((1, 3)), ROLL)
    state, _ = ask_all(table, state, TakeBack())
    assert state.match == table.start().match
    assert state.trays == table.start().trays
    assert refusal_of(table, state, TakeBack()) == "nothing-to-take-back"


def test_the_last_dice_of_a_match_can_be_taken_back() -> None:
    table = fourtwenty_table(dice="real")
    over, _ = ask_all(table, table.start(), EnterDice((5, 5, 5, 5)))
    assert over.match.over
    assert refusal_of(table, over, EnterDice((1, 1, 1, 1))) == "match-over"
    state, _ = ask_all(table, over, TakeBack())
    assert state.mover == 0
