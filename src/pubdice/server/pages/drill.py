"""The drill: positions of a game, one after another, each graded. The score is in the browser's cookie."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from starlette.responses import Response

from pubdice.advice.drill import MOST_NUMBER, DrillScore, read_scores, score_name, write_scores
from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.server.jobs import DayAnswer, NoAnswer, rank_drill
from pubdice.server.pages.daily import DayPosition, PositionPage, choice_of, graded_page, position_data, rules_told
from pubdice.server.pages.visit import PageVisit, query_of
from pubdice.server.web.browser import DRILL_COOKIE, read_cookies, set_drill
from pubdice.server.web.render import template
from pubdice.server.web.routing import ASKING, GAME, NUMBER, Field, Form, Route

html = template("drill.html")
list_html = template("drill_games.html")
NO_SCORE = DrillScore()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillPage(PositionPage):
    """A position of a game's drill, with the browser's score."""

    game: str
    title: str
    score: DrillScore = NO_SCORE

    @property
    def next(self) -> int:
        """The number of the position that counts now, if that is not this position. 0 if this one may count, or has
        counted.
        """
        return self.score.next if self.number > self.score.last else 0


async def games(visit: PageVisit) -> Response:
    """``GET /drill``: the games with a drill, and this browser's score in each."""
    scores = _scores(visit)
    return visit.html(
        list_html, tuple((name, kit.words.title, scores.get(name, NO_SCORE)) for name, kit in visit.solved.items())
    )


async def following(visit: PageVisit) -> Response:
    """``GET /drill/{game}``: redirect to this browser's next position."""
    kit = visit.solved_game()
    options = visit.options(kit)
    score = _scores(visit).get(score_name(kit.name, options), NO_SCORE)
    return visit.redirect(f"/drill/{kit.name}/{score.next}{query_of(options)}")


async def position(visit: PageVisit) -> Response:
    """``GET /drill/{game}/{number}``: a position. With ``keep``, graded."""
    kit, number = visit.solved_game(), _number(visit)
    told = await _day_answer(visit, kit, number)
    if isinstance(told, NoAnswer):
        return visit.no_answer(told)
    page = _page(visit, kit, number, _scores(visit))
    return visit.worked_out(html, page, told, partial(graded_page, keep=visit.query("keep")), position_data)


async def answer(visit: PageVisit) -> Response:
    """``POST /drill/{game}/{number}``: grade an answer, and show it. Only the first answer counts for the score."""
    kit, number = visit.solved_game(), _number(visit)
    visit.form()  # a bad form is refused before the worker is asked
    told, scores = await _day_answer(visit, kit, number), _scores(visit)
    choice = choice_of(visit, html, _page(visit, kit, number, scores), told)
    if isinstance(choice, Response):
        return choice
    options = visit.options(kit)
    name = score_name(kit.name, options)
    scores[name] = scores.pop(name, NO_SCORE).after(number, right=choice.grade == "best")  # the latest comes last
    query = query_of([*options, ("keep", choice.action)])
    response = visit.redirect(f"/drill/{kit.name}/{number}{query}")
    set_drill(response, write_scores(scores), secure=visit.secure)
    return response


def _number(visit: PageVisit) -> int:
    text = visit.path("number")
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST_NUMBER)) and text[0] != "0"):
        raise Refused("no-page")
    return int(text)


async def _day_answer(visit: PageVisit, kit: Kit, number: int) -> DayAnswer | None:
    options = visit.options(kit)
    if (known := visit.house.answers.known(rank_drill, kit.name, number, visit.language, options)) is not None:
        return known
    visit.count("asking")
    return await visit.ask(rank_drill, kit.name, number, visit.language, options)


def _scores(visit: PageVisit) -> dict[str, DrillScore]:
    return read_scores(read_cookies(visit.request.scope["headers"]).get(DRILL_COOKIE, ""), visit.solved)


def _page(visit: PageVisit, kit: Kit, number: int, scores: Mapping[str, DrillScore]) -> DrillPage:
    options = visit.options(kit)
    return DrillPage(
        number=number,
        game=kit.name,
        title=kit.words.title,
        score=scores.get(score_name(kit.name, options), NO_SCORE),
        query=query_of(options),
        rules=rules_told(visit, kit, options),
    )


KEEP = Field("keep", "What one would have done, as a record has it.", schema={"maxLength": 40})
ROUTES = (
    Route("GET", "/drill", games, "The games that can be drilled."),
    Route(
        "GET",
        "/drill/{game}",
        following,
        "To the position of its drill to answer next; a house rule is a field by its key, such as need=2,4.",
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
