"""Batched broadcasts: which tables have news for their spectators, and in which turn of the event loop they send it.

Answers come first: the loop carries out the commands that have come in before it turns to broadcasts. Each turn sends
those of a share of the waiting tables, so that no table waits long; a table's news of meanwhile go in the same message.
"""

import asyncio
from itertools import islice
from typing import Protocol

SHARE = 16
"""One turn of the event loop sends the news of one table in so many of those that wait, and of one more."""


class Telling(Protocol):
    """A table with spectators and news for them."""

    def broadcast(self) -> None:
        """Send the spectators what has happened."""


class Broadcaster:
    """The tables of one house with news to send, the longest waiting first."""

    def __init__(self) -> None:
        self._waiting: dict[Telling, None] = {}

    def schedule(self, table: Telling) -> None:
        """Have a table broadcast soon."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._let_answers_go)
        self._waiting[table] = None

    def _let_answers_go(self) -> None:
        """Wait one turn of the loop: who awaits an answer goes on in this one."""
        asyncio.get_running_loop().call_soon(self._broadcast_some)

    def _broadcast_some(self) -> None:
        tables = list(islice(self._waiting, 1 + len(self._waiting) // SHARE))
        for table in tables:
            del self._waiting[table]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._broadcast_some)
        for table in tables:
            table.broadcast()
