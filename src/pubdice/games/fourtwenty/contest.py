"""420 between two given policies: every hand and every keep, as arrays made from the rules (``solve.versus``)."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pubdice.dice import Hand
from pubdice.game import Keep, Seat
from pubdice.games.fourtwenty.rules import FourTwenty, Hands
from pubdice.games.fourtwenty.seat import one_seat, outcomes
from pubdice.games.fourtwenty.solver import advise
from pubdice.policy import Policy
from pubdice.solve.versus import Arena, Player, player, wins


@dataclass(frozen=True)
class Contest:
    """The arena, the hands it numbers (``()`` has not rolled yet), and the dice kept its actions number."""

    game: FourTwenty
    arena: Arena
    hands: tuple[Hand, ...]
    keeps: dict[Hand, int]

    def player(self, policy: Policy[Hands, Keep]) -> Player:
        """A policy of the game, asked about every pair of hands."""

        def asked(own: Hand, other: Hand) -> list[tuple[int, int]]:
            if not own:
                return [(self.keeps[()], 1)]
            # whoever chooses has rolled, and so has the other: that pair is never asked for
            weighted = policy(self.game, Hands((own, other or own), Seat(0), None))
            return [(self.keeps[keep.dice], weight) for keep, weight in weighted]

        return player(self.hands, len(self.keeps), asked)

    def wins(self, first: Player, second: Player) -> float:
        """The chance that Player 1 wins the race."""
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
                at = game.start(2) if not hand else Hands((hand, state.hands[1]), Seat(0), None)
                rows.append(outcomes(game, at if not hand else game.play(at, Keep(dice))))
    totals = [sum(row.values()) for row in rows]
    arena = Arena(
        np.array([row.get(None, 0) / total for row, total in zip(rows, totals, strict=True)]),
        np.array([[row.get(hand, 0) / total for hand in hands] for row, total in zip(rows, totals, strict=True)]),
        hands.index(()),
    )
    return Contest(game, arena, hands, keeps)


def best(game: Any, state: Hands) -> tuple[tuple[Keep, int], ...]:
    """Best play in a race of two, as a policy; of equally good keeps the first, as the bot ``perfect`` has it."""
    own, other = state.hands[state.mover], state.hands[1 - state.mover]
    keep = max(advise((own, other)).keeps, key=lambda valued: round(valued[1], 12))
    return ((Keep(keep[0]), 1),)
