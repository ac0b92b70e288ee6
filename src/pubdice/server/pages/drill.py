"""The drill: positions of a game, one after the other, each graded. How somebody does is in the browser's cookie."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import quote

from starlette.responses import Response

from pubdice.advice.daily import (
    MOST_NUMBER,
    DrillScore,
    ExplainedDay,
    asked,
    day_data,
    read_scores,
    write_scores,
)
from pubdice.advice.ranking import RankedKeep
from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.server.pages.daily import DayPosition, graded
from pubdice.server.pages.visit import SOON_S, PageVisit
from pubdice.server.web.browser import DRILL_COOKIE, read_cookies, set_drill
from pubdice.server.web.refusals import UNREAD
from pubdice.server.web.render import template
from pubdice.server.web.routing import ASKING, GAME, NUMBER, Field, Form, Route
from pubdice.server.workers.jobs import DayAnswer, NoAnswer
from pubdice.text.language import Language

html = template("drill.html")
list_html = template("drill_games.html")


@dataclass(frozen=True, slots=True)
class DrilledGame:
    """A game in the list, and how somebody does in it: answers, right ones, and positions that come again."""

    name: str
    title: str
    answered: int
    right: int
    missed: int


@dataclass(frozen=True, slots=True)
class DrillPage:
    """A position of the drill. game, title: whose; number: which. answered, right, missed: how somebody does. next: the
    position that counts instead of this one; 0 where this one may count, or has.

    told: the position; None while it is worked out. choice: the answer, from 0; None for none. grade, why: what is said
    of it. rows: every choice ranked. again_s: when the page asks again; 0 for never. refusal: what is wrong.
    """

    game: str
    title: str
    number: int
    answered: int = 0
    right: int = 0
    missed: int = 0
    next: int = 0
    told: ExplainedDay | None = None
    choice: int | None = None
    grade: str = ""
    why: str = ""
    rows: tuple[RankedKeep, ...] = ()
    again_s: int = 0
    refusal: str = ""

    @property
    def asks(self) -> bool:
        """Whether it waits for an answer."""
        return self.choice is None


async def games(visit: PageVisit) -> Response:
    """``GET /drill``: the games that can be drilled, and how this browser does in each."""
    kits = _kits(visit)
    return visit.html(list_html, listed_page(kits.values(), _scores(visit, kits)))


async def following(visit: PageVisit) -> Response:
    """``GET /drill/{game}``: to the position that this browser is asked next."""
    kits = _kits(visit)
    kit = _kit(visit, kits)
    score = _scores(visit, kits).get(kit.name, DrillScore())
    return visit.redirect(f"/drill/{kit.name}/{score.next}")


async def position(visit: PageVisit) -> Response:
    """``GET /drill/{game}/{number}``: a position; with ``keep``, graded."""
    kits = _kits(visit)
    kit, number = _kit(visit, kits), _number(visit)
    told = await _told(visit, kit, number)
    if isinstance(told, NoAnswer):
        return visit.no_answer(told)
    page = _page(kit, number, _scores(visit, kits))
    choice = told.chosen(visit.query("keep")) if told is not None else None
    answered = partial(graded_page, choice=choice, language=visit.tongue)
    return visit.worked_out(html, page, told, answered, _data)


async def answer(visit: PageVisit) -> Response:
    """``POST /drill/{game}/{number}``: note how good an answer is, and show it. A second one changes nothing."""
    kits = _kits(visit)
    kit, number = _kit(visit, kits), _number(visit)
    keep = visit.form().get("keep", "")
    told = await _told(visit, kit, number)
    if told is None:
        raise Refused("day-soon", wait_s=SOON_S)
    if isinstance(told, NoAnswer):
        return visit.no_answer(told)
    choice, scores = told.chosen(keep), _scores(visit, kits)
    if choice is None:
        why = visit.tongue.say("Choose one of the answers first.")
        page = graded_page(_page(kit, number, scores), told, None, visit.tongue)
        return visit.html(html, replace(page, refusal=why), UNREAD)
    right = told.choices[choice].grade == "best"
    scores[kit.name] = scores.pop(kit.name, DrillScore()).after(number, right=right)  # the latest is the last
    response = visit.redirect(f"/drill/{kit.name}/{number}?keep={quote(told.choices[choice].action)}")
    set_drill(response, write_scores(scores), secure=visit.secure)
    return response


def _kits(visit: PageVisit) -> dict[str, Kit]:
    """The games that are solved, by name."""
    return {name: visit.house.games[name] for name in asked(visit.house.games)}


def _kit(visit: PageVisit, kits: Mapping[str, Kit]) -> Kit:
    """The game in the address. Raises Refused."""
    kit = kits.get(visit.path("game"))
    if kit is None:
        raise Refused("no-page")
    return kit


def _number(visit: PageVisit) -> int:
    """The number in the address. Raises Refused."""
    text = visit.path("number")
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST_NUMBER)) and text[0] != "0"):
        raise Refused("no-page")
    return int(text)


async def _told(visit: PageVisit, kit: Kit, number: int) -> DayAnswer | None:
    """A position; None: not yet. Raises Refused."""
    answers = visit.house.answers
    if (known := answers.known_drill(kit.name, number, visit.language)) is not None:
        return known
    visit.count("asking")
    return await answers.of_drill(kit.name, number, visit.language, asker=visit.asker)


def _scores(visit: PageVisit, kits: Mapping[str, Kit]) -> dict[str, DrillScore]:
    """What the browser's cookie says of the games of this house."""
    return read_scores(read_cookies(visit.request.scope["headers"]).get(DRILL_COOKIE, ""), kits)


def _page(kit: Kit, number: int, scores: Mapping[str, DrillScore]) -> DrillPage:
    score = scores.get(kit.name, DrillScore())
    counted = score.next if number > score.last else 0
    return DrillPage(kit.name, kit.words.title, number, score.answered, score.right, len(score.missed), counted)


def _data(page: DrillPage, told: ExplainedDay) -> DayPosition:
    return DayPosition(**day_data(told, answered=not page.asks))


def listed_page(kits: Iterable[Kit], scores: Mapping[str, DrillScore]) -> tuple[DrilledGame, ...]:
    """The games that can be drilled."""
    listed = []
    for kit in kits:
        score = scores.get(kit.name, DrillScore())
        listed.append(DrilledGame(kit.name, kit.words.title, score.answered, score.right, len(score.missed)))
    return tuple(listed)


def graded_page(page: DrillPage, told: ExplainedDay, choice: int | None, language: Language) -> DrillPage:
    """The page with its position, and with the answer too if there is a choice to grade."""
    if choice is None:
        return replace(page, told=told)
    return replace(page, **graded(told, choice, language))


KEEP = Field("keep", "What one would have done, as a record has it.", schema={"maxLength": 40})
ROUTES = (
    Route("GET", "/drill", games, "The games that can be drilled."),
    Route(
        "GET",
        "/drill/{game}",
        following,
        "To the position of its drill to answer next.",
        (GAME,),
        refuses=("no-page",),
        gives={303: ()},
    ),
    Route(
        "GET",
        "/drill/{game}/{number}",
        position,
        "A position of a game's drill; with keep, graded.",
        (GAME, NUMBER, KEEP),
        returns=DayPosition,
        asks=True,
        refuses=("no-page",),
    ),
    Route(
        "POST",
        "/drill/{game}/{number}",
        answer,
        "Answer it.",
        (GAME, NUMBER),
        takes=(Form("DrillForm", ("keep",)),),
        refuses=("no-page", *ASKING, "day-soon"),
    ),
)
