"""Last orders: today's position to answer, and earlier days with their answers. The streak is in the browser's cookie.

The house keeps nothing of it: the cookie holds the grades, with a tag (HMAC-SHA256 by the house's secret) that says the
house wrote them. A cookie that lacks it, or holds what no streak can be, counts as none.
"""

import hmac
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.daily import (
    FIRST_DAY,
    DayMark,
    ExplainedDay,
    Streak,
    asked,
    day_data,
    line_to_share,
    number_at,
    read_day,
    read_streak,
    reason,
    said_grade,
    written_day,
)
from pubdice.advice.ranking import RankedKeep
from pubdice.core.errors import BadNotation, Refused
from pubdice.server.pages.visit import SOON_S, PageVisit
from pubdice.server.web.browser import DAILY_COOKIE, read_cookies, set_daily
from pubdice.server.web.refusals import NO_DAY, UNREAD
from pubdice.server.web.render import Frame, Preview, render
from pubdice.server.web.routing import ASKING, Field, Form, Route
from pubdice.server.workers.jobs import DayAnswer, NoAnswer
from pubdice.text.language import Language

TAG_DIGITS = 32
"""Of the cookie's tag: 128 bits."""
DAYS_SHOWN = 7
"""Days in the row of the latest: a week."""


class DayPosition(Struct):
    """A day's position of Last orders, the same in every house with the same games.

    number: the day's, from 1; day: its date, in UTC. record: ends at the decision. choices: the actions, as records
    write them. answer: what each is worth, as ``PositionAnswer``; none while this browser may still answer. A position
    of the drill has no date, and its own number.
    """

    number: int
    day: str
    game: str
    record: str
    choices: list[str]
    answer: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class DailyPage:
    """One day. number, day: which, and its date. today: whether it is still on.

    told: the position; None while it is worked out. asks: whether it waits for an answer. choice: this browser's, from
    0; None for none. grade, why: what is said of it. rows: every choice ranked. running, best: the streak; days: the
    latest, and share: the result in a line, "" for none. before: the date of the day before, "" for none. again_s: when
    the page asks again; 0 for never. refusal: what is wrong. origin: where others find the house.
    """

    number: int
    day: str
    today: bool
    told: ExplainedDay | None = None
    asks: bool = False
    choice: int | None = None
    grade: str = ""
    why: str = ""
    rows: tuple[RankedKeep, ...] = ()
    running: int = 0
    best: int = 0
    days: tuple[DayMark, ...] = ()
    share: str = ""
    before: str = ""
    again_s: int = 0
    refusal: str = ""
    origin: str = ""


async def today(visit: PageVisit) -> Response:
    """``GET /daily``: today's position; its answer too once this browser has answered."""
    return await _show(visit, _today(visit))


async def day(visit: PageVisit) -> Response:
    """``GET /daily/{date}``: an earlier day, with its answer."""
    return await _show(visit, read_day(visit.path("date"), _today(visit)))


async def answer(visit: PageVisit) -> Response:
    """``POST /daily``: grade an answer to today's position. A second one changes nothing."""
    number, form = _today(visit), visit.form()
    if form.get("day") != written_day(number):
        raise Refused("day-over")
    streak = _streak(visit, number)
    if streak.of(number) is not None:
        return visit.redirect("/daily")
    told = await _told(visit, number)
    if told is None:
        raise Refused("day-soon", wait_s=SOON_S)
    if isinstance(told, NoAnswer):
        return visit.no_answer(told)
    choice = told.chosen(form.get("keep", ""))
    if choice is None:
        why = visit.tongue.say("Choose one of the answers first.")
        page = told_page(day_page(number, number, streak), told, streak, visit.tongue)
        return visit.html(html, replace(page, refusal=why, origin=visit.public_origin), UNREAD)
    answered = streak.answered(number, told.choices[choice].grade, choice)
    response = visit.redirect("/daily")
    set_daily(response, _signed(visit, answered.write()), secure=visit.secure)
    return response


async def _show(visit: PageVisit, number: int) -> Response:
    now = _today(visit)
    told = await _told(visit, number)
    if isinstance(told, NoAnswer):
        return visit.no_answer(told)
    streak = _streak(visit, now)
    page = replace(day_page(number, now, streak), origin=visit.public_origin)
    answered = partial(told_page, streak=streak, language=visit.tongue)
    return visit.worked_out(html, page, told, answered, day_position)


async def _told(visit: PageVisit, number: int) -> DayAnswer | None:
    """A day's position; None: not yet. Raises Refused."""
    visit.count("asking")
    return await visit.house.answers.of_day(asked(visit.house.games), number, visit.language, asker=visit.asker)


def _today(visit: PageVisit) -> int:
    """The number of today. Raises BadNotation where the house's clock stands before the first day."""
    number = number_at(int(visit.house.now()))
    if number < 1:
        raise BadNotation("day-early", day=FIRST_DAY)
    return number


def _streak(visit: PageVisit, today: int) -> Streak:
    """What the browser's cookie says; a fresh streak if the house did not write it."""
    signed = read_cookies(visit.request.scope["headers"]).get(DAILY_COOKIE, "")
    text = signed.rpartition("~")[0]
    known = hmac.compare_digest(signed.encode(), _signed(visit, text).encode())
    return read_streak(text if known else "", today)


def _signed(visit: PageVisit, text: str) -> str:
    tag = hmac.new(visit.house.secret, f"daily|{text}".encode(), "sha256").hexdigest()
    return f"{text}~{tag[:TAG_DIGITS]}"


def day_page(number: int, today: int, streak: Streak) -> DailyPage:
    """The page before its position is known."""
    return DailyPage(
        number=number,
        day=written_day(number),
        today=number == today,
        running=streak.running(today),
        best=streak.best,
        before=written_day(number - 1) if number > 1 else "",
    )


def told_page(page: DailyPage, told: ExplainedDay, streak: Streak, language: Language) -> DailyPage:
    """The page with its position; with the answer too once the day is over or this browser has answered."""
    mark = streak.of(page.number)
    choice = mark.choice if mark is not None and mark.choice < len(told.choices) else None
    if page.today and choice is None:
        return replace(page, told=told, asks=True)
    if choice is None:
        return replace(page, told=told, rows=told.ranking.rows)
    shown = replace(page, **graded(told, choice, language))
    if not page.today:
        return shown
    line = line_to_share(language, page.number, told.choices[choice].grade, told.row(choice).lost, page.running)
    return replace(shown, share=line, days=streak.row(page.number, DAYS_SHOWN))


def graded(told: ExplainedDay, choice: int, language: Language) -> dict[str, Any]:
    """The fields that a position's page has once it is answered, by name; the drill's page has the same."""
    chosen = told.choices[choice]
    return {
        "told": told,
        "choice": choice,
        "grade": said_grade(language, chosen.grade, told.row(choice).lost),
        "why": reason(told, choice),
        "rows": tuple(replace(each, chosen=at == chosen.row) for at, each in enumerate(told.ranking.rows)),
    }


def html(frame: Frame, page: DailyPage) -> str:
    """A day of Last orders: the position to answer, or its answer."""
    say, text = frame.language.say, "One position a day, the same for everybody. What would you do?"
    preview = Preview(say("Last orders"), say(text), page.origin)
    return render("daily.html", frame, page=page, preview=preview, first_day=FIRST_DAY)


def day_position(page: DailyPage, told: ExplainedDay) -> DayPosition:
    """A day for programs; with its answer once this browser may know it."""
    return DayPosition(**day_data(told, answered=not page.asks))


DATE = Field("date", schema={"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"})
ROUTES = (
    Route(
        "GET",
        "/daily",
        today,
        "Today's position of Last orders.",
        returns=DayPosition,
        asks=True,
        refuses=NO_DAY,
    ),
    Route(
        "POST",
        "/daily",
        answer,
        "Answer it.",
        takes=(Form("DayForm", ("day", "keep")),),
        refuses=(*ASKING, *NO_DAY, "day-over", "day-soon"),
    ),
    Route(
        "GET",
        "/daily/{date}",
        day,
        "A day's position; once it is over, answered.",
        (DATE,),
        returns=DayPosition,
        asks=True,
        refuses=NO_DAY,
    ),
)
