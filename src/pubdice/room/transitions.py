"""Which events can happen in a state, so that no log leads to a table that cannot be.

The match checks whether a move is within the rules; ``decide`` checks who may give which command.
"""

from pubdice.core.seal import digest_of, is_house_seed, is_seat_seed, read_seal
from pubdice.match.names import find_name
from pubdice.match.table import TakenBack
from pubdice.room.bounds import is_done
from pubdice.room.events import (
    Admitted,
    BotPaceSet,
    BotSeated,
    BotSubstituted,
    Closed,
    Event,
    Followed,
    HandedOver,
    Joined,
    Left,
    Moved,
    Nudged,
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
    SealOpened,
    Seeded,
    Shared,
    Shifted,
    Started,
    TimedOut,
    Unpaused,
    Unqueued,
    Unreadied,
    Voted,
)
from pubdice.room.setup import MOST_SEATS
from pubdice.room.state import ChairKind, RoomState, Stage

TAKEN: tuple[ChairKind, ...] = ("person", "standin")
STAGES: dict[type[Event], tuple[Stage, ...]] = {
    Sat: ("gathering", "playing"),
    Shared: ("gathering",),
    Joined: ("gathering", "playing", "over"),
    BotSeated: ("gathering", "playing"),
    Left: ("gathering", "playing"),
    Removed: ("gathering", "playing"),
    Admitted: ("gathering", "playing", "over"),
    Closed: ("gathering",),
    Shifted: ("gathering",),
    Readied: ("gathering",),
    Unreadied: ("gathering",),
    Ruled: ("gathering", "over"),
    Seeded: ("gathering",),
    SealOpened: ("over",),
    Renamed: ("gathering", "playing"),
    HandedOver: ("gathering", "playing", "over"),
    Paused: ("playing",),
    Unpaused: ("playing",),
    Queued: ("playing", "over"),
    Unqueued: ("playing", "over"),
    Started: ("gathering",),
    BotSubstituted: ("playing",),
    Resumed: ("playing",),
    Voted: ("playing",),
    TimedOut: ("playing",),
    BotPaceSet: ("gathering", "playing", "over"),
    Nudged: ("playing",),
    Rematched: ("playing", "over"),
    Reopened: ("playing", "over"),
    Followed: ("playing", "over"),
    Moved: ("playing", "over"),
}
"""The stages in which an event can happen."""
KINDS: dict[type[Event], tuple[ChairKind, ...]] = {
    Sat: ("empty", "bot"),
    Shared: ("empty",),
    Joined: TAKEN,
    BotSeated: ("empty",),
    Left: TAKEN,
    Removed: (*TAKEN, "empty"),
    Closed: ("empty", "bot"),
    Shifted: ("empty", "bot", "person"),
    Readied: ("person",),
    Unreadied: ("person",),
    Seeded: ("person",),
    Renamed: TAKEN,
    HandedOver: TAKEN,
    Paused: TAKEN,
    Unpaused: TAKEN,
    BotSubstituted: ("person",),
    Resumed: ("standin",),
    Voted: TAKEN,
    TimedOut: ("person",),
    Nudged: TAKEN,
    Rematched: TAKEN,
    Followed: TAKEN,
}
"""Who may have the seat that an event is about."""


def possible(state: RoomState, event: Event) -> bool:
    """Whether an event can happen now."""
    if state.stage not in STAGES[type(event)]:
        return False
    if isinstance(event, Rematched | Reopened | Followed) and not is_done(state):
        return False
    if isinstance(event, Started):
        return bool(state.chairs) and all(chair.kind != "empty" for chair in state.chairs)
    if isinstance(event, BotPaceSet | Ruled):
        return not (isinstance(event, Ruled) and state.rematch)
    if isinstance(event, SealOpened):
        return opens(state, event.seed)
    if isinstance(event, Admitted):
        return state.shut
    if isinstance(event, Queued | Unqueued | Reopened):
        return not state.rematch and _queues(state, event)
    if isinstance(event, Moved):
        gone_on = bool(state.rematch) and (state.stage == "playing" or isinstance(event.event, TakenBack))
        return not state.paused_at and not gone_on and all(chair.kind != "empty" for chair in state.chairs)
    if isinstance(event, Sat | Shared | BotSeated) and event.seat == len(state.chairs):
        return _grows(state) and _may_sit(state, event)
    if not 0 <= event.seat < len(state.chairs) or state.chairs[event.seat].kind not in KINDS[type(event)]:
        return False
    if isinstance(event, Sat | Shared | BotSeated | Joined):
        return _may_sit(state, event)
    return _fits(state, event)


def _queues(state: RoomState, event: Queued | Unqueued | Reopened) -> bool:
    """Whether the person can queue (Queued), or is in the queue; for Reopened no player may be left at the table."""
    if isinstance(event, Queued):
        return event.person not in (*state.people, *state.banned, *dict(state.queue))
    return event.person in dict(state.queue) and not (isinstance(event, Reopened) and state.people)


def opens(state: RoomState, seed: str) -> bool:
    """Whether this is the seed under the seal, which has not been opened."""
    sealed = state.setup.dice == "sealed" and not state.house_seed
    return sealed and is_house_seed(seed) and digest_of(seed) == read_seal(state.setup.seal).digest


def _grows(state: RoomState) -> bool:
    """Whether a chair may be added: only before the match, whose seats are fixed when it begins."""
    return state.match is None and state.setup.grows and len(state.chairs) < MOST_SEATS


def _may_sit(state: RoomState, event: Sat | Shared | BotSeated | Joined) -> bool:
    """Whether the person has no seat yet (one already, if they share their phone), was not removed, and has a name of
    their own.
    """
    if isinstance(event, Sat | Joined) and event.person in (*state.people, *state.banned):
        return False
    if isinstance(event, Shared) and event.person not in state.people:
        return False
    if isinstance(event, Joined):
        return True
    return find_name(event.name, [chair.name for seat, chair in enumerate(state.chairs) if seat != event.seat]) is None


def _fits(
    state: RoomState,
    event: Left | Removed | Closed | Shifted | Readied | Unreadied | Seeded | Renamed | HandedOver | Paused | Unpaused
    | BotSubstituted | Resumed | Voted | TimedOut | Nudged | Rematched | Followed,
) -> bool:  # fmt: skip
    """Whether an event about a seat fits the rest of the table."""
    seats, chair = range(len(state.chairs)), state.chairs[event.seat]
    if isinstance(event, Removed):
        return bool(chair.people or chair.awaited)
    if isinstance(event, Shifted):
        return event.to in seats
    if isinstance(event, Readied | Unreadied):
        return chair.ready == isinstance(event, Unreadied)
    if isinstance(event, Seeded):
        return state.setup.dice == "sealed" and not chair.seed and is_seat_seed(event.seed)
    if isinstance(event, Renamed):
        names = [other.name for seat, other in enumerate(state.chairs) if seat != event.seat]
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
