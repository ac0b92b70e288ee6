"""The oracle: best play in exact fractions, straight from the rules, without a single array. Slow, and meant to be.

    V(end) = u(result),   V(roll) = sum over hands of ways / 6^n · V(after),   V(decision) = max over actions of
    V(after)

for rounds that end. Positions are remembered as the rules state them; nothing is merged, so it shares no shortcut with
the solvers it checks.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from pubdice.core.dice import rolls
from pubdice.core.game import Game, RoundResult


def expectimax(
    game: Game[Any, Any],
    state: Any,
    utility: Callable[[RoundResult], Fraction],
    memory: dict[Any, Fraction] | None = None,
) -> Fraction:
    """The value of a position to a mover who maximises ``utility``; all seats that move are that mover.

    memory: values found before for the same game and utility; added to. Raises RecursionError if the round need not
    end.
    """
    known = {} if memory is None else memory
    if state in known:
        return known[state]
    result = game.result(state)
    due = game.to_roll(state)
    if result is not None:
        value = utility(result)
    elif due:
        total = sum(
            (ways * expectimax(game, game.roll(state, hand), utility, known) for hand, ways in rolls(due)), Fraction(0)
        )
        value = total / 6**due
    else:
        value = max(expectimax(game, game.play(state, action), utility, known) for action in game.legal(state))
    known[state] = value
    return value
