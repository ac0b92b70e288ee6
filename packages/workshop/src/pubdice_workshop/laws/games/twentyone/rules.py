"""Twenty-One, one round: all open with two dice, then each in turn draws dice one by one; over 21 is nothing.

Unlike the games of the house, nothing is kept or rolled again here: all dice add up.
"""

from dataclasses import dataclass
from typing import ClassVar

from pubdice.core.dice import Hand, together
from pubdice.core.frozen import quick
from pubdice.core.game import MoveGame, RoundSeat

TARGET = 21
OPENING = 2
DONE: Hand = (1,)
"""In the place of dice that no longer matter."""


@quick
@dataclass(frozen=True, slots=True)
class TwentyOneRound:
    """A round under way: every seat's dice, and the scores of those who are done, in turn order.

    draws: whether the mover has said so and a die is due.
    """

    hands: tuple[Hand, ...]
    scores: tuple[int, ...] = ()
    draws: bool = False

    @property
    def opener(self) -> RoundSeat | None:
        """The next to open, None once all have."""
        return RoundSeat(self.hands.index(())) if () in self.hands else None

    @property
    def have(self) -> int:
        """The sum of the mover's dice."""
        return sum(self.hands[len(self.scores)])


@dataclass(frozen=True, slots=True)
class TwentyOne(MoveGame[TwentyOneRound]):
    """The rules. Seats: somebody to beat, up to the house's limit."""

    least_seats: ClassVar[int] = 2
    scoreless: ClassVar[int | None] = 0
    moves: ClassVar[tuple[str, ...]] = ("stand", "draw")

    def begin(self, seats: int) -> TwentyOneRound:
        """Nobody has opened."""
        return TwentyOneRound(((),) * seats)

    def mover(self, state: TwentyOneRound) -> RoundSeat | None:
        """All open in turn; then all draw in turn."""
        if len(state.scores) == len(state.hands):
            return None
        return RoundSeat(len(state.scores)) if state.opener is None else state.opener

    def to_roll(self, state: TwentyOneRound) -> int:
        """Two dice to open, then one at a time."""
        return OPENING if state.opener is not None else int(state.draws)

    def legal(self, state: TwentyOneRound) -> tuple[str, ...]:
        """Draw or stand, once all have opened."""
        return () if self.to_roll(state) or self.mover(state) is None else self.moves

    def after_roll(self, state: TwentyOneRound, dice: Hand) -> TwentyOneRound:
        """The dice join the mover's; 21 or more ends the turn."""
        at = len(state.scores) if state.opener is None else state.opener
        hands = (*state.hands[:at], together(state.hands[at], dice), *state.hands[at + 1 :])
        after = TwentyOneRound(hands, state.scores)
        return self._done(after) if sum(hands[at]) >= TARGET else after

    def _done(self, state: TwentyOneRound) -> TwentyOneRound:
        return TwentyOneRound(state.hands, (*state.scores, state.have if state.have <= TARGET else 0))

    def after_move(self, state: TwentyOneRound, move: str) -> TwentyOneRound:
        """Stand, and the next seat's turn begins; or draw, and a die must be rolled."""
        return self._done(state) if move == "stand" else TwentyOneRound(state.hands, state.scores, draws=True)

    def lying(self, state: TwentyOneRound, seat: RoundSeat) -> Hand:
        """All of a seat's dice lie there to the end."""
        return state.hands[seat]

    def canonical(self, state: TwentyOneRound) -> TwentyOneRound:
        """Totals decide; which dice made them is nothing to the rest of the round (``CanonicalStates``)."""
        done = len(state.scores)
        left = [(sum(hand),) if hand else () for hand in state.hands[done:]]
        return TwentyOneRound((*[DONE] * done, *left), state.scores, state.draws)


DEALER = 17
"""The total that a dealer stands on."""


def tip(game: TwentyOne, state: TwentyOneRound) -> tuple[tuple[str, int], ...]:
    """Stand on 17, or as soon as the last one leads."""
    best = max(state.scores, default=0)
    is_last = len(state.scores) == len(state.hands) - 1
    enough = state.have > best if is_last else state.have >= max(DEALER, best)
    return (("stand" if enough else "draw", 1),)
