"""Who only watches, and what nobody can ask for: nothing of it changes a table."""

import pytest

from pubdice.room import Caller
from pubdice.room import commands as ask
from room.scripted_room import played
from support.scripted_cup import ScriptedCup


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
