"""Server-sent events: one stream a page, with a short queue of its own, and heartbeats for both ends."""

import asyncio
from collections.abc import Coroutine, Generator
from types import coroutine
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
    """One page's stream: messages go in at any time, and out as the reader takes them.

    A message is sent at once; only where the reader is slow does a task wait until it takes more. With an event to wait
    for and a second task all the time, 2,000 quiet streams took 4 MB more (144 MB beside 140, ``benchmarks.cluster
    phones``); a task for each message took a tenth of the time of telling four pages of a move.
    """

    __slots__ = ("_closing", "_fault", "_send", "_sending", "_serving", "_waiting", "language", "person")

    def __init__(self, person: str | None, language: str) -> None:
        self.person, self.language = person, language
        self._waiting: list[bytes] = []
        self._closing = False
        self._fault: Exception | None = None
        self._send: Any = None
        self._sending: asyncio.Task[None] | None = None
        self._serving: asyncio.Task[Any] | None = None

    def put(self, data: bytes) -> None:
        """Send a message, unless the reader has fallen too far behind."""
        if len(self._waiting) >= MOST_WAITING or sum(map(len, self._waiting)) + len(data) > MOST_BYTES:
            self._waiting.clear()
            self.end()
        elif not self._closing:
            self._waiting.append(data)
            self._flush()

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
        self._flush()

    async def serve(self, receive: Any, send: Any) -> None:
        """Be the body of an ASGI response until either end is done; of both ``receive`` tells."""
        await send({"type": "http.response.start", "status": 200, "headers": HEAD})
        self._send, self._serving = send, asyncio.current_task()
        try:
            self._flush()
            if self._fault is not None:
                raise self._fault
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            if self._fault is not None:
                raise self._fault from None
            raise
        finally:  # a task that is done, or was cancelled before it began, would keep all of this in a cycle
            self._send = self._serving = self._fault = None
            sending, self._sending = self._sending, None
            if sending is not None:
                sending.cancel()

    def _flush(self) -> None:
        """Send what waits, unless that is under way: as much as the reader takes now, and by a task what is left."""
        if self._send is None or self._sending is not None:
            return
        sending = self._send_waiting(self._send)
        try:
            waits_for = sending.send(None)
        except StopIteration:
            return
        self._sending = asyncio.ensure_future(_go_on(sending, waits_for))

    async def _send_waiting(self, send: Any) -> None:
        try:
            while self._waiting:
                waiting, self._waiting = self._waiting, []
                await send({"type": "http.response.body", "body": b"".join(waiting), "more_body": True})
            if self._closing:
                self._send = None
                await send({"type": "http.response.body", "body": b""})
        except Exception as error:  # noqa: BLE001 - what it is, the task that serves the request raises it
            self._fault = error
            if self._serving is not None and self._serving is not asyncio.current_task():
                self._serving.cancel()
        finally:
            self._sending = None


@coroutine
def _go_on(begun: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    """Go on with a coroutine that has begun, from what it waits for; Python 3.12 has ``Task(eager_start=True)``."""
    heard, fault = None, None
    while True:
        try:
            heard = yield waits_for
        except BaseException as error:  # noqa: BLE001 - the coroutine's own: it was cancelled
            fault = error
        try:
            waits_for = begun.send(heard) if fault is None else begun.throw(fault)
        except StopIteration:
            return
        finally:
            fault = None  # its traceback has this frame: together they would be a cycle
