"""The usual pub dice game: in a round every seat has one turn, and the best score wins.

A game of this kind inherits its round from ``TurnGame`` and writes what differs: how many dice, what a finished hand is
worth, and, where they are its own, what may be kept and how many rolls a turn has. Left as it is, a turn goes as in
Midnight and Threes: keep at least one die of each roll, and the turn ends with the last die kept.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from pubdice.core.dice import Hand, hands, together
from pubdice.core.errors import IllegalAction
from pubdice.core.frozen import maker, quick
from pubdice.core.game import Keep, KeepGame, RoundResult, RoundSeat, Verb, keeps, legal_hands, sorted_roll


@quick
@dataclass(frozen=True, slots=True)
class RoundState:
    """A round under way. ``scores`` of the seats that have finished, in turn order; then the mover's dice.

    rolls: how many rolls the mover has had, in games that limit them; 0 in all others.
    """

    seats: int
    scores: tuple[int, ...] = ()
    locked: Hand = ()
    free: Hand = ()
    rolls: int = 0


_round = maker(RoundState)


@dataclass(frozen=True, slots=True)
class TurnGame(KeepGame, ABC):
    """The rules of one round under one choice of options, which a subclass has as fields; its actions are keeps.

    number_of_dice: in a turn. most_seats: the house's limit where the sources set none. lowest_wins: whether the lowest
    score is the best. scoreless: the score that never wins, though it be the best; None where every score can win.
    one_turn_each: declares that every turn goes alike, whatever was scored before it, that the better score wins, and
    that one seat or more may play. ``solve.turns`` then solves it for many seats. It counts for the class that declares
    it and for none that inherits from it. A law proves it (``tests/laws``), not the house: that takes 1.4 million calls
    for Midnight.
    """

    number_of_dice: ClassVar[int]
    least_seats: ClassVar[int] = 1
    scoreless: ClassVar[int | None] = 0
    one_turn_each: ClassVar[bool] = False

    @abstractmethod
    def worth(self, hand: Hand) -> int:
        """The score of a finished hand, sorted."""

    def start(self, seats: int) -> RoundState:
        """A fresh round: nobody has rolled, and seat 0 moves. Raises ValueError if the game cannot seat so many."""
        self.check_seats(seats)
        return RoundState(seats)

    def alone(self, state: RoundState) -> RoundState:
        """The mover's turn as if nobody else played: what a turn is enumerated and looked up by."""
        return RoundState(1, (), state.locked, state.free, state.rolls)

    def mover(self, state: RoundState) -> RoundSeat | None:
        """Seats take their turns one after the other; a round is over after one turn each."""
        done = len(state.scores)
        return RoundSeat(done) if done < state.seats else None

    def to_roll(self, state: RoundState) -> int:
        """All dice not locked are rolled."""
        if state.free or len(state.scores) == state.seats:
            return 0
        return self.number_of_dice - len(state.locked)

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        """The dice just rolled become the free ones."""
        return _round(state.seats, state.scores, state.locked, self.rolled(state, hand))

    def rolled(self, state: RoundState, hand: Hand) -> Hand:
        """The dice to roll as a sorted hand. Raises IllegalAction."""
        over = len(state.scores) == state.seats
        if over or state.free or hand not in hands(self.number_of_dice - len(state.locked)):
            return sorted_roll(state, hand, self.to_roll(state))
        return hand

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        """Any of the free dice, at least one."""
        return keeps(state.free, 1) if state.free else ()

    def play(self, state: RoundState, action: Keep) -> RoundState:
        """Lock the dice kept; with all of them locked the turn is scored and the next seat is to roll."""
        if action.dice not in legal_hands(state.free, 1):
            self._refuse(state, action)
        locked = together(state.locked, action.dice)
        if len(locked) < self.number_of_dice:
            return _round(state.seats, state.scores, locked)
        return self.scored(state, locked)

    def scored(self, state: RoundState, hand: Hand) -> RoundState:
        """The round once the mover's turn has ended with this hand."""
        return _round(state.seats, (*state.scores, self.worth(hand)))

    def _refuse(self, state: RoundState, action: Keep) -> None:
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=action)
        if not action.dice:
            raise IllegalAction("keep-one", state=state, action=action, free=state.free)
        raise IllegalAction("not-free", state=state, action=action, dice=action.dice, free=state.free)

    def choose(self, state: RoundState, verb: Verb, kept: Hand) -> Keep:
        """Roll and bank both end the turn once every die is kept or locked; banking earlier is refused."""
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=verb)
        if verb == "bank" and kept != state.free:
            raise IllegalAction("bank-early", state=state, action=verb, undecided=len(state.free) - len(kept))
        return Keep(kept)

    def dice(self, state: RoundState, seat: RoundSeat) -> tuple[Hand, Hand]:
        """Only the mover has dice on the table."""
        return (state.locked, state.free) if seat == len(state.scores) else ((), ())

    def score(self, state: RoundState, seat: RoundSeat) -> int | None:
        """The seat's score once its turn is done."""
        return state.scores[seat] if seat < len(state.scores) else None

    def better(self, score: int) -> tuple[bool, int]:
        """A key that sorts scores from the worst to the best."""
        return score != self.scoreless, -score if self.lowest_wins else score

    def wins_at_once(self, score: int) -> bool:
        """Whether a turn that ends with this score, the best there is, ends the round: the seats after have no turn.

        A game that says so pads the scores of the others in ``scored``.
        """
        return False

    def best(self, scores: tuple[int, ...]) -> int | None:
        """The best of the scores that can win; None where none can."""
        best = max(scores, key=self.better, default=self.scoreless)
        return None if best == self.scoreless else best

    def result(self, state: RoundState) -> RoundResult | None:
        """The best score wins, for all who tie; nobody wins where none can."""
        if len(state.scores) < state.seats:
            return None
        best = self.best(state.scores)
        winners = tuple([RoundSeat(at) for at, score in enumerate(state.scores) if score == best])
        return RoundResult(winners, state.scores)
