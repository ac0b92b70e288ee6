"""How long a table's log may grow: more than any match of its rules needs, and no longer than the house can carry."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from pubdice.formats import MOST_ROUNDS, read_format
from pubdice.party.events import (
    Closed,
    Event,
    Followed,
    Joined,
    Left,
    Moved,
    Readied,
    Rematched,
    Removed,
    Reopened,
    Resumed,
    Sat,
    Shared,
    Started,
    StoodIn,
    TimedOut,
    Unpaused,
    Unqueued,
    Voted,
)
from pubdice.party.state import PartyState
from pubdice.table import Marked, Refused, TakenBack

COMING_AND_GOING = 5_000
A_TURN = 100
MOST_LINES = 300_000
"""Lines for people who come and go, and ties; for each turn, with its marks; and of any log."""
MOST_COMINGS = 2_000
"""Of those, lines that are no moves, and one for each turn; then only what leads on or ends something is taken."""

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
    moved = [event for event in events if isinstance(event, Moved)]
    most = MOST_MARKS if all(isinstance(event.event, Marked) for event in moved) else MOST_MARKS + 1
    for event in moved:
        marks = marks_after(marks, event)
        if marks > most:
            raise Refused("marks-enough", most=MOST_MARKS)


ENDS = (Left, Removed, StoodIn, Started, Rematched, Reopened, Followed)
"""What ends something: a full log takes it, and each only so often, as no seat is taken there any more."""
LEADS_ON = (*ENDS, Closed, Readied, TimedOut, Unpaused, Unqueued, Voted)
"""What a match needs to begin and go on, and cannot be done again and again."""


def check_room(state: PartyState, events: Sequence[Event]) -> None:
    """Refuse what would fill a table's log at the cost of its match. events: those that a command leads to."""
    if not events or any(isinstance(event, ENDS) for event in events):
        return
    if is_full(state):
        raise Refused("log-full")
    moves = [event.event for event in events if isinstance(event, Moved)]
    if moves:
        idle = all(isinstance(move, Marked) for move in moves) or any(isinstance(move, TakenBack) for move in moves)
        if idle and state.seq >= _most(state) * 3 // 4:
            raise Refused("log-choices")
        return
    comings = state.seq - (state.play.seq if state.play is not None else 0)
    many = comings >= MOST_COMINGS + (_most(state) - COMING_AND_GOING) // A_TURN
    if many and not any(_leads_on(state, event) for event in events):
        raise Refused("log-comings")


def _leads_on(state: PartyState, event: Event) -> bool:
    """Whether an event is one that a match needs, or that gives somebody the seat they are waited for at."""
    if isinstance(event, Sat | Shared | Joined):
        return event.seat < len(state.chairs) and bool(state.chairs[event.seat].awaited)
    if isinstance(event, Resumed):
        return state.chairs[event.seat].why == "voted"
    return isinstance(event, LEADS_ON)


def is_done(state: PartyState) -> bool:
    """Whether a match is over, or cannot go on as its log is full."""
    return state.stage == "over" or (state.play is not None and is_full(state))


def is_full(state: PartyState) -> bool:
    """Whether nothing more is to be added to a table's log."""
    return state.seq >= COMING_AND_GOING and state.seq >= _most(state)


def _most(state: PartyState) -> int:
    return most_lines(state.setup.rules["format"], len(state.chairs))


@lru_cache(maxsize=256)
def most_lines(form: str, seats: int) -> int:
    """The bound of a table of so many seats with this format.

    >>> most_lines("rounds 5", 4), most_lines("race", 2), most_lines("pot 1 rounds 1000", 20)
    (7000, 9000, 300000)
    """
    kind = read_format(form)
    rounds = getattr(kind, "number", 0) or getattr(kind, "rounds", 0) or MOST_ROUNDS
    return min(COMING_AND_GOING + A_TURN * rounds * seats, MOST_LINES)
