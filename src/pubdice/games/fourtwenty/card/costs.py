"""420's card: lines that look at one's own hand only, each with what ignoring it costs.

The form of the lines is ours (``lines.py``); up to which total three dice are worth keeping is found by computation, as
what gives the best share of the race against best play. A *share* is the chance to win a race of two, the mean of
being Player 1 and Player 2; best play against itself has ½. A line's cost is the exact share of all lines minus that of
all the others, what the card gives up is ½ minus its own share: the policies themselves are raced (``contest``).
"""

from dataclasses import dataclass, replace
from functools import cache

from pubdice.core.game import RoundSeat
from pubdice.games.fourtwenty.card.lines import CardLines
from pubdice.games.fourtwenty.rules import FOUNDATION, GAME, TARGET, RoundState
from pubdice.solve.hand_race.contest import best, contest
from pubdice.solve.hand_race.seat import one_seat
from pubdice.solve.hand_race.values import values_of_two
from pubdice.solve.tolerance import NOTHING, first_best


@dataclass(frozen=True, slots=True)
class PricedCard:
    """The lines, what each costs if ignored, and their share against best play.

    missed: in how many pairs of hands, own and other, the card's keep is not among the best.
    """

    lines: CardLines
    costs: tuple[tuple[str, float], ...]
    share: float
    missed: int


@cache
def played() -> PricedCard:
    """The card, worked out once."""
    house = contest(GAME)
    perfect = house.player(best)

    def share(lines: CardLines) -> float:
        card = house.player(lines)
        return (house.share(card, perfect) + 1 - house.share(perfect, card)) / 2

    tried = [CardLines(three) for three in (None, *range(FOUNDATION[3], TARGET - 1))]
    lines = first_best(tried, share)
    value = share(lines)
    without = {
        "three": replace(lines, three=None),
        "two": replace(lines, two=False),
        "one": replace(lines, one=False),
    }
    costs = tuple((name, value - share(others)) for name, others in without.items())
    return PricedCard(lines, costs, value, _missed(lines))


def _missed(lines: CardLines) -> int:
    """In how many pairs of hands, own and other, the card's keep is worth less than the best."""
    one, house = one_seat(GAME), contest(GAME)
    shown = {kind: hand for hand, kind in one.kind.items() if hand}  # hands of one kind are alike as an opponent's
    missed = 0
    for own in filter(None, house.hands):
        ((keep, _),) = lines(GAME, RoundState((own, own), RoundSeat(0), None))  # of the two hands it looks at its own
        for other in shown.values():
            values = values_of_two(GAME, own, other)
            missed += values[keep.dice] < max(values.values()) - NOTHING
    return missed
