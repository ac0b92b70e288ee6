"""A simple way to play Ship, Captain and Crew, as a policy: stop with 8 or more that nobody has beaten."""

from pubdice.core.dice import together, without
from pubdice.core.game import Keep
from pubdice.core.turn_game import RoundState
from pubdice.games.ship.rules import Ship, comes_aboard

ENOUGH, HIGH = 8, 5


def tip(game: Ship, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Stop with 8 or more if that at least ties the best; the last to play stops as soon as it beats the best.

    8 is from dice.toys ("Ship, Captain, Crew"), whose bot rolls less again. Where cargo dice go one by one, hold a 5
    and a 6.
    """
    legal = game.legal(state)
    if len(legal) == 1:
        return ((legal[0], 1),)
    best, cargo = max(state.scores, default=0), game.worth(together(state.locked, state.free))
    wins = len(state.scores) == state.seats - 1 and cargo > best and state.seats > 1
    if wins or cargo >= max(ENOUGH, best):
        return ((Keep(state.free), 1),)
    crew = comes_aboard(state.locked, state.free)
    held = [face for face in without(state.free, crew) if face >= HIGH and game.cargo == "single"]
    return ((Keep((*crew, *held)), 1),)
