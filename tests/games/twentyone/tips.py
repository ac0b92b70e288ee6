"""One way to play Twenty-One: like a casino's dealer, unless another seat has more."""

from .rules import Move, Round, TwentyOne

DEALER = 17
"""What a dealer stands on."""


def tip(game: TwentyOne, state: Round) -> tuple[tuple[Move, int], ...]:
    """Stand on 17, or as soon as the last one leads."""
    best = max(state.totals, default=0)
    is_last = len(state.totals) == len(state.hands) - 1
    enough = state.have > best if is_last else state.have >= max(DEALER, best)
    return (("stand" if enough else "draw", 1),)
