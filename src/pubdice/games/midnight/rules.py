"""Midnight, one round: six dice a seat, keep at least one of each roll, a 1 and a 4 to qualify, the other four summed.

Sources: the encyclopedia's article ("Rules", "Variant game") and PlayPalace's rules ("Your
Turn", "Qualifying", "Scoring a Turn", "Winning a Round"). Knows one round; matches, pots and who opens are elsewhere.
"""

from dataclasses import dataclass
from functools import cache

from pubdice.core.dice import Hand, hands, together, without
from pubdice.core.errors import IllegalAction
from pubdice.core.frozen import quick
from pubdice.core.game import Keep, RoundResult, RoundSeat, Verb, keeps, legal_hands, read_keep, sorted_roll, write_keep

DICE = 6
BEST = 24
MOST_SEATS = 20


@quick
@dataclass(frozen=True, slots=True)
class RoundState:
    """A round under way. ``scores`` of the seats that have finished, in turn order; then the mover's dice."""

    seats: int
    scores: tuple[int, ...] = ()
    locked: Hand = ()
    free: Hand = ()


@cache
def lacking(hand: Hand, need: tuple[int, int]) -> Hand:
    """The needed faces a hand does not hold.

    >>> lacking((1, 1, 3), (1, 4))
    (4,)
    """
    return tuple(face for face in need if face not in hand)


@cache
def counted(hand: Hand, need: tuple[int, int]) -> Hand:
    """The dice that count: all but one of each needed face, or none if the hand does not qualify.

    A second 1 or 4 counts its pips: only one of each is set aside (PlayPalace, "Scoring a Turn").

    >>> counted((1, 1, 4, 4, 5, 6), (1, 4))
    (1, 4, 5, 6)
    """
    return () if lacking(hand, need) else without(hand, need)


@dataclass(frozen=True, slots=True)
class Midnight:
    """The rules under one choice of options.

    need: the pair that qualifies, (1, 4), or (2, 4) for the variant 2-4-24 (the encyclopedia, "Variant game").
    """

    need: tuple[int, int] = (1, 4)

    @property
    def least_seats(self) -> int:
        """One: a turn alone is practice."""
        return 1

    @property
    def most_seats(self) -> int:
        """The house's limit: the documents set none."""
        return MOST_SEATS

    def start(self, seats: int) -> RoundState:
        """A fresh round: nobody has rolled, and seat 0 moves."""
        if not self.least_seats <= seats <= self.most_seats:
            raise ValueError(f"midnight seats {self.least_seats} to {self.most_seats}, not {seats}")
        return RoundState(seats)

    def mover(self, state: RoundState) -> RoundSeat | None:
        """Seats take their turns one after the other; a round is over after one turn each (PlayPalace, "Gameplay")."""
        done = len(state.scores)
        return RoundSeat(done) if done < state.seats else None

    def to_roll(self, state: RoundState) -> int:
        """All dice not locked are rolled (the encyclopedia, "Rules": any not kept are rerolled)."""
        if state.free or len(state.scores) == state.seats:
            return 0
        return DICE - len(state.locked)

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        """The dice just rolled become the free ones."""
        due = self.to_roll(state)
        if not due or hand not in hands(due):
            hand = sorted_roll(state, hand, due)
        return RoundState(state.seats, state.scores, state.locked, hand)

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        """Any of the free dice, at least one (the encyclopedia, "Rules"; PlayPalace, "Your Turn")."""
        return keeps(state.free, 1) if state.free else ()

    def play(self, state: RoundState, action: Keep) -> RoundState:
        """Lock the dice kept; with all six locked the turn is scored and the next seat is to roll."""
        if action.dice not in legal_hands(state.free, 1):
            self._refuse(state, action)
        locked = together(state.locked, action.dice)
        if len(locked) < DICE:
            return RoundState(state.seats, state.scores, locked)
        return RoundState(state.seats, (*state.scores, self.worth(locked)))

    def _refuse(self, state: RoundState, action: Keep) -> None:
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=action)
        if not action.dice:
            raise IllegalAction("keep-one", state=state, action=action, free=state.free)
        raise IllegalAction("not-free", state=state, action=action, dice=action.dice, free=state.free)

    def choose(self, state: RoundState, verb: Verb, kept: Hand) -> Keep:
        """Roll and bank both score the turn once every die is kept or locked; banking earlier is refused.

        Source: PlayPalace, "Your Turn".
        """
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=verb)
        if verb == "bank" and kept != state.free:
            raise IllegalAction("bank-early", state=state, action=verb, undecided=len(state.free) - len(kept))
        return Keep(kept)

    def worth(self, hand: Hand) -> int:
        """The score of six dice: the sum of the four that count, 0 without the needed pair. 24 at best."""
        return sum(counted(hand, self.need))

    def gives_up(self, state: RoundState, action: Keep) -> bool:
        """Never: one die at least is kept."""
        return False

    def dice(self, state: RoundState, seat: RoundSeat) -> tuple[Hand, Hand]:
        """Only the mover has dice on the table."""
        return (state.locked, state.free) if seat == len(state.scores) else ((), ())

    def kept(self, action: Keep) -> Hand:
        """The dice kept stay where they lie."""
        return action.dice

    def score(self, state: RoundState, seat: RoundSeat) -> int | None:
        """The seat's score once its turn is done."""
        return state.scores[seat] if seat < len(state.scores) else None

    def result(self, state: RoundState) -> RoundResult | None:
        """The highest score wins, for all who tie; nobody wins if none qualified (PlayPalace, "Winning a Round")."""
        if len(state.scores) < state.seats:
            return None
        best = max(state.scores)
        winners = tuple([RoundSeat(seat) for seat, score in enumerate(state.scores) if score == best and best > 0])
        return RoundResult(winners, state.scores)

    def write_action(self, action: Keep) -> str:
        """Keeps are written ``k45``."""
        return write_keep(action)

    def read_action(self, text: str) -> Keep:
        """Keeps are read from ``k45``."""
        return read_keep(text)
