"""How the event loop reads from its store: at once from a file, by a few threads from a server."""

from collections.abc import Callable
from typing import Protocol, TypeVar

Found = TypeVar("Found")


class Reads(Protocol):
    """Awaited with a read of the store and its arguments; what it returns and raises is the read's."""

    async def __call__(self, ask: Callable[..., Found], *values: object) -> Found:
        """What the read finds."""


async def at_once(ask: Callable[..., Found], *values: object) -> Found:
    """A read that takes well below a millisecond: a file's pages are in memory, and a thread would take longer."""
    return ask(*values)
