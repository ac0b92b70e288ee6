"""The host: what only a host does, who becomes one, and what the others may do once a host is lost."""

import pytest

from pubdice.core.errors import Refused
from pubdice.room import commands as ask
from pubdice.room.events import BotPaceSet, BotSeated, Closed, Left, Removed, Started
from room.scripted_room import BEGIN, Evening, evening, over, played


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


DEEDS = (ask.Start(), ask.Close(3), ask.Pace(7))


def forlorn(*, since_s: float = 120) -> Evening:
    """Ann, the host, has gone so long ago; Bob and Cid still sit there, and two seats are free."""
    table = evening("pig", 5)
    table.sit("ann", "bob", "cid")
    table.away(0)
    table.wait(since_s)
    return table


@pytest.mark.parametrize("command", DEEDS)
def test_until_the_grace_time_is_over_the_host_is_waited_for(command: ask.Command) -> None:
    assert forlorn(since_s=119).refused("bob", command) == "not-host"


@pytest.mark.parametrize("command", DEEDS)
def test_while_the_host_is_here_the_others_run_nothing(command: ask.Command) -> None:
    table = forlorn()
    table.gone = {1: table.gone[0]}
    assert table.refused("cid", command) == "not-host"


@pytest.mark.parametrize("command", [*DEEDS, ask.Remove(0)])
def test_a_person_without_a_seat_runs_nothing(command: ask.Command) -> None:
    table = forlorn()
    for person in ("stranger", None):
        assert table.refused(person, command) == "not-host"


@pytest.mark.parametrize("person", ["bob", "cid"])
def test_when_the_host_is_lost_everybody_seated_may_begin(person: str) -> None:
    events = forlorn().ask(person, ask.Start(), draws=[0])
    assert [type(event) for event in events[:3]] == [BotSeated, BotSeated, Started]


def test_when_the_host_is_lost_everybody_seated_may_close_seats_and_set_the_pace() -> None:
    table = forlorn()
    assert table.ask("cid", ask.Close(4)) == [Closed(4)]
    assert table.ask("bob", ask.Pace(7)) == [BotPaceSet(7)]
    assert Started() in table.ask("bob", ask.Close(3), draws=[0])


def test_somebody_lost_is_given_up_and_may_come_back() -> None:
    table = forlorn()
    assert table.ask("cid", ask.Remove(0)) == [Left(0)]
    assert (table.names, table.state.host) == ("- Bob Cid - -", "bob")
    table.gone = {}
    table.ask("ann", ask.Sit(0, "Ann"))
    assert table.refused("ann", ask.Start()) == "not-host"


def test_only_somebody_lost_is_given_up() -> None:
    table = forlorn()
    assert table.refused("bob", ask.Remove(2)) == "not-host"
    assert table.refused("bob", ask.Remove(1)) == "remove-oneself"
    assert table.refused("bob", ask.Remove(3)) == "seat-empty"
    table.away(2)
    assert table.refused("bob", ask.Remove(2)) == "not-host"
    table.wait(120)
    assert table.ask("bob", ask.Remove(2)) == [Left(2)]


def test_in_a_match_a_lost_host_is_voted_for_and_not_stood_in_for() -> None:
    table = played("ann", "bob", "cid")
    table.away(0)
    table.wait(120)
    for command in (ask.Remove(0), ask.Pace(7)):
        assert table.refused("bob", command) == "not-host"
    table.ask("bob", ask.Vote(0))


def test_a_host_with_another_phone_here_is_not_lost() -> None:
    table = forlorn()
    table.gone = {}  # presence counts a seat's people together
    table.ask("ann2", ask.Join(0))
    assert table.refused("bob", ask.Start()) == "not-host"
    table.ask("ann2", ask.Start(), draws=[0])
