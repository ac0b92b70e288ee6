"""A table with real dice: what is typed in, what is refused, and what is taken back."""

import pytest

from match.scripted_table import ROLL, ask_all, fourtwenty_table, midnight_table, refusal_of, round_of
from pubdice.core.dice import Roll
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, Seat
from pubdice.match.record import Drawn, Played, Rolled
from pubdice.match.table import (
    Draw,
    EnterDice,
    Mark,
    TakeBack,
    TakenBack,
)
from support.scripted_cup import ScriptedCup

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
