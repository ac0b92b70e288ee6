"""Rematches: the setup of the next table, and the tally of the matches played one after another. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from pubdice.core.seal import Seals, read_seal
from pubdice.kit import Kit
from pubdice.room.setup import MOST_ROWS, Expected, Row, Setup, unused, with_units
from pubdice.room.state import Chair, RoomState

MOST_BANNED = 64
"""Removed persons that the next table remembers; the oldest are dropped."""


def next_table(kit: Kit, state: RoomState, now: int, code: str, seals: Seals) -> Setup:
    """The setup of the table that follows a match: the same chairs, kept for the same people or taken by the same bots,
    and chairs for people in the queue. It is no table of a duplicate night.

    People who were removed stay out. Player 1 moves left, unless the house rule says to draw for each match. code: this
    table's. now: ms since 1970. seals: of sealed dice, each evening a chain.
    """
    if state.match is None:
        raise ValueError("no match has been played")
    expected = [_expected(state, chair) for chair in state.chairs]
    game, first = state.match.table.match.game, state.match.table.match.first
    for person, name in state.queue[: max(0, game.most_seats - len(expected))]:
        expected.append(Expected(unused(name, [chair.name for chair in expected]), (person,)))
    drawn = state.setup.rules.get("first") == "draw"
    opened = state.drawn if first is None else first
    setup = state.setup
    return replace(
        setup,
        seats=len(expected),
        host=state.host,
        opened=now,
        bots=(),
        opens=0 if drawn or opened is None else (opened + 1) % len(state.chairs),
        pace_ms=state.pace_ms,
        grows=True,
        before=code,
        expected=tuple(expected),
        moves_left=not drawn,
        banned=state.banned[-MOST_BANNED:],
        shut=state.shut,
        first_stays=True,
        games=setup.games + 1,
        evening=evening(state)[1],
        night="",  # whose dice these players know by now
        seal=seals.following(read_seal(setup.seal)).write() if setup.dice == "sealed" else setup.seal,
    )


def _expected(state: RoomState, chair: Chair) -> Expected:
    return Expected(chair.name, chair.people, "" if chair.people else chair.bot)


def evening(state: RoomState) -> tuple[int, tuple[Row, ...]]:
    """How many matches are over, and everybody's tally, most matches won first."""
    setup, live = state.setup, state.match
    if live is None or not live.state.match.over:
        return setup.games, setup.evening
    form, tally, rows = live.table.match.format, live.state.match.tally, list(setup.evening)
    winners, unit = form.champions(tally), form.kind.unit
    takings = () if unit is None else form.takings(tally)
    row_numbers = owners(rows, state.chairs)
    for seat, chair in enumerate(state.chairs):
        number = row_numbers.get(seat)
        row = Row(chair.name) if number is None else rows[number]
        row = replace(row, name=chair.name, people=chair.people, wins=row.wins + (seat in winners))
        if unit is not None:
            have = dict(row.takings)
            row = replace(row, takings=tuple({**have, unit.key: have.get(unit.key, 0) + takings[seat]}.items()))
        if number is None:
            rows.append(row)
        else:
            rows[number] = row
    rows = sorted(with_units(rows), key=lambda row: -row.wins)  # who is new lacks the older units, and may lead
    return setup.games + 1, with_units(rows[:MOST_ROWS])


def owners(rows: Sequence[Row], chairs: Sequence[Chair]) -> dict[int, int]:
    """The number of each seat's row: found by its people, by name too if they share a phone; a bot's by its name."""
    found: dict[int, int] = {}
    for by_name in (True, False):
        for seat, chair in enumerate(chairs):
            people = chair.people or chair.awaited
            for number, row in enumerate(rows):
                if seat in found or number in found.values() or (by_name and row.name != chair.name):
                    continue
                if set(people) & set(row.people) or (by_name and not people and not row.people):
                    found[seat] = number
    return found
