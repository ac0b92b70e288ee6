"""Which events can have happened at a table as it stands, so that no log leads to a table that cannot be.

Whether a move is within the rules is the match's business, and who may ask for what is ``sitting``'s.
"""

from pubdice.names import find_name
from pubdice.party.bounds import is_done
from pubdice.party.events import (
    Admitted,
    Botted,
    Closed,
    Event,
    Followed,
    HandedOver,
    Joined,
    Left,
    Moved,
    Nudged,
    Paced,
    Paused,
    Queued,
    Readied,
    Rematched,
    Removed,
    Renamed,
    Reopened,
    Resumed,
    Ruled,
    Sat,
    Shared,
    Shifted,
    Started,
    StoodIn,
    TimedOut,
    Unpaused,
    Unqueued,
    Unreadied,
    Voted,
)
from pubdice.party.setup import MOST_SEATS
from pubdice.party.state import Kind, PartyState, Stage
from pubdice.table import TakenBack

TAKEN: tuple[Kind, ...] = ("person", "standin")
STAGES: dict[type[Event], tuple[Stage, ...]] = {
    Sat: ("gathering", "playing"),
    Shared: ("gathering",),
    Joined: ("gathering", "playing", "over"),
    Botted: ("gathering", "playing"),
    Left: ("gathering", "playing"),
    Removed: ("gathering", "playing"),
    Admitted: ("gathering", "playing", "over"),
    Closed: ("gathering",),
    Shifted: ("gathering",),
    Readied: ("gathering",),
    Unreadied: ("gathering",),
    Ruled: ("gathering",),
    Renamed: ("gathering", "playing"),
    HandedOver: ("gathering", "playing", "over"),
    Paused: ("playing",),
    Unpaused: ("playing",),
    Queued: ("playing", "over"),
    Unqueued: ("playing", "over"),
    Started: ("gathering",),
    StoodIn: ("playing",),
    Resumed: ("playing",),
    Voted: ("playing",),
    TimedOut: ("playing",),
    Paced: ("gathering", "playing", "over"),
    Nudged: ("playing",),
    Rematched: ("playing", "over"),
    Reopened: ("playing", "over"),
    Followed: ("playing", "over"),
    Moved: ("playing", "over"),
}
"""When an event can happen."""
KINDS: dict[type[Event], tuple[Kind, ...]] = {
    Sat: ("empty", "bot"),
    Shared: ("empty",),
    Joined: TAKEN,
    Botted: ("empty",),
    Left: TAKEN,
    Removed: (*TAKEN, "empty"),
    Closed: ("empty", "bot"),
    Shifted: ("empty", "bot", "person"),
    Readied: ("person",),
    Unreadied: ("person",),
    Renamed: TAKEN,
    HandedOver: TAKEN,
    Paused: TAKEN,
    Unpaused: TAKEN,
    StoodIn: ("person",),
    Resumed: ("standin",),
    Voted: TAKEN,
    TimedOut: ("person",),
    Nudged: TAKEN,
    Rematched: TAKEN,
    Followed: TAKEN,
}
"""What an event finds at its seat."""


def possible(state: PartyState, event: Event) -> bool:
    """Whether an event can happen now."""
    if state.stage not in STAGES[type(event)]:
        return False
    if isinstance(event, Rematched | Reopened | Followed) and not is_done(state):
        return False
    if isinstance(event, Started):
        return bool(state.chairs) and all(chair.kind != "empty" for chair in state.chairs)
    if isinstance(event, Paced | Ruled):
        return True
    if isinstance(event, Admitted):
        return state.shut
    if isinstance(event, Queued | Unqueued | Reopened):
        return not state.rematch and _queues(state, event)
    if isinstance(event, Moved):
        left = bool(state.rematch) and (state.stage == "playing" or isinstance(event.event, TakenBack))
        return not state.paused_at and not left
    if isinstance(event, Sat | Shared | Botted) and event.seat == len(state.chairs):
        return _grows(state) and _may_sit(state, event)
    if not 0 <= event.seat < len(state.chairs) or state.chairs[event.seat].kind not in KINDS[type(event)]:
        return False
    if isinstance(event, Sat | Shared | Botted | Joined):
        return _may_sit(state, event)
    return _fits(state, event)


def _queues(state: PartyState, event: Queued | Unqueued | Reopened) -> bool:
    """Whether it is somebody who does not wait yet, or one who does; and nobody plays on who could be asked first."""
    if isinstance(event, Queued):
        return event.person not in state.people and event.person not in dict(state.queue)
    return event.person in dict(state.queue) and not (isinstance(event, Reopened) and state.people)


def _grows(state: PartyState) -> bool:
    """Whether there may be a chair more: while people gather, as a match is played by those who sat there."""
    return state.play is None and state.setup.grows and len(state.chairs) < MOST_SEATS


def _may_sit(state: PartyState, event: Sat | Shared | Botted | Joined) -> bool:
    """Whether it is nobody who has a seat already, but who shares a phone, and nobody's name."""
    if not isinstance(event, Botted) and (event.person in state.people) != isinstance(event, Shared):
        return False
    if isinstance(event, Joined):
        return True
    return find_name(event.name, [chair.name for at, chair in enumerate(state.chairs) if at != event.seat]) is None


def _fits(
    state: PartyState,
    event: Left | Removed | Closed | Shifted | Readied | Unreadied | Renamed | HandedOver | Paused | Unpaused | StoodIn
    | Resumed | Voted | TimedOut | Nudged | Rematched | Followed,
) -> bool:  # fmt: skip
    """Whether what happens at a seat goes with the rest of the table."""
    seats, chair = range(len(state.chairs)), state.chairs[event.seat]
    if isinstance(event, Removed):
        return bool(chair.people or chair.awaited)
    if isinstance(event, Shifted):
        return event.to in seats
    if isinstance(event, Readied | Unreadied):
        return chair.ready == isinstance(event, Unreadied)
    if isinstance(event, Renamed):
        names = [other.name for at, other in enumerate(state.chairs) if at != event.seat]
        return find_name(event.name, names) is None
    if isinstance(event, Paused | Unpaused):
        return bool(state.paused_at) == isinstance(event, Unpaused)
    if isinstance(event, Voted):
        return event.absent in seats and event.absent != event.seat and state.chairs[event.absent].kind == "person"
    if isinstance(event, TimedOut):
        return event.seat == state.mover and not state.paused_at
    if isinstance(event, Followed):
        return bool(state.rematch) and event.seat not in state.inside
    return not (isinstance(event, Rematched) and state.rematch)
