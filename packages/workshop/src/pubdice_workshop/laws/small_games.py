"""The rules of games that are small enough to solve in fractions, for tests of the solvers. These games have no
kits.
"""

from dataclasses import dataclass
from typing import ClassVar

from pig import FIRST, Pig, Piggery
from pubdice.core.dice import Hand, together, without
from pubdice.core.game import Keep, RoundState, TurnGame


@dataclass(frozen=True, slots=True)
class Pair(TurnGame):
    """Midnight with two dice. The player keeps at least one die of each roll. If a 1 is kept, the sum counts."""

    number_of_dice: ClassVar[int] = 2
    one_turn_each: ClassVar[bool] = True

    def worth(self, hand: Hand) -> int:
        return sum(hand) if 1 in hand else 0


@dataclass(frozen=True, slots=True)
class EndsEarly(Pair):
    """A game like ``Pair`` in which two sixes end the round, although the rules do not declare it
    (``wins_at_once``).
    """

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        after = TurnGame.scored(self, state, hand)
        left = state.seats - len(after.scores) if hand == (6, 6) else 0
        return RoundState(state.seats, (*after.scores, *(0,) * left))


@dataclass(frozen=True, slots=True)
class TwelveEnds(Pair):
    """A game in which the sum of two dice counts. Two sixes end the round, so later seats have no turn."""

    one_turn_each: ClassVar[bool] = True
    no_turn: ClassVar[int] = 0

    def worth(self, hand: Hand) -> int:
        return sum(hand)

    def wins_at_once(self, score: int) -> bool:
        return score == 12

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        scores = (*state.scores, self.worth(hand))
        left = state.seats - len(scores) if self.wins_at_once(scores[-1]) else 0
        return RoundState(state.seats, (*scores, *(self.no_turn,) * left))


@dataclass(frozen=True, slots=True)
class Moon(TwelveEnds):
    """A game in which the lowest sum wins, but two sixes win at once, like the moon of Threes."""

    one_turn_each: ClassVar[bool] = True
    lowest_wins: ClassVar[bool] = True
    scoreless: ClassVar[int | None] = None
    no_turn: ClassVar[int] = 13

    def better(self, score: int) -> tuple[bool, int]:
        return TurnGame.better(self, 0 if self.wins_at_once(score) else score)


@dataclass(frozen=True, slots=True)
class LowPair(TurnGame):
    """A game with two dice in which the lowest sum wins, and a 3 counts 0."""

    number_of_dice: ClassVar[int] = 2
    one_turn_each: ClassVar[bool] = True
    lowest_wins: ClassVar[bool] = True
    scoreless: ClassVar[int | None] = None

    def worth(self, hand: Hand) -> int:
        return sum(face for face in hand if face != 3)


@dataclass(frozen=True, slots=True)
class Piglet(Pig):
    """Pig with the points of a turn limited to the target, so the number of positions is finite."""

    target: int = 4

    def roll(self, state: Piggery, hand: Hand) -> Piggery:
        after = Pig.roll(self, state, hand)
        return Piggery(after.banked, after.mover, min(after.turn, self.target), after.die)


@dataclass(frozen=True, slots=True)
class TurnedPig(Pig):
    """Pig with the simplifications of a large game: limited points in a turn, states without dice, and a view from the
    mover.
    """

    def roll(self, state: Piggery, hand: Hand) -> Piggery:
        after = Pig.roll(self, state, hand)
        missing = self.target - after.banked[after.mover]
        return Piggery(after.banked, after.mover, min(after.turn, missing), after.die)

    def canonical(self, state: Piggery) -> Piggery:
        """Return the state with points only. If there is a choice, the die is always a 2."""
        return Piggery(state.banked, state.mover, state.turn, (2,)) if state.die else state

    def turned(self, state: Piggery) -> Piggery:
        """Return the state with the mover's points first."""
        banked = (*state.banked[state.mover :], *state.banked[: state.mover])
        return Piggery(banked, FIRST, state.turn, state.die)


@dataclass(frozen=True, slots=True)
class OneRoll(TurnGame):
    """A game with one die. The player keeps it, or rolls once more and keeps that. A 2 scores 1, a 3 scores 2, a 5
    scores 3.
    """

    number_of_dice: ClassVar[int] = 1
    one_turn_each: ClassVar[bool] = True

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


@dataclass(frozen=True, slots=True)
class Ladder(TurnGame):
    """A game with two dice that are set one after the other, without a roll between. The score is twice the first die
    plus the second, if that is 12 or less.

    Once one die is set, the player may keep the other, which ends the turn, or roll it again. A 6 must be rolled again
    up to the third roll, and must then stay. So a choice can follow a choice, and a forced action a forced action.
    """

    number_of_dice: ClassVar[int] = 2
    one_turn_each: ClassVar[bool] = True
    rolls_of_six: ClassVar[int] = 3

    def worth(self, hand: Hand) -> int:
        total = 2 * hand[0] + hand[1]
        return total if total <= 12 else 0

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        return RoundState(state.seats, state.scores, state.locked, self.rolled(state, hand), state.rolls + 1)

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        if len(state.free) != 1:
            return tuple(Keep((face,)) for face in dict.fromkeys(state.free))
        stays, again = Keep(state.free), Keep(())
        if state.free == (6,):
            return (again,) if state.rolls < self.rolls_of_six else (stays,)
        return (again, stays) if state.rolls == 1 else (stays,)

    def play(self, state: RoundState, action: Keep) -> RoundState:
        if action not in self.legal(state):
            self._refuse(state, action)
        if not state.locked:
            free = without(state.free, action.dice)
            return RoundState(state.seats, state.scores, action.dice, free, state.rolls)
        if not action.dice:
            return RoundState(state.seats, state.scores, state.locked, (), state.rolls)
        return self.scored(state, together(state.locked, action.dice))


@dataclass(frozen=True, slots=True)
class Bust(TurnGame):
    """A game with one die, rolled at most twice. If it shows a 1, the turn ends at once with 0."""

    number_of_dice: ClassVar[int] = 1
    one_turn_each: ClassVar[bool] = True

    def worth(self, hand: Hand) -> int:
        return sum(hand)

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        fallen = self.rolled(state, hand)
        if fallen == (1,):
            return RoundState(state.seats, (*state.scores, 0))
        return RoundState(state.seats, state.scores, (), fallen, state.rolls + 1)

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        if not state.free:
            return ()
        return (Keep(state.free),) if state.rolls == 2 else (Keep(()), Keep(state.free))

    def play(self, state: RoundState, action: Keep) -> RoundState:
        if action not in self.legal(state):
            self._refuse(state, action)
        return self.scored(state, action.dice) if action.dice else RoundState(state.seats, state.scores, (), (), 1)
