"""The host's part: handing it over, removing people, closing seats."""

from pubdice.core.errors import Refused
from pubdice.room import commands as ask
from pubdice.room.events import BotSeated, Closed, Removed, Started
from room.scripted_room import BEGIN, evening, over, played


def test_a_host_who_leaves_hands_over_to_the_first_person_seated() -> None:
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
        assert table.refused(person, ask.Sit(None, "Robert")) == "removed-before"


def test_a_person_removed_does_not_come_back_by_another_ones_words() -> None:
    table = evening("pig", 4)
    table.sit("ann", "bob", "cid")
    table.ask("ann", ask.Remove(1))
    assert table.refused("bob", ask.Join(2)) == "removed-before"


def test_in_a_match_a_bot_takes_the_seat_of_a_person_removed() -> None:
    table = played("ann", "bob")
    assert table.ask("ann", ask.Remove(1)) == [Removed(1), BotSeated(1, "tip", "Tip")]
    assert table.refused("bob", ask.Sit(None, "Bob")) == "removed-before"
    assert table.refused("cid", ask.Sit(None, "Cid")) == "table-shut", "Bob may be back without his cookie"
    assert table.refused("bob", ask.Admit()) == "not-host"
    table.ask("ann", ask.Admit())
    assert table.refused("ann", ask.Admit()) == "not-shut"
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
    table.ask("ann", ask.Sit(0, "Ann"))
    table.ask("bob", ask.Sit(2, "Bob"))
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
    table.room = type(table.room)(table.room.kit, type(table.room.setup)(rules, 4, "ann", BEGIN))
    table.state = table.room.start()
    table.sit("ann", "bob")
    table.ask("ann", ask.Close(2))
    table.ask("ann", ask.Close(2))
    assert table.state.stage == "playing"
