"""Pauses of a match: they stop the clock, cost nobody time, and end."""

import pytest

from pubdice.room import commands as ask
from pubdice.room.events import (
    Unpaused,
)
from room.scripted_room import growing, played


def test_a_pause_stops_everything_and_costs_nobody_time() -> None:
    table = played("ann", "bob", clock_s=60)
    began = table.state.turn_at
    table.wait(20)
    table.ask("bob", ask.Pause())
    for person, command in (
        ("ann", ask.RollOrBank("roll")),
        ("bob", ask.Nudge()),
        (None, ask.TimeUp()),
        (None, ask.Bot()),
    ):
        assert table.refused(person, command) == "paused"
    assert table.refused("ann", ask.Pause()) == "paused"
    assert table.refused("eve", ask.Unpause()) == "not-seated"
    table.wait(600)
    assert table.refused(None, ask.TimeUp()) == "paused"
    table.ask("ann", ask.Unpause())
    assert table.state.turn_at == began + 600_000
    assert table.refused("bob", ask.Unpause()) == "not-paused"
    assert table.refused(None, ask.TimeUp()) == "no-clock"
    table.wait(40)
    table.ask(None, ask.TimeUp())


def test_who_takes_over_in_a_pause_has_all_the_time_and_no_more() -> None:
    table = played("ann", "bob", bots=["tip"], clock_s=60)
    table.ask("ann", ask.Give())
    table.ask("bob", ask.Pause())
    table.wait(500)
    table.ask("ann", ask.Leave())
    table.ask("cid", ask.Sit(0, "Cid"))
    table.wait(100)
    table.ask("bob", ask.Unpause())
    assert table.state.turn_at == table.now, "not after now"


def test_nobody_is_voted_away_in_a_pause() -> None:
    table = played("ann", "bob", "cid", grace_s=0)
    table.away(1)
    table.ask("ann", ask.Pause())
    assert table.refused("ann", ask.Vote(1)) == "paused"
    assert table.state.lost(table.gone, table.now) == frozenset()
    table.ask("cid", ask.Unpause())
    assert table.state.lost(table.gone, table.now) == {1}


def test_a_pause_ends_with_the_last_person_who_could_end_it() -> None:
    table = played("ann", "bob", bots=["tip"])
    table.ask("ann", ask.Pause())
    table.ask("ann", ask.Leave())
    assert table.state.paused_at, "Bob may go on"
    assert table.ask("bob", ask.Leave())[0] == Unpaused(1)
    assert (table.kinds, table.state.paused_at) == ("bbb", 0)


def test_pauses_come_to_an_end() -> None:
    table = played("ann", "bob")
    for _ in range(20):
        table.ask("ann", ask.Pause())
        table.ask("ann", ask.Unpause())
    assert table.refused("ann", ask.Pause()) == "pauses"


@pytest.mark.parametrize("command", [ask.Pause(), ask.Unpause()])
def test_nothing_is_paused_before_the_match(command: ask.Command) -> None:
    assert growing("ann").refused("ann", command) == "not-started"
