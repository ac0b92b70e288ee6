"""Reactions: each person at a table may call something now and then. They are stored nowhere."""

from collections.abc import Container

from pubdice.core.errors import Refused
from pubdice.server.live.idempotency import Key, check_same

REACT_MS = 5_000
"""The least time between two reactions of one person."""


class Reactions:
    """When each person of a table reacted last, and under which idempotency key."""

    def __init__(self, table: int) -> None:
        self._table = table
        self._last: dict[str, tuple[int, Key]] = {}

    def is_known(self, person: str | None, key: Key) -> bool:
        """Whether this was the key of a person's last reaction. NotStored("key-used") if it came with another body."""
        return person in self._last and check_same(self._last[person][1], key, self._table)

    def note(self, person: str, key: Key, now: int, here: Container[str]) -> None:
        """Note a reaction; forget those of people who are not here. Raises Refused("react-soon")."""
        last, _ = self._last.get(person, (-REACT_MS, None))
        if (wait := last + REACT_MS - now) > 0:
            raise Refused("react-soon", seconds=-(-wait // 1000), wait_s=wait / 1000)
        self._last = {other: noted for other, noted in self._last.items() if other in here} | {person: (now, key)}
