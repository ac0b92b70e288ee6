"""Dice for the library: parsing them, and drawing them as SVG or as text for a screen reader.

This module also puts the library's errors into English sentences (``explained``).
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import Any, SupportsIndex

from pubdice.advice.printed_card import PIPS
from pubdice.core.dice import SIX, DieFaces, Hand, Roll, as_whole
from pubdice.core.errors import Failure
from pubdice.failures import explain, named_as_arguments
from pubdice.kit import Kit
from pubdice.library.frozen import frozen
from pubdice.match.notation import no_face
from pubdice.text.language import Language

ENGLISH = Language()


@contextmanager
def explained(kit: Kit | None = None, game: Any = None) -> Iterator[None]:
    """Give each failure that the block raises its sentence, in English."""
    try:
        yield
    except Failure as error:
        error.sentence = error.sentence or named_as_arguments(explain(ENGLISH, error, kit.words if kit else None, game))
        raise


GivenDice = SupportsIndex | str | Iterable[SupportsIndex | str]
"""Dice as an argument of the library: a number, a text of faces, or a list of either."""


def dice_of(dice: Iterable[object], die: DieFaces = SIX) -> Roll:
    """Parse dice: faces as numbers, one list of numbers, or one text such as "344512".

    Raises BadNotation("face"), or BadNotation("other-face") for a die with other faces than 1 to 6.
    """
    given = list(dice)
    if len(given) == 1 and isinstance(given[0], Iterable):
        return _read(given[0], die) if isinstance(given[0], str) else dice_of(given[0], die)
    faces = tuple([as_whole(face) or 0 for face in given])
    if not all(0 < face <= die.sides for face in faces):
        raise no_face(die, found=" ".join(map(str, given)))
    return faces


def _read(text: str, die: DieFaces) -> Roll:
    faces = die.read(text, between=", ")
    if faces is None:
        raise no_face(die, found=text)
    return faces


DIE, GAP, PIP = 64, 10, 6  # in pixels: the side of a die, the gap between two dice, and the radius of a pip


@frozen
@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of dice on a table.

    A notebook shows it as SVG. ``str`` is a text for a screen reader, such as "Locked: 1 6. Dice: 3 4 4."

    Attributes:
        free: The dice that may still be chosen, as numbers.
        locked: The dice that are final, as numbers.
        die: The faces of the dice.

    """

    free: Roll = ()
    locked: Hand = ()
    die: DieFaces = SIX

    def __str__(self) -> str:
        if not self.free and not self.locked:
            return "No dice on the table."
        locked = [f"Locked: {self.die.shown(self.locked)}."] if self.locked else []
        return " ".join([*locked, *([f"Dice: {self.die.shown(self.free)}."] if self.free else [])])

    def svg(self) -> str:
        """Return the dice as a whole SVG document, with their faces in its title. Locked dice are grey."""
        dice = [*((face, "#ddd") for face in self.locked), *((face, "#fff") for face in self.free)]
        width, height = max(1, len(dice)) * (DIE + GAP) + GAP, DIE + 2 * GAP
        size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            f"<title>{escape(str(self))}</title>",
        ]
        for at, (face, fill) in enumerate(dice):
            left = GAP + at * (DIE + GAP)
            parts.append(
                f'<rect x="{left}" y="{GAP}" width="{DIE}" height="{DIE}" rx="9" fill="{fill}" stroke="#222"/>'
            )
            if not self.die.is_usual:
                x, y = left + DIE // 2, GAP + DIE * 2 // 3
                style = f'font-family="sans-serif" font-size="{DIE // 2}" text-anchor="middle" fill="#222"'
                parts.append(f'<text x="{x}" y="{y}" {style}>{self.die.names[face - 1]}</text>')
            for place in PIPS[face] if self.die.is_usual else ():
                x, y = left + DIE * (1 + place % 3) // 4, GAP + DIE * (1 + place // 3) // 4
                parts.append(f'<circle cx="{x}" cy="{y}" r="{PIP}" fill="#222"/>')
        return "".join([*parts, "</svg>"])

    def _repr_svg_(self) -> str:
        return self.svg()


def picture(*dice: GivenDice, locked: GivenDice = ()) -> Picture:
    """Draw dice.

    Args:
        dice: The free dice, as they fell: numbers, one list, or one text.
        locked: The locked dice, in the same forms.

    Returns:
        The picture. Notebooks show it as SVG, and ``str`` is plain text.

    Raises:
        BadNotation: The code is "face" for a face that is not 1 to 6.

    Examples:
        >>> import pubdice
        >>> print(pubdice.picture(3, 4, 4, locked="16"))
        Locked: 1 6. Dice: 3 4 4.
        >>> pubdice.picture("344").svg()[:4]
        '<svg'

    """
    with explained():
        return Picture(dice_of(dice) if dice else (), tuple(sorted(dice_of([locked]))) if locked else ())
