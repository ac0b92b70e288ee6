"""The positions of the drill that were missed, in an append-only log of their own: a line for each answer that matters.

A position is the text of a record that ends at the decision. What was said of it last holds: missed, or not any more.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from pubdice.core.errors import NotStored
from pubdice.store import Store

TABLE = 1
FIRST = json.dumps({"pubdice": 1, "drill": 1})
CODES = {
    "store-unwritable": "drill-unwritable",
    "store-unreadable": "drill-unreadable",
    "log-damaged": "drill-damaged",
    "no-table": "drill-unreadable",
}
"""A store speaks of games; this is how it is said of the drill."""


@contextmanager
def _said() -> Iterator[None]:
    try:
        yield
    except NotStored as error:
        facts = {"reason": "", "folder": "", "line": 1, **error.facts}
        raise NotStored(CODES.get(error.code, error.code), **facts) from None


class Misses:
    """What was missed and is not yet put right, oldest first."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def positions(self) -> list[str]:
        """Their texts. Raises NotStored."""
        missed: dict[str, None] = {}
        for number, line in enumerate(self._lines()[1:], 2):
            try:
                data = json.loads(line)
                position, lost = data["position"], bool(data["missed"])
                if not isinstance(position, str):
                    raise TypeError(position)
            except (ValueError, TypeError, KeyError, RecursionError):
                raise NotStored("drill-damaged", line=number) from None
            missed.pop(position, None)
            if lost:
                missed[position] = None
        return list(missed)

    def note(self, position: str, *, missed: bool, kept: str) -> None:
        """Remember how a position was answered. Raises NotStored."""
        line = json.dumps({"position": position, "missed": missed, "kept": kept}, ensure_ascii=False)
        with _said():
            if not self._store.tables():
                self._store.create(FIRST)
            while True:
                try:
                    self._store.append(TABLE, len(self._store.read(TABLE)), [line])
                except NotStored as error:
                    if error.code == "moved-on":  # another drill was quicker
                        continue
                    raise
                return

    def _lines(self) -> list[str]:
        with _said():
            return self._store.read(TABLE) if self._store.tables() else []
