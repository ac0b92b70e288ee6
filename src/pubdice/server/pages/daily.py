"""Last orders: today's position to answer, and earlier days with their answers. The streak is in the browser's cookie.

The house stores none of it. The cookie has the grades and an HMAC-SHA256 tag by the house's secret. A cookie without a
valid tag, or with an impossible streak, counts as none.
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
"""The number of hex digits of the cookie's tag: 128 bits."""
DAYS_SHOWN = 7
"""The number of days in the row of the latest days: a week."""


class DayPosition(Struct):
    """A day's position of Last orders, the same in every house with the same games.

    - number: the day's, from 1. A position of the drill has its own number.
    - day: its date in UTC. A position of the drill has none.
    - record: ends at the decision.
    - choices: the actions as in records.
    - answer: the value of each, as in ``PositionAnswer``. None while this browser may still answer.
    """

    number: int
    day: str
    game: str
    record: str
    choices: list[str]
    answer: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionPage:
    """The page of a position to answer: a day's position, or a position of the drill."""

    number: int  # the number of the day, or of the drill's position
    is_open: bool = True  # this position may be answered now
    told: ExplainedDay | None = None  # the position, None while it is worked out
    choice: DayChoice | None = None  # the browser's answer
    again_s: int = 0  # seconds until the page asks again, 0 for never
    refusal: str = ""  # the fault of the form
    query: str = ""  # the unusual house rules, for an address
    rules: str = ""  # the unusual house rules in words

    @property
    def asks(self) -> bool:
        """True if the page waits for an answer."""
        return self.told is not None and self.is_open and self.choice is None

    @property
    def grade(self) -> str:
        """The grade of the answer in words, "" for none."""
        return self.choice.said if self.choice else ""

    @property
    def why(self) -> str:
        """The reason for the grade."""
        return self.told.reason(self.choice) if self.told and self.choice else ""

    @property
    def rows(self) -> tuple[RankedKeep, ...]:
        """All choices ranked, once they are no secret."""
        if self.told is None or self.asks:
            return ()
        rows, choice = self.told.ranking.rows, self.choice
        return tuple(replace(each, chosen=at == choice.row) for at, each in enumerate(rows)) if choice else rows


P = TypeVar("P", bound=PositionPage)


def position_data(page: PositionPage, told: ExplainedDay) -> DayPosition:
    """Return a position for programs, with its answer once this browser may know it."""
    return DayPosition(**told.data(answered=not page.asks))


def graded_page(page: P, told: ExplainedDay, keep: str = "") -> P:
    """Return the page with its position, and with the answer ``keep``, which is named in its address."""
    return replace(page, told=told, choice=told.chosen(keep))


def rules_told(visit: PageVisit, kit: Kit, options: Sequence[tuple[str, str]]) -> str:
    """Return the house rules with these options, "" for the usual ones."""
    return kit.words.options(visit.tongue, kit.with_usual(dict(options)).usual_game) if options else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPage(PositionPage):
    """One day of Last orders."""

    day: str  # the day's date
    before: str  # the date of the day before, "" for none
    streak: Streak  # the streak of this browser
    running: int  # the number of days of the running streak
    share: str = ""  # the result in a line, "" for none
    origin: str = ""  # the house's address for others
    drill: str = "/drill"  # the address of the drill by the same rules

    @property
    def days(self) -> tuple[DayMark, ...]:
        """The latest days."""
        return self.streak.row(self.number, DAYS_SHOWN)


def choice_of(visit: PageVisit, html: Html[P], page: P, told: DayAnswer | None) -> DayChoice | Response:
    """Return the choice named in a form, or the page that asks for a choice. Raises Refused."""
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
    """``GET /daily``: today's position, with its answer once this browser has answered."""
    return await _show(visit, _today(visit))


async def day(visit: PageVisit) -> Response:
    """``GET /daily/{date}``: an earlier day, with its answer."""
    return await _show(visit, read_day(visit.path("date"), _today(visit)))


async def answer(visit: PageVisit) -> Response:
    """``POST /daily``: grade an answer to today's position. It counts once for the streak. An answer to a chosen game's
    position never counts.
    """
    number, form = _today(visit), visit.form()
    if form.get("day") != written_day(number):
        raise Refused("day-over")
    if kit := _one_game(visit):
        told, page = await _game_day_answer(visit, kit, number), _game_page(visit, kit, number, number)
        choice = choice_of(visit, html, page, told)
        if isinstance(choice, Response):
            return choice
        query = query_of([("game", kit.name), *visit.options(kit), ("keep", choice.action)])
        return visit.redirect(f"/daily{query}")  # the answer is in the address only, and counts for no streak
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
    """Return the game named in the query, or None for the house's position. Raises Refused."""
    name = visit.query("game")
    if name and name not in asked(visit.house.games):
        raise Refused("no-page")
    return visit.house.games[name] if name else None


async def _game_day_answer(visit: PageVisit, kit: Kit, number: int) -> DayAnswer | None:
    """Return a day's position at one game by the rules of the query, None if it is not ready.

    Raises Refused, BadNotation.
    """
    visit.count("asking")
    return await visit.ask(rank_drill, kit.name, number, visit.language, visit.options(kit), written_day(number))


def _game_page(visit: PageVisit, kit: Kit, number: int, today: int) -> DailyPage:
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
    visit.count("asking")
    return await visit.ask(rank_day, asked(visit.house.games), number, visit.language)


def _today(visit: PageVisit) -> int:
    """Return the number of today's position. Raises BadNotation if the house's clock is before the first day."""
    number = number_at(int(visit.house.now()))
    if number < 1:
        raise BadNotation("day-early", day=FIRST_DAY)
    return number


def _streak(visit: PageVisit, today: int) -> Streak:
    """Return the streak in the browser's cookie. If the house did not write the cookie, return a fresh streak."""
    signed = read_cookies(visit.request.scope["headers"]).get(DAILY_COOKIE, "")
    text = signed.rpartition("~")[0]
    known = hmac.compare_digest(signed.encode(), _signed(visit, text).encode())
    return read_streak(text if known else "", today)


def _signed(visit: PageVisit, text: str) -> str:
    tag = hmac.new(visit.house.secret, f"daily|{text}".encode(), "sha256").hexdigest()
    return f"{text}~{tag[:TAG_DIGITS]}"


def day_page(number: int, today: int, streak: Streak, origin: str = "") -> DailyPage:
    """Return the page before its position is known."""
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
    """Return the page with its position, and with the answer if the day is over or this browser has answered."""
    mark = page.streak.of(page.number)
    if mark is None or mark.choice >= len(told.choices):
        return replace(page, told=told)
    choice = told.choices[mark.choice]
    share = told.line_to_share(choice, page.running, language) if page.is_open else ""
    return replace(page, told=told, choice=choice, share=share)


def html(frame: Frame, page: DailyPage) -> str:
    """Return a day of Last orders: the position to answer, or its answer."""
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
