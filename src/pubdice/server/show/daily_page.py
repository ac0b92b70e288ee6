"""What the page of Last orders shows, as frozen data. Knows no templates and no request."""

from dataclasses import dataclass, replace

from pubdice.advice.daily import DayMark, ExplainedDay, Streak, line_to_share, reason, said_grade, written_day
from pubdice.advice.ranking import RankedKeep
from pubdice.text.language import Language

DAYS_SHOWN = 7
"""Days in the row of the latest: a week."""


@dataclass(frozen=True, slots=True)
class DailyPage:
    """One day. number, day: which, and its date. today: whether it is still on.

    told: the position; None while it is worked out. asks: whether it waits for an answer. choice: this browser's, from
    0; None for none. grade, why: what is said of it. rows: every choice ranked. running, best: the streak; days: the
    latest, and share: the result in a line, "" for none. before: the date of the day before, "" for none. again_s: when
    the page asks again; 0 for never. refusal: what is wrong.
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
    rows = told.ranking.rows
    if choice is None:
        return replace(page, told=told, rows=rows)
    chosen, row = told.choices[choice], told.row(choice)
    shown = replace(
        page,
        told=told,
        choice=choice,
        grade=said_grade(language, chosen.grade, row.lost),
        why=reason(told, choice),
        rows=tuple(replace(each, chosen=at == chosen.row) for at, each in enumerate(rows)),
    )
    if not page.today:
        return shown
    line = line_to_share(language, page.number, chosen.grade, row.lost, page.running)
    return replace(shown, share=line, days=streak.row(page.number, DAYS_SHOWN))
