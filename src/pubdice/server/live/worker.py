"""Who does the work that takes long: a process in a house, a thread in tests, nobody else where there is neither."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Protocol, TypeVar

from pubdice.solve.pauses import PausedError, pausing

T = TypeVar("T")

PART_S = 0.1
"""How long work holds up the event loop until others have their turn; a part under way is finished."""


def part_over(seconds: float) -> Callable[[], bool]:
    """Whether a part that begins now has taken so long."""
    until = perf_counter() + seconds
    return lambda: perf_counter() >= until


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
    """Runs a function on the event loop: for a browser's Python, which has no threads and no processes.

    Work that may pause is left after ``PART_S``, and asked again once others have had their turn.
    """

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Return the function's result, after what waits in the event loop."""
        while True:
            await asyncio.sleep(0)
            with suppress(PausedError), pausing(part_over(PART_S)):
                return work(*arguments)

    def close(self) -> None:
        """End nothing: the work is done when ``run`` returns."""
