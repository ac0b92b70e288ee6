"""Rematches: the setup of the next table, and the tally of the matches in a chain of tables. Pure functions."""

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
"""The most removed persons that the next table remembers. If there are more, the oldest are forgotten."""


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
    """Return the setup of the table that follows a match.

    It has the same chairs, kept for the same people or taken by the same bots, and chairs for people in the queue. The
    line-up chooses the game. If ``decides`` and ``decider`` has a round, only the seats that share the match play it.
    People who were removed stay out. Player 1 moves one seat to the left, unless the house rule draws Player 1 for each
    match. The next table is never one of a duplicate night.

    ``code`` is the code of this table. ``games`` has all games of the house. ``now`` is in ms since 1970. ``seals``
    makes the next seal of sealed dice. Each evening is one chain of seals.
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
        night="",  # these players have already seen the dice of the night
        seal=seals.following(read_seal(setup.seal)).write() if setup.dice == "sealed" else setup.seal,
    )


def _expected(kit: Kit, chair: Chair, seats: int) -> Expected:
    """Return the chair at the next table.

    If the next game does not have the chair's bot, the game's usual bot plays.
    """
    has = chair.bot in kit.bots and (chair.bot != PERFECT or seats <= MOST_PERFECT)
    return Expected(chair.name, chair.people, "" if chair.people else chair.bot if has else kit.bots[0])


def evening(state: RoomState) -> tuple[int, tuple[Row, ...]]:
    """Return the number of the evening's finished matches, and every player's tally, most matches won first."""
    setup, live = state.setup, state.match
    if live is None or not live.state.match.over:
        return setup.games, setup.evening
    form, tally = live.table.match.format, live.state.match.tally
    unit = form.kind.unit
    rows = with_match(setup.evening, state, *((unit.key, form.takings(tally)) if unit else ()))
    # a new player's row has no older units and may become the first, so give all rows the same units before
    rows = sorted(with_units(rows), key=lambda row: -row.wins)
    return setup.games + 1, with_units(rows[:MOST_ROWS])
