"""What a match has come to: plain numbers, which every format reads in its own way. Knows no game."""

from dataclasses import dataclass
from functools import cache

from pubdice.core.frozen import quick
from pubdice.core.game import Seat


@cache
def _seats(number: int) -> tuple[Seat, ...]:
    """Every seat of so many."""
    return tuple(map(Seat, range(number)))


@quick
@dataclass(frozen=True, slots=True)
class Tally:
    """What a match has come to: rounds finished, each seat's points, chips in the pot, who has dropped out, in order.

    Points are round wins, or chips won and lost, or 1 for a seat that left as a winner, as the format has it.
    resting: the seats that sit out the next round only, by seat, while others play a tie off.
    """

    rounds: int
    points: tuple[int, ...]
    pot: int = 0
    out: tuple[Seat, ...] = ()
    resting: tuple[Seat, ...] = ()

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """Every seat with the most points."""
        best = max(self.points)
        return tuple(Seat(seat) for seat, points in enumerate(self.points) if points == best)

    @property
    def still_in(self) -> tuple[Seat, ...]:
        """The seats that have not dropped out, by seat."""
        seats = _seats(len(self.points))
        return tuple([seat for seat in seats if seat not in self.out]) if self.out else seats

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that play the next round, by seat."""
        return tuple([seat for seat in self.still_in if seat not in self.resting]) if self.resting else self.still_in

    def credit(self, winners: tuple[Seat, ...]) -> "Tally":
        """One round more, with a point for each winner."""
        points = tuple([have + (seat in winners) for seat, have in enumerate(self.points)])
        return Tally(self.rounds + 1, points, self.pot, self.out)
