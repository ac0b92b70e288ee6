"""Whether the highest or the lowest score wins a round. Needs no numpy.

One seat's results cannot show that, so rounds of two seats are played at random: always the same ones, by the linear
congruential generator of Knuth's MMIX.
"""

from collections.abc import Iterable
from typing import Any

from pubdice.core.dice import FACES
from pubdice.core.game import Game, RoundResult

TRIES = 100
LONGEST = 1_000
"""Rounds of two seats that are played, and steps of each."""


def best_score(results: Iterable[RoundResult]) -> int:
    """1 if winners never have less than those they beat, -1 if never more, 0 if results say neither or both.

    >>> best_score([RoundResult((0,), (6, 4)), RoundResult((), (0, 0))])
    1
    """
    up = down = True
    for result in results:
        won = [result.scores[seat] for seat in result.winners]
        lost = [score for seat, score in enumerate(result.scores) if seat not in result.winners]
        if won and lost:
            up, down = up and min(won) >= max(lost), down and max(won) <= min(lost)
    return up - down


def sampled(game: Game[Any, Any]) -> list[RoundResult]:
    """Results of some rounds of two seats."""
    number, found = 1, []
    for _ in range(TRIES):
        state = game.start(2)
        for _ in range(LONGEST):
            result = game.result(state)
            if result is not None:
                found.append(result)
                break
            dice: list[int] = []
            number = _next(number)
            for _ in range(game.to_roll(state)):
                dice.append(FACES[(number >> 33) % len(FACES)])
                number = _next(number)
            legal = game.legal(state)
            state = (
                game.roll(state, tuple(sorted(dice))) if dice else game.play(state, legal[(number >> 33) % len(legal)])
            )
    return found


def _next(number: int) -> int:
    return (number * 6364136223846793005 + 1442695040888963407) % 2**64
