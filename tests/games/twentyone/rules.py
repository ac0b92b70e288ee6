"""Twenty-One, one round: all open with two dice, then each in turn draws dice one by one; over 21 is nothing.

Unlike the games of the house, nothing is kept or rolled again here: what fell adds up.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from pubdice.core.dice import Hand, together
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.game import MOST_SEATS, RoundResult, RoundSeat, Verb, sorted_roll

TARGET = 21
OPENING = 2
Move = Literal["draw", "stand"]
MOVES: tuple[Move, ...] = ("stand", "draw")
DONE: Hand = (1,)
"""In the place of dice that no longer matter."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round under way: every seat's dice, and the totals of those who are done, in turn order.

    draws: whether the mover has said so and a die is due.
    """

    hands: tuple[Hand, ...]
    totals: tuple[int, ...] = ()
    draws: bool = False

    @property
    def opener(self) -> RoundSeat | None:
        """Who opens, None once all have."""
        return RoundSeat(self.hands.index(())) if () in self.hands else None

    @property
    def have(self) -> int:
        """What the mover has."""
        return sum(self.hands[len(self.totals)])


@dataclass(frozen=True, slots=True)
class TwentyOne:
    """The rules. Seats: somebody to beat, up to the house's limit."""

    least_seats: ClassVar[int] = 2
    most_seats: ClassVar[int] = MOST_SEATS
    lowest_wins: ClassVar[bool] = False

    def start(self, seats: int) -> Round:
        """Nobody has opened. Raises ValueError if the game cannot seat so many."""
        if not self.least_seats <= seats <= self.most_seats:
            raise ValueError(f"twentyone seats {self.least_seats} to {self.most_seats}, not {seats}")
        return Round(((),) * seats)

    def mover(self, state: Round) -> RoundSeat | None:
        """All open in turn; then all draw in turn."""
        if len(state.totals) == len(state.hands):
            return None
        return RoundSeat(len(state.totals)) if state.opener is None else state.opener

    def to_roll(self, state: Round) -> int:
        """Two dice to open, then one at a time."""
        return OPENING if state.opener is not None else int(state.draws)

    def roll(self, state: Round, hand: Hand) -> Round:
        """The dice join the mover's; 21 or more ends the turn."""
        fallen = sorted_roll(state, hand, self.to_roll(state))
        at = len(state.totals) if state.opener is None else state.opener
        hands = (*state.hands[:at], together(state.hands[at], fallen), *state.hands[at + 1 :])
        after = Round(hands, state.totals)
        return self._done(after) if sum(hands[at]) >= TARGET else after

    def _done(self, state: Round) -> Round:
        return Round(state.hands, (*state.totals, state.have if state.have <= TARGET else 0))

    def legal(self, state: Round) -> tuple[Move, ...]:
        """Draw or stand."""
        return () if self.to_roll(state) or self.mover(state) is None else MOVES

    def play(self, state: Round, action: Move) -> Round:
        """Stand, and the next seat's turn begins; or draw, and a die must be rolled."""
        if action not in self.legal(state):
            raise IllegalAction("no-choice", state=state, action=action)
        return self._done(state) if action == "stand" else replace(state, draws=True)

    def choose(self, state: Round, verb: Verb, kept: Hand) -> Move:
        """Roll draws, bank stands, whatever is marked."""
        if not self.legal(state):
            raise IllegalAction("no-choice", state=state, action=verb)
        return "stand" if verb == "bank" else "draw"

    def gives_up(self, state: Round, action: Move) -> bool:
        """Never."""
        return False

    def dice(self, state: Round, seat: RoundSeat) -> tuple[Hand, Hand]:
        """All of a seat's dice lie there to the end, and none of them can be chosen."""
        return state.hands[seat], ()

    def kept(self, action: Move) -> Hand:
        """Nothing is chosen of the dice."""
        return ()

    def score(self, state: Round, seat: RoundSeat) -> int | None:
        """The total, 0 if it is over 21."""
        return state.totals[seat] if seat < len(state.totals) else None

    def result(self, state: Round) -> RoundResult | None:
        """The highest total wins; several who have it all do."""
        if self.mover(state) is not None:
            return None
        scores = state.totals
        best = max(scores)
        return RoundResult(tuple(RoundSeat(at) for at, score in enumerate(scores) if score == best > 0), scores)

    def canonical(self, state: Round) -> Round:
        """Totals decide; which dice made them is nothing to the rest of the round (``CanonicalStates``)."""
        done = len(state.totals)
        left = ((sum(hand),) if hand else () for hand in state.hands[done:])
        return Round((*(DONE for _ in range(done)), *left), state.totals, state.draws)

    def write_action(self, action: Move) -> str:
        """``draw`` or ``stand``."""
        return action

    def read_action(self, text: str) -> Move:
        """Read from ``draw`` or ``stand``. Raises BadNotation."""
        for move in MOVES:
            if text == move:
                return move
        raise BadNotation("action", found=text, shape="draw")

    def write_score(self, score: int) -> str:
        """The total itself."""
        return str(score)
