"""Health check: whether the house can store moves. A request for it makes a small write, a probe."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pubdice.core.errors import NotStored

WITHIN_S = 0.8
"""How long a health check waits for its probe."""
FRESH_S = 1.0
"""A successful probe counts for so long, so that frequent checks write nothing more."""


class Probed(Protocol):
    """A store that can be probed."""

    def probe(self, done: Callable[[Any], object], via: Callable[[Callable[[], None]], object] | None = None) -> None:
        """Submit a small write; ``done`` is called with its outcome."""


class HasStore(Protocol):
    """A house, as its health needs it. leaving: it is about to stop. cut_off: it shows no streams."""

    leaving: bool
    cut_off: bool

    @property
    def store(self) -> Probed:
        """The store it writes to."""


class Health:
    """The health of a house. One probe of its store is under way at a time."""

    def __init__(self, house: HasStore) -> None:
        self._house = house
        self._under_way: asyncio.Future[Any] | None = None
        self._well_at = float("-inf")
        self._late = False

    async def page(self, request: Request) -> Response:
        """200 or 503, within the second."""
        if await self.is_well():
            return PlainTextResponse("well\n")
        return PlainTextResponse("cannot store\n", 503, {"retry-after": "1"})

    async def ready(self, request: Request) -> Response:
        """As ``page``, and 503 while a balancer is to send nobody new.

        The house leaves its people to other processes, or it cannot look at what these store.
        """
        if self._house.leaving or self._house.cut_off:
            return PlainTextResponse("leaving\n" if self._house.leaving else "cut off\n", 503, {"retry-after": "1"})
        return await self.page(request)

    async def is_well(self) -> bool:
        """Whether a write is on the disk within the second."""
        loop = asyncio.get_running_loop()
        if self._under_way is None:
            if loop.time() < self._well_at + FRESH_S:
                return True
            self._under_way = loop.create_future()
            self._house.store.probe(self._told, loop.call_soon_threadsafe)
        elif self._late:
            return False  # it hangs: an earlier check has waited for it in vain
        try:
            return bool(await asyncio.wait_for(asyncio.shield(self._under_way), WITHIN_S))
        except TimeoutError:
            self._late = True
            return False

    def _told(self, outcome: object) -> None:
        well, under_way = not isinstance(outcome, NotStored), self._under_way
        if well:
            self._well_at = asyncio.get_running_loop().time()
        self._under_way, self._late = None, False
        if under_way is not None and not under_way.done():
            under_way.set_result(well)
