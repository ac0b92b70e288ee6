"""A race of two given policies: every hand and keep as arrays made from the rules.

The race is valued by ``solve.race.head_to_head``. Nothing is simulated.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product
from typing import Any

import numpy as np

from pubdice.core.dice import Hand
from pubdice.core.game import Keep
from pubdice.core.policy import Policy
from pubdice.solve.hand_race.seat import HandRace, one_seat, outcomes
from pubdice.solve.hand_race.values import values_of_two
from pubdice.solve.race.head_to_head import Arena, PolicyArray, player, wins
from pubdice.solve.tolerance import NOTHING, first_best


@dataclass(frozen=True)
class RaceContest:
    """The arena, the hands it numbers (``()`` has not rolled yet), and the dice kept its actions number.

    rolled: a state in which both seats have rolled and the first is to choose; others are made from it.
    """

    game: HandRace
    arena: Arena
    hands: tuple[Hand, ...]
    keeps: dict[Hand, int]
    rolled: Any

    def player(self, policy: Policy[Any, Keep]) -> PolicyArray:
        """A policy of the game, asked about every pair of hands."""

        def asked(own: Hand, other: Hand) -> list[tuple[int, int]]:
            if not own:
                return [(self.keeps[()], 1)]
            # the seat that chooses has rolled, and so has the other: that pair is never asked for
            weighted = policy(self.game, replace(self.rolled, hands=(own, other or own)))
            return [(self.keeps[keep.dice], weight) for keep, weight in weighted]

        return player(self.hands, len(self.keeps), asked)

    def share(self, first: PolicyArray, second: PolicyArray) -> float:
        """The first seat's share of the race: the chance that Player 1 wins it."""
        return wins(self.arena, first, second)[0]

    @cached_property
    def perfect(self) -> PolicyArray:
        """Best play of a race of two."""
        return self.player(best)

    def share_against_best(self, policy: Policy[Any, Keep]) -> float:
        """A policy's share of the race against best play, the mean of being Player 1 and Player 2."""
        mine = self.player(policy)
        return (self.share(mine, self.perfect) + 1 - self.share(self.perfect, mine)) / 2

    def missed(self, policy: Policy[Any, Keep]) -> int:
        """In how many pairs of hands, own and other, a keep of the policy is worth less than the best.

        The other hand stands for all of its kind: they are alike as an opponent's.
        """
        others = {kind: hand for hand, kind in one_seat(self.game).kind.items() if hand}.values()
        missed = 0
        for own, other in product(filter(None, self.hands), others):
            values = values_of_two(self.game, own, other)
            kept = policy(self.game, replace(self.rolled, hands=(own, other)))
            missed += min(values[keep.dice] for keep, _ in kept) < max(values.values()) - NOTHING
        return missed


@cache
def contest(game: HandRace) -> RaceContest:
    """The contest of two seats."""
    one = one_seat(game)
    hands = tuple(one.keeps)
    fallen = next(hand for hand in hands if hand)
    state = game.roll(game.roll(game.start(2), fallen), fallen)
    keeps: dict[Hand, int] = {}
    rows: list[dict[Hand | None, int]] = []
    for hand, offered in one.keeps.items():
        for dice, _ in offered:
            if dice not in keeps:
                keeps[dice] = len(keeps)
                at = game.start(2) if not hand else replace(state, hands=(hand, state.hands[1]))
                rows.append(outcomes(game, at if not hand else game.play(at, Keep(dice))))
    totals = [sum(row.values()) for row in rows]
    arena = Arena(
        np.array([row.get(None, 0) / total for row, total in zip(rows, totals, strict=True)]),
        np.array([[row.get(hand, 0) / total for hand in hands] for row, total in zip(rows, totals, strict=True)]),
        hands.index(()),
    )
    return RaceContest(game, arena, hands, keeps, state)


def best(game: HandRace, state: Any) -> tuple[tuple[Keep, int], ...]:
    """Best play in a race of two, as a policy; of equally good keeps the first, as the bot ``perfect`` has it."""
    values = values_of_two(game, state.hands[state.mover], state.hands[1 - state.mover])
    return ((Keep(first_best(values, values.__getitem__)), 1),)
