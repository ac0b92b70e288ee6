"""Seats: who sits where, under which name, and that who only watches changes nothing."""

import pytest

from pubdice.core.errors import Refused
from pubdice.room import Caller, Chair
from pubdice.room import commands as ask
from pubdice.room.events import BotSeated, Left, Sat
from room.scripted_room import BEGIN, Evening, evening, over, played
from support.scripted_cup import ScriptedCup

# sitting down


def test_a_fresh_table_has_empty_seats_and_its_bots_at_the_last_ones_each_with_a_name_of_its_own() -> None:
    table = evening("pig", 5, "tip", "tip", "lucky")
    assert table.names == "- - Tip Tip 2 Lucky"
    assert table.kinds == "..bbb"
    assert (table.state.stage, table.state.mover, table.state.seq) == ("gathering", None, 0)


def test_a_person_who_sits_down_gets_the_first_empty_seat() -> None:
    table = evening("pig", 4, "tip")
    assert table.sit("ann") == [Sat(0, "ann", "Ann")]
    assert table.sit("bob") == [Sat(1, "bob", "Bob")]


def test_a_seat_can_be_chosen() -> None:
    table = evening("pig", 4)
    assert table.ask("ann", ask.Sit(2, "Ann")) == [Sat(2, "ann", "Ann")]
    assert table.names == "- - Ann -"


def test_a_name_is_tidied_as_one_sits_down() -> None:
    table = evening("pig", 3)
    table.ask("ann", ask.Sit(None, "  Ann   Bee "))
    assert table.state.names[0] == "Ann Bee"


def test_before_the_match_a_bots_seat_can_be_taken_by_choice_but_an_empty_one_comes_first() -> None:
    table = evening("pig", 4, "tip", "lucky")
    assert table.ask("ann", ask.Sit(3, "Ann")) == [Sat(3, "ann", "Ann")]
    assert table.names == "- - Tip Ann"
    assert table.ask("bob", ask.Sit(None, "Bob")) == [Sat(0, "bob", "Bob")]


def test_a_bots_name_may_be_taken_with_its_seat() -> None:
    table = evening("pig", 3, "tip")
    table.ask("ann", ask.Sit(2, "Tip"))
    assert table.names == "- - Tip"


@pytest.mark.parametrize("seat", [-1, 4, 10**9])
def test_nobody_sits_at_a_seat_that_is_not_there(seat: int) -> None:
    why = evening("pig", 4).refusal("ann", ask.Sit(seat, "Ann"))
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("no-such-seat", {"seats": 4})


def test_a_seat_that_is_taken_cannot_be_taken() -> None:
    table = evening("pig", 3)
    table.sit("ann")
    why = table.refusal("bob", ask.Sit(0, "Bob"))
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("seat-taken", {"name": "Ann"})


def test_a_seat_where_a_bot_plays_for_somebody_is_taken() -> None:
    table = played("ann", "bob")
    table.ask("bob", ask.Give())
    assert table.refused("cid", ask.Sit(1, "Cid")) == "seat-taken"


def test_with_people_at_every_seat_the_table_is_full() -> None:
    assert played("ann", "bob").refused("cid", ask.Sit(None, "Cid")) == "table-full"


def test_one_person_sits_at_one_seat() -> None:
    table = evening("pig", 3)
    table.sit("ann")
    assert table.refused("ann", ask.Sit(None, "Annie")) == "seated-already"


@pytest.mark.parametrize("name", ["Ann", "ann", "ANN", "  aNN "])
def test_a_name_is_taken_whatever_its_capitals_and_spaces(name: str) -> None:
    table = evening("pig", 3)
    table.sit("ann")
    assert table.refused("bob", ask.Sit(None, name)) == "name-taken"


@pytest.mark.parametrize(
    ("first", "second"), [("Zoe\u0308", "zo\xeb"), ("Anne Bee", "anne  BEE"), ("Stra\xdfe", "STRASSE")]
)
def test_a_name_is_taken_in_whatever_spelling(first: str, second: str) -> None:
    table = evening("pig", 3)
    table.ask("ann", ask.Sit(None, first))
    assert table.refused("bob", ask.Sit(None, second)) == "name-taken"


def test_a_bots_name_is_taken_too() -> None:
    assert evening("pig", 3, "tip").refused("ann", ask.Sit(0, "tip")) == "name-taken"


def test_a_bot_that_comes_later_gets_a_number_if_its_name_is_taken() -> None:
    table = evening("pig", 3)
    table.ask("ann", ask.Sit(None, "TIP"))
    table.ask("ann", ask.Start())
    assert table.names == "TIP Tip 2 Tip 3"


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "name-missing"),
        ("   ", "name-missing"),
        ("A" * 25, "name-long"),
        ("Ann,Bob", "name-characters"),
        ("<b>", "name-characters"),
        ("-Ann", "name-characters"),
        ("Ann\u202e", "name-characters"),
        ("draw", "name-reserved"),
        ("DRAW ", "name-reserved"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused(name: str, fault: str) -> None:
    assert evening("pig", 2).refused("ann", ask.Sit(None, name)) == fault


def test_in_a_match_a_late_comer_takes_a_bots_seat_with_its_dice_and_score() -> None:
    table = played("ann", bots=["tip"])
    table.roll("ann", (5,))
    table.ask("ann", ask.PlayAction("hold"))
    table.ask(None, ask.Bot(), [(4,)])
    before = table.play
    assert table.ask("bob", ask.Sit(None, "Bob")) == [Sat(1, "bob", "Bob")]
    assert table.play == before
    assert table.table.names == ("Ann", "Bob")
    table.ask("bob", ask.PlayAction("hold"))
    assert table.state.mover == 0


def test_a_late_comer_in_the_middle_of_a_bots_turn_has_all_the_time_of_a_turn() -> None:
    table = played("ann", bots=["tip"], clock_s=10)
    table.roll("ann", (1,))
    table.wait(60)
    table.sit("bob")
    assert table.state.turn_at == table.now


def test_nobody_sits_down_when_the_match_is_over() -> None:
    assert over("ann", bots=["tip"]).refused("bob", ask.Sit(None, "Bob")) == "match-over"


# leaving


def test_who_leaves_before_the_match_leaves_an_empty_seat() -> None:
    table = evening("pig", 3)
    table.sit("ann", "bob")
    assert table.ask("bob", ask.Leave()) == [Left(1)]
    assert table.names == "Ann - -"


def test_who_leaves_in_a_match_leaves_it_to_a_bot_under_a_name_of_its_own() -> None:
    table = played("ann", "bob")
    table.roll("ann", (5,))
    before = table.play
    assert table.ask("ann", ask.Leave()) == [Left(0), BotSeated(0, "tip", "Tip")]
    assert table.names == "Tip Bob"
    assert table.play == before
    assert table.table.names == ("Tip", "Bob")
    assert table.state.plays(0)


def test_nobody_leaves_a_match_that_is_over() -> None:
    assert over("ann", "bob").refused("bob", ask.Leave()) == "match-over"


def test_who_has_no_seat_cannot_leave() -> None:
    table = evening("pig", 3)
    assert table.refused("ann", ask.Leave()) == "not-seated"
    assert table.refused(None, ask.Leave()) == "not-seated"


def test_all_phones_of_a_seat_leave_together() -> None:
    table = played("ann", "bob")
    table.ask("bob2", ask.Join(1))
    table.ask("bob2", ask.Leave())
    assert table.state.people == ("ann",)


def test_who_left_may_sit_down_again_under_the_old_name() -> None:
    table = played("ann", "bob")
    table.ask("bob", ask.Leave())
    assert table.sit("bob") == [Sat(1, "bob", "Bob")]
    assert table.names == "Ann Bob"


def test_when_everybody_has_left_bots_play_on_and_the_next_person_who_sits_down_is_the_host() -> None:
    table = played("ann", "bob")
    table.ask("ann", ask.Leave())
    assert table.state.host == "bob"
    table.ask("bob", ask.Leave())
    assert (table.kinds, table.names) == ("bb", "Tip Tip 2")
    assert table.state.host == "bob"
    table.ask(None, ask.Bot(), [(5,)])
    assert table.ask("cid", ask.Sit(1, "Cid")) == [Sat(1, "cid", "Cid")]
    assert table.state.host == "cid"


def test_a_chair_says_what_sits_there() -> None:
    chairs = [Chair(), Chair("Ann", ("ann",)), Chair("Tip", bot="tip"), Chair("Ann", ("ann",), "tip", "gave")]
    assert [chair.kind for chair in chairs] == ["empty", "person", "bot", "standin"]


def test_an_evening_can_be_read_from_its_log() -> None:
    table: Evening = evening("pig", 4, "tip")
    table.sit("ann", "bob")
    table.ask("ann", ask.Close(2))
    table.ask("bob", ask.Leave())
    assert table.replayed() == table.state
    assert table.log[0] == f"{BEGIN} sat 0 ann Ann"


def _watching(command: ask.Command) -> str:
    return played("ann", "bob").refused("stranger", command)


@pytest.mark.parametrize(
    "command",
    [
        ask.Give(),
        ask.Resume(),
        ask.Resume(0),
        ask.Leave(),
        ask.Vote(0),
        ask.Nudge(),
        ask.Rematch("ABCDEF"),
        ask.RollOrBank("roll"),
        ask.Mark(()),
        ask.EnterDice((1,)),
        ask.Draw(),
        ask.TakeBack(),
    ],
    ids=lambda command: type(command).__name__,
)
def test_who_only_watches_changes_nothing(command: ask.Command) -> None:
    assert _watching(command) == "not-seated"


@pytest.mark.parametrize("command", [ask.Pace(0), ask.Remove(0), ask.Close(0), ask.Start()], ids=str)
def test_who_only_watches_is_no_host(command: ask.Command) -> None:
    assert _watching(command) == "not-host"


@pytest.mark.parametrize("command", [ask.TimeUp(), ask.Bot()], ids=str)
def test_nobody_can_ask_for_what_the_table_does_by_its_timer(command: ask.Command) -> None:
    table = played("ann", bots=["tip"], clock_s=10)
    table.wait(3600)
    with pytest.raises(AssertionError):
        table.room.decide(table.state, command, Caller("ann", table.now), ScriptedCup())
