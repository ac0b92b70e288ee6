"""Ask the house: what every keep of a position is worth, as a page and as data; the position is in the address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.questions import question
from pubdice.advice.ranking import RankedKeep, Ranking
from pubdice.core.errors import Refused
from pubdice.core.whole_number import whole_number
from pubdice.kit import Flag, Kit
from pubdice.server.pages.visit import CODE, FINDING, PageVisit
from pubdice.server.web.render import Frame, Preview, render
from pubdice.server.web.routing import GAME, JSON, NUMBER, PAGE, Field, Route
from pubdice.server.workers.jobs import Answer, NoAnswer

NEEDED = ("roll", "hands")
"""Fields without which there is no position."""
WIN = ("to-beat", "holders", "to-come")
"""Fields that make winning the round the goal, in place of the best mean score."""
SHOWN = 7
"""Keeps shown at once; the others are behind a fold."""


class PositionAnswer(Struct):
    """What every choice of a position is worth, best first, as ``pubdice advise --json`` prints it.

    actions: each with its keep (the dice kept), value and lost, and what else is known of it, by name. bound: how far
    a value may be off.
    """

    value: float
    actions: list[dict[str, Any]]
    bound: float


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields of the form under one heading."""

    heading: str
    fields: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class AskPage:
    """One position. game: its name; "" if a record says it.

    fields: of the form, with what they hold (values). rows: the keeps, best first; utility: what their values are;
    before: what had happened. refusal: why there is no answer. again_s: when the page asks again; 0 for never. table:
    the link of the finished match a decision is from, number and of: which. titles: the games it can be asked of.
    origin: where others find the house.
    """

    game: str
    fields: tuple[Flag, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[RankedKeep, ...] = ()
    utility: str = ""
    before: tuple[str, ...] = ()
    refusal: str = ""
    again_s: int = 0
    table: str = ""
    number: int = 0
    of: int = 0
    titles: Sequence[tuple[str, str]] = ()
    origin: str = ""

    @property
    def groups(self) -> tuple[FieldGroup, ...]:
        """The fields that stand under a heading, in order; those on top have none."""
        headings = dict.fromkeys(each.group for each in self.fields if each.group)
        return tuple(FieldGroup(name, tuple(each for each in self.fields if each.group == name)) for name in headings)

    @property
    def grouped(self) -> bool:
        """Whether some field under a heading is filled in."""
        return any(each.group and each.name in self.values for each in self.fields)


async def first(visit: PageVisit) -> Response:
    """``GET /ask``: the first game's page; with ``record``, a position of any game."""
    text = visit.query("record")
    if not text:
        return visit.redirect(f"/ask/{next(iter(_games(visit)))}")
    _check_turn(visit)
    visit.count("asking")
    answer = await visit.house.answers.at_decision(text, None, visit.language, asker=visit.asker)
    return _ranked(visit, _page(visit, values={"record": text}), answer)


async def game(visit: PageVisit) -> Response:
    """``GET /ask/{game}``: the position that the fields describe; an empty form without any."""
    kit = _games(visit).get(visit.path("game"))
    if kit is None:
        raise Refused("no-page")
    fields = flags_of(kit)
    given = {name: text.strip() for name, text in visit.request.query_params.items() if text.strip()}
    if not given and visit.wants_page:
        return visit.html(html, _page(visit, kit.name, fields))
    unknown = [name for name in given if name not in {flag.name for flag in fields} and name != "goal"]
    if unknown:
        raise Refused("fields", field=unknown[0])
    page, say = _page(visit, kit.name, fields, given), visit.tongue.say
    missing = [flag.label for flag in fields if flag.name in NEEDED and flag.name not in given]
    if missing:
        why = say('Fill in "{field}".', field=say(missing[0]))
        return _ranked(visit, page, NoAnswer("flag-missing", why))
    _check_turn(visit)
    visit.count("asking")
    answer = await visit.house.answers.by_flags(kit.name, _asked(given), visit.language, asker=visit.asker)
    return _ranked(visit, page, answer)


async def decision(visit: PageVisit) -> Response:
    """``GET /t/{code}/ask/{number}``: a decision of a table's finished match."""
    hub = await visit.finished()
    visit.count("record")
    return await decision_in(visit, await visit.house.record(hub), hub.room.kit.name, visit.house.link(hub.code))


async def decision_in(visit: PageVisit, text: str, game: str, link: str) -> Response:
    """The decision that the address names, in the record of a finished match. link: of the match. Raises Refused."""
    number = whole_number(visit.path("number"))
    if number is None:
        raise Refused("no-page")
    visit.count("asking")
    answer = await visit.house.answers.at_decision(text, number, visit.language, asker=visit.asker)
    return _ranked(visit, _page(visit, game, table=link), answer)


def _check_turn(visit: PageVisit) -> None:
    """Refuse people whose turn it is at a table without lessons. Raises Refused("own-turn")."""
    if visit.house.has_to_move(visit.person):
        raise Refused("own-turn")


def _ranked(visit: PageVisit, page: AskPage, answer: Answer | None) -> Response:
    return visit.worked_out(html, page, answer, answered, _data)


def _page(
    visit: PageVisit,
    game: str = "",
    fields: tuple[Flag, ...] = (),
    values: Mapping[str, str] | None = None,
    table: str = "",
) -> AskPage:
    titles = tuple((name, kit.words.title) for name, kit in _games(visit).items())
    return AskPage(game, fields, values or {}, table=table, titles=titles, origin=visit.public_origin)


def answered(page: AskPage, answer: Ranking) -> AskPage:
    """The page with its answer."""
    found: dict[str, Any] = {"before": answer.before, "number": answer.number, "of": answer.of}
    return replace(page, rows=answer.rows, utility=answer.utility, **found)


def _data(page: AskPage, answer: Ranking) -> object:
    return dict(answer.data)


def html(frame: Frame, page: AskPage) -> str:
    """A position, every keep of it ranked, and the form to set up another."""
    example = f"pubdice 1\ngame: {page.game or page.titles[0][0]}\nseats: Ann, Bob\n\nround 1\nAnn: ..."
    facts: dict[str, Any] = {"titles": page.titles, "shown": SHOWN, "example": example}
    if page.rows:
        facts["preview"] = Preview(page.rows[0].line, " ".join([*page.before, page.utility]), page.origin)
    return render("ask.html", frame, page=page, **facts)


def _games(visit: PageVisit) -> dict[str, Kit]:
    """The games that have an answer."""
    return {name: kit for name, kit in visit.house.games.items() if question(kit, "advise") is not None}


def flags_of(kit: Kit) -> tuple[Flag, ...]:
    """The fields of a game's form: its flags that have a label."""
    asked = question(kit, "advise")
    return tuple(flag for flag in asked.flags if flag.label) if asked else ()


def _asked(given: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """The flags that fields mean: a form sends all its choices, but a tie's rule means nothing where the goal is not
    to win.
    """
    to_win = "format" not in given and any(name in given for name in WIN)
    goal = given.get("goal") or ("win" if to_win else "")
    asked = {name: text for name, text in given.items() if name != "goal"}
    if goal:
        asked["goal"] = goal
    if goal != "win":
        asked.pop("ties", None)
    return tuple(sorted(asked.items()))


RECORD = Field("record", "A record that ends where somebody has to choose; else a form.", schema={"maxLength": 5000})
_Position = partial(Route, "GET", asks=True, returns=PositionAnswer)
ROUTES = (
    _Position(
        "/ask",
        first,
        "Ask the house about a position of any game.",
        (RECORD,),
        refuses=("own-turn",),
        gives={200: (PAGE, JSON), 202: (PAGE,), 303: ()},
    ),
    _Position(
        "/ask/{game}",
        game,
        "Ask the house about a position of a game: a field for each flag of advise.",
        (GAME,),
        refuses=("no-page", "own-turn"),
    ),
    _Position(
        "/t/{code}/ask/{number}",
        decision,
        "A decision of a finished match, by its number.",
        (CODE, NUMBER),
        refuses=(*FINDING, "not-over"),
    ),
)
