"""A person's days of Last orders: the streak and the latest grades, small enough for a cookie.

A streak counts consecutive days with an answer, good or bad. A missed day ends it.
"""

import re
from dataclasses import dataclass
from typing import Literal

Grade = Literal["best", "close", "off"]
"""The grade of an answer: "best" if it loses no value, "close" if it loses less than a blunder, otherwise "off"."""
GRADES: dict[str, Grade] = {"b": "best", "c": "close", "o": "off"}
LETTERS = {grade: letter for letter, grade in GRADES.items()}
MISSED = "--"
KEPT = 14  # days whose grade is kept. With two weeks, the text of a streak has at most 54 characters.
MOST = 99_999  # the greatest number of a day that is read, more than two centuries ahead
_TEXT = re.compile(r"1\.([1-9][0-9]{0,4})\.([1-9][0-9]{0,4})\.([1-9][0-9]{0,4})\.((?:[bco][0-9a-z]|--){1,14})")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class DayMark:
    """One of the latest days, with the grade of its answer."""

    number: int
    grade: Grade | None = None  # None if the day was missed
    choice: int = -1  # the choice's place in the rules' order, from 0


@dataclass(frozen=True, slots=True)
class Streak:
    """A streak, and the marks of the latest days."""

    last: int = 0  # the number of the latest day that was answered, 0 if there is none
    days: int = 0  # the number of consecutive days answered, up to ``last``
    best: int = 0  # the length of the longest streak so far
    marks: tuple[DayMark, ...] = ()  # marks of the latest days up to ``last``, at most ``KEPT``

    def answered(self, number: int, grade: Grade, choice: int) -> "Streak":
        """Return the streak after an answer to a day.

        If that day or a later day is answered already, nothing changes.
        """
        if number <= self.last:
            return self
        days = self.days + 1 if number == self.last + 1 else 1
        missed = tuple(map(DayMark, range(max(self.last + 1, number - KEPT), number))) if self.marks else ()
        marks = (*self.marks, *missed, DayMark(number, grade, choice))
        return Streak(number, days, max(self.best, days), marks[-KEPT:])

    def running(self, number: int) -> int:
        """Return the streak's length on a day. After a missed day it is 0."""
        return self.days if number - 1 <= self.last <= number else 0

    def of(self, number: int) -> DayMark | None:
        """Return the answer to a day. None if there is no answer, or if it is no longer kept."""
        return next((mark for mark in self.marks if mark.number == number and mark.grade is not None), None)

    def row(self, number: int, days: int) -> tuple[DayMark, ...]:
        """Return the latest ``days`` days up to this one, each with its grade.

        Days before the first kept answer are left out.
        """
        first = max(number - days + 1, min((mark.number for mark in self.marks), default=number))
        return tuple(self.of(each) or DayMark(each) for each in range(first, number + 1))

    def write(self) -> str:
        """Write the streak as text of letters, digits, dots and hyphens."""
        marks = "".join(
            MISSED if mark.grade is None else LETTERS[mark.grade] + _DIGITS[mark.choice] for mark in self.marks
        )
        return f"1.{self.last}.{self.days}.{self.best}.{marks}"


def read_streak(text: str, today: int) -> Streak:
    """Parse a streak. If the text is impossible today, return a new streak.

    >>> read_streak(Streak().answered(7, "close", 2).write(), 8).days
    1
    >>> read_streak("1.7.3.1.c2", 8) == Streak()
    True
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        return Streak()
    last, days, best = (int(found[at]) for at in (1, 2, 3))
    pairs = [found[4][at : at + 2] for at in range(0, len(found[4]), 2)]
    marks = tuple(
        DayMark(number) if pair == MISSED else DayMark(number, GRADES[pair[0]], _DIGITS.index(pair[1]))
        for number, pair in enumerate(pairs, last - len(pairs) + 1)
    )
    streak = Streak(last, days, best, marks)
    unbroken = all(mark.grade is not None for mark in marks[-days:])
    if last > today or not days <= best <= last or marks[-1].grade is None or marks[0].number < 1 or not unbroken:
        return Streak()
    return streak
