"""Trio's tip as a policy: a 6 first, then fives and sixes."""

from pubdice.core.game import Keep
from pubdice.core.turn_game import RoundState

from .rules import NEEDED, Trio


def tip(game: Trio, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Keep every 6; once there is one, every 5 too; where that leaves nothing, the highest die."""
    least = 5 if NEEDED in (*state.locked, *state.free) else NEEDED
    kept = tuple(face for face in state.free if face >= least) or (max(state.free),)
    return ((Keep(kept), 1),)
