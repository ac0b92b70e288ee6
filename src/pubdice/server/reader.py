"""How the house reads and answers HTTP: uvicorn's httptools protocol, with bounds and short ways. Knows no app.

As it is it waits for a head for ever, and takes one of any size. A head that comes in pieces is measured as they come;
one that comes all at once, once it is read. A body that came with its head is handed over with the request, and an
answer that is whole goes out in one piece.
"""

import asyncio
from collections.abc import Iterable
from weakref import ref

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from pubdice.server.guard import BODY, MOST_BODY, MOST_HEAD
from pubdice.server.stream import PIPE

HEAD_WITHIN_S = 15.0


class Pipe:
    """The connection of one request, lent to whoever answers it.

    The cycle holds the scope, in which this stands: it is only referred to, so that nothing has to look for cycles.
    """

    __slots__ = ("_cycle", "transport")

    def __init__(self, transport: asyncio.Transport, cycle: RequestResponseCycle) -> None:
        self.transport, self._cycle = transport, ref(cycle)

    def answer(self, status: int, headers: Iterable[tuple[bytes, bytes]], more: bytes, body: bytes) -> bool:
        """Send an answer whole, if it can be done so; else False, and nothing is sent.

        headers: the content's length among them. more: further ones, as they are written.
        """
        cycle = self._cycle()
        if cycle is None or cycle.response_started or cycle.disconnected:
            return False
        if not cycle.keep_alive or cycle.flow.write_paused or cycle.scope["method"] == "HEAD":
            return False
        lines = [b"%b: %b\r\n" % header for header in (*cycle.default_headers, *headers)]
        head = b"".join(lines)
        whole = b"content-length: %d\r\n" % len(body) in lines and b"connection: " not in head
        if not whole or head.count(b"\n") != len(lines) or head.count(b"\r") != len(lines):
            return False  # the server sees to those, and to headers with a line end within
        cycle.response_started = cycle.response_complete = True
        self.transport.write(b"%b%b%b\r\n%b" % (STATUS_LINE[status], head, more, body))
        cycle.message_event.set()
        cycle.on_response()
        return True


class Reader(HttpToolsProtocol):
    """A connection. One whose request's head is late is closed; one too large is no request."""

    _late: asyncio.TimerHandle | None = None
    _in_head = False
    _heard_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there."""
        super().connection_made(transport)
        self._await_head()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head = True

    def on_headers_complete(self) -> None:
        """The head is whole; what is raised here makes the request an invalid one."""
        self._end_head()
        if sum([len(name) + len(value) for name, value in self.headers]) > MOST_HEAD:
            raise ValueError("head too large")
        scope = self.scope
        super().on_headers_complete()
        if self.cycle.scope is scope:  # else it is to become another protocol
            scope[PIPE] = Pipe(self.transport, self.cycle)  # type: ignore[literal-required]

    def on_message_complete(self) -> None:
        """The body is whole."""
        super().on_message_complete()
        cycle = self.cycle
        if 0 < len(cycle.body) <= MOST_BODY:
            cycle.scope[BODY] = bytes(cycle.body)  # type: ignore[literal-required]

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._end_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes of whatever it is."""
        super().data_received(data)
        if self._in_head and self._late is None:
            self._await_head()
        if self._late is not None:  # the head goes on
            self._heard_bytes += len(data)
            if self._heard_bytes > MOST_HEAD:
                self.send_400_response("Request header too large.")

    def _await_head(self) -> None:
        self._late = self.loop.call_later(HEAD_WITHIN_S, self.transport.close)

    def _end_head(self) -> None:
        self._in_head, self._heard_bytes = False, 0
        if self._late is not None:
            self._late.cancel()
            self._late = None
