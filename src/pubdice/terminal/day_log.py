"""The days of Last orders answered here, in an append-only log of their own: a line for each day."""

from typing import Any

from pubdice.advice.daily_streak import LETTERS, Grade, Streak
from pubdice.store import Store
from pubdice.terminal.json_log import JsonLog


class DayLog:
    """What was answered, day by day."""

    def __init__(self, store: Store) -> None:
        self._log = JsonLog(store, "daily")

    def streak(self) -> Streak:
        """The streak that the answers make, in the order in which they were given. Raises NotStored."""
        streak = Streak()
        for day, grade, choice in self._log.read(_answer):
            streak = streak.answered(day, grade, choice)
        return streak

    def note(self, number: int, grade: str, choice: int, action: str) -> None:
        """Remember the answer to a day; of two at once the first counts. Raises NotStored."""
        self._log.append({"number": number, "grade": grade, "choice": choice, "action": action})


def _answer(data: Any) -> tuple[int, Grade, int]:
    """The answer in a line: the day's number, its grade, the choice. Raises ValueError, TypeError or KeyError."""
    if data["grade"] not in LETTERS:
        raise ValueError(data["grade"])
    return int(data["number"]), data["grade"], int(data["choice"])
