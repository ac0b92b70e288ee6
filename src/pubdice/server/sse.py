"""Server-sent events: one stream a page, with a short queue of its own, and heartbeats for both ends."""

import asyncio
from typing import Any

MOST_BYTES = 131_072
MOST_WAITING = 64
"""Bytes, and messages, that may wait for a slow reader; then the stream ends, and the page comes back for the rest."""
HEARTBEAT = b": heartbeat\n\n"
HEAD = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store, no-transform"),
    (b"x-accel-buffering", b"no"),
]


def frame(data: bytes, seq: int | None, event: str = "") -> bytes:
    """A message of a stream. JSON holds no line ends, so it is one line of data."""
    name = b"event: " + event.encode() + b"\n" if event else b""
    number = b"id: %d\n" % seq if seq is not None else b""
    return number + name + b"data: " + data + b"\n\n"


class Stream:
    """One page's stream: messages go in at any time, and out as the reader takes them."""

    __slots__ = ("_closing", "_ready", "_waiting", "language", "person")

    def __init__(self, person: str | None, language: str) -> None:
        self.person, self.language = person, language
        self._waiting: list[bytes] = []
        self._ready = asyncio.Event()
        self._closing = False

    def put(self, data: bytes) -> None:
        """Send a message, unless the reader has fallen too far behind."""
        if len(self._waiting) >= MOST_WAITING or sum(map(len, self._waiting)) + len(data) > MOST_BYTES:
            self._waiting.clear()
            self.end()
        elif not self._closing:
            self._waiting.append(data)
            self._ready.set()

    def begin(self, data: bytes) -> None:
        """Send a message before all that wait: what the reader missed."""
        self._waiting.insert(0, b"retry: 1000\n\n" + data)

    def heartbeat(self) -> None:
        """Send a comment line, if nothing else is on the way."""
        if not self._waiting:
            self.put(HEARTBEAT)

    def end(self, last: bytes = b"") -> None:
        """Nothing more comes, but for a last message."""
        if last and not self._closing:
            self._waiting.append(last)
        self._closing = True
        self._ready.set()

    async def serve(self, receive: Any, send: Any) -> None:
        """Be the body of an ASGI response until either end is done."""
        await send({"type": "http.response.start", "status": 200, "headers": HEAD})
        gone = asyncio.ensure_future(self._listen(receive))
        try:
            while not (self._closing and not self._waiting) and not gone.done():
                if not self._waiting:
                    self._ready.clear()
                    await self._ready.wait()
                    continue
                waiting, self._waiting = self._waiting, []
                await send({"type": "http.response.body", "body": b"".join(waiting), "more_body": True})
                del waiting  # a quiet table's stream would keep what it sent last: 2 KB each
            if not gone.done():
                await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()

    async def _listen(self, receive: Any) -> None:
        """Wait until the reader is gone."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end()
