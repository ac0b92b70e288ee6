"""A process beside the house's, for work that would hold up everybody's moves. Knows not what work.

It is started for the first work, and ends as soon as it is let go, whatever it is at, or when the house ends, even one
that is killed: it holds one end of a pipe, of which the house holds the other.
"""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class Aside:
    """One process, started when there is work for it."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._end: Connection | None = None

    async def run(self, work: Callable[..., T], *given: object) -> T:
        """Do some work there. BrokenExecutor if the process has ended meanwhile, OSError if the system allows none."""
        if self._pool is None:
            theirs, self._end = Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), _sit_down, (theirs,))
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *given)

    def close(self) -> None:
        """Let the process go, whatever it is at; the next work starts another."""
        if self._pool is None or self._end is None:
            return
        self._end.close()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._end = None


def _sit_down(end: Connection) -> None:
    """Begin beside the house: a Ctrl-C at the terminal is the house's to hear."""
    import signal  # noqa: PLC0415 - in the process beside only

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_leave_at, args=(end,), daemon=True).start()


def _leave_at(end: Connection) -> None:
    end.poll(None)  # nothing is ever sent: the other end is closed
    os._exit(0)
