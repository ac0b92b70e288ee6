"""What a table does of itself, and when. Pure: the house has the clock and does it."""

from typing import Literal

from pubdice.party.state import PartyState

Deed = Literal["begin", "bot", "clock"]


def due(state: PartyState, awake: int, least_ms: int = 0) -> tuple[int, Deed] | None:
    """When (ms since 1970) the table next does something of itself, and what; None if it waits for people.

    awake: since when somebody has been here without a break: a clock stands still while nobody is, so the turn that was
    under way has all its time again. least_ms: bots wait at least so long before each action.
    """
    if state.stage != "playing" or state.table is None or state.play is None or state.paused_at:
        return None
    mover = state.mover
    if mover is None:
        return None
    if state.plays(mover):
        if state.setup.dice == "real" and state.table.match.to_roll(state.play.match):
            return None
        return state.moved_at + max(state.pace_ms, least_ms), "bot"
    deadline = clock(state, awake)
    return None if deadline is None else (deadline, "clock")


def clock(state: PartyState, awake: int) -> int | None:
    """When the mover's time is up (ms since 1970); None where there is no clock, or a bot plays."""
    if not state.setup.clock_s or state.stage != "playing" or state.paused_at:
        return None
    mover = state.mover
    if mover is None or state.plays(mover):
        return None
    return max(state.turn_at, awake) + 1000 * state.setup.clock_s
