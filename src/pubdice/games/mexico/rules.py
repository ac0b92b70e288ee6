"""Mexico, one round: two dice, the opener sets how many rolls the others may have, 21 beats all, doubles the rest.

Sources: Wikipedia's article ("Play", "Strategy and Odds"), What Game Works ("General Play"), Student Drinking Games
("Mexican"); docs/rules.md has the titles and the readings. Knows one round; lives, rounds and pots are the match's.
"""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from pubdice.core.dice import Hand, together, without
from pubdice.core.errors import IllegalAction
from pubdice.core.frozen import quick
from pubdice.core.game import Keep, KeepGame, RoundResult, RoundSeat, Verb, sorted_roll

DICE = 2
MOST_ROLLS = 3
MEXICO = 1000
"""The score of 2 and 1: more than any double."""
DOUBLE = 100
"""The score of a double for each pip of one die: more than any other two dice."""
HOLDABLE = (1, 2)
"""The faces that may stay while the other die is rolled: those of Mexico."""


@cache
def worth(hand: Hand) -> int:
    """The score of two dice: Mexico, a hundred times a double's face, or the two digits with the higher one first.

    >>> worth((1, 2)), worth((3, 3)), worth((4, 6))
    (1000, 300, 64)
    """
    low, high = hand
    if hand == HOLDABLE:
        return MEXICO
    return DOUBLE * low if low == high else 10 * high + low


@quick
@dataclass(frozen=True, slots=True)
class MexicoRound:
    """A round under way: ``scores`` of the seats that have finished, in turn order; then the mover's turn.

    limit: the rolls a turn has, 3 until the opener has finished. rolls: those the mover has had. held: the die that
    stays while the other is rolled, and after that roll the one that has stayed. free: the dice that lie there, none
    while the mover must roll.
    """

    seats: int
    scores: tuple[int, ...] = ()
    limit: int = MOST_ROLLS
    rolls: int = 0
    held: Hand = ()
    free: Hand = ()


@cache
def _keeps(free: Hand, new: Hand, *, last: bool) -> tuple[Keep, ...]:
    """The legal keeps of these dice; new: those of which a 1 or a 2 may stay. Asked at 3,900 positions of a round."""
    stop = Keep(free)
    return (stop,) if last else (stop, Keep(()), *[Keep((face,)) for face in HOLDABLE if face in new])


@dataclass(frozen=True, slots=True)
class Mexico(KeepGame):
    """The rules. The last roll of a turn counts, and so does Mexico at once: there is nothing to choose then.

    hold: true if a 1 or a 2 may stay while the other die is rolled, for one roll (the drinking game's variant).
    """

    least_seats: ClassVar[int] = 2
    hold: bool = False

    def start(self, seats: int) -> MexicoRound:
        """A fresh round: nobody has rolled, and seat 0, the opener, moves. Raises ValueError for a wrong number."""
        self.check_seats(seats)
        return MexicoRound(seats)

    def mover(self, state: MexicoRound) -> RoundSeat | None:
        """Seats take one turn each, one after the other."""
        done = len(state.scores)
        return RoundSeat(done) if done < state.seats else None

    def to_roll(self, state: MexicoRound) -> int:
        """Both dice, or the one beside the die that stays."""
        return 0 if state.free or len(state.scores) == state.seats else DICE - len(state.held)

    def roll(self, state: MexicoRound, hand: Hand) -> MexicoRound:
        """The dice lie there; one roll more is used."""
        fallen = sorted_roll(state, hand, self.to_roll(state))
        dice = together(state.held, fallen)
        return MexicoRound(state.seats, state.scores, state.limit, state.rolls + 1, state.held, dice)

    def legal(self, state: MexicoRound) -> tuple[Keep, ...]:
        """Stop, with both dice kept; roll both again; or keep the die that may stay and roll the other."""
        if not state.free:
            return ()
        new = without(state.free, state.held) if self.hold else ()
        return _keeps(state.free, new, last=state.rolls == state.limit or worth(state.free) == MEXICO)

    def play(self, state: MexicoRound, action: Keep) -> MexicoRound:
        """Stop, and the next seat is to roll; or roll on. The opener's rolls are the limit of all others."""
        if action not in self.legal(state):
            self._refuse(state, action)
        if action.dice == state.free:
            limit = state.limit if state.scores else state.rolls
            return MexicoRound(state.seats, (*state.scores, worth(state.free)), limit)
        return MexicoRound(state.seats, state.scores, state.limit, state.rolls, action.dice)

    def _refuse(self, state: MexicoRound, action: Keep) -> None:
        legal = self.legal(state)
        if not legal:
            raise IllegalAction("no-keep", state=state, action=action)
        if len(legal) == 1:
            raise IllegalAction("counts", state=state, action=action, dice=state.free)
        if not self.hold:
            raise IllegalAction("both", state=state, action=action)
        raise IllegalAction("hold", state=state, action=action)

    def choose(self, state: MexicoRound, verb: Verb, kept: Hand) -> Keep:
        """Bank stops, at any marks; roll keeps the die marked, usually none."""
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=verb)
        if verb == "bank":
            return Keep(state.free)
        if kept == state.free:
            raise IllegalAction("nothing-rolled", state=state, action=verb)
        return Keep(kept)

    def dice(self, state: MexicoRound, seat: RoundSeat) -> tuple[Hand, Hand]:
        """Only the mover has dice on the table, and none is final before the turn ends."""
        return (), (state.free or state.held) if seat == len(state.scores) else ()

    def score(self, state: MexicoRound, seat: RoundSeat) -> int | None:
        """The score of the seat's dice once its turn is done."""
        return state.scores[seat] if seat < len(state.scores) else None

    def result(self, state: MexicoRound) -> RoundResult | None:
        """The highest win, for all who tie; formats that look for the lowest find all scores here."""
        if len(state.scores) < state.seats:
            return None
        best = max(state.scores)
        return RoundResult(tuple(RoundSeat(at) for at, score in enumerate(state.scores) if score == best), state.scores)

    def write_score(self, score: int) -> str:
        """Both dice, the higher one first, as people write it: 21 for Mexico, 33 for double 3."""
        if score == MEXICO:
            return "21"
        return str(11 * (score // DOUBLE) if score >= DOUBLE else score)


GOOD = 54
"""The least score that the opener stops with: the median of one roll, where Wikipedia's article ("Strategy and Odds")
puts it.
"""


def tip(game: Mexico, state: MexicoRound) -> tuple[tuple[Keep, int], ...]:
    """The opener stops with an average roll; the others need not be high, only not lowest (the same section)."""
    have = worth(state.free)
    enough = have > min(state.scores) if state.scores else have >= GOOD
    stops = enough or len(game.legal(state)) == 1
    return ((Keep(state.free if stops else ()), 1),)
