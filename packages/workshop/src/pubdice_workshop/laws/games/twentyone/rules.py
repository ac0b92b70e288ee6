"""The rules of one round of Twenty-One. Each seat opens with two dice, then draws dice one by one. More than 21 scores
0.

In the games of the house a player keeps dice or rolls them again. In this game all dice add up.
"""

from dataclasses import dataclass
from typing import ClassVar

from pubdice.core.dice import Hand, together
from pubdice.core.frozen import quick
from pubdice.core.game import MoveGame, RoundSeat

TARGET = 21
OPENING = 2
DONE: Hand = (1,)
"""A placeholder for the dice of a finished turn, which no longer matter."""


@quick
@dataclass(frozen=True, slots=True)
class TwentyOneRound:
    """A round in progress, with hands and scores in turn order. ``draws`` is True after the mover chose to draw."""

    hands: tuple[Hand, ...]
    scores: tuple[int, ...] = ()
    draws: bool = False

    @property
    def opener(self) -> RoundSeat | None:
        """The next seat to open (to roll its first two dice). None if all seats have opened."""
        return RoundSeat(self.hands.index(())) if () in self.hands else None

    @property
    def have(self) -> int:
        return sum(self.hands[len(self.scores)])


@dataclass(frozen=True, slots=True)
class TwentyOne(MoveGame[TwentyOneRound]):
    """The rules of Twenty-One. There are at least two seats, since a player needs an opponent."""

    least_seats: ClassVar[int] = 2
    scoreless: ClassVar[int | None] = 0
    moves: ClassVar[tuple[str, ...]] = ("stand", "draw")

    def begin(self, seats: int) -> TwentyOneRound:
        return TwentyOneRound(((),) * seats)

    def mover(self, state: TwentyOneRound) -> RoundSeat | None:
        if len(state.scores) == len(state.hands):
            return None
        return RoundSeat(len(state.scores)) if state.opener is None else state.opener

    def to_roll(self, state: TwentyOneRound) -> int:
        return OPENING if state.opener is not None else int(state.draws)

    def legal(self, state: TwentyOneRound) -> tuple[str, ...]:
        return () if self.to_roll(state) or self.mover(state) is None else self.moves

    def after_roll(self, state: TwentyOneRound, dice: Hand) -> TwentyOneRound:
        """Add the dice to the mover's hand. If the total is 21 or more, the turn ends."""
        at = len(state.scores) if state.opener is None else state.opener
        hands = (*state.hands[:at], together(state.hands[at], dice), *state.hands[at + 1 :])
        after = TwentyOneRound(hands, state.scores)
        return self._done(after) if sum(hands[at]) >= TARGET else after

    def _done(self, state: TwentyOneRound) -> TwentyOneRound:
        return TwentyOneRound(state.hands, (*state.scores, state.have if state.have <= TARGET else 0))

    def after_move(self, state: TwentyOneRound, move: str) -> TwentyOneRound:
        """Play "stand", which ends the turn, or "draw", which makes a roll due."""
        return self._done(state) if move == "stand" else TwentyOneRound(state.hands, state.scores, draws=True)

    def lying(self, state: TwentyOneRound, seat: RoundSeat) -> Hand:
        return state.hands[seat]

    def canonical(self, state: TwentyOneRound) -> TwentyOneRound:
        """Return the state with totals in place of dice, since the rest of the round depends only on totals
        (``CanonicalStates``).
        """
        done = len(state.scores)
        left = [(sum(hand),) if hand else () for hand in state.hands[done:]]
        return TwentyOneRound((*[DONE] * done, *left), state.scores, state.draws)


DEALER = 17
"""The total at which a dealer stands."""


def tip(game: TwentyOne, state: TwentyOneRound) -> tuple[tuple[str, int], ...]:
    """Stand on 17 or more. The last seat stands as soon as it leads."""
    best = max(state.scores, default=0)
    is_last = len(state.scores) == len(state.hands) - 1
    enough = state.have > best if is_last else state.have >= max(DEALER, best)
    return (("stand" if enough else "draw", 1),)
