"""Mexico, one round: two dice, the opener's number of rolls is the limit, 21 beats all, and doubles beat the rest.

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
"""The score of 2 and 1, above any double."""
DOUBLE = 100
"""A double scores this times its face, so each double is above 65."""
HOLDABLE = (1, 2)
"""The faces that may stay while the other die is rolled: the two of Mexico."""


@cache
def worth(hand: Hand) -> int:
    """The score of two dice: ``MEXICO``, a double's face times ``DOUBLE``, or the two digits, the higher first.

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
    """A round under way."""

    seats: int
    scores: tuple[int, ...] = ()
    """Of the seats that have finished, in turn order."""
    limit: int = MOST_ROLLS
    """The most rolls of a turn, 3 until the opener has finished."""
    rolls: int = 0
    held: Hand = ()
    """The die that stays while the other is rolled, and still after that roll. Usually empty."""
    free: Hand = ()
    """Both dice. Empty while the mover must roll."""


@cache
def _keeps(free: Hand, new: Hand, *, last: bool) -> tuple[Keep, ...]:
    """The legal keeps of these dice. A 1 or a 2 in ``new`` may stay. Cached, as a round has 3,900 positions."""
    stop = Keep(free)
    return (stop,) if last else (stop, Keep(()), *[Keep((face,)) for face in HOLDABLE if face in new])


@dataclass(frozen=True, slots=True)
class Mexico(KeepGame):
    """The rules. The last roll of a turn counts. So does Mexico, at once. The mover has no choice in either case."""

    least_seats: ClassVar[int] = 2
    hold: bool = False
    """True if a 1 or a 2 may stay for one roll while the other die is rolled (the drinking game's variant)."""

    def start(self, seats: int) -> MexicoRound:
        """A fresh round. Seat 0 is the opener. Raises ValueError for a wrong number of seats."""
        self.check_seats(seats)
        return MexicoRound(seats)

    def mover(self, state: MexicoRound) -> RoundSeat | None:
        """Seats take one turn each, in order."""
        done = len(state.scores)
        return RoundSeat(done) if done < state.seats else None

    def to_roll(self, state: MexicoRound) -> int:
        """Both dice, or one if the other stays."""
        return 0 if state.free or len(state.scores) == state.seats else DICE - len(state.held)

    def roll(self, state: MexicoRound, hand: Hand) -> MexicoRound:
        """Both dice are free, and one more roll is used."""
        fallen = sorted_roll(state, hand, self.to_roll(state))
        dice = together(state.held, fallen)
        return MexicoRound(state.seats, state.scores, state.limit, state.rolls + 1, state.held, dice)

    def legal(self, state: MexicoRound) -> tuple[Keep, ...]:
        """Keep both dice to stop, keep none to roll both again, or keep a die that may stay and roll the other."""
        if not state.free:
            return ()
        new = without(state.free, state.held) if self.hold else ()
        return _keeps(state.free, new, last=state.rolls == state.limit or worth(state.free) == MEXICO)

    def play(self, state: MexicoRound, action: Keep) -> MexicoRound:
        """Stop and pass to the next seat, or roll on. The opener's number of rolls becomes the limit."""
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
        """To bank is to stop, whichever dice are marked. To roll is to keep the marked die, usually none."""
        if not state.free:
            raise IllegalAction("no-keep", state=state, action=verb)
        if verb == "bank":
            return Keep(state.free)
        if kept == state.free:
            raise IllegalAction("nothing-rolled", state=state, action=verb)
        return Keep(kept)

    def dice(self, state: MexicoRound, seat: RoundSeat) -> tuple[Hand, Hand]:
        """Only the mover has dice on the table. They are never locked."""
        return (), (state.free or state.held) if seat == len(state.scores) else ()

    def score(self, state: MexicoRound, seat: RoundSeat) -> int | None:
        """The score of the seat. None before its turn is over."""
        return state.scores[seat] if seat < len(state.scores) else None

    def result(self, state: MexicoRound) -> RoundResult | None:
        """The seats with the highest score win. Formats that look for the lowest read the scores."""
        if len(state.scores) < state.seats:
            return None
        best = max(state.scores)
        return RoundResult(tuple(RoundSeat(at) for at, score in enumerate(state.scores) if score == best), state.scores)

    def write_score(self, score: int) -> str:
        """The score as people write it: both dice, the higher one first. 21 for Mexico, 33 for double 3."""
        if score == MEXICO:
            return "21"
        return str(11 * (score // DOUBLE) if score >= DOUBLE else score)


GOOD = 54
"""The least score with which Tip stops as the opener: the median of one roll (Wikipedia, "Strategy and Odds")."""


def tip(game: Mexico, state: MexicoRound) -> tuple[tuple[Keep, int], ...]:
    """The bot Tip: the opener stops with ``GOOD``, the others as soon as they are not the lowest (the same section)."""
    have = worth(state.free)
    enough = have > min(state.scores) if state.scores else have >= GOOD
    stops = enough or len(game.legal(state)) == 1
    return ((Keep(state.free if stops else ()), 1),)
