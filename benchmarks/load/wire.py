"""A phone's two connections: one for requests, one for a stream of events. It has only the HTTP/1.1 that the house
needs.

Each phone has its own address (Linux lets a process bind any address of 127/8), so the house's limits need not change.
This module knows no tables and no games.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

Answered = Callable[[int, bytes], None]
"""A function called with the status of an answer and all its bytes. The status is 0 if the connection was lost."""
Heard = Callable[[int, bytes], None]
"""A function called with the seq of each message that has one, and the bytes that came with it (most often all)."""

BROWSER = (
    "User-Agent: Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36\r\n"
    "Accept-Language: en-GB,en;q=0.9\r\nAccept-Encoding: gzip, deflate, br\r\nSec-Fetch-Site: same-origin\r\n"
    "Sec-Fetch-Mode: cors\r\n"
)
"""The headers that a browser sends with each request, as the house must read them."""


class Asker(asyncio.Protocol):
    """A connection that sends one request at a time."""

    def __init__(self) -> None:
        self.transport: Any = None
        self.open = True
        self._got = b""
        self._whole = 0
        self._bare = False
        self._answered: Answered | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self.transport = transport

    def ask(self, request: bytes, answered: Answered) -> None:
        """Send a request. ``answered`` is called with the answer."""
        self._answered, self._bare = answered, request.startswith(b"HEAD")
        self.transport.write(request)

    async def answer(self, request: bytes) -> tuple[int, bytes]:
        """Send a request. Return the status and the bytes of its answer."""
        told: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        self.ask(request, lambda status, got: told.set_result((status, got)))
        return await told

    def data_received(self, data: bytes) -> None:
        """Take an answer, or a part of it."""
        got = self._got = self._got + data if self._got else data
        if not self._whole:
            head = got.find(b"\r\n\r\n")
            if head < 0:
                return
            at = -1 if self._bare else got.find(b"content-length: ", 0, head)
            self._whole = head + 4 + (int(got[at + 16 : got.find(b"\r", at)]) if at >= 0 else 0)
        if len(got) >= self._whole:
            self._got, self._whole, answered, self._answered = b"", 0, self._answered, None
            if answered is not None:
                answered(int(got[9:12]), got)

    def connection_lost(self, exc: Exception | None) -> None:
        """Report status 0 for a request under way. The house closes connections that are unused for a while."""
        self.open = False
        if self._answered is not None:
            answered, self._answered = self._answered, None
            answered(0, b"")


class Listener(asyncio.Protocol):
    """A stream of events. Only their numbers are read: no line of JSON begins with ``id:``."""

    __slots__ = ("_heard", "_tail", "messages", "opened", "size", "transport")

    def __init__(self, heard: Heard, opened: Callable[[], None]) -> None:
        self._heard, self._tail, self.opened = heard, b"", opened
        self.transport: Any = None
        self.messages = self.size = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Take messages, or parts of some."""
        if not self.size:
            if not data.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(f"no stream: {data[:200]!r}")
            self.opened()
        self.size += len(data)
        if self._tail:
            data = self._tail + data
        at = data.find(b"\nid: ")
        while at >= 0:
            end = data.find(b"\n", at + 5)
            if end < 0:
                self._tail = data[at:]
                return
            self.messages += 1
            self._heard(int(data[at + 5 : end]), data)
            at = data.find(b"\nid: ", end)
        self._tail = b"" if data.endswith(b"\n\r\n") else data[-4:]


class Phone:
    """A browser: its address, its cookie, and its two connections."""

    def __init__(self, house: "Address", number: int) -> None:
        self.house = house
        self.address = f"127.{1 + number // 62500}.{number // 250 % 250}.{1 + number % 250}"
        self.cookie = ""
        self.asker: Asker | None = None
        self.listener: Listener | None = None

    def request(self, method: str, path: str, body: bytes = b"", accept: str = "*/*") -> bytes:
        """Return a request's bytes."""
        lines = f"{method} {path} HTTP/1.1\r\nHost: {self.house.host}\r\n{BROWSER}Accept: {accept}\r\n"
        if self.cookie:
            lines += f"Cookie: pubdice={self.cookie}; name=Ann\r\n"
        if body:
            lines += (
                f"Origin: http://{self.house.host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            )
        return f"{lines}\r\n".encode() + body

    async def connect(self) -> None:
        """Open the connection for requests."""
        if self.asker is None or not self.asker.open:
            self.asker = await self.connected(Asker)

    async def ask(self, method: str, path: str, body: bytes = b"", accept: str = "*/*") -> tuple[int, bytes]:
        """Send a request, and return the status and bytes of its answer. A cookie is kept."""
        return await self.send(self.request(method, path, body, accept))

    async def send(self, request: bytes) -> tuple[int, bytes]:
        """Send the bytes of a request, as ``ask`` does."""
        await self.connect()
        assert self.asker is not None, "it is connected"
        status, got = await self.asker.answer(request)
        at = got.find(b"set-cookie: pubdice=")
        if at >= 0:
            self.cookie = got[at + 20 : got.find(b";", at)].decode()
        return status, got

    async def listen(self, code: str, heard: Heard) -> None:
        """Open the stream of a table, from its current event on. Returns once the first bytes are there."""
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.listener is not None:
            self.listener.transport.close()
        self.listener = await self.connected(lambda: Listener(heard, lambda: opened.set_result(None)))
        self.listener.transport.write(self.request("GET", f"/t/{code}/events", accept="text/event-stream"))
        await opened

    def deafen(self) -> None:
        """Close the stream."""
        if self.listener is not None:
            self.listener.transport.close()
            self.listener = None

    def leave(self) -> None:
        """Close both connections."""
        self.deafen()
        if self.asker is not None:
            self.asker.transport.close()
            self.asker = None

    async def connected(self, protocol: Callable[[], Any]) -> Any:
        """Open one more connection, from this phone's address."""
        loop = asyncio.get_running_loop()
        line = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        line.setblocking(False)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.bind((self.address, 0))
        await loop.sock_connect(line, ("127.0.0.1", self.house.port))
        return (await loop.create_connection(protocol, sock=line))[1]


class Address:
    """The house's address."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.host = f"127.0.0.1:{port}"


def body_of(got: bytes) -> bytes:
    """Return the body of an answer."""
    return got[got.find(b"\r\n\r\n") + 4 :]
