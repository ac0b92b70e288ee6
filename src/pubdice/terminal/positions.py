"""Positions for the drill: found by letting bots play with seeded dice, or read again from a record of one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pubdice.bots import act
from pubdice.cup import Cup
from pubdice.kit import Kit
from pubdice.notation import Header
from pubdice.record import write
from pubdice.store import MemoryStore
from pubdice.table import Draw, Event, Table, TableState, moves, write_event
from pubdice.terminal.coaching import solved
from pubdice.terminal.faults import FaultError
from pubdice.terminal.retell import read_checked
from pubdice.terminal.seating import Setup
from pubdice.terminal.tables import Loaded
from pubdice.words import Language

PASSED_OVER = 12
"""Decisions passed over at most, before one that counts is taken."""
PATIENCE = 200
"""Matches played at most in search of a decision that counts."""
PLAYERS = ("tip", "lucky")
"""The bots that play up to a position."""


@dataclass(frozen=True, slots=True)
class Position:
    """A table at a decision: its kit and header, the events that led there, the states, and a record of it all."""

    kit: Kit
    header: Header
    table: Table
    events: tuple[Event, ...]
    states: tuple[TableState, ...]

    @property
    def text(self) -> str:
        """The record that ends here."""
        return write(self.header, self.table.match, moves(self.events))

    def sit(self) -> tuple[MemoryStore, Loaded]:
        """The position as a kept table, in a store that nobody keeps."""
        store, setup = MemoryStore(), Setup(self.header, {})
        number = store.create(setup.write())
        store.append(number, 1, [write_event(self.table, event) for event in self.events])
        return store, Loaded(number, setup, self.kit, self.table, self.events, self.states)


def new_positions(
    kits: Sequence[tuple[Kit, Mapping[str, str]]], cup: Callable[[str], Cup], language: Language
) -> Iterator[Position]:
    """Positions without end, the games with these options in turn; a cup by its purpose."""
    number = 0
    while True:
        for kit, options in kits:
            number += 1
            yield _search(kit, options, partial(_purpose, cup, number), language)


def _purpose(cup: Callable[[str], Cup], number: int, purpose: str) -> Cup:
    return cup(f"drill {number} {purpose}")


def _search(kit: Kit, options: Mapping[str, str], cup: Callable[[str], Cup], language: Language) -> Position:
    """A decision that counts, in a match of the bots. Raises FaultError where none is found."""
    header = kit.settle(Header({"game": kit.name, "seats": ", ".join(kit.names), **options}))
    table = Table(kit.match(header), header.names)
    coach = solved(kit, table.match, language)
    for attempt in range(PATIENCE):
        dice, lots = cup(f"dice {attempt}"), cup(f"lots {attempt}")
        to_pass = lots.draw(1 + PASSED_OVER, table.match.seats)
        events: list[Event] = []
        states = [table.start()]
        for event, state in _played(kit, table, dice, lots):
            events.append(event)
            states.append(state)
            if len(table.match.legal(state.match)) < 2:
                continue
            if to_pass <= 0 and coach.advise(state.match).counts:
                return Position(kit, header, table, tuple(events), tuple(states))
            to_pass -= 1
    raise FaultError(language.say("No position was found in which anything can be lost."), 1)


def _played(kit: Kit, table: Table, dice: Cup, lots: Cup) -> Iterator[tuple[Event, TableState]]:
    """A match between bots, each drawn by lot, event by event."""
    players = [kit.policies[name] for name in PLAYERS if name in kit.policies] or list(kit.policies.values())
    seats, state = table.match.seats, table.start()
    at_seat = [players[lots.draw(len(players), seat)] for seat in range(seats)]
    while not state.match.over:
        mover = table.mover(state)
        draw = partial(lots.draw, index=seats + 1 + state.moved)
        command = Draw() if mover is None else act(at_seat[mover], table, state, draw)
        for event in table.decide(state, command, dice):
            state = table.apply(state, event)
            yield event, state


def position_of(text: str, games: Mapping[str, Kit], language: Language) -> Position | None:
    """The position at the end of a record; None if it does not read, or if nothing is to be chosen there."""
    try:
        checked = read_checked(text, games, language)
    except FaultError:
        return None
    table = Table(checked.match, checked.header.names)
    states = [table.start()]
    events = tuple(step.move for step in checked.steps)
    for event in events:
        states.append(table.apply(states[-1], event))
    if len(checked.match.legal(states[-1].match)) < 2:
        return None
    return Position(checked.kit, checked.header, table, events, tuple(states))
