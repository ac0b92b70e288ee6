"""A few lines for a person to play 420 by, as a policy: the first line that has dice to keep decides.

They look at one's own hand only. Where none speaks, all four dice are rerolled, which the rules always allow.
"""

from dataclasses import dataclass

from pubdice.core.game import Game, Keep
from pubdice.games.fourtwenty.rules import RoundState


@dataclass(frozen=True, slots=True)
class CardLines:
    """The lines in force.

    three: keep three dice of a total up to this, the least total first; None for never. two, one: keep two dice, one
    die, the highest total first.
    """

    three: int | None
    two: bool = True
    one: bool = True

    def __call__(self, game: Game[RoundState, Keep], state: RoundState) -> tuple[tuple[Keep, int], ...]:
        """The lines as a policy (``policy.Policy``): the keep they lead to, with weight 1."""
        legal = game.legal(state)
        sized = {size: [keep for keep in legal if len(keep.dice) == size] for size in range(4)}
        if self.three is not None:
            low = [keep for keep in sized[3] if sum(keep.dice) <= self.three]
            if low:
                return ((min(low, key=_total), 1),)
        for size, spoken in ((2, self.two), (1, self.one)):
            if spoken and sized[size]:
                return ((max(sized[size], key=_total), 1),)
        return ((legal[0], 1),)


def _total(keep: Keep) -> int:
    return sum(keep.dice)
