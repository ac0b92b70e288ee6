"""The services that every live table of a house needs: time, background tasks, dice, bots, broadcaster, languages.

Knows no table.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from pubdice.core.cup import Cup
from pubdice.core.seal import Seals
from pubdice.server.answers import Answers
from pubdice.server.observe import Metrics
from pubdice.server.table.background import Background
from pubdice.server.table.bot_moves import Bots
from pubdice.server.table.trace import Trace
from pubdice.text.language import Language


class Clock(Protocol):
    """Time, as a house is given it."""

    def now(self) -> int:
        """The time in milliseconds since 1970."""

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Call ``do`` after some seconds; the timer returned has a ``cancel``."""


class LoopClock:
    """The time by ``time_ns`` (ns since 1970), and the timers of the running event loop."""

    def __init__(self, time_ns: Callable[[], int]) -> None:
        self._time_ns = time_ns
        self._loop = asyncio.get_running_loop()

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        return self._time_ns() // 1_000_000

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Call ``do`` after some seconds; the timer returned has a ``cancel``."""
        return self._loop.call_later(delay_s, do)


SHARE = 16
"""The share of waiting tables, one in 16, whose news one turn of the event loop sends, and one more."""


class Broadcaster:
    """The tables of one house with news to send, the longest waiting first.

    Answers come first: the loop carries out the commands that have come in before it turns to broadcasts. Each turn
    sends those of a share of the waiting tables, so that no table waits long. A table's news of meanwhile go in the
    same message.
    """

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


@dataclass(frozen=True, slots=True)
class TableServices:
    """The services that a house hands to its actors.

    cup: where rolls come from. seals: of sealed dice. link: the address of the table with this code, with its secret.
    seen_before: when one of these people was last at the table with this code (ms since 1970), 0 if nobody knows.
    answers: works out what choices are worth. reload: loads the table with this code again, where memory and log may
    differ. ended: hears of the table with this code whose match has just ended, where somebody watches. trace: follows
    commands in the event log; None follows none.
    """

    clock: Clock
    background: Background
    metrics: Metrics
    broadcaster: Broadcaster
    bots: Bots
    answers: Answers
    cup: Callable[[], Cup]
    seals: Seals
    language: Callable[[str], Language]
    link: Callable[[str], str]
    seen_before: Callable[[str, Iterable[str]], int]
    reload: Callable[[str], None]
    ended: Callable[[str], None]
    trace: Trace | None = None
