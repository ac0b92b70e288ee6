"""A choice taken back: the choice comes back, and never the roll."""

import pytest

from match.scripted_table import ROLL, ask_all, midnight_table, refusal_of
from pubdice.checked_record import read_checked
from pubdice.core.cup import SeededCup
from pubdice.core.dice import Roll
from pubdice.core.errors import IllegalAction, Refused
from pubdice.core.game import Keep, Seat
from pubdice.games import GAMES
from pubdice.match.record import ChoiceTakenBack, Played, Rolled, still_to_fall
from pubdice.match.table import (
    EnterDice,
    Mark,
    RollOrBank,
    Table,
    TableEvent,
    TableState,
    TakeBack,
    TakeChoiceBack,
    TakenBack,
    moves,
    read_event,
    write_event,
)
from pubdice.text.language import Language
from support.scripted_cup import ScriptedCup

FALLEN = (3, 4, 4, 5, 1, 2)
BACK = TakeChoiceBack()


def keep(*places: int) -> RollOrBank:
    return RollOrBank("roll", places)


def chosen(*rolls: Roll) -> tuple[Table, TableState]:
    """Return a table of Midnight where Ann rolled six dice, kept a 4 and rolled the other five."""
    table = midnight_table()
    state, _ = ask_all(table, table.start(), ROLL, keep(1), rolls=[FALLEN, *rolls])
    return table, state


def test_only_the_choice_comes_back_and_the_dice_stay_as_they_fell() -> None:
    table, state = chosen((6, 3, 2, 6, 1))
    back, events = ask_all(table, state, BACK)
    assert events == [ChoiceTakenBack(2)]
    assert back.seen == (6, 3, 2, 6, 1)
    assert [die.face for die in table.view(back, Seat(0))] == list(FALLEN)
    again, events = ask_all(table, back, keep(1, 4))
    assert events == [Played(Keep((1, 4)), (1, 4)), Rolled((6, 3, 2, 6))], "no die falls twice with other faces"
    assert again.seen == (1,)


def test_a_die_that_was_not_used_falls_next_and_then_fresh_ones() -> None:
    table, state = chosen((6, 3, 2, 6, 1))
    back, _ = ask_all(table, state, BACK, keep(1, 4))
    _, events = ask_all(table, back, keep(0), rolls=[(5, 5)])
    assert events[-1] == Rolled((1, 5, 5)), "the last seen die, and two fresh ones"


def test_who_keeps_less_gets_fresh_dice_only_after_all_seen_ones() -> None:
    table = midnight_table()
    state, _ = ask_all(table, table.start(), ROLL, keep(1, 4), rolls=[FALLEN, (6, 3, 2, 6)])
    _, events = ask_all(table, state, BACK, keep(1), rolls=[(5,)])
    assert events[-1] == Rolled((6, 3, 2, 6, 5))


def test_asking_again_and_again_fishes_up_no_new_dice() -> None:
    """A cheat takes the choice back many times, and keeps other dice. All see one row of dice."""
    table, cup = midnight_table(), SeededCup("fish")
    state = table.start()
    for command in (ROLL, keep(0)):
        state = table.steps(state, command, cup)[-1][1]
    row = list[int]()
    for places in ((0,), (0, 1), (0, 1, 2), (0, 1, 2, 3, 4), (5,), (2,)) * 3:
        steps = table.steps(table.steps(state, BACK, cup)[-1][1], keep(*places), cup)
        (rolled,) = [event for event, _ in steps if isinstance(event, Rolled)]
        state = steps[-1][1]
        assert list(rolled.dice[: len(row)]) == row[: len(rolled.dice)]
        row += rolled.dice[len(row) :]
    assert len(row) == 5


def test_the_last_choice_of_a_turn_comes_back_until_the_next_player_has_rolled() -> None:
    table = midnight_table(2)
    state, _ = ask_all(table, table.start(), ROLL, keep(0, 1, 2, 3, 4), rolls=[FALLEN, (2,)])
    assert state.mover == 1
    back, _ = ask_all(table, state, BACK)
    assert back.mover == 0
    again, events = ask_all(table, back, keep(0, 1, 2, 3, 5))
    assert Rolled((2,)) in events
    assert (again.mover, again.seen) == (1, ())
    rolled, _ = ask_all(table, again, ROLL, rolls=[(1, 1, 1, 1, 1, 1)])
    assert refusal_of(table, rolled, BACK) == "rolled-is-rolled"


def test_dice_left_over_do_not_fall_for_the_next_player() -> None:
    table = midnight_table(2)
    state, _ = ask_all(table, table.start(), ROLL, keep(0), rolls=[FALLEN, (6, 3, 2, 6, 1)])
    state, _ = ask_all(table, state, BACK, keep(0, 1, 2, 3, 4, 5))
    assert (state.mover, state.seen) == (1, ())


def test_only_one_choice_comes_back_at_a_time() -> None:
    table, state = chosen((6, 3, 2, 6, 1))
    state, _ = ask_all(table, state, keep(0), BACK, rolls=[(1, 1, 1, 1)])
    assert state.choice is None
    assert refusal_of(table, state, BACK) == "rolled-is-rolled"


def test_with_sealed_dice_no_choice_comes_back() -> None:
    table = midnight_table(dice="sealed")
    state, _ = ask_all(table, table.start(), ROLL, keep(1), rolls=[FALLEN, (6, 3, 2, 6, 1)])
    assert refusal_of(table, state, BACK) == "rolled-is-rolled"
    with pytest.raises(IllegalAction, match="nothing-to-take-back"):
        table.apply(state, ChoiceTakenBack(2))


def test_with_real_dice_the_choice_comes_back_then_the_dice_and_all_of_it_is_put_right() -> None:
    table = midnight_table(dice="real")
    state, _ = ask_all(table, table.start(), EnterDice(FALLEN), Mark((1,)), ROLL)
    back, _ = ask_all(table, state, BACK)
    assert not table.enters_dice(back)
    right, events = ask_all(table, back, TakeBack(), EnterDice((3, 4, 4, 5, 1, 1)))
    assert right.match.number == 1
    told: list[TableEvent] = [Rolled(FALLEN), Played(Keep((4,))), ChoiceTakenBack(1), TakenBack(), *events]
    assert moves(told) == [Rolled((3, 4, 4, 5, 1, 1))]


def test_with_real_dice_other_faces_than_those_seen_are_refused() -> None:
    table = midnight_table(dice="real")
    state, _ = ask_all(table, table.start(), EnterDice(FALLEN), Mark((1,)), ROLL, EnterDice((6, 3, 2, 6, 1)))
    state, _ = ask_all(table, state, BACK, Mark((1, 4)), ROLL)
    with pytest.raises(IllegalAction, match="dice-seen"):
        table.decide(state, EnterDice((6, 6, 6, 6)), ScriptedCup())
    ask_all(table, state, EnterDice((6, 3, 2, 6)))


def test_the_log_says_how_many_moves_came_back() -> None:
    table = midnight_table()
    assert write_event(table, ChoiceTakenBack(2)) == "unplay 2"
    assert read_event(table, "unplay 2") == ChoiceTakenBack(2)
    _, state = chosen((6, 3, 2, 6, 1))
    for moves_ in (0, 1, 3):
        with pytest.raises(IllegalAction, match="nothing-to-take-back"):
            table.apply(state, ChoiceTakenBack(moves_))


RECORD = """pubdice 1
game: midnight
seats: Ann, Bob
format: rounds 1

round 1
Ann: 344512 k4 63261
back Ann
Ann: k14 6326 k66 15 k5
"""


def test_a_record_says_it_in_a_line_and_replays_what_counts() -> None:
    checked = read_checked(RECORD, GAMES, Language())
    told = [step.move for step in checked.steps][:4]
    assert told == [Rolled(FALLEN), Played(Keep((1, 4))), Rolled((6, 3, 2, 6)), Played(Keep((6, 6)))]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (RECORD.replace("6326 k66 15", "6325 k5"), "dice-seen"),
        (RECORD.replace("k66 15", "k66 55"), "dice-seen"),
        (RECORD.replace("back Ann", "back Bob"), "back"),
        (RECORD.replace("back Ann", "back Ann\nback Ann"), "back"),
        (RECORD.replace(" k4 63261", ""), "back"),
        (f"{RECORD[:-1]} 1\nBob: 344512 k344512\nback Bob\nBob: k344512\n", "match-over"),
    ],
)
def test_a_record_that_fishes_for_dice_is_refused(wrong: str, code: str) -> None:
    with pytest.raises(IllegalAction) as error:
        read_checked(wrong, GAMES, Language())
    assert error.value.code == code
    assert error.value.place is not None


def test_seen_dice_are_used_in_order() -> None:
    assert still_to_fall((), (1, 2)) == ()
    with pytest.raises(IllegalAction, match="dice-seen"):
        still_to_fall((6, 3), (3, 6))
    with pytest.raises(Refused):
        midnight_table().decide(midnight_table().start(), BACK, ScriptedCup())
