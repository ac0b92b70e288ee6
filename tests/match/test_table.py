from typing import Any

import pytest

import flip
import pig
from match.scripted_table import BANK, ROLL, ask_all, fourtwenty_table, midnight_table, refusal_of, round_of
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, Seat
from pubdice.match.formats import Race, Rounds
from pubdice.match.match import Match
from pubdice.match.record import Drawn, Played, Rolled
from pubdice.match.table import (
    Draw,
    EnterDice,
    Mark,
    Marked,
    PlayAction,
    RollOrBank,
    Table,
    TableEvent,
    TableState,
    TakeBack,
    TakenBack,
    moves,
    read_event,
    write_event,
)
from support.scripted_cup import ScriptedCup


def _seen(table: Table, state: TableState, seat: int) -> str:
    """Dice as ``4. 5! 6``: free, marked with a point, locked with an exclamation mark."""
    marks = {"free": "", "marked": ".", "locked": "!"}
    return " ".join(f"{die.face}{marks[die.status]}" for die in table.view(state, Seat(seat)))


def test_marks_can_be_changed_until_the_dice_are_rolled() -> None:
    table = midnight_table()
    state, _ = ask_all(table, table.start(), ROLL, rolls=[(3, 4, 4, 5, 1, 2)])
    state, events = ask_all(table, state, Mark((3, 2)))
    assert events == [Marked((3, 2))]
    assert _seen(table, state, 0) == "3 4 4. 5. 1 2"
    state, _ = ask_all(table, state, Mark((3,)))
    assert _seen(table, state, 0) == "3 4 4 5. 1 2"
    state, _ = ask_all(table, state, Mark(()))
    assert _seen(table, state, 0) == "3 4 4 5 1 2"


def test_roll_locks_the_dice_marked_and_rolls_the_rest_into_their_places() -> None:
    table = midnight_table()
    rolls = [(3, 4, 4, 5, 1, 2), (6, 3, 2, 6)]
    state, events = ask_all(table, table.start(), ROLL, Mark((2, 3)), ROLL, rolls=rolls)
    assert events == [Played(Keep((4, 5))), Rolled((6, 3, 2, 6))]
    assert _seen(table, state, 0) == "6 3 4! 5! 2 6"
    assert state.marks == ()


def test_a_locked_die_cannot_be_marked_again() -> None:
    table = midnight_table()
    state, _ = ask_all(table, table.start(), ROLL, Mark((2,)), ROLL, rolls=[(3, 4, 4, 5, 1, 2), (6, 3, 2, 6, 1)])
    assert refusal_of(table, state, Mark((2,))) == "not-markable"


@pytest.mark.parametrize("places", [(6,), (-1,), (0, 0), (0, 99)])
def test_only_dice_that_lie_there_can_be_marked_and_each_once(places: tuple[int, ...]) -> None:
    table = midnight_table()
    state, _ = ask_all(table, table.start(), ROLL, rolls=[(1, 2, 3, 4, 5, 6)])
    assert refusal_of(table, state, Mark(places)) == "not-markable"


def test_rolling_with_no_die_marked_is_refused() -> None:
    table = midnight_table()
    state, _ = ask_all(table, table.start(), ROLL, rolls=[(1, 2, 3, 4, 5, 6)])
    assert refusal_of(table, state, ROLL) == "keep-one"


@pytest.mark.parametrize("places", [(), (0,), (0, 1, 2, 3, 4)])
def test_banking_before_every_die_is_decided_is_refused(places: tuple[int, ...]) -> None:
    table = midnight_table()
    state, _ = ask_all(table, table.start(), ROLL, Mark(places), rolls=[(1, 2, 3, 4, 5, 6)])
    assert refusal_of(table, state, BANK) == "bank-early"


def test_banking_before_any_roll_is_refused() -> None:
    assert refusal_of(midnight_table(), midnight_table().start(), BANK) == "bank-before-roll"


@pytest.mark.parametrize("verb", [ROLL, BANK])
def test_with_every_die_marked_roll_and_bank_both_score_the_turn(verb: RollOrBank) -> None:
    table = midnight_table()
    state, _ = ask_all(table, table.start(), ROLL, Mark((0, 1, 2, 3, 4, 5)), rolls=[(1, 1, 4, 4, 6, 5)])
    state, events = ask_all(table, state, verb)
    assert events == [Played(Keep((1, 1, 4, 4, 5, 6)))], "and nothing is rolled for the next seat"
    assert round_of(state).scores == (16,)
    assert state.mover == 1


def test_marking_the_last_die_alone_does_not_end_the_turn() -> None:
    table = midnight_table()
    rolls = [(1, 4, 6, 6, 2, 3), (5, 5)]
    state, events = ask_all(table, table.start(), ROLL, Mark((0, 1, 2, 3)), ROLL, Mark((4, 5)), rolls=rolls)
    assert events == [Marked((4, 5))]
    assert (state.mover, round_of(state).scores) == (0, ())
    state, _ = ask_all(table, state, Mark((4,)))
    assert _seen(table, state, 0) == "1! 4! 6! 6! 5. 5"


def test_the_last_single_die_once_rolled_is_kept_and_scored_without_asking() -> None:
    table = midnight_table()
    rolls = [(1, 4, 6, 6, 6, 3), (2,)]
    state, events = ask_all(table, table.start(), ROLL, Mark((0, 1, 2, 3, 4)), ROLL, rolls=rolls)
    assert events == [Played(Keep((1, 4, 6, 6, 6))), Rolled((2,)), Played(Keep((2,)))]
    assert round_of(state).scores == (20,)


def test_a_forced_reset_is_played_by_the_table() -> None:
    table = fourtwenty_table()
    state, _ = ask_all(table, table.start(), ROLL, rolls=[(6, 6, 6, 6)])
    state, events = ask_all(table, state, ROLL, rolls=[(1, 2, 3, 4)])
    assert events == [Rolled((1, 2, 3, 4)), Played(Keep(()))]
    assert (state.mover, table.match.to_roll(state.match)) == (0, 4)
    assert _seen(table, state, 0) == ""


def test_a_hand_with_no_foundation_is_rerolled_by_the_table() -> None:
    table = fourtwenty_table()
    state, _ = ask_all(table, table.start(), ROLL, rolls=[(4, 4, 3, 2)])
    _, events = ask_all(table, state, ROLL, rolls=[(1, 2, 3, 4)])
    assert events == [Rolled((1, 2, 3, 4)), Played(Keep(()))]


def test_a_hand_with_a_choice_waits_for_it() -> None:
    table = fourtwenty_table()
    state, events = ask_all(table, table.start(), ROLL, ROLL, rolls=[(5, 4, 3, 2), (1, 2, 3, 4)])
    assert events == [Rolled((1, 2, 3, 4))]
    assert table.match.legal(state.match) == (Keep(()), Keep((5,)))


def test_dice_kept_in_420_keep_their_places_and_those_rerolled_fall_into_the_others() -> None:
    table = fourtwenty_table()
    rolls = [(6, 1, 5, 4), (5, 5, 1, 1), (3, 3)]
    state, _ = ask_all(table, table.start(), ROLL, ROLL, Mark((0, 3)), ROLL, rolls=rolls)
    assert _seen(table, state, 0) == "6 3 3 4"


def test_there_is_no_banking_in_420() -> None:
    table = fourtwenty_table()
    state, _ = ask_all(table, table.start(), ROLL, ROLL, rolls=[(5, 4, 3, 2), (1, 2, 3, 4)])
    assert refusal_of(table, state, BANK) == "no-bank"


def test_all_four_are_rolled_again_only_by_who_was_asked_whatever_is_marked() -> None:
    table = fourtwenty_table()
    state, _ = ask_all(table, table.start(), ROLL, ROLL, rolls=[(5, 4, 3, 2), (1, 2, 3, 4)])
    assert refusal_of(table, state, ROLL) == "gives-up"
    for asked in ((), (Mark((0, 1)),)):
        _, events = ask_all(table, state, *asked, RollOrBank("roll", sure=True), rolls=[(1, 1, 1, 1)])
        assert [event for event in events if not isinstance(event, Marked)][:2] == [
            Played(Keep(())),
            Rolled((1, 1, 1, 1)),
        ]


def test_who_is_sure_keeps_nothing_and_that_is_refused_where_a_die_must_be_kept() -> None:
    table = midnight_table()
    state, _ = ask_all(table, table.start(), ROLL, Mark((0,)), rolls=[(1, 2, 3, 4, 5, 6)])
    assert refusal_of(table, state, RollOrBank("roll", sure=True)) == "keep-one"


def test_dice_without_a_choice_lie_in_sight_until_the_next_roll() -> None:
    table = fourtwenty_table()
    over = (6, 6, 6, 6)
    state, _ = ask_all(table, table.start(), ROLL, rolls=[over])
    assert state.lying is None
    state, events = ask_all(table, state, ROLL, rolls=[(1, 2, 3, 4)])
    assert events[-1] == Played(Keep(()))
    assert state.lying is not None
    assert (state.lying[0], state.lying[1].faces) == (0, over)
    state, _ = ask_all(table, state, ROLL, rolls=[(1, 1, 1, 2)])
    assert state.lying is None or state.lying[0] != 0
    table = midnight_table()
    state, _ = ask_all(table, table.start(), ROLL, Mark((0, 1, 2, 3, 4)), ROLL, rolls=[(1, 2, 3, 4, 5, 6), (3,)])
    assert state.lying is not None
    assert (state.lying[0], state.lying[1].faces) == (0, (1, 2, 3, 4, 5, 3))


def test_a_die_that_the_table_played_lies_in_sight_at_a_choice_without_dice() -> None:
    """A 6 of Flip is turned over and off the table; its player then chooses by what it counts."""
    table = Table(Match(flip.Flip(), 1, Rounds(1)), ("Ann",))
    state, events = ask_all(table, table.start(), ROLL, rolls=[(6,)])
    assert events == [Rolled((6,)), Played("flip")]
    assert (table.match.legal(state.match), table.view(state, Seat(0))) == (("again", "stay"), ())
    assert state.lying is not None
    assert (state.lying[0], state.lying[1].faces) == (0, (6,))


def test_house_dice_refuse_typed_dice_a_named_player_1_and_taking_back() -> None:
    table = midnight_table()
    assert refusal_of(table, table.start(), EnterDice((1, 2, 3, 4, 5, 6))) == "house-dice"
    state, _ = ask_all(table, table.start(), ROLL, rolls=[(1, 2, 3, 4, 5, 6)])
    assert refusal_of(table, state, TakeBack()) == "rolled-is-rolled"
    drinks = fourtwenty_table(3, first=None)
    assert refusal_of(drinks, drinks.start(), Draw(Seat(1))) == "house-draws"


def test_before_player_1_is_drawn_nothing_else_goes() -> None:
    table = fourtwenty_table(3, first=None)
    for command in (ROLL, BANK, PlayAction(Keep(()))):
        assert refusal_of(table, table.start(), command) == "draw-first"
    state = table.start()
    events = table.decide(state, Draw(), ScriptedCup(draws=[2]))
    assert events == (Drawn(Seat(2)),)
    state = table.apply(state, events[0])
    assert refusal_of(table, state, Draw()) == "no-draw"


def test_nothing_can_be_marked_where_dice_must_be_rolled() -> None:
    table = midnight_table()
    assert refusal_of(table, table.start(), Mark((0,))).startswith("nothing-to-mark")


def test_when_the_match_is_over_every_command_is_refused() -> None:
    table = midnight_table(1)
    state, _ = ask_all(table, table.start(), ROLL, Mark((0, 1, 2, 3, 4, 5)), BANK, rolls=[(1, 4, 6, 6, 6, 6)])
    for command in (ROLL, BANK, Mark(()), PlayAction(Keep((1,))), Draw()):
        assert refusal_of(table, state, command) == "match-over"


def test_a_move_of_pig_holds_or_rolls_straight_on() -> None:
    match: Match[Any, Any] = Match(pig.Pig(), 2, Race())
    table = Table(match, ("Ann", "Bob"))
    rolled, _ = ask_all(table, table.start(), ROLL, rolls=[(5,)])
    for verb in (ROLL, BANK):
        assert refusal_of(table, rolled, verb) == "not-open"
    with pytest.raises(IllegalAction) as refused:
        match.choose(rolled.match, "bank", ())
    assert (refused.value.action, refused.value.facts["moves"]) == ("bank", ("roll", "hold"))
    _, events = ask_all(table, rolled, PlayAction("roll", rolls=True), rolls=[(6,)])
    assert events == [Played("roll"), Rolled((6,))]
    _, events = ask_all(table, rolled, PlayAction("roll"))
    assert events == [Played("roll")]
    state, events = ask_all(table, rolled, PlayAction("hold", rolls=True))
    assert events == [Played("hold")]
    assert round_of(state).banked == (5, 0)


def test_only_the_movers_dice_carry_marks() -> None:
    table = fourtwenty_table()
    rolls = [(6, 1, 5, 4), (5, 5, 1, 1)]
    state, _ = ask_all(table, table.start(), ROLL, ROLL, Mark((0, 2)), rolls=rolls)
    assert (_seen(table, state, 0), _seen(table, state, 1)) == ("6. 1 5. 4", "5 5 1 1")


def test_a_seat_that_is_out_has_no_dice() -> None:
    table = fourtwenty_table(3)
    state, _ = ask_all(table, table.start(), ROLL, rolls=[(5, 5, 5, 5)])
    assert state.match.tally.out == (0,)
    assert table.hands(state.match, Seat(0)) == ((), ())
    assert table.view(state, Seat(0)) == ()


def test_an_event_that_cannot_have_happened_is_refused() -> None:
    table = midnight_table()
    for event in (TakenBack(), Played(Keep((1,))), Rolled((1,)), Drawn(Seat(0))):
        with pytest.raises(IllegalAction):
            table.apply(table.start(), event)


def test_marks_that_cannot_have_been_made_are_refused() -> None:
    table = midnight_table()
    state, _ = ask_all(table, table.start(), ROLL, rolls=[(3, 4, 4, 5, 1, 2)])
    for before, places in ((table.start(), (0,)), (state, (99,)), (state, (0, 0))):
        with pytest.raises(IllegalAction):
            table.apply(before, Marked(places))


def test_a_record_forgets_marks_and_what_was_taken_back() -> None:
    first, second = Rolled((1, 4, 6, 6, 6, 3)), Rolled((2,))
    keep, forced = Played(Keep((1, 4, 6, 6, 6))), Played(Keep((2,)))
    told: list[TableEvent] = [Drawn(Seat(0)), first, Marked((0, 1)), keep, second, forced, TakenBack(), second, forced]
    assert moves(told) == [Drawn(Seat(0)), first, keep, second, forced]


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Drawn(Seat(1)), "draw 1"),
        (Rolled((3, 4, 4, 5, 1, 2)), "roll 344512"),
        (Marked((0, 3)), "mark 0 3"),
        (Marked(()), "mark"),
        (Played(Keep((4, 5))), "play k45"),
        (TakenBack(), "back"),
    ],
)
def test_events_are_written_as_one_plain_line(event: TableEvent, text: str) -> None:
    assert write_event(midnight_table(), event) == text
    assert read_event(midnight_table(), text) == event


def test_a_verb_means_what_the_marks_say_and_nothing_that_the_rules_forbid() -> None:
    table = midnight_table()
    with pytest.raises(IllegalAction):
        table.meant(table.start(), "roll")
    state, _ = ask_all(table, table.start(), ROLL, rolls=[(3, 4, 4, 5, 1, 2)])
    with pytest.raises(IllegalAction, match="keep-one"):
        table.meant(state, "roll")
    state, _ = ask_all(table, state, Mark((4, 1)))
    assert table.meant(state, "roll") == Keep((1, 4))
    with pytest.raises(IllegalAction, match="bank-early"):
        table.meant(state, "bank")
    state, _ = ask_all(table, state, Mark(tuple(range(6))))
    assert table.meant(state, "bank") == table.meant(state, "roll") == Keep((1, 2, 3, 4, 4, 5))


def test_only_who_could_keep_some_dice_may_give_all_of_them_up() -> None:
    table = fourtwenty_table()
    assert not table.may_give_up(table.start())
    state, _ = ask_all(table, table.start(), ROLL, ROLL, rolls=[(6, 5, 4, 1), (1, 1, 2, 2)])
    assert table.may_give_up(state)
    midnight = midnight_table()
    assert not midnight.may_give_up(ask_all(midnight, midnight.start(), ROLL, rolls=[(3, 4, 4, 5, 1, 2)])[0])
