"""Rematches: the setup of the next table, and the tally of the matches played one after another. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from pubdice.core.seal import Seals, read_seal
from pubdice.kit import PERFECT, Kit
from pubdice.room.line_up import decider, following, with_match
from pubdice.room.setup import (
    MOST_CHAIRS,
    MOST_PERFECT,
    MOST_ROWS,
    Expected,
    Row,
    Setup,
    unused,
    with_units,
)
from pubdice.room.state import Chair, RoomState

MOST_BANNED = 64
"""Removed persons that the next table remembers; the oldest are dropped."""


def next_table(
    kit: Kit,
    state: RoomState,
    now: int,
    code: str,
    seals: Seals,
    *,
    games: Mapping[str, Kit],
    decides: bool = False,
) -> Setup:
    """The setup of the table that follows a match: the same chairs, kept for the same people or taken by the same bots,
    and chairs for people in the queue; and the game that the line-up has next. It is no table of a duplicate night.
    decides: it is ``decider``, where there is one, with the chairs of those who share the match.

    People who were removed stay out. Player 1 moves left, unless the house rule says to draw for each match. code: this
    table's. games: all that the house has. now: ms since 1970. seals: of sealed dice, each evening a chain.
    """
    if state.match is None:
        raise ValueError("no match has been played")
    one_more = decider(kit, state) if decides else None
    after, first = one_more or following(kit, games, state), state.match.table.match.first
    expected = [_expected(after.kit, chair, len(state.chairs)) for chair in state.chairs]
    if one_more is not None:
        tied = state.match.table.match.format.champions(state.match.state.match.tally)
        expected = [expected[seat] for seat in tied]
    room = 0 if one_more else max(0, min(MOST_CHAIRS, after.kit.build(after.rules).most_seats) - len(expected))
    for person, name in state.queue[:room]:
        expected.append(Expected(unused(name, [chair.name for chair in expected]), (person,)))
    drawn = after.rules.get("first") == "draw"
    opened = state.drawn if first is None else first
    setup = state.setup
    return replace(
        setup,
        rules=after.rules,
        matches=after.matches,
        best=after.best,
        line_up=after.line_up,
        played=after.played,
        won=after.won,
        seats=len(expected),
        host=state.host,
        opened=now,
        bots=(),
        opens=0 if drawn or opened is None else (opened + 1) % len(expected if one_more else state.chairs),
        pace_ms=state.pace_ms,
        grows=one_more is None,
        before=code,
        expected=tuple(expected),
        moves_left=not drawn,
        banned=state.banned[-MOST_BANNED:],
        shut=state.shut,
        first_stays=True,
        loser_lost=True,
        games=setup.games + 1,
        evening=evening(state)[1],
        night="",  # whose dice these players know by now
        seal=seals.following(read_seal(setup.seal)).write() if setup.dice == "sealed" else setup.seal,
    )


def _expected(kit: Kit, chair: Chair, seats: int) -> Expected:
    """The chair at the next table; a bot that the next game does not have plays as its usual one."""
    has = chair.bot in kit.bots and (chair.bot != PERFECT or seats <= MOST_PERFECT)
    return Expected(chair.name, chair.people, "" if chair.people else chair.bot if has else kit.bots[0])


def evening(state: RoomState) -> tuple[int, tuple[Row, ...]]:
    """The number of matches that are over, and everybody's tally, most matches won first."""
    setup, live = state.setup, state.match
    if live is None or not live.state.match.over:
        return setup.games, setup.evening
    form, tally = live.table.match.format, live.state.match.tally
    unit = form.kind.unit
    rows = with_match(setup.evening, state, *((unit.key, form.takings(tally)) if unit else ()))
    rows = sorted(with_units(rows), key=lambda row: -row.wins)  # who is new lacks the older units, and may lead
    return setup.games + 1, with_units(rows[:MOST_ROWS])
