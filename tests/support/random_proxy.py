"""A proxy that sends each request to a house drawn at random: nobody has to stay with one.

Every request has a connection of its own on both sides, so that none is bound to a house by the one before.
"""

import asyncio
import random
import re
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

MOST_HEAD = 1 << 16
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_KEPT = re.compile(rb"\r\nconnection:[^\r]*", re.IGNORECASE)


class RandomProxy:
    """Listens on a port of its own. asked: how many requests each house's port got."""

    def __init__(self, ports: Sequence[int], seed: str) -> None:
        self.port = 0
        self.asked: Counter[int] = Counter()
        self._ports, self._source = ports, random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._listening: asyncio.Server | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        self._listening = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0, limit=MOST_HEAD), self._loop
        ).result(5)
        self.port = int(self._listening.sockets[0].getsockname()[1])
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    async def _end(self) -> None:
        assert self._listening is not None
        self._listening.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            body = await reader.readexactly(int(length[1])) if length else b""
            house, to_house = await self._connected()
            to_house.write(_KEPT.sub(b"", head[:-4]) + b"\r\nConnection: close\r\n\r\n" + body)
            answering = asyncio.ensure_future(_pass(house, writer))
            leaving = asyncio.ensure_future(reader.read(1))
            try:  # the side that ends first ends both: a stream is over when its page has gone
                await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
            finally:
                answering.cancel()
                leaving.cancel()
                to_house.close()
        writer.close()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to a house drawn at random, or to another if that one is down."""
        ports = self._source.sample(self._ports, len(self._ports))
        for port in ports[:-1]:
            with suppress(OSError):
                line = await asyncio.open_connection("127.0.0.1", port)
                self.asked[port] += 1
                return line
        self.asked[ports[-1]] += 1
        return await asyncio.open_connection("127.0.0.1", ports[-1])


async def _pass(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
