"""Dice as a picture: an SVG document for notebooks and pages, and plain text that reads well aloud."""

from dataclasses import dataclass
from html import escape

from pubdice.advice.card import PIPS
from pubdice.core.dice import Hand, Roll
from pubdice.library.arguments import dice_of, told
from pubdice.text.language import faces

DIE, GAP, PIP = 64, 10, 6
"""Sizes in pixels: a die, the room between two, the radius of a pip."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Dice on a table: those that may still be chosen, and those that are locked."""

    free: Roll = ()
    locked: Hand = ()

    def __str__(self) -> str:
        if not self.free and not self.locked:
            return "No dice on the table."
        locked = [f"Locked: {faces(self.locked)}."] if self.locked else []
        return " ".join([*locked, *([f"Dice: {faces(self.free)}."] if self.free else [])])

    def svg(self) -> str:
        """The dice as an SVG document of its own, with their faces in words; locked ones are grey."""
        dice = [*((face, "#ddd") for face in self.locked), *((face, "#fff") for face in self.free)]
        width = max(1, len(dice)) * (DIE + GAP) + GAP
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{DIE + 2 * GAP}" role="img">',
            f"<title>{escape(str(self))}</title>",
        ]
        for at, (face, fill) in enumerate(dice):
            left = GAP + at * (DIE + GAP)
            parts.append(
                f'<rect x="{left}" y="{GAP}" width="{DIE}" height="{DIE}" rx="9" fill="{fill}" stroke="#222"/>'
            )
            for place in PIPS[face]:
                x, y = left + DIE * (1 + place % 3) // 4, GAP + DIE * (1 + place // 3) // 4
                parts.append(f'<circle cx="{x}" cy="{y}" r="{PIP}" fill="#222"/>')
        return "".join([*parts, "</svg>"])

    def _repr_svg_(self) -> str:
        return self.svg()


def picture(*dice: object, locked: object = ()) -> Picture:
    """A picture of these dice, as they fell: ``picture(3, 4, 4)`` or ``picture("344", locked="16")``.

    Raises BadNotation("face").
    """
    with told():
        return Picture(dice_of(dice) if dice else (), tuple(sorted(dice_of([locked]))) if locked else ())
