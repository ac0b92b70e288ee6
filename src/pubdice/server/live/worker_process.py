"""A worker process, for work that would delay everybody's moves. Does not know what work.

It starts with its first work, and again with the first after it died. It ends when it is closed, even in the middle of
work, and when the house ends, even if the house is killed: it holds one end of a pipe, and exits when the house's end
is closed.
"""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from threading import Thread
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class _Running(NamedTuple):
    """The process, and the house's end of its pipe."""

    pool: ProcessPoolExecutor
    end: Connection


class WorkerProcess:
    """One process, started when there is work for it; started again after it died."""

    def __init__(self) -> None:
        self._process: _Running | None = None

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Run a function in the worker. Raises BrokenExecutor if the process ends meanwhile, OSError if the system
        allows none.
        """
        try:
            running, result = self._submit(work, *arguments)
        except BrokenExecutor:  # it died while it had nothing to do
            self.close()
            running, result = self._submit(work, *arguments)
        try:
            return await result
        except BrokenExecutor:
            if self._process is running:
                self.close()
            raise

    def _submit(self, work: Callable[..., T], *arguments: object) -> "tuple[_Running, asyncio.Future[T]]":
        """Give work to the process, and start it if there is none. Raises BrokenExecutor if it has died."""
        if self._process is None:
            worker_end, end = Pipe(duplex=False)
            pool = ProcessPoolExecutor(1, get_context("spawn"), _init_worker, (worker_end,))
            self._process = _Running(pool, end)
        loop = asyncio.get_running_loop()
        return self._process, loop.run_in_executor(self._process.pool, work, *arguments)

    def close(self) -> None:
        """End the process, even in the middle of its work; the next work starts another."""
        if self._process is None:
            return
        self._process.end.close()
        self._process.pool.shutdown(wait=False, cancel_futures=True)
        self._process = None


def _init_worker(end: Connection) -> None:
    """Ignore a Ctrl-C at the terminal, which is for the house; and end with the house.

    A result for a house that was killed ends the process without a word (SIGPIPE), rather than with a traceback.
    """
    import signal  # noqa: PLC0415 - in the worker process only

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGPIPE"):  # not on Windows
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    Thread(target=_exit_with_parent, args=(end,), daemon=True).start()


def _exit_with_parent(end: Connection) -> None:
    end.poll(None)  # nothing is ever sent, so it returns when the other end is closed
    os._exit(0)
