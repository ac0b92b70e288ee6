"""What can be marked of dice on a table, and with which others: what the legal keeps leave open, and no more.

Dice that every legal keep keeps or leaves together are one group (the cargo of Ship, Captain and Crew) and are marked
and freed together. Dice that no legal keep holds beside those marked already lead nowhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

from pubdice.core.dice import Hand


@dataclass(frozen=True, slots=True)
class Marking:
    """The choice among the free dice: (place, face) of each, and the hands that may be kept of them.

    faces: by place. all_may_stay: one of the hands has them all. A view asks for both at each die.
    """

    dice: tuple[tuple[int, int], ...] = ()
    hands: frozenset[Hand] = frozenset()
    faces: Mapping[int, int] = field(init=False, compare=False)
    all_may_stay: bool = field(init=False, compare=False)

    def __post_init__(self) -> None:
        faces = dict(self.dice)
        object.__setattr__(self, "faces", faces)
        object.__setattr__(self, "all_may_stay", tuple(sorted(faces.values())) in self.hands)

    def press(self, place: int, marks: tuple[int, ...]) -> tuple[int, ...]:
        """The marks once the die at this place is marked or, if it is marked, freed; with it, its group.

        >>> cargo = Marking(((3, 2), (4, 6)), frozenset({(), (2, 6)}))
        >>> cargo.press(4, ()), cargo.press(4, (3, 4))
        ((3, 4), ())
        """
        group = self.group(place)
        if place in marks:
            return tuple([mark for mark in marks if mark not in group])
        return (*marks, *[one for one in group if one not in marks])

    def leads_on(self, marks: tuple[int, ...]) -> bool:
        """Whether some legal keep holds all these dice.

        >>> only_one = Marking(((0, 1), (1, 1)), frozenset({(1,)}))
        >>> only_one.leads_on((0,)), only_one.leads_on((0, 1))
        (True, False)
        """
        if self.all_may_stay:  # as at Midnight: spares the search
            return self.faces.keys() >= set(marks)
        return any(set(marks).issubset(kept) for kept in self._keeps())

    def group(self, place: int) -> tuple[int, ...]:
        """The places of the dice that every legal keep keeps or leaves with this one, itself among them."""
        if (self.faces.get(place),) in self.hands:
            return (place,)
        keeps = self._keeps()
        if not any(place in kept for kept in keeps):
            return (place,)
        return tuple([one for one, _ in self.dice if all((one in kept) == (place in kept) for kept in keeps)])

    def _hand(self, places: tuple[int, ...]) -> Hand:
        return tuple(sorted([face for place, face in self.dice if place in places]))

    def _keeps(self) -> list[tuple[int, ...]]:
        """The places of every legal keep, wherever its dice may lie."""
        places = [place for place, _ in self.dice]
        sizes = {len(hand) for hand in self.hands}
        return [kept for size in sizes for kept in combinations(places, size) if self._hand(kept) in self.hands]
