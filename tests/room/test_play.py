"""The match itself: who may mark, roll and bank, who may enter real dice, and what only a bot does."""

from typing import Any

import pytest

from pubdice.core.errors import Refused
from pubdice.core.game import Keep, Seat
from pubdice.match.record import Drawn, Played, Rolled
from pubdice.match.table import Marked, TakenBack
from pubdice.room import commands as ask
from room.scripted_room import Evening, evening, moved, over, played

DICE = (1, 4, 4, 6, 6, 6)


def _midnight(*people: str, **more: Any) -> Evening:
    return played(*people, game="midnight", rules={"format": "rounds 1"}, **more)


@pytest.mark.parametrize("command", [ask.RollOrBank("roll"), ask.RollOrBank("bank", (0,)), ask.Mark((0,))], ids=str)
def test_before_the_match_nobody_plays(command: ask.Command) -> None:
    table = evening("pig", 3)
    table.sit("ann")
    assert table.refused("ann", command) == "not-started"


@pytest.mark.parametrize("command", [ask.EnterDice((1,)), ask.Draw(), ask.TakeBack()], ids=str)
def test_before_the_match_no_real_dice_are_entered(command: ask.Command) -> None:
    table = evening("pig", 3, dice="real")
    table.sit("ann")
    assert table.refused("ann", command) == "not-started"


@pytest.mark.parametrize("command", [ask.RollOrBank("roll"), ask.RollOrBank("bank"), ask.Mark(())], ids=str)
def test_a_player_who_is_not_the_mover_plays_nothing(command: ask.Command) -> None:
    table = _midnight("ann", "bob")
    table.roll("ann", DICE)
    why = table.refusal("bob", command)
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("not-your-turn", {"name": "Ann"})


def test_when_the_match_is_over_nobody_plays() -> None:
    table = over("ann", "bob")
    for command in (ask.RollOrBank("roll"), ask.RollOrBank("bank"), ask.Mark(()), ask.Draw()):
        assert table.refused("bob", command) == "match-over"
    assert table.refused("bob", ask.EnterDice((1,))) == "match-over"
    assert table.refused(None, ask.Bot()) == "match-over"


def test_marks_can_be_made_apart_and_rolled_with() -> None:
    table = _midnight("ann", "bob")
    table.roll("ann", DICE)
    assert moved(table.ask("ann", ask.Mark((0, 1)))) == [Marked((0, 1))]
    events = table.ask("ann", ask.RollOrBank("roll"), [(2, 2, 2, 2)])
    assert moved(events) == [Played(Keep((1, 4))), Rolled((2, 2, 2, 2))]


def test_a_roll_carries_the_marks_the_player_sees() -> None:
    table = _midnight("ann", "bob")
    table.roll("ann", DICE)
    table.ask("ann", ask.Mark((5,)))
    events = table.ask("ann", ask.RollOrBank("roll", (1, 0)), [(2, 2, 2, 2)])
    assert moved(events) == [Played(Keep((1, 4)), (1, 0)), Rolled((2, 2, 2, 2))]
    table = _midnight("ann", "bob")
    table.roll("ann", DICE)
    table.ask("ann", ask.Mark((0, 1)))
    events = table.ask("ann", ask.RollOrBank("roll", (0, 1)), [(2, 2, 2, 2)])
    assert moved(events) == [Played(Keep((1, 4))), Rolled((2, 2, 2, 2))], "they lie there"


def test_marks_that_cannot_be_refuse_the_whole_roll() -> None:
    table = _midnight("ann", "bob")
    table.roll("ann", DICE)
    for marks in ((6,), (0, 0), (-1,), (10**9,)):
        assert table.refused("ann", ask.RollOrBank("roll", marks)) == "not-markable"
    assert table.refused("ann", ask.RollOrBank("roll", ())) == "keep-one"
    assert table.refused("ann", ask.RollOrBank("bank", (0,))) == "bank-early"
    assert table.play.marks == ()


def test_marks_with_a_roll_that_is_due_mean_nothing() -> None:
    assert moved(_midnight("ann", "bob").ask("ann", ask.RollOrBank("roll", (3, 3)), [DICE])) == [Rolled(DICE)]


def test_rolls_are_counted_and_whose_the_last_was_is_known() -> None:
    table = _midnight("ann", "bob")
    table.roll("ann", DICE)
    assert (table.state.rolls, table.state.rolled) == (1, 0)
    table.ask("ann", ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    table.roll("bob", DICE)
    assert (table.state.rolls, table.state.rolled) == (2, 1)


def test_a_turn_begins_when_play_passes() -> None:
    table = played("ann", "bob")
    table.wait(5)
    table.roll("ann", (5,))
    assert table.state.turn_at == table.now - 5000
    table.wait(5)
    table.ask("ann", ask.PlayAction("hold"))
    assert table.state.turn_at == table.now


# bots


def test_a_bot_rolls_and_takes_the_action_it_has_chosen() -> None:
    table = played("ann", bots=["tip"])
    table.roll("ann", (1,))
    assert moved(table.ask(None, ask.Bot(), [(6,)])) == [Rolled((6,))]
    assert moved(table.ask(None, ask.Bot("hold"))) == [Played("hold")]


def test_no_bot_plays_where_a_person_is_to_move() -> None:
    table = played("ann", bots=["tip"])
    assert table.refused(None, ask.Bot()) == "no-bot-plays"
    assert evening("pig", 3, "tip").refused(None, ask.Bot()) == "not-started"


def test_what_a_bot_thought_of_before_things_changed_is_refused() -> None:
    table = played("ann", bots=["tip"])
    table.roll("ann", (1,))
    assert table.refused(None, ask.Bot("hold")) == "no-choice"


def test_until_player_1_is_named_no_bot_plays_and_nobody_rolls() -> None:
    table = played("ann", "bob", game="420", bots=["tip"], dice="real")
    assert table.refused(None, ask.Bot()) == "no-bot-plays"
    for command in (ask.RollOrBank("roll"), ask.Mark(()), ask.EnterDice((1, 2, 3, 4))):
        assert table.refused("ann", command) == "draw-first"


# house dice


def test_at_a_table_with_house_dice_nothing_is_entered_drawn_or_taken_back() -> None:
    table = played("ann", "bob")
    assert table.refused("ann", ask.EnterDice((6,))) == "house-dice"
    assert table.refused("ann", ask.Draw()) == "no-draw"
    assert table.refused("ann", ask.TakeBack()) == "rolled-is-rolled"
    table = evening("420", 3)
    table.sit("ann", "bob")
    assert table.refused("ann", ask.Draw(Seat(0))) == "not-started"


# real dice


def test_anybody_with_a_seat_enters_real_dice_for_the_mover() -> None:
    table = played("ann", "bob", bots=["tip"], dice="real")
    assert moved(table.ask("bob", ask.EnterDice((4,)))) == [Rolled((4,))]
    assert table.state.rolled == 0
    table.ask("ann", ask.PlayAction("hold"))
    table.ask("ann", ask.EnterDice((1,)))
    assert moved(table.ask("ann", ask.EnterDice((4,)))) == [Rolled((4,))], "for the bot"
    assert moved(table.ask(None, ask.Bot("hold"))) == [Played("hold")]


def test_with_real_dice_too_only_the_mover_marks_and_chooses() -> None:
    table = _midnight("ann", "bob", dice="real")
    table.ask("bob", ask.EnterDice(DICE))
    assert table.refused("bob", ask.Mark((0,))) == "not-your-turn"
    assert table.refused("bob", ask.RollOrBank("roll", (0,))) == "not-your-turn"
    assert moved(table.ask("ann", ask.RollOrBank("roll", (0,)))) == [Played(Keep((1,)), (0,))]


def test_with_real_dice_nobody_rolls_the_houses() -> None:
    table = played("ann", bots=["tip"], dice="real")
    assert table.refused("ann", ask.RollOrBank("roll")) == "enter-dice"
    assert table.refused("ann", ask.RollOrBank("bank")) == "nothing-to-mark-yet"
    table.ask("ann", ask.EnterDice((1,)))
    assert table.refused(None, ask.Bot()) == "enter-dice"


@pytest.mark.parametrize("dice", [(), (7,), (0,), (1, 2), (-1,), (10**30,)])
def test_dice_that_cannot_have_fallen_are_refused(dice: tuple[int, ...]) -> None:
    assert played("ann", "bob", dice="real").refused("ann", ask.EnterDice(dice)) in ("roll-count", "faces")


def test_with_real_dice_the_people_say_who_player_1_is() -> None:
    table = played("ann", "bob", "cid", game="420", dice="real")
    assert table.refused("ann", ask.Draw()) == "name-player-one"
    assert table.refused("ann", ask.Draw(Seat(3))) == "no-seat"
    assert table.refused("ann", ask.Draw(Seat(-1))) == "no-seat"
    assert moved(table.ask("bob", ask.Draw(Seat(2)))) == [Drawn(Seat(2))]
    assert table.state.mover == 2
    assert table.state.turn_at == table.now


def test_anybody_with_a_seat_takes_back_what_was_entered_last() -> None:
    table = played("ann", "bob", dice="real")
    table.ask("ann", ask.EnterDice((1,)))
    assert table.state.mover == 1
    table.wait(5)
    assert moved(table.ask("bob", ask.TakeBack())) == [TakenBack()]
    assert (table.state.mover, table.state.turn_at) == (0, table.now)
    assert table.refused("ann", ask.TakeBack()) == "nothing-to-take-back"


def test_player_1_can_be_taken_back() -> None:
    table = played("ann", "bob", "cid", game="420", dice="real")
    assert table.refused("ann", ask.TakeBack()) == "nothing-to-take-back"
    table.ask("ann", ask.Draw(Seat(2)))
    table.ask("ann", ask.TakeBack())
    assert table.state.mover is None


def test_taking_back_after_somebody_left_leaves_the_seats_as_they_are_now() -> None:
    table = played("ann", "bob", dice="real")
    table.ask("ann", ask.EnterDice((5,)))
    table.ask("bob", ask.Leave())
    table.sit("cid")
    table.ask("ann", ask.TakeBack())
    assert table.names == "Ann Cid"
    assert table.table.names == ("Ann", "Cid")
    assert table.replayed() == table.state


def test_taking_back_undoes_what_a_bot_made_of_the_dice() -> None:
    table = played("ann", bots=["tip"], dice="real")
    table.ask("ann", ask.EnterDice((1,)))
    table.ask("ann", ask.EnterDice((5,)))
    table.ask(None, ask.Bot("hold"))
    table.ask("ann", ask.TakeBack())
    assert table.state.mover == 1
    table.ask("ann", ask.EnterDice((6,)))


def _hurried(table: Evening) -> int | None:
    return table.state.timed_out_seat


def test_taking_back_gives_a_hurried_turn_back_only_if_it_had_passed() -> None:
    table = played("ann", "bob", dice="real", clock_s=30)
    table.wait(30)
    table.ask(None, ask.TimeUp())
    table.ask("ann", ask.EnterDice((5,)))
    table.ask("ann", ask.TakeBack())
    assert _hurried(table) == 0
    table.ask("ann", ask.EnterDice((1,)))
    assert _hurried(table) is None
    table.ask("ann", ask.TakeBack())
    assert (table.state.mover, _hurried(table)) == (0, None)


def test_the_last_dice_of_a_match_can_be_taken_back_until_the_next_table_is_laid() -> None:
    table = played("ann", "bob", game="420", dice="real")
    table.ask("ann", ask.EnterDice((5, 5, 5, 5)))
    assert table.state.stage == "over"
    table.ask("bob", ask.TakeBack())
    assert (table.state.stage, table.state.mover) == ("playing", 0)
    table.ask("ann", ask.EnterDice((5, 5, 5, 5)))
    table.ask("ann", ask.Rematch("ABCDEF"))
    assert table.refused("bob", ask.TakeBack()) == "rematch-laid"


def test_winners_who_drop_out_keep_their_seats_and_the_round_goes_on_without_them() -> None:
    table = played("ann", "bob", "cid", game="420", rules={"format": "drinks"}, dice="real")
    table.ask("ann", ask.Draw(Seat(0)))
    table.ask("ann", ask.EnterDice((5, 5, 5, 5)))
    assert table.play.match.tally.out == (0,)
    assert table.state.mover == 1
    assert table.refused("ann", ask.RollOrBank("roll")) == "not-your-turn"
    table.ask("ann", ask.EnterDice((5, 5, 5, 5)))
    assert table.state.stage == "over"
    table.ask("ann", ask.Rematch("ABCDEF"))
