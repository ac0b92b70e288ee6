"""A table whose host is lost before the match: the people seated there may run it, and nobody else."""

import pytest

from pubdice.room import commands as ask
from pubdice.room.events import BotPaceSet, BotSeated, Closed, Left, Started
from room.scripted_room import Evening, evening, played

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
