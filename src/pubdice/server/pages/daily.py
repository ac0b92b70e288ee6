"""Last orders: today's position to answer, and earlier days with their answers. The streak is in the browser's cookie.

The house keeps nothing of it: the cookie holds the grades, with a tag (HMAC-SHA256 by the house's secret) that says the
house wrote them. A cookie that lacks it, or holds what no streak can be, counts as none.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.daily import asked
from pubdice.advice.days import FIRST_DAY, number_at, read_day, written_day
from pubdice.advice.explained_day import DayChoice, ExplainedDay
from pubdice.advice.ranking import RankedKeep
from pubdice.advice.streak import DayMark, Streak, read_streak
from pubdice.core.errors import BadNotation, Refused
from pubdice.kit import Kit
from pubdice.server.jobs import DayAnswer, NoAnswer, rank_day, rank_drill
from pubdice.server.pages.visit import SOON_S, PageVisit, query_of
from pubdice.server.web.browser import DAILY_COOKIE, read_cookies, set_daily
from pubdice.server.web.refusals import NO_DAY, UNREAD
from pubdice.server.web.render import Frame, Html, Preview, render
from pubdice.server.web.routing import ASKING, Field, Form, Route
from pubdice.text.language import Language

TAG_DIGITS = 32
"""Of the cookie's tag: 128 bits."""
DAYS_SHOWN = 7
"""Days in the row of the latest: a week."""


class DayPosition(Struct):
    """A day's position of Last orders, the same in every house with the same games.

    number: the day's, from 1; day: its date, in UTC. record: ends at the decision. choices: the actions, as records
    write them. answer: the value of each, as ``PositionAnswer``; none while this browser may still answer. A position
    of the drill has no date, and its own number.
    """

    number: int
    day: str
    game: str
    record: str
    choices: list[str]
    answer: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionPage:
    """A position to answer: a day's, or one of the drill. number: which. is_open: it may be answered.

    told: the position; None while it is worked out. choice: the answer; None for none. again_s: when the page asks
    again; 0 for never. refusal: what is wrong. query: the end of the address of a game's position, which names the
    house rules that are not the usual ones; rules: says them.
    """

    number: int
    is_open: bool = True
    told: ExplainedDay | None = None
    choice: DayChoice | None = None
    again_s: int = 0
    refusal: str = ""
    query: str = ""
    rules: str = ""

    @property
    def asks(self) -> bool:
        """True if it waits for an answer."""
        return self.told is not None and self.is_open and self.choice is None

    @property
    def grade(self) -> str:
        """The grade of the answer in words; "" for none."""
        return self.choice.said if self.choice else ""

    @property
    def why(self) -> str:
        """The reason for it."""
        return self.told.reason(self.choice) if self.told and self.choice else ""

    @property
    def rows(self) -> tuple[RankedKeep, ...]:
        """Every choice ranked, once it is no secret."""
        if self.told is None or self.asks:
            return ()
        rows, choice = self.told.ranking.rows, self.choice
        return tuple(replace(each, chosen=at == choice.row) for at, each in enumerate(rows)) if choice else rows


P = TypeVar("P", bound=PositionPage)


def position_data(page: PositionPage, told: ExplainedDay) -> DayPosition:
    """A position for programs; with its answer once this browser may know it."""
    return DayPosition(**told.data(answered=not page.asks))


def graded_page(page: P, told: ExplainedDay, keep: str = "") -> P:
    """The page with its position, and with the answer too if its address names one."""
    return replace(page, told=told, choice=told.chosen(keep))


def rules_told(visit: PageVisit, kit: Kit, options: Sequence[tuple[str, str]]) -> str:
    """The house rules with these options; "" for the usual ones."""
    return kit.words.options(visit.tongue, kit.with_usual(dict(options)).usual_game) if options else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPage(PositionPage):
    """One day. day: its date. before: that of the day before, "" for none. streak: the browser's, with the running days
    so far. share: the result in a line, "" for none. origin: where others find the house. drill: the address of the
    drill, by the same rules.
    """

    day: str
    before: str
    streak: Streak
    running: int
    share: str = ""
    origin: str = ""
    drill: str = "/drill"

    @property
    def days(self) -> tuple[DayMark, ...]:
        """The latest days."""
        return self.streak.row(self.number, DAYS_SHOWN)


def choice_of(visit: PageVisit, html: Html[P], page: P, told: DayAnswer | None) -> DayChoice | Response:
    """The choice that a form names; else the page that asks for one. Raises Refused."""
    if told is None:
        raise Refused("day-soon", wait_s=SOON_S)
    if isinstance(told, NoAnswer):
        return visit.no_answer(told)
    choice = told.chosen(visit.form().get("keep", ""))
    if choice is None:
        why = visit.tongue.say("Choose one of the answers first.")
        return visit.html(html, replace(page, told=told, refusal=why), UNREAD)
    return choice


async def today(visit: PageVisit) -> Response:
    """``GET /daily``: today's position; its answer too once this browser has answered."""
    return await _show(visit, _today(visit))


async def day(visit: PageVisit) -> Response:
    """``GET /daily/{date}``: an earlier day, with its answer."""
    return await _show(visit, read_day(visit.path("date"), _today(visit)))


async def answer(visit: PageVisit) -> Response:
    """``POST /daily``: grade an answer to today's position. A second one changes nothing, nor one at a single game."""
    number, form = _today(visit), visit.form()
    if form.get("day") != written_day(number):
        raise Refused("day-over")
    if kit := _one_game(visit):
        told, page = await _game_day_answer(visit, kit, number), _game_page(visit, kit, number, number)
        choice = choice_of(visit, html, page, told)
        if isinstance(choice, Response):
            return choice
        query = query_of([("game", kit.name), *visit.options(kit), ("keep", choice.action)])
        return visit.redirect(f"/daily{query}")  # it stands in the address, and counts for no streak
    streak = _streak(visit, number)
    if streak.of(number) is not None:
        return visit.redirect("/daily")
    told = await _day_answer(visit, number)
    choice = choice_of(visit, html, day_page(number, number, streak, visit.public_origin), told)
    if isinstance(choice, Response):
        return choice
    response = visit.redirect("/daily")
    answered = streak.answered(number, choice.grade, choice.at)
    set_daily(response, _signed(visit, answered.write()), secure=visit.secure)
    return response


def _one_game(visit: PageVisit) -> Kit | None:
    """The one game that the query names; None for the house's position. Raises Refused."""
    name = visit.query("game")
    if name and name not in asked(visit.house.games):
        raise Refused("no-page")
    return visit.house.games[name] if name else None


async def _game_day_answer(visit: PageVisit, kit: Kit, number: int) -> DayAnswer | None:
    """A day's position at one game by the rules of the query; None: not yet. Raises Refused, and BadNotation."""
    visit.count("asking")
    return await visit.ask(rank_drill, kit.name, number, visit.language, visit.options(kit), written_day(number))


def _game_page(visit: PageVisit, kit: Kit, number: int, today: int) -> DailyPage:
    """The page of a day at one game, before its position is known."""
    options = visit.options(kit)
    return replace(
        day_page(number, today, Streak(), visit.public_origin),
        query=query_of([("game", kit.name), *options]),
        rules=rules_told(visit, kit, options),
        drill=f"/drill/{kit.name}{query_of(options)}",
    )


async def _show(visit: PageVisit, number: int) -> Response:
    now = _today(visit)
    if kit := _one_game(visit):
        told, page = await _game_day_answer(visit, kit, number), _game_page(visit, kit, number, now)
        answered = partial(graded_page, keep=visit.query("keep"))
    else:
        told = await _day_answer(visit, number)
        page = day_page(number, now, _streak(visit, now), visit.public_origin)
        answered = partial(told_page, language=visit.tongue)
    if isinstance(told, NoAnswer):
        return visit.no_answer(told)
    return visit.worked_out(html, page, told, answered, position_data)


async def _day_answer(visit: PageVisit, number: int) -> DayAnswer | None:
    """A day's position; None: not yet. Raises Refused."""
    visit.count("asking")
    return await visit.ask(rank_day, asked(visit.house.games), number, visit.language)


def _today(visit: PageVisit) -> int:
    """The number of today. Raises BadNotation where the house's clock stands before the first day."""
    number = number_at(int(visit.house.now()))
    if number < 1:
        raise BadNotation("day-early", day=FIRST_DAY)
    return number


def _streak(visit: PageVisit, today: int) -> Streak:
    """The content of the browser's cookie; a fresh streak if the house did not write it."""
    signed = read_cookies(visit.request.scope["headers"]).get(DAILY_COOKIE, "")
    text = signed.rpartition("~")[0]
    known = hmac.compare_digest(signed.encode(), _signed(visit, text).encode())
    return read_streak(text if known else "", today)


def _signed(visit: PageVisit, text: str) -> str:
    tag = hmac.new(visit.house.secret, f"daily|{text}".encode(), "sha256").hexdigest()
    return f"{text}~{tag[:TAG_DIGITS]}"


def day_page(number: int, today: int, streak: Streak, origin: str = "") -> DailyPage:
    """The page before its position is known."""
    return DailyPage(
        number=number,
        is_open=number == today,
        day=written_day(number),
        before=written_day(number - 1) if number > 1 else "",
        streak=streak,
        running=streak.running(today),
        origin=origin,
    )


def told_page(page: DailyPage, told: ExplainedDay, language: Language) -> DailyPage:
    """The page with its position; with the answer too once the day is over or this browser has answered."""
    mark = page.streak.of(page.number)
    if mark is None or mark.choice >= len(told.choices):
        return replace(page, told=told)
    choice = told.choices[mark.choice]
    share = told.line_to_share(choice, page.running, language) if page.is_open else ""
    return replace(page, told=told, choice=choice, share=share)


def html(frame: Frame, page: DailyPage) -> str:
    """A day of Last orders: the position to answer, or its answer."""
    say, text = frame.language.say, "One position a day, the same for everybody. What would you do?"
    preview = Preview(say("Last orders"), say(text), page.origin)
    return render("daily.html", frame, page=page, preview=preview)


KEEP = Field("keep", "At one game: what one would have done, as a record has it.", schema={"maxLength": 40})
ONE_GAME = Field(
    "game",
    "One game, in place of the day's; a house rule is a field by its key, such as need=2,4.",
    schema={"maxLength": 16},
)
DATE = Field("date", schema={"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"})
ROUTES = (
    Route(
        "GET",
        "/daily",
        today,
        "Today's position of Last orders, of the house or at one game.",
        (ONE_GAME, KEEP),
        returns=DayPosition,
        asks=True,
        refuses=(*NO_DAY, "no-page"),
    ),
    Route(
        "POST",
        "/daily",
        answer,
        "Answer it.",
        (ONE_GAME,),
        takes=(Form("DayForm", ("day", "keep")),),
        refuses=(*ASKING, *NO_DAY, "day-over", "day-soon", "no-page"),
    ),
    Route(
        "GET",
        "/daily/{date}",
        day,
        "A day's position, of the house or at one game; once it is over, answered.",
        (DATE, ONE_GAME, KEEP),
        returns=DayPosition,
        asks=True,
        refuses=(*NO_DAY, "no-page"),
    ),
)
