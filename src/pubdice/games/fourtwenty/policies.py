"""420 bots that look at their own hand only.

``steady`` reaches 20 in the fewest turns on average (``solve.race.seat``). ``bold`` takes the best chance
to win with this very roll. ``cautious`` takes the roll that is likeliest to win if it wins or goes over at all, and of
such the likeliest to win. Equal keeps: the first in the rules' order.
"""

from functools import cache

from pubdice.core.dice import Hand
from pubdice.core.game import Keep
from pubdice.games.fourtwenty.reroll import over
from pubdice.games.fourtwenty.rules import FourTwenty, RoundState
from pubdice.solve.numerics import first_best
from pubdice.solve.race.seat import mean, one_seat, turns


@cache
def _best(game: FourTwenty, name: str, hand: Hand) -> Keep:
    one = one_seat(game)
    if name == "steady":
        needed = list(turns(game))
        return Keep(min(one.keeps[hand], key=lambda offer: mean(one.automaton.ways[offer[1]], needed))[0])

    def won(offer: tuple[Hand, int]) -> float:
        return one.automaton.wins[offer[1]] / one.automaton.total

    def won_if_decided(offer: tuple[Hand, int]) -> float:
        return won(offer) / (won(offer) + over(offer[0]))

    return Keep(first_best(one.keeps[hand], *([won_if_decided] if name == "cautious" else []), won)[0])


def policy(name: str, game: FourTwenty, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """What the bot of that name keeps."""
    return ((_best(game, name, state.hands[state.mover]), 1),)
