"""How long a table's log may grow: more than any match under its rules needs, less than would burden the house."""

from collections.abc import Sequence

from pubdice.core.errors import Refused
from pubdice.match.formats import MOST_ROUNDS
from pubdice.match.table import Marked, TakenBack
from pubdice.room.event import Event
from pubdice.room.match_events import Moved
from pubdice.room.seats import Joined, Sat, Shared
from pubdice.room.standins import Resumed
from pubdice.room.state import RoomState

COMING_AND_GOING = 5_000
A_TURN = 100
MOST_LINES = 300_000
"""Lines for people who come and go, and for ties; lines for each turn and its marks; the most lines of any log."""
MOST_COMINGS = 2_000
"""Lines that are not moves, beside one for each turn. After them only events that lead on are accepted."""

LEAST_BOUND = MOST_COMINGS
"""No log has a lower bound: up to here nothing is refused, as at nearly every move of the house."""

MOST_MARKS = 200
"""Changes of the marks before one roll or bank."""


def marks_after(marks: int, event: Event) -> int:
    """The marks since the last move of the match once this has happened."""
    if not isinstance(event, Moved):
        return marks
    return marks + 1 if isinstance(event.event, Marked) else 0


def check_marks(marks: int, events: Sequence[Event]) -> None:
    """Refuse too many marks for one decision, by any command. marks: the number of marks before.

    One more may come together with the roll or bank that uses it.
    """
    if marks + len(events) <= MOST_MARKS:
        return  # as nearly always, whatever the events are
    moved = [event for event in events if isinstance(event, Moved)]
    most = MOST_MARKS if all(isinstance(event.event, Marked) for event in moved) else MOST_MARKS + 1
    for event in moved:
        marks = marks_after(marks, event)
        if marks > most:
            raise Refused("marks-enough", most=MOST_MARKS)


def check_room(state: RoomState, events: Sequence[Event]) -> None:
    """Refuse events that would use up the lines that the match still needs. events: those of one command."""
    if state.seq < LEAST_BOUND or not events or any(event.ends for event in events):
        return
    if is_full(state):
        raise Refused("log-full")
    moves = [event.event for event in events if isinstance(event, Moved)]
    if moves:
        no_progress = all(isinstance(move, Marked) for move in moves)
        no_progress = no_progress or any(isinstance(move, TakenBack) for move in moves)
        if no_progress and state.seq >= _most(state) * 3 // 4:
            raise Refused("log-choices")
        return
    comings = state.seq - (state.match.state.seq if state.match is not None else 0)
    many = comings >= MOST_COMINGS + (_most(state) - COMING_AND_GOING) // A_TURN
    if many and not any(_leads_on(state, event) for event in events):
        raise Refused("log-comings")


def _leads_on(state: RoomState, event: Event) -> bool:
    """True if the match needs this event, or it gives an awaited person their seat."""
    if isinstance(event, Sat | Shared | Joined):
        return event.seat < len(state.chairs) and bool(state.chairs[event.seat].awaited)
    if isinstance(event, Resumed):
        return state.chairs[event.seat].why == "voted"
    return event.leads_on


def is_done(state: RoomState) -> bool:
    """True if a match is over, or cannot go on as its log is full."""
    return state.stage == "over" or (state.match is not None and is_full(state))


def is_full(state: RoomState) -> bool:
    """True if the log has reached its bound."""
    return state.seq >= COMING_AND_GOING and state.seq >= _most(state)


def _most(state: RoomState) -> int:
    planned = 1 if state.table is None else state.table.match.format.rounds_planned  # before it no moves use lines
    return most_lines(planned, len(state.chairs))


def most_lines(rounds: int, seats: int) -> int:
    """The bound of a table with these seats and planned rounds; 0 if no number of rounds is set, as in a race.

    >>> most_lines(5, 4), most_lines(0, 2), most_lines(1000, 20)
    (7000, 9000, 300000)
    """
    return min(COMING_AND_GOING + A_TURN * (rounds or MOST_ROUNDS) * seats, MOST_LINES)
