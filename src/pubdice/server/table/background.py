"""Background tasks, referred to until they are done. Their errors are counted and logged."""

import asyncio
from collections.abc import Awaitable

from pubdice.server.observe import EventLog, Metrics

REST_S = 1.0
"""The longest wait of a closing house for tasks under way."""


class Background:
    """The background tasks of one house, and the counter and log for errors that no client hears of."""

    def __init__(self, event_log: EventLog, metrics: Metrics) -> None:
        self._event_log, self._metrics = event_log, metrics
        self._tasks: set[asyncio.Future[None]] = set()

    def spawn(self, work: Awaitable[None]) -> None:
        """Run a task, and refer to it until it is done. The event loop alone would let it be garbage-collected."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Future[None]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.failed(error)

    def failed(self, error: Exception) -> None:
        """Count and log an error that no client hears of."""
        self._metrics.faults += 1
        self._event_log.failed(error)

    async def drain(self) -> None:
        """Wait for tasks under way, a second at most."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=REST_S)
