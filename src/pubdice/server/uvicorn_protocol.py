"""Reads and answers HTTP: uvicorn's httptools protocol, with bounds and short ways. Knows no app.

uvicorn has no timeout for a request's head (slowloris), no limit on its size, and none on pipelined requests. It reads
trailers as headers, and parses the bytes after ``Upgrade`` as a request (request smuggling). Here each part has a
bound, and a connection with ambiguous bytes is closed. The client then can't know if its command was carried out, and
sends it again under the same idempotency key. A body that came with its head is passed on with the request, and a whole
answer goes out in one piece.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from pubdice.server.web.guard import BODY, MOST_BODY, MOST_HEAD

HEAD_WITHIN_S = 15.0
"""The time for a head to arrive, and for any other bytes between requests or after an answer."""
MOST_REQUEST = 262_144
"""The most bytes of a request on the wire: its head, its body with the sizes of chunks, and its trailers."""
SLICE = 16_384
"""The most bytes fed to the parser at once."""
MOST_AHEAD = 16
"""The most requests of one connection that may wait for an earlier one."""


class DirectExchange:
    """One request of a connection, answered in one write."""

    __slots__ = ("_cycle", "_transport")

    def __init__(self, transport: asyncio.Transport, cycle: RequestResponseCycle) -> None:
        self._transport, self._cycle = transport, cycle

    def reply(self, status: int, head: bytes, body: bytes) -> None:
        """Send the answer, unless the client has gone. ``head`` has the header lines without the content's length."""
        cycle = self._cycle
        cycle.response_started = cycle.response_complete = True
        if cycle.disconnected or self._transport.is_closing():
            return
        ours = b"".join([b"%b: %b\r\n" % header for header in cycle.default_headers])
        closing = b"" if cycle.keep_alive else b"connection: close\r\n"
        length = b"content-length: %d\r\n\r\n" % len(body)
        self._transport.write(b"".join((STATUS_LINE[status], ours, head, closing, length, body)))
        if not cycle.keep_alive:
            self._transport.close()
        cycle.on_response()


class Trailers(list[tuple[bytes, bytes]]):
    """The lines after a body (trailers), in the place of uvicorn's list of headers. Counted in bytes and dropped."""

    _bytes = 0

    def append(self, header: tuple[bytes, bytes]) -> None:
        """Count one more line. Raises ValueError if the lines have too many bytes."""
        self._bytes += sum(map(len, header))
        if self._bytes > MOST_BODY:
            raise ValueError("too much after the body")


class LazyFlow(FlowControl):
    """Flow control of one connection. Its asyncio.Event (0.7 KB) is made only once an answer waits."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self.read_paused = self.write_paused = False
        self._writable: asyncio.Event | None = None

    async def drain(self) -> None:
        """Wait until the client takes more."""
        if self.write_paused:
            self._writable = self._writable or asyncio.Event()
            await self._writable.wait()

    def pause_writing(self) -> None:
        """Note that the client takes no more for now."""
        self.write_paused = True

    def resume_writing(self) -> None:
        """Let waiting answers go on, as the client takes more."""
        self.write_paused = False
        if self._writable is not None:
            self._writable.set()
            self._writable = None


class BoundedProtocol(HttpToolsProtocol):
    """A connection. It is closed if a request's head is late or the request too large.

    A phone keeps two connections open for hours, so this class has slots. With more than 30 attributes beside uvicorn's
    28, each connection would have a dict of its own (792 bytes).
    """

    __slots__ = (
        "_begun",
        "_head_ends",
        "_heard_bytes",
        "_held",
        "_ignores_input",
        "_in_head",
        "_in_request",
        "_in_task",
        "_late",
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._late: asyncio.TimerHandle | None = None
        self._in_head = self._in_request = self._ignores_input = self._head_ends = False
        self._begun = self._heard_bytes = 0
        self._held: tuple[RequestResponseCycle, Any] | None = None
        self._in_task: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer: the first head must arrive within ``HEAD_WITHIN_S``."""
        super().connection_made(transport)
        self.flow = LazyFlow(transport)
        self._await()

    def data_received(self, data: bytes) -> None:
        """Feed bytes to the parser a slice at a time, so the request of each byte is known."""
        for at in range(0, len(data), SLICE):
            self._take_in(data[at : at + SLICE])

    def _take_in(self, data: bytes) -> None:
        if self._ignores_input or self.transport.is_closing():
            return
        goes_on, heard_before, self._begun = self._in_request, self._heard_bytes, 0
        super().data_received(data)
        if self._held is not None:  # the body is still to come, perhaps slowly: the app's task gives it 10 s
            held, self._held = self._held, None
            self._start_task(*held)
        if goes_on and self._begun and heard_before + len(data) > MOST_REQUEST + SLICE:
            self.transport.close()  # the request was too long, although it has ended and the next one has begun
            return
        if self._in_request and self._begun < (1 if goes_on else 2):  # else some bytes belong to another request
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
        """Note that a request begins. Its bytes are counted from here."""
        super().on_message_begin()
        self._in_head = self._in_request = True
        self._begun, self._heard_bytes = self._begun + 1, 0

    def on_headers_complete(self) -> None:
        """Check the whole head. An error raised here makes the request invalid."""
        self._in_head = False
        self._wait_no_more()
        if sum([len(name) + len(value) for name, value in self.headers]) > MOST_HEAD:
            raise ValueError("head too large")
        if len(self.pipeline) >= MOST_AHEAD:
            raise ValueError("too many requests ahead")
        upgrade = self.parser.should_upgrade()
        if upgrade and any(name in (b"content-length", b"transfer-encoding") for name, _ in self.headers):
            raise ValueError("a body that would be read in another protocol")
        self._head_ends = True
        super().on_headers_complete()
        self._head_ends = False
        self.headers = Trailers()  # the scope keeps the headers of the head
        if upgrade:  # no other protocol is spoken here: the request is answered, and the bytes after it are ignored
            self._ignores_input, self.cycle.keep_alive = True, False

    def on_message_complete(self) -> None:
        """Pass the body on with the request, if the body is small enough."""
        super().on_message_complete()
        self._in_request = False
        cycle = self.cycle
        if 0 < len(cycle.body) <= MOST_BODY:
            cycle.scope[BODY] = bytes(cycle.body)  # type: ignore[literal-required]
        if self._held is not None:
            held, self._held = self._held, None
            self._start_asgi_task(*held)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Start to answer a request: by a callback if the app can (``Guard.submit``), else in a task as uvicorn does.

        A request whose head has just ended is held, in case its body came in the same read.
        """
        if cycle.scope["method"] == "POST":
            if self._head_ends:
                self._held = cycle, app
                return
            submit, body = getattr(app, "submit", None), cycle.scope.get(BODY)
            reads = not self.flow.write_paused  # a client that does not read has to wait, which only a task can
            exchange = DirectExchange(self.transport, cycle)
            if submit is not None and body and reads and submit(cycle.scope, body, exchange):
                return
        self._start_task(cycle, app)

    def _start_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._in_task = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Drop the answered request. Otherwise it would take 2 KB for each phone that waits for its turn."""
        super().on_response_complete()
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and cycle.response_complete and not self._in_request:
            self.cycle = self.scope = self._in_task = None  # type: ignore[assignment]

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the request that is being answered that the client has gone.

        uvicorn tells only the request that was read last. A stream with a request pipelined behind it would go on for
        8 s.
        """
        self._wait_no_more()
        super().connection_lost(exc)
        cycle = self._in_task
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        self.cycle = self._in_task = None  # type: ignore[assignment]  # each knows the other: freed at once, with no collection

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not a request, unless the client would take the refusal for an earlier answer.

        In that case, answer the earlier requests, and close the connection after them.
        """
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete or (cycle.more_body and not self.pipeline):
            super().send_400_response(msg)
        elif cycle.more_body:
            self.transport.close()
        else:
            self._ignores_input, cycle.keep_alive = True, False

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: browsers and libraries ask for other protocols in passing."""

    def _await(self) -> None:
        self._late = self.loop.call_later(HEAD_WITHIN_S, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
