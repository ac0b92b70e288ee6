"""What a table does by its timer, and when. Pure: the house has the clock, and gives the commands when they are due."""

from typing import Literal

from pubdice.room.state import RoomState

TimerKind = Literal["begin", "bot", "clock"]
"""The match begins, a bot acts, or the turn clock runs out."""


READ_MS = 4_000
"""A bot that begins a rematch waits at least so long: by ear the new match is heard first, and its turn in between."""


def opens_rematch(state: RoomState) -> bool:
    """True until somebody has moved in a rematch in which bots take their time: its pages may be on their way."""
    return bool(state.setup.before and state.pace_ms and state.match is not None and not state.match.state.moved)


def due(state: RoomState, least_ms: int = 0) -> tuple[int, TimerKind] | None:
    """The time when the timer of a match next runs out (ms since 1970), and its kind; None while the table waits for
    people.

    least_ms: bots wait at least this long before each action.
    """
    live = state.match
    if live is None or state.paused_at or (mover := live.state.mover) is None:
        return None
    if state.plays(mover):
        if live.table.enters_dice(live.state):
            return None
        return state.moved_at + max(state.pace_ms, least_ms, READ_MS if opens_rematch(state) else 0), "bot"
    deadline = clock(state)
    return None if deadline is None else (deadline, "clock")


def clock(state: RoomState) -> int | None:
    """The time when the mover's time is up (ms since 1970); None without a turn clock, or while a bot plays.

    It depends on the log alone, so every process shows the same. While nobody is at a table nobody's time is up there,
    and when somebody comes the turn has all its time again (``Retimed``).
    """
    live = state.match
    if not state.setup.clock_s or live is None or state.paused_at:
        return None
    mover = live.state.mover
    if mover is None or state.plays(mover):
        return None
    return state.turn_at + 1000 * state.setup.clock_s
