from collections.abc import Sequence
from typing import Any

import pytest

import pig
from pubdice.cup import ScriptedCup
from pubdice.dice import Roll
from pubdice.formats import Drinks, Race, Rounds
from pubdice.game import IllegalAction, Keep, Seat
from pubdice.games.fourtwenty import FourTwenty
from pubdice.games.midnight import Midnight
from pubdice.match import Match
from pubdice.record import Drawn, Played, Rolled
from pubdice.table import (
    Act,
    Command,
    Dice,
    Do,
    Draw,
    Enter,
    Event,
    Mark,
    Marked,
    Refused,
    Table,
    TableState,
    TakeBack,
    TakenBack,
    moves,
    read_event,
    write_event,
)

FIRST = Seat(0)
ROLL, BANK = Do("roll"), Do("bank")
NOTHING = ScriptedCup()


def _midnight(seats: int = 2, dice: Dice = "house", rounds: int = 1) -> Table:
    return Table(Match(Midnight(), seats, Rounds(rounds)), ("Ann", "Bob", "Cid")[:seats], dice)


def _fourtwenty(seats: int = 2, dice: Dice = "house", first: Seat | None = FIRST) -> Table:
    form = Race() if seats == 2 else Drinks()
    return Table(Match(FourTwenty(), seats, form, first=first), ("Red", "Blue", "Green")[:seats], dice)


def _ask(
    table: Table, state: TableState, *commands: Command, rolls: Sequence[Roll] = ()
) -> tuple[TableState, list[Event]]:
    """What becomes of the table, and the events of the last command."""
    cup, events = ScriptedCup(rolls), list[Event]()
    for command in commands:
        events = list(table.decide(state, command, cup))
        for event in events:
            state = table.apply(state, event)
    return state, events


def _refused(table: Table, state: TableState, command: Command) -> str:
    """The code of a refusal, which must change nothing."""
    before = repr(state)
    with pytest.raises((Refused, IllegalAction)) as error:
        table.decide(state, command, ScriptedCup([(1, 2, 3, 4, 5, 6)]))
    assert repr(state) == before
    return str(getattr(error.value, "code", None) or getattr(error.value, "rule", None))


def _round(state: TableState) -> Any:
    assert state.match.round is not None
    return state.match.round


def _seen(table: Table, state: TableState, seat: int) -> str:
    """Dice as ``4. 5! 6``: free, marked with a point, locked with an exclamation mark."""
    marks = {"free": "", "marked": ".", "locked": "!"}
    return " ".join(f"{die.face}{marks[die.status]}" for die in table.view(state, Seat(seat)))


def test_marks_can_be_changed_until_the_dice_are_rolled() -> None:
    table = _midnight()
    state, _ = _ask(table, table.start(), ROLL, rolls=[(3, 4, 4, 5, 1, 2)])
    state, events = _ask(table, state, Mark((3, 2)))
    assert events == [Marked((3, 2))]
    assert _seen(table, state, 0) == "3 4 4. 5. 1 2"
    state, _ = _ask(table, state, Mark((3,)))
    assert _seen(table, state, 0) == "3 4 4 5. 1 2"
    state, _ = _ask(table, state, Mark(()))
    assert _seen(table, state, 0) == "3 4 4 5 1 2"


def test_roll_locks_the_dice_marked_and_rolls_the_rest_into_their_places() -> None:
    table = _midnight()
    rolls = [(3, 4, 4, 5, 1, 2), (6, 3, 2, 6)]
    state, events = _ask(table, table.start(), ROLL, Mark((2, 3)), ROLL, rolls=rolls)
    assert events == [Played(Keep((4, 5))), Rolled((6, 3, 2, 6))]
    assert _seen(table, state, 0) == "6 3 4! 5! 2 6"
    assert state.marks == ()


def test_a_locked_die_cannot_be_marked_again() -> None:
    table = _midnight()
    state, _ = _ask(table, table.start(), ROLL, Mark((2,)), ROLL, rolls=[(3, 4, 4, 5, 1, 2), (6, 3, 2, 6, 1)])
    assert _refused(table, state, Mark((2,))) == "not-markable"


@pytest.mark.parametrize("places", [(6,), (-1,), (0, 0), (0, 99)])
def test_only_dice_that_lie_there_can_be_marked_and_each_once(places: tuple[int, ...]) -> None:
    table = _midnight()
    state, _ = _ask(table, table.start(), ROLL, rolls=[(1, 2, 3, 4, 5, 6)])
    assert _refused(table, state, Mark(places)) == "not-markable"


def test_rolling_with_no_die_marked_is_refused() -> None:
    table = _midnight()
    state, _ = _ask(table, table.start(), ROLL, rolls=[(1, 2, 3, 4, 5, 6)])
    assert _refused(table, state, ROLL) == "keep-one"


@pytest.mark.parametrize("places", [(), (0,), (0, 1, 2, 3, 4)])
def test_banking_before_every_die_is_decided_is_refused(places: tuple[int, ...]) -> None:
    table = _midnight()
    state, _ = _ask(table, table.start(), ROLL, Mark(places), rolls=[(1, 2, 3, 4, 5, 6)])
    assert _refused(table, state, BANK) == "bank-early"


def test_banking_before_any_roll_is_refused() -> None:
    assert _refused(_midnight(), _midnight().start(), BANK) == "bank-before-roll"


@pytest.mark.parametrize("verb", [ROLL, BANK])
def test_with_every_die_marked_roll_and_bank_both_score_the_turn(verb: Do) -> None:
    table = _midnight()
    state, _ = _ask(table, table.start(), ROLL, Mark((0, 1, 2, 3, 4, 5)), rolls=[(1, 1, 4, 4, 6, 5)])
    state, events = _ask(table, state, verb)
    assert events == [Played(Keep((1, 1, 4, 4, 5, 6)))], "and nothing is rolled for the next seat"
    assert _round(state).scores == (16,)
    assert table.mover(state) == 1


def test_marking_the_last_die_alone_does_not_end_the_turn() -> None:
    table = _midnight()
    rolls = [(1, 4, 6, 6, 2, 3), (5, 5)]
    state, events = _ask(table, table.start(), ROLL, Mark((0, 1, 2, 3)), ROLL, Mark((4, 5)), rolls=rolls)
    assert events == [Marked((4, 5))]
    assert (table.mover(state), _round(state).scores) == (0, ())
    state, _ = _ask(table, state, Mark((4,)))
    assert _seen(table, state, 0) == "1! 4! 6! 6! 5. 5"


def test_the_last_single_die_once_rolled_is_kept_and_scored_without_asking() -> None:
    table = _midnight()
    rolls = [(1, 4, 6, 6, 6, 3), (2,)]
    state, events = _ask(table, table.start(), ROLL, Mark((0, 1, 2, 3, 4)), ROLL, rolls=rolls)
    assert events == [Played(Keep((1, 4, 6, 6, 6))), Rolled((2,)), Played(Keep((2,)))]
    assert _round(state).scores == (20,)


def test_the_last_real_die_is_kept_and_scored_too_and_can_still_be_taken_back() -> None:
    table = _midnight(dice="real")
    state, _ = _ask(table, table.start(), Enter((1, 4, 6, 6, 6, 3)), Mark((0, 1, 2, 3, 4)), ROLL)
    assert table.match.to_roll(state.match) == 1
    done, events = _ask(table, state, Enter((2,)))
    assert events == [Rolled((2,)), Played(Keep((2,)))]
    back, events = _ask(table, done, TakeBack())
    assert events == [TakenBack()]
    assert (back.match, back.trays, back.seq) == (state.match, state.trays, done.seq + 1)
    again, _ = _ask(table, back, Enter((5,)))
    assert _round(again).scores == (23,)


def test_a_forced_reset_is_played_by_the_table() -> None:
    table = _fourtwenty()
    state, _ = _ask(table, table.start(), ROLL, rolls=[(6, 6, 6, 6)])
    state, events = _ask(table, state, ROLL, rolls=[(1, 2, 3, 4)])
    assert events == [Rolled((1, 2, 3, 4)), Played(Keep(()))]
    assert (table.mover(state), table.match.to_roll(state.match)) == (0, 4)
    assert _seen(table, state, 0) == ""


def test_a_hand_with_no_foundation_is_rerolled_by_the_table() -> None:
    table = _fourtwenty()
    state, _ = _ask(table, table.start(), ROLL, rolls=[(4, 4, 3, 2)])
    _, events = _ask(table, state, ROLL, rolls=[(1, 2, 3, 4)])
    assert events == [Rolled((1, 2, 3, 4)), Played(Keep(()))]


def test_a_hand_with_a_choice_waits_for_it() -> None:
    table = _fourtwenty()
    state, events = _ask(table, table.start(), ROLL, ROLL, rolls=[(5, 4, 3, 2), (1, 2, 3, 4)])
    assert events == [Rolled((1, 2, 3, 4))]
    assert table.match.legal(state.match) == (Keep(()), Keep((5,)))


def test_dice_kept_in_420_keep_their_places_and_those_rerolled_fall_into_the_others() -> None:
    table = _fourtwenty()
    rolls = [(6, 1, 5, 4), (5, 5, 1, 1), (3, 3)]
    state, _ = _ask(table, table.start(), ROLL, ROLL, Mark((0, 3)), ROLL, rolls=rolls)
    assert _seen(table, state, 0) == "6 3 3 4"


def test_there_is_no_banking_in_420() -> None:
    table = _fourtwenty()
    state, _ = _ask(table, table.start(), ROLL, ROLL, rolls=[(5, 4, 3, 2), (1, 2, 3, 4)])
    assert _refused(table, state, BANK) == "no-bank"


def test_all_four_are_rolled_again_only_by_who_was_asked_whatever_is_marked() -> None:
    table = _fourtwenty()
    state, _ = _ask(table, table.start(), ROLL, ROLL, rolls=[(5, 4, 3, 2), (1, 2, 3, 4)])
    assert _refused(table, state, ROLL) == "gives-up"
    for asked in ((), (Mark((0, 1)),)):
        _, events = _ask(table, state, *asked, Do("roll", sure=True), rolls=[(1, 1, 1, 1)])
        assert [event for event in events if not isinstance(event, Marked)][:2] == [
            Played(Keep(())),
            Rolled((1, 1, 1, 1)),
        ]


def test_who_is_sure_keeps_nothing_and_that_is_refused_where_a_die_must_be_kept() -> None:
    table = _midnight()
    state, _ = _ask(table, table.start(), ROLL, Mark((0,)), rolls=[(1, 2, 3, 4, 5, 6)])
    assert _refused(table, state, Do("roll", sure=True)) == "keep-one"


def test_dice_without_a_choice_lie_in_sight_until_the_next_roll() -> None:
    table = _fourtwenty()
    over = (6, 6, 6, 6)
    state, _ = _ask(table, table.start(), ROLL, rolls=[over])
    assert state.lying is None
    state, events = _ask(table, state, ROLL, rolls=[(1, 2, 3, 4)])
    assert events[-1] == Played(Keep(()))
    assert state.lying is not None
    assert (state.lying[0], state.lying[1].faces) == (0, over)
    state, _ = _ask(table, state, ROLL, rolls=[(1, 1, 1, 2)])
    assert state.lying is None or state.lying[0] != 0
    table = _midnight()
    state, _ = _ask(table, table.start(), ROLL, Mark((0, 1, 2, 3, 4)), ROLL, rolls=[(1, 2, 3, 4, 5, 6), (3,)])
    assert state.lying is not None
    assert (state.lying[0], state.lying[1].faces) == (0, (1, 2, 3, 4, 5, 3))


def test_house_dice_refuse_typed_dice_a_named_player_1_and_taking_back() -> None:
    table = _midnight()
    assert _refused(table, table.start(), Enter((1, 2, 3, 4, 5, 6))) == "house-dice"
    state, _ = _ask(table, table.start(), ROLL, rolls=[(1, 2, 3, 4, 5, 6)])
    assert _refused(table, state, TakeBack()) == "rolled-is-rolled"
    drinks = _fourtwenty(3, first=None)
    assert _refused(drinks, drinks.start(), Draw(Seat(1))) == "house-draws"


def test_with_real_dice_the_house_never_rolls_or_draws() -> None:
    table = _midnight(dice="real")
    assert _refused(table, table.start(), ROLL) == "enter-dice"
    assert _refused(table, table.start(), TakeBack()) == "nothing-to-take-back"
    state, events = _ask(table, table.start(), Enter((3, 4, 4, 5, 1, 2)), Mark((1,)), ROLL)
    assert events == [Played(Keep((4,)))], "keeps the die; the rest are rolled on the table"
    drinks = _fourtwenty(3, "real", first=None)
    assert _refused(drinks, drinks.start(), Draw()) == "name-player-one"
    state, events = _ask(drinks, drinks.start(), Draw(Seat(2)))
    assert events == [Drawn(Seat(2))]
    assert drinks.mover(state) == 2


@pytest.mark.parametrize("dice", [(1, 2, 3), (1,) * 7, (), (1, 2, 3, 4, 5, 7), (0, 1, 2, 3, 4, 5)])
def test_real_dice_that_cannot_have_fallen_are_refused(dice: Roll) -> None:
    table = _midnight(dice="real")
    with pytest.raises(IllegalAction):
        table.decide(table.start(), Enter(dice), NOTHING)


def test_dice_cannot_be_entered_where_a_choice_is_due() -> None:
    table = _midnight(dice="real")
    state, _ = _ask(table, table.start(), Enter((3, 4, 4, 5, 1, 2)))
    assert _refused(table, state, Enter((3, 4, 4, 5, 1, 2))) == "no-roll"


def test_taking_back_undoes_the_marks_and_keeps_that_followed_but_only_once() -> None:
    table = _midnight(dice="real")
    state, _ = _ask(table, table.start(), Enter((3, 4, 4, 5, 1, 2)), Mark((1,)), Mark((1, 3)), ROLL)
    state, _ = _ask(table, state, TakeBack())
    assert state.match == table.start().match
    assert state.trays == table.start().trays
    assert _refused(table, state, TakeBack()) == "nothing-to-take-back"


def test_the_last_dice_of_a_match_can_be_taken_back() -> None:
    table = _fourtwenty(dice="real")
    over, _ = _ask(table, table.start(), Enter((5, 5, 5, 5)))
    assert over.match.over
    assert _refused(table, over, Enter((1, 1, 1, 1))) == "match-over"
    state, _ = _ask(table, over, TakeBack())
    assert table.mover(state) == 0


def test_before_player_1_is_drawn_nothing_else_goes() -> None:
    table = _fourtwenty(3, first=None)
    for command in (ROLL, BANK, Act(Keep(()))):
        assert _refused(table, table.start(), command) == "draw-first"
    state = table.start()
    events = table.decide(state, Draw(), ScriptedCup(draws=[2]))
    assert events == (Drawn(Seat(2)),)
    state = table.apply(state, events[0])
    assert _refused(table, state, Draw()) == "no-draw"


def test_nothing_can_be_marked_where_dice_are_to_be_rolled() -> None:
    table = _midnight()
    assert _refused(table, table.start(), Mark((0,))).startswith("nothing-to-mark")


def test_when_the_match_is_over_every_command_is_refused() -> None:
    table = _midnight(1)
    state, _ = _ask(table, table.start(), ROLL, Mark((0, 1, 2, 3, 4, 5)), BANK, rolls=[(1, 4, 6, 6, 6, 6)])
    for command in (ROLL, BANK, Mark(()), Act(Keep((1,))), Draw()):
        assert _refused(table, state, command) == "match-over"


def test_banking_in_pig_holds_and_rolling_rolls_on() -> None:
    match: Match[Any, Any] = Match(pig.Pig(), 2, Race())
    table = Table(match, ("Ann", "Bob"))
    _, events = _ask(table, table.start(), ROLL, ROLL, rolls=[(5,), (6,)])
    assert events == [Played("roll"), Rolled((6,))]
    state, events = _ask(table, table.start(), ROLL, BANK, rolls=[(5,)])
    assert events == [Played("hold")]
    assert _round(state).banked == (5, 0)


def test_only_the_movers_dice_carry_marks() -> None:
    table = _fourtwenty()
    rolls = [(6, 1, 5, 4), (5, 5, 1, 1)]
    state, _ = _ask(table, table.start(), ROLL, ROLL, Mark((0, 2)), rolls=rolls)
    assert (_seen(table, state, 0), _seen(table, state, 1)) == ("6. 1 5. 4", "5 5 1 1")


def test_a_seat_that_is_out_has_no_dice() -> None:
    table = _fourtwenty(3)
    state, _ = _ask(table, table.start(), ROLL, rolls=[(5, 5, 5, 5)])
    assert state.match.tally.out == (0,)
    assert table.hands(state, Seat(0)) == ((), ())
    assert table.view(state, Seat(0)) == ()


def test_an_event_that_cannot_have_happened_is_refused() -> None:
    table = _midnight()
    for event in (TakenBack(), Played(Keep((1,))), Rolled((1,)), Drawn(Seat(0))):
        with pytest.raises(IllegalAction):
            table.apply(table.start(), event)


def test_marks_that_cannot_have_been_made_are_refused() -> None:
    table = _midnight()
    state, _ = _ask(table, table.start(), ROLL, rolls=[(3, 4, 4, 5, 1, 2)])
    for before, places in ((table.start(), (0,)), (state, (99,)), (state, (0, 0))):
        with pytest.raises(IllegalAction):
            table.apply(before, Marked(places))


def test_a_record_forgets_marks_and_what_was_taken_back() -> None:
    first, second = Rolled((1, 4, 6, 6, 6, 3)), Rolled((2,))
    keep, forced = Played(Keep((1, 4, 6, 6, 6))), Played(Keep((2,)))
    told: list[Event] = [Drawn(Seat(0)), first, Marked((0, 1)), keep, second, forced, TakenBack(), second, forced]
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
def test_events_are_written_as_one_plain_line(event: Event, text: str) -> None:
    assert write_event(_midnight(), event) == text
    assert read_event(_midnight(), text) == event
