"""420 between two given policies, for one race: every hand and keep as arrays made from the rules.

The race is valued by ``solve.race.head_to_head``. Nothing is simulated.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pubdice.core.dice import Hand
from pubdice.core.game import Keep, RoundSeat
from pubdice.core.policy import Policy
from pubdice.games.fourtwenty.rules import FourTwenty, RoundState
from pubdice.games.fourtwenty.solving.position import advise
from pubdice.games.fourtwenty.solving.seat import one_seat, outcomes
from pubdice.solve.race.head_to_head import Arena, PolicyArray, player, wins
from pubdice.solve.tolerance import first_best


@dataclass(frozen=True)
class Contest:
    """The arena, the hands it numbers (``()`` has not rolled yet), and the dice kept its actions number."""

    game: FourTwenty
    arena: Arena
    hands: tuple[Hand, ...]
    keeps: dict[Hand, int]

    def player(self, policy: Policy[RoundState, Keep]) -> PolicyArray:
        """A policy of the game, asked about every pair of hands."""

        def asked(own: Hand, other: Hand) -> list[tuple[int, int]]:
            if not own:
                return [(self.keeps[()], 1)]
            # the seat that chooses has rolled, and so has the other: that pair is never asked for
            weighted = policy(self.game, RoundState((own, other or own), RoundSeat(0), None))
            return [(self.keeps[keep.dice], weight) for keep, weight in weighted]

        return player(self.hands, len(self.keeps), asked)

    def share(self, first: PolicyArray, second: PolicyArray) -> float:
        """The first seat's share of the race: the chance that Player 1 wins it."""
        return wins(self.arena, first, second)[0]


@cache
def contest(game: FourTwenty) -> Contest:
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
                at = game.start(2) if not hand else RoundState((hand, state.hands[1]), RoundSeat(0), None)
                rows.append(outcomes(game, at if not hand else game.play(at, Keep(dice))))
    totals = [sum(row.values()) for row in rows]
    arena = Arena(
        np.array([row.get(None, 0) / total for row, total in zip(rows, totals, strict=True)]),
        np.array([[row.get(hand, 0) / total for hand in hands] for row, total in zip(rows, totals, strict=True)]),
        hands.index(()),
    )
    return Contest(game, arena, hands, keeps)


def best(game: Any, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Best play in a race of two, as a policy; of equally good keeps the first, as the bot ``perfect`` has it."""
    own, other = state.hands[state.mover], state.hands[1 - state.mover]
    keep = first_best(advise((own, other)).keeps, lambda valued: valued[1])
    return ((Keep(keep[0]), 1),)
