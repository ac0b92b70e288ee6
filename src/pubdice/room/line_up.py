"""The line-up of an evening: the next game, its number of matches, and when they are decided. Pure functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pubdice.core.dice import whole_number
from pubdice.core.errors import BadNotation
from pubdice.kit import Kit
from pubdice.match.formats import find_kind
from pubdice.room.setup import MOST_MATCHES, MOST_ROWS, Planned, Row, Setup, checked
from pubdice.room.state import Chair, RoomState

BEST = ("best of", "best")
"""The words that come before the length of a best-of series."""


@dataclass(frozen=True, slots=True)
class NextMatch:
    """The match that follows a match that is over."""

    kit: Kit
    rules: Mapping[str, str]
    matches: int
    best: bool
    played: int  # the matches of this game before it
    won: tuple[Row, ...]  # each player's wins in the matches of this game before it
    line_up: tuple[Planned, ...]
    planned: bool  # True if it was planned; False if it only repeats the last match
    decided: bool  # True if the matches of the game just played are decided
    before: tuple[Row, ...]  # the tally of the game just played


def read_times(text: str) -> tuple[int, bool]:
    """Return the number of matches that a text names, and True for a best-of series. Raise BadNotation("times").

    >>> read_times("3"), read_times("Best of 5"), read_times("best 1")
    ((3, False), (5, True), (1, False))
    """
    said = " ".join(text.lower().split())
    word = next((word for word in BEST if said.startswith(f"{word} ")), "")
    number = whole_number(said.removeprefix(word).strip())
    if number is None or not 1 <= number <= MOST_MATCHES:
        raise BadNotation("times", found=text, most=MOST_MATCHES)
    return number, bool(word) and number > 1


def is_decided(matches: int, best: bool, played: int, won: Sequence[Row]) -> bool:
    """Return True if a game's ``matches`` are decided after ``played`` of them.

    All must be played. In a best-of series it is enough that a player has won more than half of ``matches``.

    >>> is_decided(3, True, 2, [Row("Ann", wins=2)]), is_decided(3, True, 2, [Row("Ann", wins=1)])
    (True, False)
    """
    return played >= max(1, matches) or (best and any(2 * row.wins > matches for row in won))


def with_match(rows: Sequence[Row], state: RoomState, unit: str = "", takings: Sequence[int] = ()) -> list[Row]:
    """Add this table's finished match to the rows of a tally.

    ``takings`` are amounts by seat, in the unit with key ``unit``.
    """
    live = state.match
    if live is None:
        raise ValueError("no match has been played")
    winners, found = live.table.match.format.champions(live.state.match.tally), list(rows)
    numbers = owners(found, state.chairs)
    for seat, chair in enumerate(state.chairs):
        number = numbers.get(seat)
        row = Row(chair.name) if number is None else found[number]
        row = replace(row, name=chair.name, people=chair.people, wins=row.wins + (seat in winners))
        if unit:
            have = dict(row.takings)
            row = replace(row, takings=tuple({**have, unit: have.get(unit, 0) + takings[seat]}.items()))
        if number is None:
            found.append(row)
        else:
            found[number] = row
    return found


def plans_alone(before: Setup, after: Setup) -> bool:
    """Return True if two setups differ only in their plan of games."""
    same = replace(after, matches=before.matches, best=before.best, line_up=before.line_up)
    return after != before and same == before


def following(kit: Kit, games: Mapping[str, Kit], state: RoomState) -> NextMatch:
    """Return the match that follows this table's.

    The game stays the same until its matches are decided. Then the next game comes from the line-up: the first that the
    house has and that fits the seats. If there is none, the same match is played again.
    """
    setup = state.setup
    over = state.stage == "over"  # if the log got full, the match does not count and is played again
    played, won = (setup.played + 1, _most_first(setup.won, state)) if over else (setup.played, setup.won)
    decided = is_decided(setup.matches, setup.best, played, won)
    if not decided:
        return NextMatch(
            kit, setup.rules, setup.matches, setup.best, played, won, setup.line_up, bool(setup.matches), False, won
        )
    for at, planned in enumerate(setup.line_up):
        other = games.get(planned.rules["game"])
        if other is not None and fits(other, setup, planned.rules, len(state.chairs)):
            matches = 0 if planned.matches == 1 else planned.matches
            return NextMatch(
                other, planned.rules, matches, planned.best, 0, (), setup.line_up[at + 1 :], True, True, won
            )
    return NextMatch(kit, setup.rules, 0, False, 0, (), (), False, True, won)


def decider(kit: Kit, state: RoomState) -> NextMatch | None:
    """Return one more round between the seats that share a finished match. After it, the line-up goes on.

    Without a line-up, the same match follows again. None if the match has one winner, if more matches of the game are
    due, or if the game has no match of rounds. A format with the prize "leaving" never shares a match.
    """
    live, setup = state.match, state.setup
    kind = find_kind("rounds", kit.formats)
    if live is None or not live.state.match.over or setup.night or kind is None:
        return None
    form = live.table.match.format
    tied = form.prize != "leaving" and len(form.champions(live.state.match.tally)) > 1
    if not tied or (setup.matches > 1 and not following(kit, {}, state).decided):
        return None
    rules = {**setup.rules, "format": kind.build(1).write()}
    return NextMatch(kit, rules, 0, False, 0, (), setup.line_up or (Planned(setup.rules, 1),), True, True, ())


def _most_first(won: Sequence[Row], state: RoomState) -> tuple[Row, ...]:
    return tuple(sorted(with_match(won, state), key=lambda row: -row.wins)[:MOST_ROWS])


def fits(kit: Kit, setup: Setup, rules: Mapping[str, str], seats: int) -> bool:
    """Return True if a game with these rules can be played by this number of seats."""
    try:
        rules_for(kit, setup, rules, seats)
    except BadNotation:
        return False
    return True


def rules_for(kit: Kit, setup: Setup, rules: Mapping[str, str], seats: int) -> dict[str, str]:
    """Return the rules of a planned game in their one spelling. Raise BadNotation if it cannot be played."""
    plain = replace(setup, rules=rules, seats=max(1, seats), bots=(), expected=(), grows=True)
    return dict(checked(kit, plain).rules)


def owners(rows: Sequence[Row], chairs: Sequence[Chair]) -> dict[int, int]:
    """Return the number of each seat's row in a tally, by seat.

    A row belongs to the seat's people. If people share a phone, or for a bot, the name decides.
    """
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
