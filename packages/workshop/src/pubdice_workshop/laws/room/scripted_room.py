"""A script for tests of tables with people. It sends the commands of named persons to one table, with dice that are
fixed beforehand.

Persons are called ann, bob, cid and so on, and sit down as Ann, Bob, Cid. Each new line of the log is replayed at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from play import KITS
from pubdice.core.dice import Roll
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.game import MoveGame
from pubdice.match.table import Table, TableState
from pubdice.room import Caller, Event, Room, RoomState, Setup, Step
from pubdice.room import commands as ask
from pubdice.room.commands import Command
from pubdice.room.events import Moved
from pubdice.room.setup import checked
from pubdice.room.setup_text import read_setup, write_setup
from support.scripted_cup import ScriptedCup

BEGIN = 1_763_638_000_000


@dataclass
class Evening:
    """A table in use. ``now`` is in milliseconds since 1970. ``gone`` has, by seat, the time at which each absent
    person left.
    """

    room: Room
    state: RoomState
    now: int = BEGIN
    gone: dict[int, int] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)

    def steps(
        self, person: str | None, command: Command, rolls: Sequence[Roll] = (), draws: Sequence[int] = ()
    ) -> tuple[Step, ...]:
        """Do a command and return its steps (a log line with the states before and after it)."""
        asker = Caller(person, self.now, self.gone)
        steps = self.room.decide(self.state, command, asker, ScriptedCup(rolls, draws))
        replayed = list(self.room.replay(self.state, [step.write() for step in steps]))
        assert tuple(replayed) == steps
        self.log += [step.write() for step in steps]
        self.state = steps[-1].after if steps else self.state
        return steps

    def ask(
        self, person: str | None, command: Command, rolls: Sequence[Roll] = (), draws: Sequence[int] = ()
    ) -> list[Event]:
        return [step.line.event for step in self.steps(person, command, rolls, draws)]

    def sit(self, *people: str) -> list[Event]:
        """Seat these people, each on the first free seat."""
        events: list[Event] = []
        for person in people:
            events = self.ask(person, ask.Sit(None, person.capitalize()), draws=[0])
        return events

    def refusal(self, person: str | None, command: Command) -> Refused | IllegalAction | BadNotation:
        """Return the refusal of a command. Assert that the command changes nothing."""
        before = repr(self.state)
        try:
            self.room.decide(self.state, command, Caller(person, self.now, self.gone), ScriptedCup([(6,)]))
        except (Refused, IllegalAction, BadNotation) as error:
            assert repr(self.state) == before
            return error
        pytest.fail(f"{command} was done")

    def refused(self, person: str | None, command: Command) -> str:
        return self.refusal(person, command).code

    def wait(self, seconds: float) -> None:
        self.now += int(seconds * 1000)

    def away(self, *seats: int) -> None:
        self.gone |= dict.fromkeys(seats, self.now)

    def roll(self, person: str, *dice: Roll) -> list[Event]:
        """Roll for a person, who keeps the dice that are marked. In a game of moves, choose the move "roll"."""
        choosing = self.state.table is not None and self.table.match.legal(self.play.match)
        moves = choosing and isinstance(self.table.match.game, MoveGame)
        return self.ask(person, ask.PlayAction("roll", rolls=True) if moves else ask.RollOrBank("roll"), dice)

    @property
    def play(self) -> TableState:
        assert self.state.match is not None
        return self.state.match.state

    @property
    def table(self) -> Table:
        assert self.state.table is not None
        return self.state.table

    @property
    def kinds(self) -> str:
        """One letter for each seat: ``p`` for a person, ``b`` for a bot, ``s`` for a bot standing in for a person,
        ``.`` for empty.
        """
        return "".join({"empty": "."}.get(chair.kind, chair.kind[0]) for chair in self.state.chairs)

    @property
    def names(self) -> str:
        """The names in the order of the seats. An empty seat is "-"."""
        return " ".join(name or "-" for name in self.state.names)

    def replayed(self) -> RoomState:
        state = self.room.start()
        for step in self.room.replay(state, self.log):
            state = step.after
        return state


def growing(*people: str, game: str = "pig", bots: Sequence[str] = (), **more: Any) -> Evening:
    """Return a growing table (one that adds a seat for each new person) with these people seated."""
    table = evening(game, 1 + len(bots), *bots, grows=True, **more)
    table.sit(*people)
    return table


def again(table: Evening, *people: str, now: int = BEGIN + 3_600_000) -> Evening:
    """Return the table of a rematch, with these people seated and ready. Its settings are also written and read
    back.
    """
    setup = table.room.again(table.state, now, "ABCDEF")
    assert read_setup(write_setup(setup)) == setup
    room = Room(table.room.kit, setup)
    following = Evening(room, room.start(), now)
    for person in people:
        following.ask(person, ask.Sit(None, ""))
        following.ask(person, ask.Ready(), draws=[0])
    return following


def evening(game: str = "pig", seats: int = 2, *bots: str, rules: dict[str, str] | None = None, **more: Any) -> Evening:
    """Return an empty table that ann has ordered."""
    given = {"game": game, **(rules or {})}
    setup = checked(KITS[game], Setup(given, seats, more.pop("host", "ann"), BEGIN, bots, **more))
    room = Room(KITS[game], setup)
    return Evening(room, room.start())


def played(*people: str, game: str = "pig", bots: Sequence[str] = (), **more: Any) -> Evening:
    """Return a table with these people seated and the match begun."""
    table = evening(game, len(people) + len(bots), *bots, **more)
    table.sit(*people)
    assert table.state.stage == "playing"
    return table


def over(*people: str, bots: Sequence[str] = (), **more: Any) -> Evening:
    """Return a table after a match of Pig that the first seat has won in one turn."""
    table = played(*people, bots=bots, **more)
    table.roll(people[0], (6,))
    for _ in range(3):
        table.roll(people[0], (6,))
    table.ask(people[0], ask.PlayAction("hold"))
    assert table.state.stage == "over"
    return table


def moved(events: Sequence[Event]) -> list[Any]:
    """Return the events of the match among these events."""
    return [event.event for event in events if isinstance(event, Moved)]
