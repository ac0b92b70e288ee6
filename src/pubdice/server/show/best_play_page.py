"""What the page of a game's best play shows: figures as pictures, each with its numbers. Knows no templates.

A picture is columns in an SVG that stretches to any width; words and numbers stand round it as text, so that they keep
their size. ``HIGH`` units high, with ``WIDE`` units a column.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pubdice.advice.figures import BestPlayFigure
from pubdice.text.language import Language

HIGH, WIDE, GAP = 100, 10, 2
MANY = 60
"""From so many columns on there is no gap between them."""
MOST_LABELS = 12
"""Labels under a picture at most: on the smallest phone each has 24 px."""


@dataclass(frozen=True, slots=True)
class ColumnPicture:
    """wide: of its box. columns, line: the paths of the columns and of the line of marks, "" for none. labels: what
    stands beneath, from left to right, with the share of the width that each has.
    """

    wide: int
    columns: str
    line: str
    labels: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A figure with its picture; None where its numbers are not drawn."""

    figure: BestPlayFigure
    picture: ColumnPicture | None


@dataclass(frozen=True, slots=True)
class BestPlayPage:
    """A game's best play. game, title: the game's. figures: those worked out so far, of so many.

    again_s: when the page asks again for the others; 0 for never. refusal: why one could not be worked out.
    """

    game: str
    title: str
    figures: tuple[ShownFigure, ...]
    of: int
    again_s: int = 0
    refusal: str = ""


def shown(figure: BestPlayFigure) -> ShownFigure:
    """A figure with its picture."""
    values = [row.value for row in figure.rows]
    if not any(value is not None for value in values):
        return ShownFigure(figure, None)
    top = max(max(filter(None, values), default=0.0), *(row.mark or 0.0 for row in figure.rows)) or 1.0
    gap = GAP if len(values) < MANY else 0
    columns = "".join(
        f"M{at * WIDE + gap / 2:g} {HIGH}V{HIGH - HIGH * max(0.0, value) / top:.2f}h{WIDE - gap}V{HIGH}z"
        for at, value in enumerate(values)
        if value is not None
    )
    marks = [(at, row.mark) for at, row in enumerate(figure.rows) if row.mark is not None]
    line = "".join(f"M{at * WIDE} {HIGH - HIGH * mark / top:.2f}h{WIDE}" for at, mark in marks)
    return ShownFigure(figure, ColumnPicture(WIDE * len(values), columns, line, _labels(figure)))


def _labels(figure: BestPlayFigure) -> tuple[tuple[str, int], ...]:
    """Each column's label, or of many every second, third and so on with the room of those after it."""
    shorts = [row.short for row in figure.rows]
    if not any(shorts):
        return ()
    step = -(-len(shorts) // MOST_LABELS)
    return tuple((shorts[at], min(step, len(shorts) - at)) for at in range(0, len(shorts), step))


def spoken(figure: BestPlayFigure, language: Language) -> str:
    """What the picture shows, by ear: its ends and its top. Title and lead stand before it."""
    drawn = [row for row in figure.rows if row.value is not None]
    highest = max(drawn, key=lambda row: row.value or 0.0)
    first, top, last = (row.short or row.label for row in (drawn[0], highest, drawn[-1]))
    said = [language.say("The columns go from {first} to {last}.", first=first, last=last)]
    if figure.peak:
        said.append(language.say("The highest is at {label}: {value}.", label=top, value=figure.peak))
    return " ".join([*said, language.say("The table below has the numbers.")])


def as_data(figures: Sequence[BestPlayFigure]) -> list[dict[str, object]]:
    """Figures for programs: their numbers as they are, and the commands that print them."""
    return [
        {
            "name": figure.name,
            "command": figure.command,
            "rows": [
                {"label": row.label, "value": row.value, "mark": row.mark, "given": row.given} for row in figure.rows
            ],
        }
        for figure in figures
    ]
