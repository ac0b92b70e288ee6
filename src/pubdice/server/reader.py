"""How the house reads and answers HTTP: uvicorn's httptools protocol, with bounds and short ways. Knows no app.

As it is it waits for a head for ever, takes one of any size, and as many requests as come before the first is answered;
what follows a body counts as its head, and what follows an ``Upgrade`` as a request. Here every part has a bound, and
where it is not clear what the bytes mean the connection ends: whoever asked does not know what became of it, and asks
again under the same key. A body that came with its head is handed over with the request, and an answer that is whole
goes out in one piece.
"""

import asyncio
from collections.abc import Iterable
from weakref import ref

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from pubdice.server.guard import BODY, MOST_BODY, MOST_HEAD
from pubdice.server.stream import PIPE

HEAD_WITHIN_S = 15.0
"""A head has so long to come; what else comes outside of a request, or after its answer, has too."""
MOST_REQUEST = 262_144
"""Bytes of a request, however it is cut into chunks and whatever follows it."""
SLICE = 16_384
"""Bytes that are read at once."""
MOST_AHEAD = 16
"""Requests that may wait for the one before to be answered."""


class Pipe:
    """The connection of one request, lent to whoever answers it.

    The cycle holds the scope, in which this stands: it is only referred to, so that nothing has to look for cycles.
    """

    __slots__ = ("_cycle", "transport")

    def __init__(self, transport: asyncio.Transport, cycle: RequestResponseCycle) -> None:
        self.transport, self._cycle = transport, ref(cycle)

    @property
    def is_gone(self) -> bool:
        """Whether there is nobody any more to answer."""
        cycle = self._cycle()
        if cycle is not None and self.transport.is_closing():
            cycle.disconnected = True  # the server is to write no more either
        return cycle is None or cycle.disconnected

    def answer(self, status: int, headers: Iterable[tuple[bytes, bytes]], more: bytes, body: bytes) -> bool:
        """Send an answer whole, if it can be done so; else False, and nothing is sent.

        headers: the content's length among them. more: further ones, as they are written.
        """
        cycle = self._cycle()
        if cycle is None or cycle.response_started or self.is_gone:
            return False
        if not cycle.keep_alive or cycle.flow.write_paused or cycle.scope["method"] == "HEAD":
            return False
        lines = [b"%b: %b\r\n" % header for header in (*cycle.default_headers, *headers)]
        head = b"".join(lines)
        whole = b"content-length: %d\r\n" % len(body) in lines and b"connection: " not in head
        if not whole or head.count(b"\n") != len(lines) or head.count(b"\r") != len(lines):
            return False  # the server sees to those, and to headers with a line end within
        cycle.response_started, cycle.response_complete, cycle.waiting_for_100_continue = True, True, False
        self.transport.write(b"%b%b%b\r\n%b" % (STATUS_LINE[status], head, more, body))
        cycle.message_event.set()
        cycle.on_response()
        return True


class Reader(HttpToolsProtocol):
    """A connection. One whose request's head is late is closed; one too large is no request."""

    _late: asyncio.TimerHandle | None = None
    _in_head = _in_request = _deaf = False
    _begun = _heard_bytes = _trailed_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there."""
        super().connection_made(transport)
        self._await()

    def data_received(self, data: bytes) -> None:
        """Some bytes of whatever it is, a slice at a time: of each it is known which request it belongs to."""
        for at in range(0, len(data), SLICE):
            self._take_in(data[at : at + SLICE])

    def _take_in(self, data: bytes) -> None:
        if self._deaf or self.transport.is_closing():
            return
        goes_on, heard_before, self._begun = self._in_request, self._heard_bytes, 0
        super().data_received(data)
        if goes_on and self._begun and heard_before + len(data) > MOST_REQUEST + SLICE:
            self.transport.close()  # it was too long, although it has ended and another has begun
            return
        if self._in_request and self._begun < (1 if goes_on else 2):  # else some are another request's
            self._heard_bytes += len(data)
            if self._in_head and self._heard_bytes > MOST_HEAD:
                self.send_400_response("Request header too large.")
            elif self._heard_bytes > MOST_REQUEST:
                self.transport.close()
        cycle: RequestResponseCycle | None = self.cycle
        answered = cycle is None or cycle.response_complete
        if (self._in_head or answered) and self._late is None and self.timeout_keep_alive_task is None:
            self._await()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head = self._in_request = True
        self._begun, self._heard_bytes, self._trailed_bytes = self._begun + 1, 0, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """A line of the head; of what follows a body nothing is kept."""
        if self._in_head:
            super().on_header(name, value)
            return
        self._trailed_bytes += len(name) + len(value)
        if self._trailed_bytes > MOST_BODY:
            raise ValueError("too much after the body")

    def on_headers_complete(self) -> None:
        """The head is whole; what is raised here makes the request an invalid one."""
        self._in_head = False
        self._wait_no_more()
        if sum([len(name) + len(value) for name, value in self.headers]) > MOST_HEAD:
            raise ValueError("head too large")
        if len(self.pipeline) >= MOST_AHEAD:
            raise ValueError("too many requests ahead")
        upgrade = self.parser.should_upgrade()
        if upgrade and any(name in (b"content-length", b"transfer-encoding") for name, _ in self.headers):
            raise ValueError("a body that would be read in another protocol")
        scope = self.scope
        super().on_headers_complete()
        scope[PIPE] = Pipe(self.transport, self.cycle)  # type: ignore[literal-required]
        if upgrade:  # to what is not spoken here: it is answered as it is, and nothing after it is a request
            self._deaf, self.cycle.keep_alive = True, False

    def on_message_complete(self) -> None:
        """The request is whole."""
        super().on_message_complete()
        self._in_request = False
        cycle = self.cycle
        if 0 < len(cycle.body) <= MOST_BODY:
            cycle.scope[BODY] = bytes(cycle.body)  # type: ignore[literal-required]

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._wait_no_more()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, unless that would be taken for the answer to the one before it.

        Then those before it are answered, and after them the connection is closed.
        """
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete or (cycle.more_body and not self.pipeline):
            super().send_400_response(msg)
        elif cycle.more_body:
            self.transport.close()
        else:
            self._deaf, cycle.keep_alive = True, False

    def _unsupported_upgrade_warning(self) -> None:
        """No news: browsers and libraries ask for other protocols in passing."""

    def _await(self) -> None:
        self._late = self.loop.call_later(HEAD_WITHIN_S, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
