"""How long a table's log may grow: more than any match of its rules needs, and no longer than the house can carry."""

from collections.abc import Iterable
from functools import lru_cache

from pubdice.formats import MOST_ROUNDS, read_format
from pubdice.party.events import Event, Moved
from pubdice.party.state import PartyState
from pubdice.table import Marked, Refused

COMING_AND_GOING = 5_000
A_TURN = 100
MOST_LINES = 300_000
"""Lines for people who come and go, and ties; for each turn, with its marks; and of any log."""

MOST_MARKS = 200
"""Marks for one decision."""


def marks_after(marks: int, event: Event) -> int:
    """The marks since the last move of the match once this has happened."""
    if not isinstance(event, Moved):
        return marks
    return marks + 1 if isinstance(event.event, Marked) else 0


def check_marks(marks: int, events: Iterable[Event]) -> None:
    """Refuse too many marks for one decision, whatever command they come from. marks: those before.

    One more may come with the roll or bank that it is for.
    """
    moves = [event.event for event in events if isinstance(event, Moved)]
    most = MOST_MARKS if all(isinstance(move, Marked) for move in moves) else MOST_MARKS + 1
    for move in moves:
        marks = marks_after(marks, Moved(move))
        if marks > most:
            raise Refused("marks-enough", most=MOST_MARKS)


def is_full(state: PartyState) -> bool:
    """Whether nothing more is to be added to a table's log."""
    return state.seq >= COMING_AND_GOING and state.seq >= most_lines(state.setup.rules["format"], len(state.chairs))


@lru_cache(maxsize=256)
def most_lines(form: str, seats: int) -> int:
    """The bound of a table of so many seats with this format.

    >>> most_lines("rounds 5", 4), most_lines("race", 2), most_lines("pot 1 rounds 1000", 20)
    (7000, 9000, 300000)
    """
    kind = read_format(form)
    rounds = getattr(kind, "number", 0) or getattr(kind, "rounds", 0) or MOST_ROUNDS
    return min(COMING_AND_GOING + A_TURN * rounds * seats, MOST_LINES)
