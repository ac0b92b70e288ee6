"""Tables of two games, and what one asks of them, for tests that write every roll."""

from collections.abc import Sequence
from typing import Any

import pytest

from pubdice.core.dice import Roll
from pubdice.core.errors import IllegalAction, Refused
from pubdice.core.game import Seat
from pubdice.games.fourtwenty import FourTwenty
from pubdice.games.midnight import Midnight
from pubdice.match.formats import Drinks, Race, Rounds
from pubdice.match.match import Match
from pubdice.match.table import (
    Dice,
    RollOrBank,
    Table,
    TableCommand,
    TableEvent,
    TableState,
)
from support.scripted_cup import ScriptedCup

FIRST = Seat(0)
ROLL, BANK = RollOrBank("roll"), RollOrBank("bank")


def midnight_table(seats: int = 2, dice: Dice = "house", rounds: int = 1) -> Table:
    return Table(Match(Midnight(), seats, Rounds(rounds)), ("Ann", "Bob", "Cid")[:seats], dice)


def fourtwenty_table(seats: int = 2, dice: Dice = "house", first: Seat | None = FIRST) -> Table:
    form = Race() if seats == 2 else Drinks()
    return Table(Match(FourTwenty(), seats, form, first=first), ("Red", "Blue", "Green")[:seats], dice)


def ask_all(
    table: Table, state: TableState, *commands: TableCommand, rolls: Sequence[Roll] = ()
) -> tuple[TableState, list[TableEvent]]:
    """What becomes of the table, and the events of the last command."""
    cup, events = ScriptedCup(rolls), list[TableEvent]()
    for command in commands:
        events = list(table.decide(state, command, cup))
        for event in events:
            state = table.apply(state, event)
    return state, events


def refusal_of(table: Table, state: TableState, command: TableCommand) -> str:
    """The code of a refusal, which must change nothing."""
    before = repr(state)
    with pytest.raises((Refused, IllegalAction)) as error:
        table.decide(state, command, ScriptedCup([(1, 2, 3, 4, 5, 6)]))
    assert repr(state) == before
    return str(getattr(error.value, "code", None) or getattr(error.value, "rule", None))


def round_of(state: TableState) -> Any:
    assert state.match.round is not None
    return state.match.round
