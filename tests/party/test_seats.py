"""Who sits where: taking a seat, leaving it, the host's part, and how the match begins."""

import pytest

from party.evening import BEGIN, Evening, evening, over, played
from pubdice.cup import ScriptedCup
from pubdice.game import Seat
from pubdice.party import Asker, Chair
from pubdice.party import commands as ask
from pubdice.party.apply import MOST_PHONES
from pubdice.party.events import Botted, Closed, Joined, Left, Moved, Removed, Sat, Started
from pubdice.record import Drawn
from pubdice.table import Refused


def _sit(name: str, seat: int | None = None) -> ask.Sit:
    return ask.Sit(seat, name)


# sitting down


def test_a_fresh_table_has_empty_seats_and_its_bots_at_the_last_ones_each_with_a_name_of_its_own() -> None:
    table = evening("pig", 5, "tip", "tip", "lucky")
    assert table.names == "- - Tip Tip 2 Lucky"
    assert table.kinds == "..bbb"
    assert (table.state.stage, table.state.mover, table.state.seq) == ("gathering", None, 0)


def test_whoever_sits_down_gets_the_first_empty_seat() -> None:
    table = evening("pig", 4, "tip")
    assert table.sit("ann") == [Sat(0, "ann", "Ann")]
    assert table.sit("bob") == [Sat(1, "bob", "Bob")]


def test_a_seat_can_be_chosen() -> None:
    table = evening("pig", 4)
    assert table.ask("ann", _sit("Ann", 2)) == [Sat(2, "ann", "Ann")]
    assert table.names == "- - Ann -"


def test_a_name_is_tidied_as_one_sits_down() -> None:
    table = evening("pig", 3)
    table.ask("ann", _sit("  Ann   Bee "))
    assert table.state.names[0] == "Ann Bee"


def test_before_the_match_a_bots_seat_can_be_taken_by_choice_but_an_empty_one_comes_first() -> None:
    table = evening("pig", 4, "tip", "lucky")
    assert table.ask("ann", _sit("Ann", 3)) == [Sat(3, "ann", "Ann")]
    assert table.names == "- - Tip Ann"
    assert table.ask("bob", _sit("Bob")) == [Sat(0, "bob", "Bob")]


def test_a_bots_name_may_be_taken_with_its_seat() -> None:
    table = evening("pig", 3, "tip")
    table.ask("ann", _sit("Tip", 2))
    assert table.names == "- - Tip"


@pytest.mark.parametrize("seat", [-1, 4, 10**9])
def test_nobody_sits_at_a_seat_that_is_not_there(seat: int) -> None:
    why = evening("pig", 4).refusal("ann", _sit("Ann", seat))
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("no-such-seat", {"seats": 4})


def test_a_seat_that_is_taken_cannot_be_taken() -> None:
    table = evening("pig", 3)
    table.sit("ann")
    why = table.refusal("bob", _sit("Bob", 0))
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("seat-taken", {"name": "Ann"})


def test_a_seat_where_a_bot_plays_for_somebody_is_taken() -> None:
    table = played("ann", "bob")
    table.ask("bob", ask.Give())
    assert table.refused("cid", _sit("Cid", 1)) == "seat-taken"


def test_with_people_at_every_seat_the_table_is_full() -> None:
    assert played("ann", "bob").refused("cid", _sit("Cid")) == "table-full"


def test_one_person_sits_at_one_seat() -> None:
    table = evening("pig", 3)
    table.sit("ann")
    assert table.refused("ann", _sit("Annie")) == "seated-already"


@pytest.mark.parametrize("name", ["Ann", "ann", "ANN", "  aNN "])
def test_a_name_is_taken_whatever_its_capitals_and_spaces(name: str) -> None:
    table = evening("pig", 3)
    table.sit("ann")
    assert table.refused("bob", _sit(name)) == "name-taken"


@pytest.mark.parametrize(
    ("first", "second"), [("Zoe\u0308", "zo\xeb"), ("Anne Bee", "anne  BEE"), ("Stra\xdfe", "STRASSE")]
)
def test_a_name_is_taken_in_whatever_spelling(first: str, second: str) -> None:
    table = evening("pig", 3)
    table.ask("ann", _sit(first))
    assert table.refused("bob", _sit(second)) == "name-taken"


def test_a_bots_name_is_taken_too() -> None:
    assert evening("pig", 3, "tip").refused("ann", _sit("tip", 0)) == "name-taken"


def test_a_bot_that_comes_later_gets_a_number_if_its_name_is_taken() -> None:
    table = evening("pig", 3)
    table.ask("ann", _sit("TIP"))
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
    assert evening("pig", 2).refused("ann", _sit(name)) == fault


def test_in_a_match_a_late_comer_takes_a_bots_seat_with_its_dice_and_score() -> None:
    table = played("ann", bots=["tip"])
    table.roll("ann", (5,))
    table.ask("ann", ask.Go("bank"))
    table.ask(None, ask.Bot(), [(4,)])
    before = table.state.play
    assert table.ask("bob", _sit("Bob")) == [Sat(1, "bob", "Bob")]
    assert table.state.play == before
    assert table.table.names == ("Ann", "Bob")
    table.ask("bob", ask.Go("bank"))
    assert table.state.mover == 0


def test_a_late_comer_in_the_middle_of_a_bots_turn_has_all_the_time_of_a_turn() -> None:
    table = played("ann", bots=["tip"], clock_s=10)
    table.roll("ann", (1,))
    table.wait(60)
    table.sit("bob")
    assert table.state.turn_at == table.now


def test_nobody_sits_down_when_the_match_is_over() -> None:
    assert over("ann", bots=["tip"]).refused("bob", _sit("Bob")) == "match-over"


# the match begins


def test_the_match_begins_when_the_last_seat_is_taken() -> None:
    table = evening("pig", 2)
    table.sit("ann")
    assert table.state.stage == "gathering"
    assert table.sit("bob") == [Sat(1, "bob", "Bob"), Started()]
    assert (table.state.stage, table.state.mover) == ("playing", 0)
    assert table.state.turn_at == table.now


def test_one_person_with_bots_begins_at_once() -> None:
    assert evening("pig", 3, "tip", "lucky").sit("ann")[-1] == Started()


def test_midnight_can_be_played_alone() -> None:
    assert evening("midnight", 1).sit("ann") == [Sat(0, "ann", "Ann"), Started()]


def test_taking_a_bots_seat_while_another_is_empty_does_not_begin_the_match() -> None:
    table = evening("pig", 3, "tip")
    table.ask("ann", _sit("Ann", 2))
    assert table.state.stage == "gathering"


def test_the_house_draws_player_1_as_the_match_begins_where_that_is_done() -> None:
    table = evening("420", 3)
    table.sit("ann", "bob")
    assert table.ask("cid", _sit("Cid"), draws=[2]) == [Sat(2, "cid", "Cid"), Started(), Moved(Drawn(Seat(2)))]
    assert table.state.mover == 2


def test_the_host_begins_and_bots_take_the_empty_seats() -> None:
    table = evening("pig", 4, "tip")
    table.sit("ann")
    events = table.ask("ann", ask.Start("lucky"))
    assert events == [Botted(1, "lucky", "Lucky"), Botted(2, "lucky", "Lucky 2"), Started()]
    assert table.kinds == "pbbb"


def test_without_a_wish_the_usual_bot_takes_the_empty_seats() -> None:
    table = evening("pig", 2)
    table.sit("ann")
    assert table.ask("ann", ask.Start())[0] == Botted(1, "tip", "Tip")


def test_only_the_host_begins() -> None:
    table = evening("pig", 3)
    table.sit("ann", "bob")
    assert table.refused("bob", ask.Start()) == "not-host"
    assert table.refused("stranger", ask.Start()) == "not-host"
    assert table.refused(None, ask.Start()) == "not-host"


def test_a_host_without_a_seat_cannot_begin() -> None:
    assert evening("pig", 3).refused("ann", ask.Start()) == "not-seated"


def test_a_match_begins_once() -> None:
    assert played("ann", "bob").refused("ann", ask.Start()) == "started"
    assert over("ann", "bob").refused("ann", ask.Start()) == "started"


def test_beginning_with_a_bot_nobody_knows_is_refused() -> None:
    table = evening("pig", 3)
    table.sit("ann")
    why = table.refusal("ann", ask.Start("hal"))
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("no-such-bot", {"bots": ("tip", "lucky")})


# another phone


def test_who_shows_the_words_of_a_seat_has_it_on_another_phone_too() -> None:
    table = played("ann", "bob")
    assert table.ask("ann on a tablet", ask.Join(0)) == [Joined(0, "ann on a tablet")]
    assert table.state.seat_of("ann") == table.state.seat_of("ann on a tablet") == 0
    table.roll("ann on a tablet", (5,))
    table.ask("ann", ask.Go("bank"))
    assert table.state.mover == 1


def test_no_more_than_four_phones_act_for_a_seat_and_the_oldest_is_let_go() -> None:
    table = played("ann", "bob")
    for number in range(MOST_PHONES):
        table.ask(f"bob{number}", ask.Join(1))
    assert table.state.chairs[1].people == ("bob0", "bob1", "bob2", "bob3")
    assert table.refused("bob", ask.Give()) == "not-seated"


def test_a_host_runs_the_table_from_any_phone_of_that_seat() -> None:
    table = evening("pig", 4)
    table.sit("ann", "bob")
    table.ask("ann2", ask.Join(0))
    table.ask("ann2", ask.Pace(0))
    assert table.refused("bob", ask.Pace(1)) == "not-host"


def test_a_host_whose_first_phone_is_let_go_stays_the_host() -> None:
    table = evening("pig", 4)
    table.sit("bob")
    assert table.state.host == "bob"
    table.ask("ann", _sit("Ann", 2))
    table.ask("bob", ask.Leave())
    assert table.state.host == "ann"
    table.ask("bob", _sit("Bob", 0))
    for number in range(MOST_PHONES):
        table.ask(f"ann{number}", ask.Join(2))
    assert table.state.host == "ann0"
    table.ask("ann3", ask.Start())


def test_another_phone_needs_somebody_at_the_seat() -> None:
    table = evening("pig", 3, "tip")
    table.sit("ann")
    for seat in (1, 2):
        assert table.refused("bob", ask.Join(seat)) == "seat-empty"
    assert table.refused("bob", ask.Join(3)) == "no-such-seat"


def test_a_person_with_a_seat_does_not_take_another_ones() -> None:
    table = played("ann", "bob")
    assert table.refused("ann", ask.Join(1)) == "seated-already"
    assert table.refused("ann", ask.Join(0)) == "seated-already"


def test_another_phone_may_join_when_the_match_is_over() -> None:
    table = over("ann", "bob")
    table.ask("bob2", ask.Join(1))
    assert table.state.chairs[1].people == ("bob", "bob2")


# leaving


def test_who_leaves_before_the_match_leaves_an_empty_seat() -> None:
    table = evening("pig", 3)
    table.sit("ann", "bob")
    assert table.ask("bob", ask.Leave()) == [Left(1)]
    assert table.names == "Ann - -"


def test_who_leaves_in_a_match_leaves_it_to_a_bot_under_a_name_of_its_own() -> None:
    table = played("ann", "bob")
    table.roll("ann", (5,))
    before = table.state.play
    assert table.ask("ann", ask.Leave()) == [Left(0), Botted(0, "tip", "Tip")]
    assert table.names == "Tip Bob"
    assert table.state.play == before
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


def test_when_everybody_has_left_bots_play_it_out_and_whoever_sits_down_next_is_the_host() -> None:
    table = played("ann", "bob")
    table.ask("ann", ask.Leave())
    assert table.state.host == "bob"
    table.ask("bob", ask.Leave())
    assert (table.kinds, table.names) == ("bb", "Tip Tip 2")
    assert table.state.host == "bob"
    table.ask(None, ask.Bot(), [(5,)])
    assert table.ask("cid", _sit("Cid", 1)) == [Sat(1, "cid", "Cid")]
    assert table.state.host == "cid"


# the host


def test_the_host_hands_over_to_whoever_sits_first_when_leaving() -> None:
    table = evening("pig", 4)
    table.sit("ann", "bob", "cid")
    table.ask("ann", ask.Leave())
    assert table.state.host == "bob"
    assert table.refused("ann", ask.Remove(1)) == "not-host"


def test_a_host_who_comes_back_is_a_guest() -> None:
    table = evening("pig", 4)
    table.sit("ann", "bob")
    table.ask("ann", ask.Leave())
    table.sit("ann")
    assert table.state.host == "bob"


def test_a_host_who_leaves_an_otherwise_empty_table_stays_the_host() -> None:
    table = evening("pig", 4)
    table.sit("ann")
    table.ask("ann", ask.Leave())
    assert table.state.host == "ann"
    table.sit("ann")
    table.ask("ann", ask.Start())


def test_the_host_removes_a_person_who_cannot_come_back() -> None:
    table = evening("pig", 4)
    table.sit("ann", "bob")
    table.ask("bob2", ask.Join(1))
    assert table.ask("ann", ask.Remove(1)) == [Removed(1)]
    assert table.names == "Ann - - -"
    for person in ("bob", "bob2"):
        assert table.refused(person, _sit("Robert")) == "removed-before"


def test_a_person_removed_does_not_come_back_by_another_ones_words() -> None:
    table = evening("pig", 4)
    table.sit("ann", "bob", "cid")
    table.ask("ann", ask.Remove(1))
    assert table.refused("bob", ask.Join(2)) == "removed-before"


def test_in_a_match_a_bot_takes_the_seat_of_a_person_removed() -> None:
    table = played("ann", "bob")
    assert table.ask("ann", ask.Remove(1)) == [Removed(1), Botted(1, "tip", "Tip")]
    assert table.refused("bob", _sit("Bob")) == "removed-before"
    table.sit("cid")


def test_removing_takes_a_host_somebody_who_sits_there_and_somebody_else() -> None:
    table = evening("pig", 4, "tip")
    table.sit("ann", "bob")
    assert table.refused("bob", ask.Remove(0)) == "not-host"
    assert table.refused("ann", ask.Remove(0)) == "remove-oneself"
    assert table.refused("ann", ask.Remove(2)) == "seat-empty"
    assert table.refused("ann", ask.Remove(3)) == "seat-empty"
    assert table.refused("ann", ask.Remove(-1)) == "no-such-seat"


def test_nobody_is_removed_when_the_match_is_over() -> None:
    assert over("ann", "bob").refused("ann", ask.Remove(1)) == "match-over"


# closing seats


def test_the_host_takes_an_empty_seat_away_and_those_after_it_move_up() -> None:
    table = evening("pig", 5, "tip")
    table.ask("ann", _sit("Ann", 0))
    table.ask("bob", _sit("Bob", 2))
    assert table.ask("ann", ask.Close(1)) == [Closed(1)]
    assert table.names == "Ann Bob - Tip"
    assert table.state.seat_of("bob") == 1


def test_a_bots_seat_can_be_taken_away_before_the_match() -> None:
    table = evening("pig", 4, "tip")
    table.sit("ann")
    assert table.ask("ann", ask.Close(3)) == [Closed(3)]
    assert table.names == "Ann - -"


def test_the_match_begins_when_the_last_empty_seat_is_taken_away() -> None:
    table = evening("pig", 4)
    table.sit("ann", "bob", "cid")
    assert table.ask("ann", ask.Close(3)) == [Closed(3), Started()]
    assert table.table.match.seats == 3


def test_whether_player_1_is_drawn_goes_by_the_seats_there_are_in_the_end() -> None:
    table = evening("420", 3)
    table.sit("ann", "bob")
    assert table.ask("ann", ask.Close(2)) == [Closed(2), Started()]
    assert table.state.mover == 0


def test_a_game_keeps_its_least_number_of_seats() -> None:
    table = evening("pig", 3, "tip")
    table.sit("ann")
    table.ask("ann", ask.Close(1))
    assert table.state.stage == "playing"
    table = evening("pig", 2)
    table.sit("ann")
    why = table.refusal("ann", ask.Close(1))
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("too-few-seats", {"least": 2})


def test_closing_takes_the_host_an_empty_seat_and_a_match_that_has_not_begun() -> None:
    table = evening("pig", 4)
    table.sit("ann", "bob")
    assert table.refused("bob", ask.Close(2)) == "not-host"
    assert table.refused("ann", ask.Close(1)) == "seat-taken"
    assert table.refused("ann", ask.Close(4)) == "no-such-seat"
    assert played("ann", bots=["tip"]).refused("ann", ask.Close(1)) == "started"


def test_closing_works_where_the_log_leaves_usual_rules_out() -> None:
    """Logs of a version before an option was thought of."""
    table = evening("pig", 4)
    rules = {"game": "pig"}
    table.party = type(table.party)(table.party.kit, type(table.party.setup)(rules, 4, "ann", BEGIN))
    table.state = table.party.start()
    table.sit("ann", "bob")
    table.ask("ann", ask.Close(2))
    table.ask("ann", ask.Close(2))
    assert table.state.stage == "playing"


# strangers


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
        ask.Go("roll"),
        ask.Mark(()),
        ask.Enter((1,)),
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
def test_what_the_table_does_of_itself_nobody_can_ask_for(command: ask.Command) -> None:
    table = played("ann", bots=["tip"], clock_s=10)
    table.wait(3600)
    with pytest.raises(AssertionError):
        table.party.decide(table.state, command, Asker("ann", table.now), ScriptedCup())


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
