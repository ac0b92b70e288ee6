"""The services of every live table of a house: time, tasks, dice, bots, broadcasts, languages. Knows no table."""

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
    """A source of time and timers."""

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Call ``do`` after some seconds. Returns a timer that has a ``cancel`` method."""


class LoopClock:
    """The time by ``time_ns`` (ns since 1970), and the timers of the running event loop."""

    def __init__(self, time_ns: Callable[[], int]) -> None:
        self._time_ns = time_ns
        self._loop = asyncio.get_running_loop()

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return self._time_ns() // 1_000_000

    def after(self, delay_s: float, do: Callable[[], None]) -> Any:
        """Call ``do`` after some seconds. Returns a timer that has a ``cancel`` method."""
        return self._loop.call_later(delay_s, do)


SHARE = 16
"""Each turn of the event loop sends the news of a sixteenth of the waiting tables, and of one more table."""


class Broadcaster:
    """The tables of one house that have news to send, the longest waiting first.

    Answers come first: the loop carries out the commands that are in before it sends broadcasts. Each turn of the loop
    then serves a share of the waiting tables, so a table never waits for all others.
    """

    def __init__(self) -> None:
        self._waiting: dict[Callable[[], None], None] = {}

    def schedule(self, broadcast: Callable[[], None]) -> None:
        """Send a table's news to its spectators soon, by calling ``broadcast``."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._let_answers_go)
        self._waiting[broadcast] = None

    def _let_answers_go(self) -> None:
        """Wait one turn of the loop. In it, the tasks that await an answer go on."""
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

    ``link`` returns a table's address, with its secret, for a code. ``seen_before`` returns the last time, in ms since
    1970, that one of these people was at the table with this code, or 0. ``reload`` loads a table again, when memory
    and log may differ. ``ended`` is called with a table's code when its match has just ended and a page is open.
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
