"""Hints from one process of a house to the others that a table's log has grown.

A hint may be lost, late, doubled or wrong: the log is the truth, and who serves a table looks there by itself every
``live.following.LOOK_EVERY_S``. So whatever carries small messages can carry them.
"""

from collections.abc import Callable
from typing import Protocol

Heard = Callable[[int, int, int], object]
"""Called with a table's number, how many lines its log has, and which node wrote the last."""
Called = Callable[[int, int, int], object]
"""Called with a table's number, and which seat called which phrase there: a reaction, which is stored nowhere."""


class Wakeups(Protocol):
    """Carries hints. Lives in one event loop."""

    def tell(self, table: int, length: int) -> None:
        """Let others know how long a log is now, soon. Called after the commit; never waits, and never raises."""

    def call(self, table: int, seat: int, phrase: int) -> None:
        """Let others know of a reaction, soon. Never waits, and never raises."""

    async def run(self, heard: Heard, called: Called) -> None:
        """Send what is told, and call these two for what others tell, until cancelled; connect again after failures."""
