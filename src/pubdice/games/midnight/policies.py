"""Midnight bots that play a turn for a goal of their own, whatever the others have: solved once, then looked up.

``steady`` the best mean score · ``cautious`` the best chance of 16 or more, the modest score PlayPalace praises ·
``bold`` the best chance of 22 or more.
"""

from functools import cache

from pubdice.core.game import Keep
from pubdice.games.midnight.rules import Midnight, RoundState
from pubdice.solve.tolerance import first_best
from pubdice.solve.turns.goals import ToWin, utility
from pubdice.solve.turns.turn import Solved, turn

GOALS = {"steady": ("score", 0), "cautious": ("reach", 16), "bold": ("reach", 22)}


@cache
def _solved(game: Midnight, name: str) -> Solved:
    return turn(game).solve(utility(GOALS[name], turn(game), ToWin()))


@cache
def _best(game: Midnight, name: str, alone: RoundState) -> Keep:
    """The keep with the best value; of equal ones the one with the higher mean score, then the first."""
    turned, solved = turn(game), _solved(game, name)

    def value(after: tuple[Keep, int]) -> float:
        return float(solved.value[after[1]])

    def mean(after: tuple[Keep, int]) -> float:
        return float(solved.chance[after[1]] @ turned.mean)

    return first_best(turned.after(alone), value, mean)[0]


def policy(name: str, game: Midnight, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """What the bot of that name keeps."""
    return ((_best(game, name, game.alone(state)), 1),)
