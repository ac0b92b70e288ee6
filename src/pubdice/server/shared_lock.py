"""A lock that requests of several addresses wait for. Knows no requests.

A request takes turns with others of its address (``web.turns``). One that held a lock meanwhile would have all other
addresses wait for its turn too (priority inversion): an address that owes work has one every few seconds. So a request
needs no turn from when it asks for such a lock until it has given the lock back.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

NEEDED: ContextVar[int] = ContextVar("NEEDED", default=0)
"""The number of things that the present task has asked for, or holds, and that others wait for."""


@contextmanager
def needed_by_others() -> Iterator[None]:
    """A block in which others wait for the task."""
    NEEDED.set(NEEDED.get() + 1)
    try:
        yield
    finally:
        NEEDED.set(NEEDED.get() - 1)


class SharedLock(asyncio.Lock):
    """A lock as asyncio's, for ``async with``."""

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
