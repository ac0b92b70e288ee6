"""An append-only log of JSON lines of a command's own, such as the drill's: one table of a store, found or begun."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from pubdice.core.errors import NotStored
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
        """What ``fact`` makes of each line after the first. Raises NotStored; a line it cannot read is damaged."""
        found = []
        with self._said():
            lines = self._store.read(TABLE) if self._store.tables() else []
        for number, line in enumerate(lines[1:], 2):
            try:
                found.append(fact(json.loads(line)))
            except (ValueError, TypeError, KeyError, RecursionError):
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
