"""Which events can happen in a state, so that no log leads to a table that cannot be.

The match checks whether a move is within the rules; ``decide`` checks who may give which command.
"""

from pubdice.core.seal import NO_SEED, digest_of, digest_of_seat, is_digest, is_seat_seed, read_seal
from pubdice.match.names import find_name
from pubdice.match.table import TakenBack
from pubdice.room.bounds import is_done
from pubdice.room.events import (
    Admitted,
    BotPaceSet,
    BotSeated,
    BotSubstituted,
    Closed,
    Committed,
    Event,
    Fixed,
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
    Retimed,
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
from pubdice.room.sealing import commits, unopened
from pubdice.room.setup import MOST_SEATS
from pubdice.room.state import ChairKind, RoomState, Stage
from pubdice.room.timers import clock

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
    Committed: ("gathering",),
    Fixed: ("gathering",),
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
    Retimed: ("playing",),
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
    Committed: ("person",),
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
CHANGES_HEADER = (Sat, Shared, BotSeated, Closed, Shifted, Ruled, Renamed, Fixed)
"""Events that cannot happen between a fixed header and the first roll; who leaves gives the header up."""


def possible(state: RoomState, event: Event) -> bool:
    """Whether an event can happen now."""
    fixed = bool(state.fixed) and state.match is None
    if state.stage not in STAGES[type(event)] or (fixed and isinstance(event, CHANGES_HEADER)):
        return False
    if isinstance(event, Rematched | Reopened | Followed) and not is_done(state):
        return False
    if isinstance(event, Started | Fixed):
        return bool(state.chairs) and all(chair.kind != "empty" for chair in state.chairs) and _is_next(state, event)
    if isinstance(event, BotPaceSet | Ruled):
        return not (isinstance(event, Ruled) and state.rematch)
    if isinstance(event, SealOpened):
        return opens(state, event.seed)
    if isinstance(event, Admitted | Retimed):
        return state.shut if isinstance(event, Admitted) else clock(state) is not None
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


def _is_next(state: RoomState, event: Started | Fixed) -> bool:
    """True if sealed dice come to this now: the header is fixed, all seeds are opened, and the match begins."""
    if isinstance(event, Fixed):
        return commits(state.setup) and all(chair.bot or chair.seed or chair.digest for chair in state.chairs)
    return not commits(state.setup) or (bool(state.fixed) and not unopened(state))


def _queues(state: RoomState, event: Queued | Unqueued | Reopened) -> bool:
    """Whether the person can queue (Queued), or is in the queue; for Reopened no player may be left at the table."""
    if isinstance(event, Queued):
        return event.person not in (*state.people, *state.banned, *dict(state.queue))
    return event.person in dict(state.queue) and not (isinstance(event, Reopened) and state.people)


def _seeds(state: RoomState, event: Committed | Seeded) -> bool:
    """True if a seat without a seed can take this digest, or this seed: typed before the header is fixed, or opened."""
    known = state.chairs[event.seat].digest
    if isinstance(event, Seeded):
        fits = digest_of_seat(event.seed) == known if state.fixed else known in ("", NO_SEED)
        return is_seat_seed(event.seed) and fits
    if event.digest == NO_SEED:  # earlier logs say so again after a header was given up
        return commits(state.setup)
    return commits(state.setup) and not state.fixed and known in ("", NO_SEED) and is_digest(event.digest)


def opens(state: RoomState, seed: str) -> bool:
    """True for the seed under the seal, which has not been opened."""
    sealed = state.setup.dice == "sealed" and not state.house_seed
    return sealed and is_digest(seed) and digest_of(seed) == read_seal(state.setup.seal).digest


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
    event: Left | Removed | Closed | Shifted | Readied | Unreadied | Committed | Seeded | Renamed | HandedOver | Paused
    | Unpaused | BotSubstituted | Resumed | Voted | TimedOut | Nudged | Rematched | Followed,
) -> bool:  # fmt: skip
    """Whether an event about a seat fits the rest of the table."""
    seats, chair = range(len(state.chairs)), state.chairs[event.seat]
    if isinstance(event, Removed):
        return bool(chair.people or chair.awaited)
    if isinstance(event, Shifted):
        return event.to in seats
    if isinstance(event, Readied | Unreadied):
        unready = isinstance(event, Unreadied)  # logs of one day have it of seats that no line before made ready
        return chair.ready == unready or (unready and state.attempts > 0)
    if isinstance(event, Committed | Seeded):
        return state.setup.dice == "sealed" and not chair.seed and _seeds(state, event)
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
