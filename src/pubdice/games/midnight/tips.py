"""Midnight's printed tips as a policy (PlayPalace, "Game Theory / Tips"). Followed to the letter, not improved."""

from pubdice.core.dice import Hand
from pubdice.core.game import Keep
from pubdice.games.midnight.rules import BEST, Midnight, RoundState, lacking


def tip(game: Midnight, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Lock the needed pair as early as possible; then keep the highest dice, never a low one unless forced.

    With the pair in hand every 6 and 5 is kept, but no 5 that would put the leader's
    score plus one out of reach. Where that leaves nothing to keep, the highest die is kept.
    """
    missing = lacking(state.locked, game.need)
    keep = [face for face in missing if face in state.free]
    rest = list(state.free)
    for face in keep:
        rest.remove(face)
    if len(keep) == len(missing):
        keep += [face for face in rest if face == 6]
        beyond = BEST - sum(6 - face for face in _counting(state.locked, game.need)) - max(state.scores, default=0) - 1
        keep += [face for face in rest if face == 5][: max(0, beyond)]
    return ((Keep(tuple(sorted(keep or [max(state.free)]))), 1),)


def _counting(locked: Hand, need: tuple[int, int]) -> Hand:
    """The locked dice that will count once the needed pair is set aside."""
    left = list(locked)
    for face in need:
        if face in left:
            left.remove(face)
    return tuple(left)
