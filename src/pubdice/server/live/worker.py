"""Who does the work that takes long: a process in a house, a thread in tests, nobody else where there is neither."""

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Worker(Protocol):
    """Runs a function where it delays nobody, until it is closed. ``WorkerProcess`` is a house's."""

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """The function's result. Raises BrokenExecutor or OSError if there is no process."""

    def close(self) -> None:
        """End it, even in the middle of its work."""


class ThreadWorker:
    """Runs a function in a thread of this process."""

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Return the function's result."""
        return await asyncio.to_thread(work, *arguments)

    def close(self) -> None:
        """End nothing: threads end with their work."""


class DirectWorker:
    """Runs a function at once, on the event loop: for a browser's Python, which has no threads and no processes."""

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Return the function's result, after what waits in the event loop."""
        await asyncio.sleep(0)
        return work(*arguments)

    def close(self) -> None:
        """End nothing: the work is done when ``run`` returns."""
