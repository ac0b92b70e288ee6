"""The security headers of every answer, and the writers that add them. Knows no page."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Protocol

from starlette.types import Message, Scope, Send

HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        b"manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),  # with no-referrer browsers post forms with "Origin: null"
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
"""The headers of every answer but the parts of a page."""
_FOR_PARTS = (b"x-content-type-options", b"cross-origin-resource-policy")
PART_HEADERS = tuple([(name, value) for name, value in HEADERS if name in _FOR_PARTS])
"""Headers of a script or a style sheet: the others say what a document may do. A page has 14 such parts, and with all
headers each took 350 bytes more: a tenth of the page."""
_PARTS = (b"text/css", b"text/javascript")
_HSTS = (b"strict-transport-security", b"max-age=31536000")
_NO_STORE = (b"cache-control", b"no-store")


class Exchange(Protocol):
    """One request at the server, to be answered once."""

    def reply(self, status: int, head: bytes, body: bytes) -> None:
        """Send an answer. head: header lines, each with its line end, but for the content's length."""


class WholeResponse:
    """An answer that is sent whole, by a callback."""

    __slots__ = ("_answered", "_exchange", "_scope")

    def __init__(self, scope: Scope, exchange: Exchange, answered: Callable[[Scope, int], None] | None) -> None:
        self._scope, self._exchange, self._answered = scope, exchange, answered

    def send(self, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> None:
        """Send the answer, with the headers that every answer has."""
        if self._answered is not None:
            self._answered(self._scope, status)
        ours = _common_headers(self._scope["scheme"] == "https", False, False)[1]
        own = b"".join([b"%b: %b\r\n" % header for header in headers])
        self._exchange.reply(status, own + ours, body)


class ResponseWriter:
    """An answer in parts: its head gets the headers that every answer has, and goes with the first part of its body."""

    __slots__ = ("_answered", "_head", "_scope", "_send", "started")

    def __init__(self, scope: Scope, send: Send, answered: Callable[[Scope, int], None] | None) -> None:
        self._scope = scope
        self._send = send
        self._answered = answered
        self._head: Message | None = None
        self.started = False

    async def __call__(self, message: Message) -> None:
        """Send a part on; the head waits for the part after it."""
        if message["type"] == "http.response.start":
            self._head = message
            return
        head, self._head = self._head, None
        if head is not None:
            self.started = True
            status, headers = head["status"], head.get("headers", ())
            kept = any(name == _NO_STORE[0] for name, _ in headers)
            part = kept and any(name == b"content-type" and value.startswith(_PARTS) for name, value in headers)
            ours, _ = _common_headers(self._scope["scheme"] == "https", kept, part)
            if self._answered is not None:
                self._answered(self._scope, status)
            await self._send({**head, "headers": [*headers, *ours]})
        await self._send(message)


@cache
def _common_headers(tls: bool, cached: bool, part: bool) -> tuple[Sequence[tuple[bytes, bytes]], bytes]:
    """The headers that an answer has besides its own, and the same as bytes.

    tls: it goes over TLS. cached: its own headers say how long it may be cached. part: it is a part of a page.
    """
    headers = [*(PART_HEADERS if part else HEADERS), *([] if cached else [_NO_STORE]), *([_HSTS] if tls else [])]
    return headers, b"".join([b"%b: %b\r\n" % header for header in headers])
