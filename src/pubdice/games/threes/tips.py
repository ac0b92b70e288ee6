"""A simple way to play Threes, as a policy: keep threes, otherwise the lowest die, and stop where that wins."""

from pubdice.core.dice import together, without
from pubdice.core.game import Keep
from pubdice.core.turn_game import RoundState
from pubdice.games.threes.rules import FREE, Threes


def tip(game: Threes, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Keep every 3; where there is none, the lowest die. Then a 1 if at most two dice are left, and of the last a 2.

    The last to play keeps all dice as soon as they beat the best score (dkdataland, "Threes": stop right there), and
    every seat keeps a moon, which wins the round at once.
    """
    best = game.best(state.scores)
    score = game.scored(state, together(state.locked, state.free)).scores[len(state.scores)]
    leads = best is not None and game.better(score) > game.better(best)
    if game.wins_at_once(score) or (leads and len(state.scores) == state.seats - 1):
        return ((Keep(state.free), 1),)
    kept = tuple(face for face in state.free if face == FREE) or state.free[:1]
    for face in without(state.free, kept):
        left = len(state.free) - len(kept)
        if (face == 1 and left <= 2) or (face == 2 and left == 1):
            kept = (*kept, face)
    return ((Keep(kept), 1),)
