"""The dice on the table, as plain data: each seat's in their places, locked, marked or free.

A person's third die stays the third. Rules see sorted hands; a tray remembers where each die lies, from the rolls and
keeps that happened. Knows no sentence and no screen.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Literal

from pubdice.core.dice import Hand, Roll
from pubdice.core.frozen import quick

# What can be marked of dice on a table, and with which others: what the legal keeps leave open, and no more.
#
# Dice that every legal keep keeps or leaves together are one group (the cargo of Ship, Captain and Crew) and are
# marked and freed together. Dice that no legal keep holds beside those marked already lead nowhere.


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


Status = Literal["free", "marked", "locked"]


@lru_cache(maxsize=1024)
def _shared(places: frozenset[int]) -> frozenset[int]:
    """The same places as the same object: a house remembers some 20 trays a table, and a set takes 216 bytes."""
    return places


@quick
@dataclass(frozen=True, slots=True)
class Die:
    """One die: its place from 0, its face, and whether it is free, marked to be kept, or locked until the turn ends."""

    place: int
    face: int
    status: Status


_die = lru_cache(maxsize=1024)(Die)
"""The same die as the same object: there are 6 faces in 3 ways at each of a few places."""


@quick
@dataclass(frozen=True, slots=True)
class Tray:
    """A seat's dice by place, None for one in the cup. kept: the places of the dice that stayed at the last roll.

    final: the places of those among them that were final before; more may have become so since.
    """

    faces: tuple[int | None, ...] = ()
    kept: frozenset[int] = frozenset()
    final: frozenset[int] = frozenset()

    def rolled(self, dice: Roll, there: Hand = ()) -> "Tray":
        """The tray after a roll: the dice fall into the empty places, in order.

        If more are rolled than are in the cup, as where a turn adds die after die, the others fall beside the dice that
        lie there; if fewer, places stay empty. Where the rules no longer see the dice on the tray (``there``), those
        rolled are a new set.
        """
        fallen, kept = iter(dice), self.kept
        if self.faces.count(None) != len(dice):
            if not there or self.shows(tuple(range(len(self.faces)))) != there:
                return Tray(dice)
            kept = frozenset([place for place, face in enumerate(self.faces) if face is not None])
        faces = [next(fallen, None) if face is None else face for face in self.faces]
        return Tray((*faces, *fallen), kept, self.final)

    def keep(self, hand: Hand, locked: Hand, marked: tuple[int, ...]) -> "Tray":
        """The tray after a keep: ``hand`` stays, at the marked places if they show it; other free dice go into the cup.

        locked: the dice that were final already, whose places stay kept.
        """
        held = self._final(locked)
        places = marked if self.shows(marked) == hand else self.find(hand, held)
        kept = _shared(held.union(places))
        return Tray(tuple([face if place in kept else None for place, face in enumerate(self.faces)]), kept, held)

    def _final(self, locked: Hand) -> frozenset[int]:
        """The places of the dice that are final: of those that stayed, as many as show ``locked``.

        Some that stayed may be chosen again: all of them at 420, a cargo die that was held at Ship, Captain and Crew.
        A die that has just fallen may be final at once, where nothing is chosen of the dice. Of equal ones those are
        final that were so before, then those that stayed, then the first.
        """
        if not locked or len(locked) == len(self.kept):
            return self.kept if locked else frozenset()
        rest, found = list[int | None](locked), list[int]()
        for place in sorted(range(len(self.faces)), key=lambda one: (one not in self.final, one not in self.kept)):
            if self.faces[place] in rest:
                rest.remove(self.faces[place])
                found.append(place)
        return frozenset(found)

    def shows(self, places: tuple[int, ...]) -> Hand:
        """The hand that lies at these places."""
        faces = self.faces
        return tuple(sorted([face for place in places if (face := faces[place]) is not None]))

    def find(self, hand: Hand, but: frozenset[int]) -> tuple[int, ...]:
        """The first places, left to right and none of ``but``, that show the hand. Raises ValueError if they do not."""
        wanted, places = list(hand), []
        for place, face in enumerate(self.faces):
            if face in wanted and place not in but:
                wanted.remove(face)
                places.append(place)
        if wanted:
            raise ValueError(f"{self} does not show {hand}")
        return tuple(places)

    def free(self, locked: Hand) -> tuple[int, ...]:
        """The places whose dice may be chosen."""
        held = self._final(locked)
        return tuple([place for place, face in enumerate(self.faces) if face is not None and place not in held])

    def dice(self, locked: Hand, marks: tuple[int, ...] = ()) -> tuple[Die, ...]:
        """The dice that lie on the table."""
        held = self._final(locked)
        return tuple(
            [
                _die(place, face, "marked" if place in marks else "locked" if place in held else "free")
                for place, face in enumerate(self.faces)
                if face is not None
            ]
        )
