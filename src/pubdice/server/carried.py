"""What every answer carries, and how it comes to carry it on its way out. Knows no reason for an answer and no page."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import Message, Scope, Send

from pubdice.server.stream import PIPE

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
"""What every answer carries, but for parts of a page."""
_FOR_PARTS = (b"x-content-type-options", b"cross-origin-resource-policy")
PART_HEADERS = tuple([(name, value) for name, value in HEADERS if name in _FOR_PARTS])
"""What a script or a style sheet carries: the others say what a document may do. A page has 14 such parts, and with all
headers each took 350 bytes more: a tenth of the page."""
_PARTS = (b"text/css", b"text/javascript")
_HSTS = (b"strict-transport-security", b"max-age=31536000")
_NO_STORE = (b"cache-control", b"no-store")


class Answer:
    """An answer on its way out: its head gets what every answer carries, and goes with the first of its body."""

    __slots__ = ("_answered", "_head", "_scope", "_send", "started")

    def __init__(self, scope: Scope, send: Send, answered: Callable[[Scope, int], None] | None) -> None:
        self._scope = scope
        self._send = send
        self._answered = answered
        self._head: Message | None = None
        self.started = False

    async def __call__(self, message: Message) -> None:
        """Send a part of it on, the head with the part after it. Raises ClientDisconnect where nobody is there."""
        if message["type"] == "http.response.start":
            self._head = message
            return
        head, self._head = self._head, None
        if head is not None:
            self.started = True
            status, headers = head["status"], head.get("headers", ())
            kept = any(name == _NO_STORE[0] for name, _ in headers)
            part = kept and any(name == b"content-type" and value.startswith(_PARTS) for name, value in headers)
            ours, written = _carried(self._scope["scheme"] == "https", kept, part)
            if self._answered is not None:
                self._answered(self._scope, status)
            pipe: Any = self._scope.get(PIPE)
            if pipe is not None and pipe.is_gone:
                raise ClientDisconnect
            whole = pipe is not None and not message.get("more_body", False)
            if whole and pipe.answer(status, headers, written, message.get("body", b"")):
                return
            await self._send({**head, "headers": [*headers, *ours]})
        await self._send(message)


@cache
def _carried(tls: bool, cached: bool, part: bool) -> tuple[Sequence[tuple[bytes, bytes]], bytes]:
    """What an answer carries besides its own, also as it is written.

    tls: it goes over TLS. cached: it says itself how long it keeps. part: it is a part of a page, not a document.
    """
    headers = [*(PART_HEADERS if part else HEADERS), *([] if cached else [_NO_STORE]), *([_HSTS] if tls else [])]
    return headers, b"".join([b"%b: %b\r\n" % header for header in headers])
