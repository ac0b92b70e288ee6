"""Positions for the drill, as saved games. Two bots play up to a new position with seeded dice. A position can also be
the end of a record.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pubdice.advice.bots import act
from pubdice.command_line import FaultError
from pubdice.core.cup import Cup
from pubdice.kit import Kit
from pubdice.match.header import Header, RawHeader
from pubdice.match.match import Match
from pubdice.match.table import Draw, Table, TableEvent, TableState, write_event
from pubdice.room import Room
from pubdice.terminal.game_log import GameLog, local_setup, seated
from pubdice.terminal.reading import sound
from pubdice.terminal.saved_games import SavedGame, replayed
from pubdice.terminal.table_coach import TableCoach
from pubdice.text.language import Language

PASSED_OVER = 12
"""The most decisions that are skipped before one is taken. The number skipped is drawn by lot."""
PATIENCE = 200
"""The most matches that are played in search of a decision at which value can be lost."""
Counsels = Callable[[Kit, Match[Any, Any]], TableCoach]
"""A function from a game and a match to its coach."""
PLAYERS = ("tip", "lucky")
"""The bots that play up to a position, if the game has them."""


def _game(kit: Kit, header: Header, table: Table, events: Iterable[TableEvent]) -> SavedGame:
    """Return a saved game with people at every seat, after these events."""
    setup = replace(local_setup(header, {}, "house", 0), loser_lost=table.match.loser_lost)
    happened = [f"0 {write_event(table, event)}" for event in events]
    return replayed(1, Room(kit, setup), GameLog(setup, texts=(*seated(setup), *happened)))


def new_positions(
    kits: Sequence[tuple[Kit, Mapping[str, str]]],
    cup: Callable[[str], Cup],
    counsel_of: Counsels,
    language: Language,
) -> Iterator[SavedGame]:
    """Yield positions without end, one from each kit in turn. ``cup`` makes a cup for a purpose."""
    number = 0
    while True:
        for kit, options in kits:
            number += 1
            yield _search(kit, options, partial(_purpose, cup, number), counsel_of, language)


def _purpose(cup: Callable[[str], Cup], number: int, purpose: str) -> Cup:
    return cup(f"drill {number} {purpose}")


def _search(
    kit: Kit,
    options: Mapping[str, str],
    cup: Callable[[str], Cup],
    counsel_of: Counsels,
    language: Language,
) -> SavedGame:
    """Find a decision at which value can be lost, in a match between bots. Raises FaultError if ``PATIENCE`` is not
    enough.
    """
    header = kit.normalize(RawHeader({"game": kit.name, "seats": ", ".join(kit.names), **options}))
    table = Table(kit.match(header), header.names)
    counsel = counsel_of(kit, table.match)
    for attempt in range(PATIENCE):
        dice, lots = cup(f"dice {attempt}"), cup(f"lots {attempt}")
        to_pass = lots.draw(1 + PASSED_OVER, table.match.seats)
        events: list[TableEvent] = []
        for event, state in _played(kit, table, dice, lots):
            events.append(event)
            if len(table.match.legal(state.match)) < 2:
                continue
            if to_pass <= 0 and counsel.advise(state.match).counts:
                return _game(kit, header, table, events)
            to_pass -= 1
    raise FaultError(language.say("No position was found in which anything can be lost."), 1)


def _played(kit: Kit, table: Table, dice: Cup, lots: Cup) -> Iterator[tuple[TableEvent, TableState]]:
    """Play a match between bots drawn by lot, and yield each event with the state after it."""
    players = [kit.policies[name] for name in PLAYERS if name in kit.policies] or list(kit.policies.values())
    seats, state = table.match.seats, table.start()
    at_seat = [players[lots.draw(len(players), seat)] for seat in range(seats)]
    while not state.match.over:
        mover = state.mover
        draw = partial(lots.draw, index=seats + 1 + state.moved)
        command = Draw() if mover is None else act(at_seat[mover], table, state, draw)
        for event in table.decide(state, command, dice):
            state = table.apply(state, event)
            yield event, state


def position_of(text: str, games: Mapping[str, Kit], language: Language) -> SavedGame | None:
    """Return the position at the end of a record. Return None if the record is invalid, or does not end at a choice."""
    try:
        checked = sound(text, games, language)
    except FaultError:
        return None
    if not checked.steps or len(checked.match.legal(checked.steps[-1].after)) < 2:
        return None
    table = Table(checked.match, checked.header.names)
    return _game(checked.kit, checked.header, table, (step.move for step in checked.steps))
