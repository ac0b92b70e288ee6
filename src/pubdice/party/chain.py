"""A chain of matches: the table a rematch is laid at, and what the matches of an evening have come to. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from pubdice.kit import Kit
from pubdice.party.setup import MOST_ROWS, Expected, Row, Setup, unused
from pubdice.party.state import Chair, PartyState

MOST_BARRED = 64
"""Persons removed from a chain that are remembered; the first are forgotten first."""


def next_table(kit: Kit, state: PartyState, now: int, code: str) -> Setup:
    """The table that follows a match: the same chairs, kept for the same people; bots sit; who queued is waited for.

    Who was removed stays out, and Player 1 moves left, unless the house rule says to draw for each match.
    """
    assert state.table is not None, "a match has been played"
    expected = [_expected(state, chair) for chair in state.chairs]
    game = state.table.match.game
    for person, name in state.queue[: max(0, game.most_seats - len(expected))]:
        expected.append(Expected(unused(name, [chair.name for chair in expected]), (person,)))
    drawn = state.setup.rules.get("first") == "draw"
    first = state.table.match.first if state.table.match.first is not None else state.drawn
    return replace(
        state.setup,
        seats=len(expected),
        host=state.host,
        opened=now,
        bots=(),
        opens=0 if drawn or first is None else (first + 1) % len(state.chairs),
        pace_ms=state.pace_ms,
        grows=True,
        before=code,
        expected=tuple(expected),
        moves_left=not drawn,
        barred=state.barred[-MOST_BARRED:],
        shut=state.shut,
        first_stays=True,
        games=state.setup.games + 1,
        evening=evening(state)[1],
    )


def _expected(state: PartyState, chair: Chair) -> Expected:
    return Expected(chair.name, chair.people, "" if chair.people else chair.bot)


def evening(state: PartyState) -> tuple[int, tuple[Row, ...]]:
    """How many matches of a chain are over, and what everybody has come to, by matches won."""
    setup, table, play = state.setup, state.table, state.play
    if table is None or play is None or not play.match.over:
        return setup.games, setup.evening
    form, tally, rows = table.match.format, play.match.tally, list(setup.evening)
    winners, (unit, takings) = form.champions(tally), form.takings(tally)
    places = owners(rows, state.chairs)
    for seat, chair in enumerate(state.chairs):
        place = places.get(seat)
        row = Row(chair.name) if place is None else rows[place]
        row = replace(row, name=chair.name, people=chair.people, wins=row.wins + (seat in winners))
        if unit:
            row = replace(row, **{unit: getattr(row, unit) + takings[seat]})
        if place is None:
            rows.append(row)
        else:
            rows[place] = row
    rows.sort(key=lambda row: -row.wins)
    return setup.games + 1, tuple(rows[:MOST_ROWS])


def owners(rows: Sequence[Row], chairs: Sequence[Chair]) -> dict[int, int]:
    """Which row is a seat's: that of its people, by name where several share a phone; a bot's by its name."""
    found: dict[int, int] = {}
    for by_name in (True, False):
        for seat, chair in enumerate(chairs):
            people = chair.people or chair.awaited
            for place, row in enumerate(rows):
                if seat in found or place in found.values() or (by_name and row.name != chair.name):
                    continue
                if set(people) & set(row.people) or (by_name and not people and not row.people):
                    found[seat] = place
    return found
