"""420 bots that look at their own hand only.

``steady`` reaches 20 in the fewest turns on average: with T(k) the turns a hand of kind k still needs,
T(k) = 1 + min over actions of the sum over k' of P[action, k'] T(k'), found by policy iteration in exact fractions of
the automaton's ways. ``bold`` takes the best chance to win with this very roll. ``cautious`` takes the roll that is
likeliest to win if it wins or goes over at all, and of such the likeliest to win. Equal keeps: the first in the
rules' order.
"""

from fractions import Fraction
from functools import cache

from pubdice.core.dice import Hand
from pubdice.core.game import Keep
from pubdice.games.fourtwenty.rules import FourTwenty, RoundState
from pubdice.games.fourtwenty.solving.seat import one_seat, reroll
from pubdice.solve.tolerance import first_best


@cache
def turns(game: FourTwenty) -> tuple[Fraction, ...]:
    """The least expected number of turns to 20, by kind of hand."""
    automaton = one_seat(game).automaton
    choice = [actions[-1] for actions in automaton.choices]
    while True:
        needed = _solve([automaton.ways[action] for action in choice], automaton.total)
        better = [
            min(actions, key=lambda action: (_mean(automaton.ways[action], needed), action != chosen))
            for actions, chosen in zip(automaton.choices, choice, strict=True)
        ]
        if better == choice:
            return tuple(1 + value / automaton.total for value in (_mean(automaton.ways[a], needed) for a in choice))
        choice = better


def _mean(ways: tuple[int, ...], needed: list[Fraction]) -> Fraction:
    return sum((count * value for count, value in zip(ways, needed, strict=True) if count), Fraction(0))


def _solve(rows: list[tuple[int, ...]], total: int) -> list[Fraction]:
    """T = 1 + P T for P = rows / total, by elimination in fractions."""
    size = len(rows)
    matrix = [
        [Fraction((at == column) * total - count, total) for column, count in enumerate(row)] + [Fraction(1)]
        for at, row in enumerate(rows)
    ]
    for pivot in range(size):
        scale = matrix[pivot][pivot]
        matrix[pivot] = [value / scale for value in matrix[pivot]]
        for at in range(size):
            factor = matrix[at][pivot]
            if at != pivot and factor:
                matrix[at] = [value - factor * other for value, other in zip(matrix[at], matrix[pivot], strict=True)]
    return [row[-1] for row in matrix]


@cache
def _best(game: FourTwenty, name: str, hand: Hand) -> Keep:
    one = one_seat(game)
    if name == "steady":
        needed = list(turns(game))
        return Keep(min(one.keeps[hand], key=lambda offer: _mean(one.automaton.ways[offer[1]], needed))[0])

    def won(offer: tuple[Hand, int]) -> float:
        return reroll(offer[0])["win_now"]

    def won_if_decided(offer: tuple[Hand, int]) -> float:
        return won(offer) / (won(offer) + reroll(offer[0])["over"])

    return Keep(first_best(one.keeps[hand], *([won_if_decided] if name == "cautious" else []), won)[0])


def policy(name: str, game: FourTwenty, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """What the bot of that name keeps."""
    return ((_best(game, name, state.hands[state.mover]), 1),)
