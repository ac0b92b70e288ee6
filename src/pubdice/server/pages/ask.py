"""Ask the house: the value of every keep of a position, as a page and as data. The position is in the address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.questions import question
from pubdice.advice.ranking import Ranking
from pubdice.core.dice import SIX, DieFaces, whole_number
from pubdice.core.errors import Refused
from pubdice.kit import Flag, Kit
from pubdice.server.jobs import NoAnswer, RankingAnswer, rank_decision, rank_position
from pubdice.server.pages.visit import CODE, FINDING, PageVisit
from pubdice.server.table.codes import format_code
from pubdice.server.web.render import Frame, Preview, render
from pubdice.server.web.routing import GAME, JSON, NUMBER, PAGE, Field, Route

NEEDED = ("roll", "hands")
"""The form's fields that must be filled in to describe a position."""
WIN = ("to-beat", "holders", "to-come")
"""Fields that make winning the round the goal, instead of the best mean score."""
NO_RANKING = Ranking((), "", {})
SHOWN = 7
"""The number of keeps shown at once. The other keeps are in a fold."""


class PositionAnswer(Struct):
    """The value of every choice of a position, best first, as ``pubdice advise --json`` prints it.

    - actions: each with its keep (the dice kept), value and lost, and more facts by name.
    - bound: the error bound of a value.
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
    """The page about one position."""

    game: str  # the game's name, "" if the game is in a record
    fields: tuple[Flag, ...] = ()  # the fields of the form
    values: Mapping[str, str] = field(default_factory=dict)  # the contents of the fields
    answer: Ranking = NO_RANKING
    refusal: str = ""  # the reason why there is no answer
    again_s: int = 0  # seconds until the page asks again, 0 for never
    table: str = ""  # the link of the finished match with this decision
    titles: Sequence[tuple[str, str]] = ()  # the games that can be asked about
    shorts: Mapping[str, str] = field(default_factory=dict)  # the visible part of long titles
    origin: str = ""  # the house's address for others
    die: DieFaces = SIX  # the faces to tap in

    @property
    def groups(self) -> tuple[FieldGroup, ...]:
        """The fields under a heading, by heading, in order."""
        headings = dict.fromkeys(each.group for each in self.fields if each.group)
        return tuple(FieldGroup(name, tuple(each for each in self.fields if each.group == name)) for name in headings)

    @property
    def first(self) -> tuple[Flag, ...]:
        """The fields that must be filled in. They stand before the button."""
        return tuple(each for each in self.fields if each.name in NEEDED)

    @property
    def rest(self) -> tuple[Flag, ...]:
        """The fields that may be left empty, and have no heading."""
        return tuple(each for each in self.fields if each.name not in NEEDED and not each.group)

    @property
    def grouped(self) -> bool:
        """True if a field under a heading is filled in."""
        return any(each.group and each.name in self.values for each in self.fields)

    @property
    def more(self) -> bool:
        """True if an optional field is filled in with more than its usual choice. The fold then opens, as the field may
        be wrong.
        """
        usual = ((each.name, each.choices[0][0] if each.choices else "") for each in self.rest)
        return self.grouped or any(self.values.get(name, value) != value for name, value in usual)


async def first(visit: PageVisit) -> Response:
    """``GET /ask``: redirect to the first game. With ``record``, show the position in a record of any game."""
    text = visit.query("record")
    if "record" not in visit.request.query_params:
        return visit.redirect(f"/ask/{next(iter(visit.solved))}")
    _check_turn(visit)
    visit.count("asking")
    answer = await visit.ask(rank_decision, text, None, visit.language)
    return _ranked(visit, _page(visit, values={"record": text}), answer)


async def game(visit: PageVisit) -> Response:
    """``GET /ask/{game}``: the position that the fields describe. Without fields, an empty form."""
    kit = visit.solved_game()
    fields = flags_of(kit)
    sent = {name: text.strip() for name, text in visit.request.query_params.items() if text.strip()}
    given = _without_switches(kit, sent)
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
    answer = await visit.ask(rank_position, kit.name, _asked(given), visit.language)
    return _ranked(visit, page, answer)


async def decision(visit: PageVisit) -> Response:
    """``GET /t/{code}/ask/{number}``: a decision of a table's finished match."""
    actor = await visit.finished()
    visit.count("record")
    return await decision_in(visit, await visit.house.record(actor), actor.room.kit.name, visit.house.link(actor.code))


async def decision_in(visit: PageVisit, text: str, game: str, link: str) -> Response:
    """Answer with the decision that the address names, in a finished match's record. ``link`` is the match's address.

    Raises Refused.
    """
    number = whole_number(visit.path("number"))
    if number is None:
        raise Refused("no-page")
    visit.count("asking")
    answer = await visit.ask(rank_decision, text, number, visit.language)
    return _ranked(visit, _page(visit, game, table=link), answer)


def _check_turn(visit: PageVisit) -> None:
    """Raise Refused("own-turn") if it is this person's turn at a table without lessons. The error names the table."""
    if actor := visit.house.to_move(visit.person):
        title = visit.tongue.say(actor.room.kit.words.title)
        raise Refused("own-turn", game=title, table=format_code(actor.code), go=visit.house.link(actor.code))


def _ranked(visit: PageVisit, page: AskPage, answer: RankingAnswer | None) -> Response:
    return visit.worked_out(
        html, page, answer, lambda page, answer: replace(page, answer=answer), lambda _, answer: dict(answer.data)
    )


def _page(
    visit: PageVisit,
    game: str = "",
    fields: tuple[Flag, ...] = (),
    values: Mapping[str, str] | None = None,
    table: str = "",
) -> AskPage:
    games = visit.solved
    return AskPage(
        game,
        fields,
        values or {},
        table=table,
        titles=tuple((name, kit.words.title) for name, kit in games.items()),
        shorts={name: kit.words.short for name, kit in games.items() if kit.words.short},
        origin=visit.public_origin,
        die=visit.house.games[game].usual_game.faces if fields else SIX,
    )


def html(frame: Frame, page: AskPage) -> str:
    """Return a position with every keep ranked, and the form to set up another."""
    example = f"pubdice 1\ngame: {page.game or page.titles[0][0]}\nseats: Ann, Bob\n\nround 1\nAnn: ..."
    facts: dict[str, Any] = {"titles": page.titles, "shown": SHOWN, "example": example}
    if found := page.answer.rows:
        facts["preview"] = Preview(found[0].line, " ".join([*page.answer.before, page.answer.utility]), page.origin)
    return render("ask.html", frame, page=page, found=page.answer, **facts)


def flags_of(kit: Kit) -> tuple[Flag, ...]:
    """Return the fields of a game's form: its flags that have a label."""
    asked = question(kit, "advise")
    return tuple(flag for flag in asked.flags if flag.label) if asked else ()


def _without_switches(kit: Kit, given: dict[str, str]) -> dict[str, str]:
    """Return the fields, but leave out switches with their usual value, because a form sends the switches of every
    format.
    """
    usual = {(each.key, str(each.usual)) for kind in kit.formats for each in kind.fields if each.named}
    return {name: text for name, text in given.items() if (name, text) not in usual}


def _asked(given: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the flags for a form's fields. A form sends all its choices, but a rule for ties only counts for a win."""
    to_win = "format" not in given and any(name in given for name in WIN)
    goal = given.get("goal") or ("win" if to_win else "")
    asked = {name: text for name, text in given.items() if name != "goal"}
    if goal:
        asked["goal"] = goal
    if goal != "win":
        asked.pop("ties", None)
    return tuple(sorted(asked.items()))


RECORD = Field("record", "A record that ends at a player's choice; else a form.", schema={"maxLength": 5000})
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
