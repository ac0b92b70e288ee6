"""Best play of each game: figures with their numbers and commands, worked out when somebody asks for the first time.

A picture is columns in an SVG that stretches to any width; words and numbers stand round it as text, so that they keep
their size. ``HIGH`` units high, with ``WIDE`` units a column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.figures import BestPlayFigure, figure_names
from pubdice.core.errors import Refused
from pubdice.server.pages.visit import PARTS_SOON_S, PageVisit
from pubdice.server.web.render import Frame, render
from pubdice.server.web.routing import GAME, JSON, PAGE, Route
from pubdice.server.workers.jobs import NoAnswer
from pubdice.text.language import Language

HIGH, WIDE, GAP = 100, 10, 2
MANY = 60
"""From so many columns on there is no gap between them."""
MOST_LABELS = 12
"""Labels under a picture at most: on the smallest phone each has 24 px."""


class Figures(Struct):
    """Best play of a game in figures: those worked out so far, of so many.

    Each has the command that prints its numbers; given: what stands for N in it, or the record it reads.
    """

    game: str
    figures: list[dict[str, Any]]
    of: int


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
    titles: the games that have such a page.
    """

    game: str
    title: str
    figures: tuple[ShownFigure, ...]
    of: int
    again_s: int = 0
    refusal: str = ""
    titles: Sequence[tuple[str, str]] = ()


async def best_play(visit: PageVisit) -> Response:
    """``GET /best-play/{game}``: its figures; those that are ready, while others are worked out."""
    kit = visit.game()
    names = figure_names(kit)
    if not names:
        raise Refused("no-page")
    found: list[BestPlayFigure] = []
    refusal, again_s = "", 0
    for name in names:  # one after the other, so that a page has one place in the queue of questions
        answer = await visit.house.answers.figure(kit.name, name, visit.language, asker=visit.asker)
        if answer is None:
            again_s = PARTS_SOON_S
            break
        if isinstance(answer, NoAnswer):
            refusal = answer.why
        else:
            found.append(answer)
    titles = [(name, each.words.title) for name, each in visit.house.games.items() if figure_names(each)]
    figures = tuple(map(shown, found))
    page = BestPlayPage(kit.name, kit.words.title, figures, len(names), again_s, refusal, titles)
    return visit.show(html, page, data, again_s)


def html(frame: Frame, page: BestPlayPage) -> str:
    """Best play of a game in figures."""
    return render("best_play.html", frame, page=page, titles=page.titles, spoken=spoken)


def data(page: BestPlayPage) -> Figures:
    """Figures for programs: their numbers as they are, and the commands that print them."""
    return Figures(page.game, [_figure(each.figure) for each in page.figures], page.of)


def _figure(figure: BestPlayFigure) -> dict[str, Any]:
    return {
        "name": figure.name,
        "command": figure.command,
        "rows": [{"label": row.label, "value": row.value, "mark": row.mark, "given": row.given} for row in figure.rows],
    }


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


ROUTES = (
    Route(
        "GET",
        "/best-play/{game}",
        best_play,
        "Best play in figures.",
        (GAME,),
        returns=Figures,
        asks=True,
        limit="asking",
        refuses=("no-page",),
        gives={200: (PAGE, JSON), 202: (PAGE, JSON)},
    ),
)
