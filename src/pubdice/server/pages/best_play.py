"""Best play of each game in figures, with their numbers and commands. The first request for a figure works it out.

A picture is an SVG of columns that stretches to any width. Words and numbers are text around it, so they keep their
size. It is ``HIGH`` units high, with ``WIDE`` units a column.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.figures import BestPlayFigure, figure_names
from pubdice.kit import Kit
from pubdice.server.jobs import NoAnswer, best_play_figure
from pubdice.server.pages.visit import PARTS_SOON_S, PageVisit, query_of
from pubdice.server.web.render import Frame, render
from pubdice.server.web.routing import GAME, JSON, PAGE, Route
from pubdice.text.language import Language, sentence

HIGH, WIDE, GAP = 100, 10, 2
MANY = 60
"""With this many columns or more, there is no gap between them."""
MOST_LABELS = 12
"""The most labels below a picture. On the smallest phone each has 24 px."""


class Figures(Struct):
    """Best play of a game: the figures worked out so far, and their number in all.

    Each figure has the command that prints its numbers. ``given`` is the value for N in the command, or the record that
    the command reads.
    """

    game: str
    figures: list[dict[str, Any]]
    of: int


@dataclass(frozen=True, slots=True)
class ColumnPicture:
    """A picture of columns."""

    wide: int  # the width of its view box
    columns: str  # the path of the columns
    line: str  # the path of the marks, "" for none
    labels: tuple[tuple[str, int], ...]  # below it from left to right, each with its width in columns


@dataclass(frozen=True, slots=True)
class BestPlayPage:
    """A game's best play."""

    game: str
    title: str
    figures: tuple[BestPlayFigure, ...]  # figures worked out so far
    of: int  # the number of all figures
    again_s: int = 0  # seconds until the page asks again, 0 for never
    refusal: str = ""  # the reason why a figure is missing
    titles: Sequence[tuple[str, str]] = ()  # the games with such a page
    query: str = ""  # the house rules, for an address
    rules: str = ""  # the house rules, "" for the usual ones
    others: Sequence[tuple[str, str]] = ()  # the game's other rules, each with the query of its page
    daily: str = ""  # the address of the day's position with these rules


async def best_play(visit: PageVisit) -> Response:
    """``GET /best-play/{game}``: the figures that are ready, while others are worked out."""
    kit = visit.solved_game()
    options = visit.options(kit)
    chosen = kit.with_usual(dict(options))
    names = [name for name in figure_names(chosen) if not options or name != "prices"]  # prices compare the usual rules
    found: list[BestPlayFigure] = []
    refusal, again_s = "", 0
    for name in names:  # one after another, so a page has one place in the queue of questions
        answer = await visit.ask(best_play_figure, kit.name, name, visit.language, *([options] if options else []))
        if answer is None:
            again_s = PARTS_SOON_S
            break
        if isinstance(answer, NoAnswer):
            refusal = answer.why
            if options:  # the reason is the same for all
                break
        else:
            found.append(answer)
    titles = [(name, each.words.title) for name, each in visit.solved.items()]
    others = [(rules_of(visit, each), query) for each, query in _others(kit, options)] if kit.options else []
    rules = rules_of(visit, chosen) if options else ""
    daily = "/daily" + query_of([("game", kit.name), *options])
    query = query_of(options)
    page = BestPlayPage(
        kit.name, kit.words.title, tuple(found), len(names), again_s, refusal, titles, query, rules, others, daily
    )
    return visit.show(html, page, data, again_s)


def rules_of(visit: PageVisit, kit: Kit) -> str:
    """Return the options of a kit in a few words."""
    return sentence(kit.words.options(visit.tongue, kit.usual_game))


def _others(kit: Kit, options: Sequence[tuple[str, str]]) -> Iterator[tuple[Kit, str]]:
    """Yield the kit with the usual options, and with each option changed alone. Leave out the present page's kit."""
    every = [(), *[((each.key, choice),) for each in kit.options for choice in each.choices[1:]]]
    for found in every:
        if found != tuple(options):
            yield kit.with_usual(dict(found)), query_of(found)


def html(frame: Frame, page: BestPlayPage) -> str:
    """Return the page of a game's best play."""
    return render("best_play.html", frame, page=page, titles=page.titles, spoken=spoken, picture_of=picture)


def data(page: BestPlayPage) -> Figures:
    """Return figures for programs: their raw numbers, and the commands that print them."""
    return Figures(page.game, list(map(_figure, page.figures)), page.of)


def _figure(figure: BestPlayFigure) -> dict[str, Any]:
    return {
        "name": figure.name,
        "command": figure.command,
        "rows": [{"label": row.label, "value": row.value, "mark": row.mark, "given": row.given} for row in figure.rows],
    }


def picture(figure: BestPlayFigure) -> ColumnPicture | None:
    """Return a figure's picture. None if it is not drawn."""
    values = [row.value for row in figure.rows]
    if not any(value is not None for value in values):
        return None
    top = max(max(filter(None, values), default=0.0), *(row.mark or 0.0 for row in figure.rows)) or 1.0
    gap = GAP if len(values) < MANY else 0
    columns = "".join(
        f"M{at * WIDE + gap / 2:g} {HIGH}V{HIGH - HIGH * max(0.0, value) / top:.2f}h{WIDE - gap}V{HIGH}z"
        for at, value in enumerate(values)
        if value is not None
    )
    marks = [(at, row.mark) for at, row in enumerate(figure.rows) if row.mark is not None]
    line = "".join(f"M{at * WIDE} {HIGH - HIGH * mark / top:.2f}h{WIDE}" for at, mark in marks)
    return ColumnPicture(WIDE * len(values), columns, line, _labels(figure))


def _labels(figure: BestPlayFigure) -> tuple[tuple[str, int], ...]:
    """Return the labels below the columns.

    With each label comes its width in columns. If there are too many labels, only every n-th is kept, as wide as n
    columns.
    """
    shorts = [row.short for row in figure.rows]
    if not any(shorts):
        return ()
    step = -(-len(shorts) // MOST_LABELS)
    return tuple((shorts[at], min(step, len(shorts) - at)) for at in range(0, len(shorts), step))


def spoken(figure: BestPlayFigure, language: Language) -> str:
    """Describe the picture for speech: its first, its last and its highest column. The title and the lead are said
    before it.
    """
    drawn = [row for row in figure.rows if row.value is not None]
    highest = max(drawn, key=lambda row: row.value or 0.0)
    first, top, last = (row.short or row.label for row in (drawn[0], highest, drawn[-1]))
    ends = language.say("The columns go from {first} to {last}.", first=first, last=last)
    said = [ends] if len(drawn) > 1 else []
    if figure.peak:
        said.append(language.say("The highest is at {label}: {value}.", label=top, value=figure.peak))
    return " ".join([*said, language.say("Below, you can open a table of the numbers.")])


ROUTES = (
    Route(
        "GET",
        "/best-play/{game}",
        best_play,
        "Best play in figures; a house rule is a field by its key, such as need=2,4.",
        (GAME,),
        returns=Figures,
        asks=True,
        limit="asking",
        refuses=("no-page",),
        gives={200: (PAGE, JSON), 202: (PAGE, JSON)},
    ),
)
