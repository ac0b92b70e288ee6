"""A game planned by the library beforehand: its command, the lines people type, and the record it must come to.

Persons follow a policy: ``k ...`` marks what it keeps, ``r`` rolls. Every line leads to exactly one append to the log,
so how many lines were consumed can be read off the log.
"""

import json
import random
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pubdice.bots import act
from pubdice.cup import SeededCup
from pubdice.dice import Hand
from pubdice.games import GAMES
from pubdice.policy import uniform
from pubdice.record import Rolled, write
from pubdice.table import Command, Do, Draw, Event, Mark, Marked, Table, TableState, moves, read_event
from pubdice.terminal.seating import Setup, read_setup
from pubdice.typed.grammar import Choose
from pubdice.typed.marks import choose


@dataclass(frozen=True)
class Plan:
    """A whole game: the words that start it, the lines typed, its record, and the log's appends."""

    words: tuple[str, ...]
    setup: Setup
    lines: tuple[str, ...]
    record: str
    appends: int


def table_of(setup: Setup) -> Table:
    """The table of a setup."""
    kit = GAMES[setup.header.fields["game"]]
    return Table(kit.match(setup.header), setup.header.names, setup.dice)


def plan(words: tuple[str, ...], setup_line: str, people: int) -> Plan:
    """The game that these words start, with its seeded dice and with people who choose by ``people``'s lots."""
    setup = read_setup(setup_line)
    assert setup.seed is not None
    kit, table = GAMES[setup.header.fields["game"]], table_of(setup)
    cup, lots, source = SeededCup(setup.seed, "dice"), SeededCup(setup.seed, "bots"), random.Random(people)
    state, events, typed, appends = table.start(), list[Event](), list[str](), 0

    def do(command: Command) -> None:
        nonlocal state, appends
        for event in table.decide(state, command, cup):
            events.append(event)
            state = table.apply(state, event)
        appends += 1

    while not state.match.over:
        mover = table.mover(state)
        bot = None if mover is None else setup.bots.get(table.names[mover])
        if mover is None:
            do(Draw())
        elif bot is not None:
            do(act(kit.policies[bot], table, state, partial(lots.draw, index=state.moved)))
        elif table.match.to_roll(state.match):
            typed.append("r")
            do(Do("roll"))
        else:
            some = [keep for keep, _ in uniform(table.match.game, state.match.round) if keep.dice]
            keep = source.choice(some).dice
            typed.append("k " + " ".join(map(str, keep)))
            do(Mark(choose(table.view(state, mover), state.marks, Choose("keep", keep), "face")))
            typed.append("r")
            do(Do("roll"))
    return Plan(words, setup, tuple(typed), write(setup.header, table.match, moves(events)), appends)


@dataclass(frozen=True)
class Kept:
    """What a log holds, read row by row: lines typed for it, and what must have been told of it, in order."""

    typed: int
    told: tuple[tuple[str, str, Hand], ...]
    marks: int
    over: bool
    last: int
    """How many of ``told`` came in the last append."""


def kept(log: Path) -> Kept:
    """A log as it lies on the disk; a torn last row was never there."""
    data = log.read_bytes()
    rows = [json.loads(row) for row in data[: data.rfind(b"\n") + 1].splitlines()]
    setup = read_setup(rows[0][0])
    table = table_of(setup)
    state, typed, told, marks, last = table.start(), 0, list[tuple[str, str, Hand]](), 0, 0
    for row in rows[1:]:
        mover = table.mover(state)
        typed += mover is not None and table.names[mover] not in setup.bots
        before = len(told)
        for text in row:
            event = read_event(table, text)
            told += _told(table, state, event)
            marks += isinstance(event, Marked)
            state = table.apply(state, event)
        last = len(told) - before
    return Kept(typed, tuple(told), marks, state.match.over, last)


def _told(table: Table, state: TableState, event: Event) -> list[tuple[str, str, Hand]]:
    mover = table.mover(state)
    if mover is None or isinstance(event, Marked):
        return []
    name = table.names[mover].capitalize() if table.names[mover] == "you" else table.names[mover]
    if isinstance(event, Rolled):
        return [(name, "rolled", tuple(sorted(event.dice)))]
    if len(table.match.legal(state.match)) == 1:  # forced: told of in other words
        return []
    action: Any = event.action if hasattr(event, "action") else None
    return [(name, "kept", action.dice)]
