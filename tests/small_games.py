"""Games small enough to be solved in fractions, for the solvers to be tried on: no kits, rules only."""

from dataclasses import dataclass
from typing import ClassVar

from pig import Pig, Piggery
from pubdice.core.dice import Hand
from pubdice.core.game import Keep
from pubdice.core.turn_game import RoundState, TurnGame


@dataclass(frozen=True, slots=True)
class Pair(TurnGame):
    """Midnight with two dice: keep at least one of each roll; the sum counts, but nothing without a 1."""

    number_of_dice: ClassVar[int] = 2

    def worth(self, hand: Hand) -> int:
        return sum(hand) if 1 in hand else 0


@dataclass(frozen=True, slots=True)
class LowPair(TurnGame):
    """Two dice, the lowest sum wins, a 3 counts nothing."""

    number_of_dice: ClassVar[int] = 2
    lowest_wins: ClassVar[bool] = True
    scoreless: ClassVar[int | None] = None

    def worth(self, hand: Hand) -> int:
        return sum(face for face in hand if face != 3)


@dataclass(frozen=True, slots=True)
class Piglet(Pig):
    """Pig whose turn counts no further than the target, so that its positions are finite in number."""

    target: int = 4

    def roll(self, state: Piggery, hand: Hand) -> Piggery:
        after = Pig.roll(self, state, hand)
        return Piggery(after.banked, after.mover, min(after.turn, self.target), after.die)


@dataclass(frozen=True, slots=True)
class OneRoll(TurnGame):
    """One die, rolled once or twice: keep it, or throw it again and keep what comes. Even faces score nothing but 2."""

    number_of_dice: ClassVar[int] = 1

    def worth(self, hand: Hand) -> int:
        return {2: 1, 3: 2, 5: 3}.get(hand[0], 0)

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        if not state.free:
            return ()
        return (Keep(state.free),) if state.rolls else (Keep(()), Keep(state.free))

    def play(self, state: RoundState, action: Keep) -> RoundState:
        if action.dice:
            return self.scored(state, action.dice)
        return RoundState(state.seats, state.scores, rolls=1)

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        return RoundState(state.seats, state.scores, (), self.rolled(state, hand), state.rolls)
