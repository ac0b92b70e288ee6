"""Runs long work in a process (server), in a thread (tests) or inline (browser).

Does not know the work.
"""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import Pipe, active_children, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread
from time import perf_counter
from typing import NamedTuple, Protocol, TypeVar

from pubdice.solve.pauses import PausedError, pausing

T = TypeVar("T")

PART_S = 0.1
"""The time that work may hold up the event loop. After it, only the part under way is finished."""


def part_over(seconds: float) -> Callable[[], bool]:
    """Return a function that returns True once this time has passed."""
    until = perf_counter() + seconds
    return lambda: perf_counter() >= until


class Worker(Protocol):
    """Runs a function without holding up other work, until it is closed. A house uses ``WorkerProcess``."""

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Return the function's result. Raises BrokenExecutor or OSError if there is no process."""

    def close(self) -> None:
        """End the worker, even in the middle of its work."""


class ThreadWorker:
    """Runs a function in a thread of this process."""

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Return the function's result."""
        return await asyncio.to_thread(work, *arguments)

    def close(self) -> None:
        """Do nothing: threads end with their work."""


class DirectWorker:
    """Runs a function on the event loop: for a browser's Python, without threads and processes.

    Work that may pause is interrupted after ``PART_S``, and called again later. So it must keep its partial results.
    """

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Return the function's result, after the tasks that wait in the event loop."""
        while True:
            await asyncio.sleep(0)
            with suppress(PausedError), pausing(part_over(PART_S)):
                return work(*arguments)

    def close(self) -> None:
        """Do nothing: the work is done when ``run`` returns."""


class _Running(NamedTuple):
    """A running worker: its pool, the house's end of its pipe, and the process itself."""

    pool: ProcessPoolExecutor
    end: Connection
    started: list[BaseProcess]


class WorkerProcess:
    """A worker process. It starts with its first work. If it died, it starts again with the next work.

    It ends when it is closed, even in the middle of work, and when the house ends, even if the house is killed. The
    process holds one end of a pipe, and exits when the house's end closes.
    """

    def __init__(self) -> None:
        self._process: _Running | None = None

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Run a function in the worker. Raises BrokenExecutor if the process dies, OSError if none may start."""
        try:
            running, result = self._submit(work, *arguments)
        except BrokenExecutor:  # it died while it was idle
            self.close()
            running, result = self._submit(work, *arguments)
        try:
            return await result
        except BrokenExecutor:
            if self._process is running:
                self.close()
            raise
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or not task.cancelling():  # the pool was closed before the work reached the process
                raise BrokenProcessPool("the process was ended") from None
            raise

    def _submit(self, work: Callable[..., T], *arguments: object) -> "tuple[_Running, asyncio.Future[T]]":
        """Give work to the process, or start a process for it. Raises BrokenExecutor if the process has died."""
        loop = asyncio.get_running_loop()
        if self._process is not None:
            return self._process, loop.run_in_executor(self._process.pool, work, *arguments)
        others, (worker_end, end) = active_children(), Pipe(duplex=False)
        pool = ProcessPoolExecutor(1, get_context("spawn"), _init_worker, (worker_end,))
        result = loop.run_in_executor(pool, work, *arguments)  # starts the process
        self._process = _Running(pool, end, [child for child in active_children() if child not in others])
        return self._process, result

    def close(self) -> None:
        """End the process, even in the middle of its work or its start. The next work starts another.

        The process is killed, because while it starts it does not watch its pipe yet. A start takes seconds on a busy
        machine, and Python would not exit before the process has started.
        """
        if self._process is None:
            return
        for process in self._process.started:
            process.kill()
        self._process.end.close()
        self._process.pool.shutdown(wait=False, cancel_futures=True)
        self._process = None


def _init_worker(end: Connection) -> None:
    """Ignore a Ctrl-C at the terminal, which is meant for the house, and end with the house.

    If the house was killed, SIGPIPE ends the process silently as it sends a result, rather than with a traceback.
    """
    import signal  # noqa: PLC0415 - in the worker process only

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGPIPE"):  # not on Windows
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    Thread(target=_exit_with_parent, args=(end,), daemon=True).start()


def _exit_with_parent(end: Connection) -> None:
    end.poll(None)  # no data is ever sent, so it returns when the other end is closed
    os._exit(0)
