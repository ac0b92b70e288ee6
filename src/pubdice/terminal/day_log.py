"""The days of Last orders answered here, in an append-only log of their own: a line for each day."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from pubdice.advice.daily_streak import LETTERS, Streak
from pubdice.core.errors import NotStored
from pubdice.store import Store

TABLE = 1
FIRST = json.dumps({"pubdice": 1, "daily": 1})
CODES = {
    "store-unwritable": "daily-unwritable",
    "store-unreadable": "daily-unreadable",
    "log-damaged": "daily-damaged",
    "no-table": "daily-unreadable",
}
"""A store speaks of games; this is how it is said of the days."""


@contextmanager
def _said() -> Iterator[None]:
    try:
        yield
    except NotStored as error:
        facts = {"reason": "", "folder": "", "line": 1, **error.facts}
        raise NotStored(CODES.get(error.code, error.code), **facts) from None


class DayLog:
    """What was answered, day by day."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def streak(self) -> Streak:
        """The streak that the answers make, in the order in which they were given. Raises NotStored."""
        streak = Streak()
        with _said():
            lines = self._store.read(TABLE) if self._store.tables() else []
        for number, line in enumerate(lines[1:], 2):
            try:
                data = json.loads(line)
                day, grade, choice = int(data["number"]), data["grade"], int(data["choice"])
                if grade not in LETTERS:
                    raise ValueError(grade)
            except (ValueError, TypeError, KeyError, RecursionError):
                raise NotStored("daily-damaged", line=number) from None
            streak = streak.answered(day, grade, choice)
        return streak

    def note(self, number: int, grade: str, choice: int, action: str) -> None:
        """Remember the answer to a day; of two at once the first counts. Raises NotStored."""
        line = json.dumps({"number": number, "grade": grade, "choice": choice, "action": action})
        with _said():
            if not self._store.tables():
                self._store.create(FIRST)
            while True:
                try:
                    self._store.append(TABLE, len(self._store.read(TABLE)), [line])
                except NotStored as error:
                    if error.code == "moved-on":  # another one was quicker
                        continue
                    raise
                return
