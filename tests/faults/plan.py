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

from pubdice.advice.bots import act
from pubdice.core.cup import SeededCup
from pubdice.core.dice import Hand
from pubdice.core.game import uniform
from pubdice.games import GAMES
from pubdice.match.header import RawHeader
from pubdice.match.record import Rolled, write
from pubdice.match.table import (
    Draw,
    Mark,
    Marked,
    RollOrBank,
    Table,
    TableCommand,
    TableEvent,
    TableState,
    moves,
    read_event,
)
from pubdice.room import Room, Setup
from pubdice.room.beginning import match_of, rules_of
from pubdice.terminal.game_log import read_log
from pubdice.typed import Choose
from pubdice.typed_dice import choose


@dataclass(frozen=True)
class Plan:
    """A whole game: the words that start it, the lines typed, and its record."""

    words: tuple[str, ...]
    lines: tuple[str, ...]
    record: str


def table_of(setup: Setup) -> Table:
    """The match table of a setup."""
    kit = GAMES[setup.rules["game"]]
    return match_of(kit, Room(kit, setup).start())


def plan(words: tuple[str, ...], setup_line: str, people: int) -> Plan:
    """The game that these words start, with its seeded dice and with people who choose by ``people``'s lots."""
    log = read_log([setup_line])
    seed, setup = log.seed, log.setup
    assert seed is not None
    kit, table = GAMES[setup.rules["game"]], table_of(setup)
    header = kit.normalize(RawHeader(rules_of(Room(kit, setup).start())))
    cup, lots, source = SeededCup(seed, "dice"), SeededCup(seed, "bots"), random.Random(people)
    state, events, typed = table.start(), list[TableEvent](), list[str]()

    def do(command: TableCommand) -> None:
        nonlocal state
        for event in table.decide(state, command, cup):
            events.append(event)
            state = table.apply(state, event)

    while not state.match.over:
        mover = state.mover
        bot = "" if mover is None else setup.expected[mover].bot
        if mover is None:
            do(Draw())
        elif bot:
            do(act(kit.policies[bot], table, state, partial(lots.draw, index=state.moved)))
        elif table.match.to_roll(state.match):
            typed.append("r")
            do(RollOrBank("roll"))
        else:
            some = [keep for keep, _ in uniform(table.match.game, state.match.round) if keep.dice]
            keep = source.choice(some).dice
            typed.append("k " + " ".join(map(str, keep)))
            do(Mark(choose(table.view(state, mover), state.marks, Choose("keep", keep), "face")))
            typed.append("r")
            do(RollOrBank("roll"))
    return Plan(words, tuple(typed), write(header, table.match, moves(events)))


@dataclass(frozen=True)
class Kept:
    """A log's contents, read row by row: lines typed for it, and lines told of it, in order."""

    typed: int
    told: tuple[tuple[str, str, Hand], ...]
    marks: int
    over: bool
    last: int
    """The number of ``told`` in the last append."""


def kept(log: Path) -> Kept:
    """A log as it lies on the disk. A torn last row was never there."""
    data = log.read_bytes()
    rows = [json.loads(row) for row in data[: data.rfind(b"\n") + 1].splitlines()]
    setup = read_log(rows[0]).setup
    table = table_of(setup)
    began = next(at for at, text in enumerate(rows[0]) if text.endswith(" started"))
    rows[0] = rows[0][began + 1 :]  # the draw of Player 1, if there is one
    state, typed, told, marks, last = table.start(), 0, list[tuple[str, str, Hand]](), 0, 0
    for row in rows:
        mover = state.mover
        typed += row is not rows[0] and mover is not None and not setup.expected[mover].bot
        before = len(told)
        for text in row:
            event = read_event(table, text.partition(" ")[2])
            told += _told(table, state, event)
            marks += isinstance(event, Marked)
            state = table.apply(state, event)
        last = len(told) - before
    return Kept(typed, tuple(told), marks, state.match.over, last)


def _told(table: Table, state: TableState, event: TableEvent) -> list[tuple[str, str, Hand]]:
    mover = state.mover
    if mover is None or isinstance(event, Marked):
        return []
    name = table.names[mover].capitalize() if table.names[mover] == "you" else table.names[mover]
    if isinstance(event, Rolled):
        return [(name, "rolled", tuple(sorted(event.dice)))]
    if len(table.match.legal(state.match)) == 1:  # forced: told of in other words
        return []
    action: Any = event.action if hasattr(event, "action") else None
    return [(name, "kept", action.dice)]
