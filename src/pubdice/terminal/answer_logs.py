"""Append-only logs of answers in a store: the days of Last orders, and the positions of the drill that were missed."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from pubdice.advice.streak import LETTERS, Grade, Streak
from pubdice.core.errors import NotStored
from pubdice.core.json_depth import shallow
from pubdice.store import Store

T = TypeVar("T")

TABLE = 1


class JsonLog:
    """One log. name: of what is kept, as its first line and the codes of failures have it: ``drill`` gives
    NotStored("drill-unwritable"), ("drill-unreadable") and ("drill-damaged"), as a store speaks of games.
    """

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name = store, name
        self._codes = {"store-unwritable": "unwritable", "log-damaged": "damaged"}
        self._codes |= dict.fromkeys(("store-unreadable", "no-table"), "unreadable")

    def read(self, fact: Callable[[Any], T]) -> list[T]:
        """The facts that ``fact`` makes of each line after the first. Raises NotStored; a line it cannot read is
        damaged.
        """
        found = []
        with self._said():
            lines = self._store.read(TABLE) if self._store.tables() else []
        for number, line in enumerate(lines[1:], 2):
            try:
                found.append(fact(json.loads(shallow(line))))
            except (ValueError, TypeError, KeyError):
                raise NotStored(f"{self._name}-damaged", line=number) from None
        return found

    def append(self, facts: Mapping[str, Any]) -> None:
        """Add a line. Raises NotStored."""
        line = json.dumps(facts, ensure_ascii=False)
        with self._said():
            if not self._store.tables():
                self._store.create(json.dumps({"pubdice": 1, self._name: 1}))
            while True:
                try:
                    self._store.append(TABLE, len(self._store.read(TABLE)), [line])
                except NotStored as error:
                    if error.code == "moved-on":  # another process was quicker
                        continue
                    raise
                return

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except NotStored as error:
            facts = {"reason": "", "folder": "", "line": 1, **error.facts}
            code = self._codes.get(error.code)
            raise NotStored(f"{self._name}-{code}" if code else error.code, **facts) from None


class DayLog:
    """The answers, day by day."""

    def __init__(self, store: Store) -> None:
        self._log = JsonLog(store, "daily")

    def streak(self) -> Streak:
        """The streak that the answers make, in the order in which they were given. Raises NotStored."""
        streak = Streak()
        for day, grade, choice in self._log.read(_day_answer):
            streak = streak.answered(day, grade, choice)
        return streak

    def note(self, number: int, grade: str, choice: int, action: str) -> None:
        """Remember the answer to a day; of two at once the first counts. Raises NotStored."""
        self._log.append({"number": number, "grade": grade, "choice": choice, "action": action})


def _day_answer(data: Any) -> tuple[int, Grade, int]:
    """The answer in a line: the day's number, its grade, the choice. Raises ValueError, TypeError or KeyError."""
    if data["grade"] not in LETTERS:
        raise ValueError(data["grade"])
    return int(data["number"]), data["grade"], int(data["choice"])


class MissedPositions:
    """The missed positions not yet put right, oldest first.

    A position is the text of a record that ends at the decision. What was said of it last holds: missed, or not any
    more.
    """

    def __init__(self, store: Store) -> None:
        self._log = JsonLog(store, "drill")

    def positions(self) -> list[str]:
        """Their texts. Raises NotStored."""
        missed: dict[str, None] = {}
        for position, lost in self._log.read(_drill_answer):
            missed.pop(position, None)
            if lost:
                missed[position] = None
        return list(missed)

    def note(self, position: str, *, missed: bool, kept: str) -> None:
        """Remember how a position was answered. Raises NotStored."""
        self._log.append({"position": position, "missed": missed, "kept": kept})


def _drill_answer(data: Any) -> tuple[str, bool]:
    """The position in a line, and whether it was missed. Raises TypeError or KeyError."""
    position = data["position"]
    if not isinstance(position, str):
        raise TypeError(position)
    return position, bool(data["missed"])
