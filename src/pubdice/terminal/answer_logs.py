"""Two append-only logs of a player's answers: to Last orders (the daily position), and to the drill's positions."""

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
    """An append-only log of JSON objects. It is table 1 of a store, and its first line is a header.

    ``name`` is the key in the header. Error codes begin with it: NotStored("drill-unwritable"), ("drill-unreadable")
    and ("drill-damaged").
    """

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name = store, name
        self._codes = {"store-unwritable": "unwritable", "log-damaged": "damaged"}
        self._codes |= dict.fromkeys(("store-unreadable", "no-table"), "unreadable")

    def read(self, fact: Callable[[Any], T]) -> list[T]:
        """Read a value from each line after the header, with the function ``fact``. Raises NotStored.

        If ``fact`` raises ValueError, TypeError or KeyError, the line is damaged: NotStored("…-damaged").
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
                    if error.code == "moved-on":  # another process has appended a line since the read
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
    """The log of the answers to Last orders, one position a day."""

    def __init__(self, store: Store) -> None:
        self._log = JsonLog(store, "daily")

    def streak(self) -> Streak:
        """Return the streak that results from all answers so far. Raises NotStored."""
        streak = Streak()
        for day, grade, choice in self._log.read(_day_answer):
            streak = streak.answered(day, grade, choice)
        return streak

    def note(self, number: int, grade: str, choice: int, action: str) -> None:
        """Append the answer to a day's position. If a day has two answers, the first one counts. Raises NotStored."""
        self._log.append({"number": number, "grade": grade, "choice": choice, "action": action})


def _day_answer(data: Any) -> tuple[int, Grade, int]:
    """Read day number, grade and choice from a line. Raises ValueError, TypeError or KeyError."""
    if data["grade"] not in LETTERS:
        raise ValueError(data["grade"])
    return int(data["number"]), data["grade"], int(data["choice"])


class MissedPositions:
    """The log of the drill's missed positions, which the player has not yet answered well. The oldest come first.

    A position is the text of a record that ends at a decision. The latest line about a position says if it is still
    missed.
    """

    def __init__(self, store: Store) -> None:
        self._log = JsonLog(store, "drill")

    def positions(self) -> list[str]:
        """Return the positions still missed, as records. Raises NotStored."""
        missed: dict[str, None] = {}
        for position, lost in self._log.read(_drill_answer):
            missed.pop(position, None)
            if lost:
                missed[position] = None
        return list(missed)

    def note(self, position: str, *, missed: bool, kept: str) -> None:
        """Append the answer to a position. Raises NotStored."""
        self._log.append({"position": position, "missed": missed, "kept": kept})


def _drill_answer(data: Any) -> tuple[str, bool]:
    """Read the position and the "missed" flag from a line. Raises TypeError or KeyError."""
    position = data["position"]
    if not isinstance(position, str):
        raise TypeError(position)
    return position, bool(data["missed"])
