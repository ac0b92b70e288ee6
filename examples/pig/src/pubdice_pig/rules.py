"""The rules of Pig, a race for two or more.

Sources: John Scarne, "Scarne on Dice" (1945); Neller and Presser, "Optimal Play of the Dice Game Pig" (2004).
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from pubdice.core.dice import Hand
from pubdice.core.game import MoveGame, RoundResult, RoundSeat

FIRST = RoundSeat(0)
LOST: Hand = (1,)


@dataclass(frozen=True, slots=True)
class PigRound:
    """A round under way: every seat's points, whose turn it is, the turn's points, and the die (none: it is due)."""

    banked: tuple[int, ...]
    at: RoundSeat = FIRST
    turn: int = 0
    die: Hand = ()


@dataclass(frozen=True, slots=True)
class Pig(MoveGame[PigRound]):
    """The rules, with the points that win."""

    goal: int = 100
    least_seats: ClassVar[int] = 2
    moves: ClassVar[tuple[str, ...]] = ("roll", "hold")

    def begin(self, seats: int) -> PigRound:
        """Nobody has a point."""
        return PigRound((0,) * seats)

    def is_won(self, state: PigRound) -> bool:
        """True if the mover has reached the goal."""
        return state.banked[state.at] >= self.goal

    def mover(self, state: PigRound) -> RoundSeat | None:
        """The seat whose turn it is, until somebody has won."""
        return None if self.is_won(state) else state.at

    def legal(self, state: PigRound) -> tuple[str, ...]:
        """Roll again or hold, once a die lies there; a turn that has reached the goal can only hold."""
        return () if not state.die else self.moves if state.banked[state.at] + state.turn < self.goal else ("hold",)

    def after_roll(self, state: PigRound, dice: Hand) -> PigRound:
        """A 1 passes the dice on, and the turn's points are lost; any other face adds to them."""
        if dice == LOST:
            return PigRound(state.banked, self._next(state))
        return PigRound(state.banked, state.at, state.turn + dice[0], dice)

    def after_move(self, state: PigRound, move: str) -> PigRound:
        """A die is due; or the turn's points are banked, which may win."""
        if move == "roll":
            return PigRound(state.banked, state.at, state.turn)
        points = [has + state.turn * (seat == state.at) for seat, has in enumerate(state.banked)]
        held = PigRound(tuple(points), state.at)
        return held if self.is_won(held) else replace(held, at=self._next(held))

    def _next(self, state: PigRound) -> RoundSeat:
        return RoundSeat((state.at + 1) % len(state.banked))

    def lying(self, state: PigRound, seat: RoundSeat) -> Hand:
        """The mover's die."""
        return state.die if seat == state.at else ()

    def score(self, state: PigRound, seat: RoundSeat) -> int | None:
        """The points that a seat has banked."""
        return state.banked[seat]

    def result(self, state: PigRound) -> RoundResult | None:
        """The first at the goal wins alone."""
        return RoundResult((state.at,), state.banked) if self.is_won(state) else None

    def canonical(self, state: PigRound) -> PigRound:
        """The same with any one die: its points are in the turn already (``CanonicalStates``)."""
        return PigRound(state.banked, state.at, state.turn, (2,)) if state.die else state

    def turned(self, state: PigRound) -> PigRound:
        """The mover's points first, then those of the seats after it (``TurnedSeats``)."""
        return PigRound((*state.banked[state.at :], *state.banked[: state.at]), FIRST, state.turn, state.die)


def tip(game: Pig, state: PigRound) -> tuple[tuple[str, int], ...]:
    """Hold with 20 points in the turn, or with as many as win."""
    enough = min(20, game.goal - state.banked[state.at])
    return (("hold" if state.turn >= enough else "roll", 1),)
