"""A lock that requests of several addresses wait for.

A request takes turns with others of its address (``web.turns``), and an address that owes work gets a turn every few
seconds only. If a request held a lock while it waits for a turn, all other addresses would wait too (priority
inversion). So a request needs no turn from the time it asks for such a lock until it has released the lock.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

NEEDED: ContextVar[int] = ContextVar("NEEDED", default=0)
"""The number of locks and turns that the present task holds or has asked for, and that other tasks wait for."""


@contextmanager
def needed_by_others() -> Iterator[None]:
    """Mark a block during which other tasks may wait for this task."""
    NEEDED.set(NEEDED.get() + 1)
    try:
        yield
    finally:
        NEEDED.set(NEEDED.get() - 1)


class SharedLock(asyncio.Lock):
    """asyncio's lock, which counts itself in ``NEEDED``. For use with ``async with`` only."""

    async def __aenter__(self) -> None:
        NEEDED.set(NEEDED.get() + 1)
        try:
            await super().__aenter__()
        except BaseException:
            NEEDED.set(NEEDED.get() - 1)
            raise

    async def __aexit__(self, *error: object) -> None:
        self.release()
        NEEDED.set(NEEDED.get() - 1)
