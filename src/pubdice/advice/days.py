"""The days of Last orders: from a date to its number, counted from a fixed first day, and back.

Only integer arithmetic.

A day begins at midnight UTC, for everyone at the same time. Dates are ISO 8601, such as 2025-11-20.
"""

import re

from pubdice.core.errors import BadNotation

FIRST_DAY = "2025-04-21"  # day 1
DAY_MS = 24 * 3600 * 1000
DAYS_IN_ERA, YEARS_IN_ERA = 146_097, 400  # the calendar repeats after 400 years
BEFORE_MONTH = (0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337)
"""The number of days before each month, in a year that begins in March so that the leap day comes last."""
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


def _days_to(year: int, month: int, day: int) -> int:
    """Count the days from 1 March of the year 0 to this date."""
    at, year = (month - 3) % 12, year - (month < 3)
    return 365 * year + year // 4 - year // 100 + year // 400 + BEFORE_MONTH[at] + day - 1


def _date_at(days: int) -> tuple[int, int, int]:
    """Return the year, month and day that come this many days after 1 March of the year 0."""
    era, rest = divmod(days, DAYS_IN_ERA)
    year = (rest - rest // 1460 + rest // 36_524 - rest // (DAYS_IN_ERA - 1)) // 365
    rest -= 365 * year + year // 4 - year // 100
    at = max(month for month, before in enumerate(BEFORE_MONTH) if before <= rest)
    month = (at + 2) % 12 + 1
    return YEARS_IN_ERA * era + year + (month < 3), month, rest - BEFORE_MONTH[at] + 1


_EPOCH = _days_to(1970, 1, 1)
_FIRST = _days_to(2025, 4, 21)


def written_day(number: int) -> str:
    """Return the date of the day with this number.

    >>> written_day(1), written_day(214)
    ('2025-04-21', '2025-11-20')
    """
    year, month, day = _date_at(_FIRST + number - 1)
    return f"{year:04}-{month:02}-{day:02}"


def number_at(now_ms: int) -> int:
    """Return the number of the day at a time in ms since 1970 UTC. Before the first day it is below 1.

    >>> number_at(1_763_640_000_000)
    214
    """
    return _EPOCH + now_ms // DAY_MS - _FIRST + 1


def read_day(text: str, today: int) -> int:
    """Read a date, from the first day to today, and return the number of its day.

    Raises BadNotation("day") if the text is no date, and BadNotation("day-future") or ("day-early") if the date has no
    position.
    """
    found = _DATE.fullmatch(text)
    if found is None:
        raise BadNotation("day", found=text[:40])
    number = _days_to(*map(int, found.groups())) - _FIRST + 1 if 1 <= int(found[2]) <= 12 else 0
    if not 1 <= int(found[2]) <= 12 or written_day(number) != text:
        raise BadNotation("day", found=text)
    if number > today:
        raise BadNotation("day-future")
    if number < 1:
        raise BadNotation("day-early", day=FIRST_DAY)
    return number
