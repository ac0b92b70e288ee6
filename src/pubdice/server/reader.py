"""How the house reads HTTP: uvicorn's httptools reader, with bounds on a request's head. Knows no app.

As it is it waits for a head for ever, and takes one of any size. A head that comes in pieces is measured as they come,
before its lines are whole; one that comes all at once, line by line as it is read.
"""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pubdice.server.guard import MOST_HEAD
from pubdice.server.stream import PIPE

HEAD_WITHIN_S = 15.0


class Reader(HttpToolsProtocol):
    """A connection. One whose request's head is late is closed; one too large is no request."""

    _late: asyncio.TimerHandle | None = None
    _heard_bytes = _read_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there."""
        super().connection_made(transport)
        self._await_head()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.scope["extensions"] = {PIPE: {"transport": self.transport}}
        self._await_head()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A line of the head; what is raised here makes the request an invalid one."""
        self._read_bytes += len(name) + len(value)
        if self._read_bytes > MOST_HEAD:
            raise ValueError("head too large")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._end_head()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._end_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes of whatever it is."""
        super().data_received(data)
        if self._late is not None:  # the head goes on
            self._heard_bytes += len(data)
            if self._heard_bytes > MOST_HEAD:
                self.send_400_response("Request header too large.")

    def _await_head(self) -> None:
        self._end_head()
        self._late = self.loop.call_later(HEAD_WITHIN_S, self.transport.close)

    def _end_head(self) -> None:
        self._heard_bytes = self._read_bytes = 0
        if self._late is not None:
            self._late.cancel()
            self._late = None
