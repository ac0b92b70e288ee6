"""Midnight bots that play a turn for a goal of their own, whatever the others have: solved once, then looked up.

``steady`` the best mean score · ``cautious`` the best chance of 16 or more, the modest score PlayPalace praises ·
``bold`` the best chance of 22 or more.
"""

from functools import cache

from pubdice.dice import Hand
from pubdice.game import Game, Keep
from pubdice.games.midnight.goals import ToWin, utility
from pubdice.games.midnight.rules import Midnight, Turns
from pubdice.games.midnight.turn import Solved, turn

GOALS = {"steady": ("score", 0), "cautious": ("reach", 16), "bold": ("reach", 22)}


@cache
def _solved(need: tuple[int, int], name: str) -> Solved:
    return turn(need).solve(utility(GOALS[name], turn(need), ToWin()))


@cache
def _best(need: tuple[int, int], name: str, locked: Hand, free: Hand) -> Keep:
    """The keep with the best value; of equal ones the one with the higher mean score, then the first."""
    turned, solved = turn(need), _solved(need, name)

    def worth(after: tuple[Keep, int]) -> tuple[float, float]:
        return round(float(solved.value[after[1]]), 12), round(float(solved.chance[after[1]] @ turned.mean), 12)

    return max(turned.after(locked, free), key=worth)[0]


def policy(name: str, game: Game[Turns, Keep], state: Turns) -> tuple[tuple[Keep, int], ...]:
    """What the bot of that name keeps."""
    assert isinstance(game, Midnight)
    return ((_best(game.need, name, state.locked, state.free), 1),)
