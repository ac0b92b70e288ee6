"""What the best keep of a roll is worth: a page that a test lays into a copy of the house."""

from dataclasses import dataclass, replace

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.ranking import Ranking
from pubdice.server.jobs import rank_position
from pubdice.server.pages.visit import PageVisit
from pubdice.server.web.render import template
from pubdice.server.web.routing import GAME, Field, Route

html = template("worth.html")


class RollWorth(Struct):
    """What the best keep of a roll is worth."""

    roll: str
    best: str


@dataclass(frozen=True, slots=True)
class WorthPage:
    """A roll of a game. line: its best keep. refusal: why there is none. again_s: when the page asks again."""

    game: str
    roll: str
    line: str = ""
    refusal: str = ""
    again_s: int = 0


async def worth(visit: PageVisit) -> Response:
    """``GET /worth/{game}``: the best keep, once the worker has found it."""
    kit, roll = visit.game(), visit.query("roll")
    flags = (("roll", roll),)
    answer = await visit.ask(rank_position, kit.name, flags, visit.language)
    return visit.worked_out(html, WorthPage(kit.words.title, roll), answer, _answered, _data)


def _answered(page: WorthPage, ranking: Ranking) -> WorthPage:
    return replace(page, line=ranking.rows[0].line)


def _data(page: WorthPage, ranking: Ranking) -> RollWorth:
    return RollWorth(page.roll, page.line)


ROLL = Field("roll", "The dice as they fell.", pattern="[1-6]{1,6}", required=True)
ROUTES = (
    Route(
        "GET",
        "/worth/{game}",
        worth,
        "What the best keep of a roll is worth.",
        (GAME, ROLL),
        returns=RollWorth,
        asks=True,
        limit="asking",
        refuses=("no-page",),
    ),
)
