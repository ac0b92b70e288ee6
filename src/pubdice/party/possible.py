"""Which events can have happened at a table as it stands, so that no log leads to a table that cannot be.

Whether a move is within the rules is the match's business, and who may ask for what is ``sitting``'s.
"""

from pubdice.names import find_name
from pubdice.party.events import (
    Botted,
    Closed,
    Event,
    Joined,
    Left,
    Moved,
    Nudged,
    Paced,
    Rematched,
    Removed,
    Resumed,
    Sat,
    Started,
    StoodIn,
    TimedOut,
    Voted,
)
from pubdice.party.state import Kind, PartyState, Stage
from pubdice.table import TakenBack

TAKEN: tuple[Kind, ...] = ("person", "standin")
STAGES: dict[type[Event], tuple[Stage, ...]] = {
    Sat: ("gathering", "playing"),
    Joined: ("gathering", "playing", "over"),
    Botted: ("gathering", "playing"),
    Left: ("gathering", "playing"),
    Removed: ("gathering", "playing"),
    Closed: ("gathering",),
    Started: ("gathering",),
    StoodIn: ("playing",),
    Resumed: ("playing",),
    Voted: ("playing",),
    TimedOut: ("playing",),
    Paced: ("gathering", "playing", "over"),
    Nudged: ("playing",),
    Rematched: ("over",),
    Moved: ("playing", "over"),
}
"""When an event can happen."""
KINDS: dict[type[Event], tuple[Kind, ...]] = {
    Sat: ("empty", "bot"),
    Joined: TAKEN,
    Botted: ("empty",),
    Left: TAKEN,
    Removed: TAKEN,
    Closed: ("empty", "bot"),
    StoodIn: ("person",),
    Resumed: ("standin",),
    Voted: TAKEN,
    TimedOut: ("person",),
    Nudged: TAKEN,
    Rematched: TAKEN,
}
"""What an event finds at its seat."""


def possible(state: PartyState, event: Event) -> bool:
    """Whether an event can happen now."""
    if state.stage not in STAGES[type(event)]:
        return False
    if isinstance(event, Started):
        return all(state.names)
    if isinstance(event, Paced):
        return True
    if isinstance(event, Moved):
        return not (state.rematch and isinstance(event.event, TakenBack))
    if not 0 <= event.seat < len(state.chairs) or state.chairs[event.seat].kind not in KINDS[type(event)]:
        return False
    if isinstance(event, Sat | Joined) and event.person in state.people:
        return False
    if isinstance(event, Sat | Botted):
        return find_name(event.name, [chair.name for at, chair in enumerate(state.chairs) if at != event.seat]) is None
    if isinstance(event, Voted):
        seen = range(len(state.chairs))
        return event.absent in seen and event.absent != event.seat and state.chairs[event.absent].kind == "person"
    if isinstance(event, TimedOut):
        return event.seat == state.mover
    return not (isinstance(event, Rematched) and state.rematch)
