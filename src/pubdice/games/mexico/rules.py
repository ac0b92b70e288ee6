"""Mexico, one round: two dice. 21 beats all and doubles beat the rest. The opener's number of rolls is the limit.

Sources: Wikipedia's article ("Play", "Strategy and Odds"), What Game Works ("General Play"), Student Drinking Games
("Mexican"). docs/games/index.md has the titles and our readings. Lives, rounds and pots belong to the match.
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
"""The score of a 2 and a 1, above any double."""
DOUBLE = 100
"""The factor in the score of a double, by its face. So each double is above 65, the highest score of two other dice."""
HOLDABLE = (1, 2)
"""The faces that may stay while the other die is rolled. Together they make Mexico."""


@cache
def worth(hand: Hand) -> int:
    """Return the score of two dice.

    It is ``MEXICO``, or a double's face times ``DOUBLE``, or else the two digits with the higher one first.

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
    """The state of a round of Mexico."""

    seats: int
    scores: tuple[int, ...] = ()
    """The scores of the seats that have finished, in turn order."""
    limit: int = MOST_ROLLS
    """The most rolls of a turn. It is 3 until the opener has finished."""
    rolls: int = 0
    held: Hand = ()
    """The die that stays while the mover rolls the other one. The field still has it after that roll. Usually empty."""
    free: Hand = ()
    """Both dice, once rolled. Empty while the mover must roll."""


@cache
def _keeps(free: Hand, new: Hand, *, last: bool) -> tuple[Keep, ...]:
    """Return the legal keeps of two dice. ``new`` has the dice that were not held before. A 1 or a 2 among these may
    stay.

    Cached, because a round has 3,900 positions.
    """
    stop = Keep(free)
    return (stop,) if last else (stop, Keep(()), *[Keep((face,)) for face in HOLDABLE if face in new])


@dataclass(frozen=True, slots=True)
class Mexico(KeepGame):
    """The rules of Mexico.

    The last roll of a turn counts, and a Mexico counts at once, so the mover has no choice then.
    """

    least_seats: ClassVar[int] = 2
    hold: bool = False
    """True if a 1 or a 2 may stay for one roll while the mover rolls the other die (a variant of the drinking game)."""

    def start(self, seats: int) -> MexicoRound:
        """Return a fresh round with seat 0 as opener. Raise ValueError for a wrong number of seats."""
        self.check_seats(seats)
        return MexicoRound(seats)

    def mover(self, state: MexicoRound) -> RoundSeat | None:
        """Return the seat whose turn it is. Each seat takes one turn, in order. Return None once all have finished."""
        done = len(state.scores)
        return RoundSeat(done) if done < state.seats else None

    def to_roll(self, state: MexicoRound) -> int:
        """Return the number of dice to roll: two, or one if the other die stays. 0 if a choice is due."""
        return 0 if state.free or len(state.scores) == state.seats else DICE - len(state.held)

    def roll(self, state: MexicoRound, hand: Hand) -> MexicoRound:
        """Put the roll on the table, and count it. Both dice are free afterwards, even a die that was held."""
        fallen = sorted_roll(state, hand, self.to_roll(state))
        dice = together(state.held, fallen)
        return MexicoRound(state.seats, state.scores, state.limit, state.rolls + 1, state.held, dice)

    def legal(self, state: MexicoRound) -> tuple[Keep, ...]:
        """Return the legal keeps: both dice to stop, none to roll both again, or one die that may stay for a roll."""
        if not state.free:
            return ()
        new = without(state.free, state.held) if self.hold else ()
        return _keeps(state.free, new, last=state.rolls == state.limit or worth(state.free) == MEXICO)

    def play(self, state: MexicoRound, action: Keep) -> MexicoRound:
        """Stop and pass to the next seat, or roll again.

        When the opener stops, its number of rolls becomes the limit.
        """
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
        """Return the keep for a key. "bank" stops, whichever dice are marked.

        "roll" keeps the marked die, usually none.
        """
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=verb)
        if verb == "bank":
            return Keep(state.free)
        if kept == state.free:
            raise IllegalAction("nothing-rolled", state=state, action=verb)
        return Keep(kept)

    def dice(self, state: MexicoRound, seat: RoundSeat) -> tuple[Hand, Hand]:
        """Return a seat's locked and free dice. Only the mover has dice on the table, and no die is ever locked."""
        return (), (state.free or state.held) if seat == len(state.scores) else ()

    def score(self, state: MexicoRound, seat: RoundSeat) -> int | None:
        """Return the score of the seat. Return None before the seat has finished its turn."""
        return state.scores[seat] if seat < len(state.scores) else None

    def result(self, state: MexicoRound) -> RoundResult | None:
        """Return the seats with the highest score as winners.

        Formats in which the lowest loses read the scores instead.
        """
        if len(state.scores) < state.seats:
            return None
        best = max(state.scores)
        return RoundResult(tuple(RoundSeat(at) for at, score in enumerate(state.scores) if score == best), state.scores)

    def write_score(self, score: int) -> str:
        """Write the score as people do: both dice, the higher one first. 21 is Mexico, and 33 is a double 3."""
        if score == MEXICO:
            return "21"
        return str(11 * (score // DOUBLE) if score >= DOUBLE else score)


GOOD = 54
"""The least score with which Tip stops as the opener, the median of one roll (Wikipedia, "Strategy and Odds")."""


def tip(game: Mexico, state: MexicoRound) -> tuple[tuple[Keep, int], ...]:
    """Choose for the bot Tip (Wikipedia, "Strategy and Odds").

    The opener stops with ``GOOD`` or more. Any other seat stops as soon as it is not the lowest.
    """
    have = worth(state.free)
    enough = have > min(state.scores) if state.scores else have >= GOOD
    stops = enough or len(game.legal(state)) == 1
    return ((Keep(state.free if stops else ()), 1),)
