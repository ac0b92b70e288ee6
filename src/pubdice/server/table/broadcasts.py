"""Batched broadcasts: which tables have news for their spectators, and in which turn of the event loop they send it.

Answers come first: the loop carries out the commands that have come in before it turns to broadcasts. Each turn
sends those of a share of the waiting tables, so that no table waits long; a table's news of meanwhile go in the
same message.
"""

import asyncio
from collections.abc import Callable
from itertools import islice

SHARE = 16
"""The share of waiting tables, one in 16, whose news one turn of the event loop sends, and one more."""


class Broadcaster:
    """The tables of one house with news to send, the longest waiting first."""

    def __init__(self) -> None:
        self._waiting: dict[Callable[[], None], None] = {}

    def schedule(self, broadcast: Callable[[], None]) -> None:
        """Have a table send its spectators what has happened, soon."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._let_answers_go)
        self._waiting[broadcast] = None

    def _let_answers_go(self) -> None:
        """Wait one turn of the loop: tasks that await an answer go on in this one."""
        asyncio.get_running_loop().call_soon(self._broadcast_some)

    def _broadcast_some(self) -> None:
        tables = list(islice(self._waiting, 1 + len(self._waiting) // SHARE))
        for table in tables:
            del self._waiting[table]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._broadcast_some)
        for broadcast in tables:
            broadcast()
