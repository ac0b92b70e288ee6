"""The guard before every page: ASGI middleware that checks each request. Knows no tables and no people.

First it finds the client's address. X-Forwarded-For counts only from a named proxy. Then it refuses, in this order:
more requests than ``admit`` allows, a Host header other than the house's names (DNS rebinding), methods other than GET,
HEAD and POST, long or unreadable addresses, a POST with a forged or foreign origin (CSRF), and large or slow bodies.

It reads a body whole before it calls the app, so an app never sees half a request. An error in the app becomes one
sentence and a log entry. Streams pass through unchanged, but with the same security headers as any answer.
"""

import asyncio
import html
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Protocol

import msgspec
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pubdice.server.shared_lock import needed_by_others
from pubdice.server.web.limits import block_of, retry_after
from pubdice.server.web.trusted_hosts import (
    HeaderValues,
    Proxies,
    apply_forwarded_headers,
    client_address,
    is_allowed_host,
    is_same_origin,
)
from pubdice.server.web.turns import Turns
from pubdice.server.wire import Refusal

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
    (b"permissions-policy", b"camera=(self), geolocation=(), microphone=(), payment=(), usb=()"),
)
"""The headers that the guard adds to every answer, except to scripts and style sheets."""
_FOR_PARTS = (b"x-content-type-options", b"cross-origin-resource-policy")
PART_HEADERS = tuple([(name, value) for name, value in HEADERS if name in _FOR_PARTS])
"""The headers that the guard adds to a script or a style sheet. The rest of ``HEADERS`` only concerns documents. A page
has 14 such parts. With all headers, each part took 350 bytes more: a tenth of the page.
"""
_PARTS = (b"text/css", b"text/javascript")
_HSTS = (b"strict-transport-security", b"max-age=31536000")
_NO_STORE = (b"cache-control", b"no-store")


class Exchange(Protocol):
    """One request at the server, to be answered once."""

    def reply(self, status: int, head: bytes, body: bytes) -> None:
        """Send an answer. head: header lines, each with its line end, without Content-Length."""


class WholeResponse:
    """An answer that is sent whole, by a callback. If ``turns`` is set, it counts a move under way until the answer is
    sent.
    """

    __slots__ = ("_answered", "_exchange", "_scope", "turns")

    def __init__(self, scope: Scope, exchange: Exchange, answered: Callable[[Scope, int], None] | None) -> None:
        self._scope, self._exchange, self._answered = scope, exchange, answered
        self.turns: Turns | None = None

    def send(self, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> None:
        """Send the answer, with the guard's headers."""
        if self.turns is not None:
            self.turns.move_ends()
        if self._answered is not None:
            self._answered(self._scope, status)
        ours = _common_headers(self._scope["scheme"] == "https", False, False)[1]
        own = b"".join([b"%b: %b\r\n" % header for header in headers])
        self._exchange.reply(status, own + ours, body)


class ResponseWriter:
    """An answer in parts. Its head gets the guard's headers, and goes with the first part of the body."""

    __slots__ = ("_answered", "_head", "_scope", "_send", "started")

    def __init__(self, scope: Scope, send: Send, answered: Callable[[Scope, int], None] | None) -> None:
        self._scope = scope
        self._send = send
        self._answered = answered
        self._head: Message | None = None
        self.started = False

    async def __call__(self, message: Message) -> None:
        """Send an ASGI message on. The head waits for the first part of the body."""
        if message["type"] == "http.response.start":
            self._head = message
            return
        head, self._head = self._head, None
        if head is not None:
            self.started = True
            status, headers = head["status"], head.get("headers", ())
            # An answer with its own caching header keeps it. All others must not be stored.
            kept = any(name == _NO_STORE[0] for name, _ in headers)
            part = kept and any(name == b"content-type" and value.startswith(_PARTS) for name, value in headers)
            ours, _ = _common_headers(self._scope["scheme"] == "https", kept, part)
            if self._answered is not None:
                self._answered(self._scope, status)
            await self._send({**head, "headers": [*headers, *ours]})
        await self._send(message)


@cache
def _common_headers(tls: bool, cached: bool, part: bool) -> tuple[Sequence[tuple[bytes, bytes]], bytes]:
    """Return the headers that the guard adds to an answer, as pairs and as bytes. ``cached``: the answer has a caching
    header of its own. ``part``: the answer is a script or a style sheet.
    """
    headers = [*(PART_HEADERS if part else HEADERS), *([] if cached else [_NO_STORE]), *([_HSTS] if tls else [])]
    return headers, b"".join([b"%b: %b\r\n" % header for header in headers])


BODY = "pubdice.body"
"""The scope's key of the body, which the guard or the server has read: ``MOST_BODY`` bytes at most."""
POCKET = "pubdice.pocket"
"""The scope's key of a flag: the house is a pocket, on one device that no other can reach."""
NEAR = "pubdice.near"
"""The scope's key of a flag: the house is on a phone, and other phones are its guests."""
HEADER_VALUES = "pubdice.asked"
"""The scope's key of the request's headers by name (``HeaderValues``)."""
STREAM = "pubdice.stream"
"""The scope's key of an answer that goes on for hours, as a coroutine function of receive and send. The guard runs it
once the app has returned: the framework's stack frames would cost 10 KB a stream.
"""
MOST_BODY = 4096
OF_STREAMS = ("type", "http_version", "method", "scheme", "path", "query_string", "client", "root_path", "route")
"""The keys of a stream's scope that are kept while the stream goes on."""
MOST_HEARD = 65_536
"""The most bytes read of a body that is too large. Many clients send the whole body before they read the refusal."""
MOST_TARGET = 8_192
"""The most bytes of a path with its query. A record of 5,000 characters takes 7,500 of them."""
MOST_NAMES = 100
MOST_HEAD = 16_384
BODY_WITHIN_S = 10.0
CROWDED_S = 1.0
"""The delay before the refusal of a request whose address already has too many waiting."""
METHODS = ("GET", "HEAD", "POST")
VERSIONS = ("1.0", "1.1", "2")
"""The versions of HTTP that the guard accepts. Older versions have no headers."""

REFUSALS: dict[str, tuple[int, str]] = {
    "unreadable": (400, "The browser sent something unreadable. Try again."),
    "cross-origin": (403, "Blocked: that came from another website."),
    "method": (405, "Only GET, HEAD and POST work here."),
    "slow": (408, "The rest of the request didn't arrive in time."),
    "too-large": (413, "That's too much at once."),
    "address-long": (414, "That address is too long."),
    "host": (421, "pubdice doesn't know this address. The person who runs it can add it with --address."),
    "too-many": (429, "Too fast. Wait a moment."),
    "fault": (500, "Something went wrong. Nothing was changed."),
}
"""The guard's refusals: the status and the sentence of each code."""

Look = Callable[[Scope, int, str, str], tuple[str, bytes]]
"""A function that makes a refusal's content type and body from a scope, a status, a code and its sentence."""
ReadCommand = Callable[[Scope, HeaderValues, bytes, WholeResponse], Callable[[], None] | None]
"""A function that reads the command in a request. It returns a function that carries the command out, to be called
after the checks. None if the request is no command.
"""


class Guard:
    """An app behind the guard.

    ``names`` are host names of the house, besides addresses and localhost. ``proxies`` are the peers whose
    X-Forwarded-For counts. ``admit`` returns the seconds that a client's address has to wait. ``look`` makes a
    refusal's body. ``answered`` is called with the scope and the status as each answer starts, and ``failed`` with each
    error of the app. ``most_body`` is in bytes: records opened in a pocket are longer than commands. Without ``turns``,
    each request is answered at once.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        names: Iterable[str] = (),
        proxies: Proxies = (),
        admit: Callable[[str], float] | None = None,
        look: Look | None = None,
        answered: Callable[[Scope, int], None] | None = None,
        failed: Callable[[Scope, BaseException], None] | None = None,
        read_command: ReadCommand | None = None,
        body_within_s: float = BODY_WITHIN_S,
        pocket: bool = False,
        most_body: int = MOST_BODY,
        turns: Turns | None = None,
    ) -> None:
        self.app = app
        self._names = frozenset(name.lower().rstrip(".") for name in names)
        self._proxies = proxies
        self._admit = admit
        self._look = look or plain_look
        self._answered = answered
        self._failed = failed
        self._read_command = read_command
        self._body_within_s = body_within_s
        self._pocket = pocket
        self._most_body = most_body
        self._turns = turns
        self._known: set[bytes] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the app, or refuse it."""
        # The server's own message, from no client: no header to check.
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no WebSockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        scope[POCKET] = self._pocket
        answer = ResponseWriter(scope, send, self._answered)
        try:
            if self._turns is None:
                await self._serve(scope, receive, answer)
            else:
                await self._in_turns(self._turns, scope, receive, answer)
            # Popped before it runs: a stream goes on for hours, and must not hold its whole request meanwhile.
            if (stream := scope.pop(STREAM, None)) is not None:
                _forget_request(scope)
                await stream(receive, answer)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the client only learns that there was an error
            if self._failed is not None:
                self._failed(scope, error)
            if not answer.started:  # otherwise it is too late for a sentence, and the server cuts the connection
                await self._refuse(scope, answer, "fault", 0, closes=False)

    async def _in_turns(self, turns: Turns, scope: Scope, receive: Receive, answer: ResponseWriter) -> None:
        self._read(scope)
        lane = block_of(client_address(scope))
        if scope["method"] == "POST":  # a lane of its own, so no command waits for pages of its address
            lane += " POST"
        if turns.is_crowded(lane):
            await asyncio.sleep(CROWDED_S)  # otherwise the house would spend its time on refusals
            await self._refuse(scope, answer, "too-many", CROWDED_S, closes=True)
        else:
            await turns.take(lane, self._serve(scope, receive, answer))

    async def _serve(self, scope: Scope, receive: Receive, answer: ResponseWriter) -> None:
        headers = self._read(scope)
        refused, wait_s = self._refused(scope, headers)
        # Both ways in which a request can announce a body. A request that announces none has none to wait for.
        has_body = b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"
        if refused is None and has_body and BODY not in scope:
            refused, receive = await self._receive_body(scope, receive)  # raises if the client leaves early
        if refused is None:
            await self.app(scope, receive, answer)
            return
        # Unread bytes would be taken for the next request of the connection (request smuggling), so it closes.
        unread = refused == "too-large" or (has_body and BODY not in scope)
        await self._refuse(scope, answer, refused, wait_s, closes=unread)

    def submit(self, scope: Scope, body: bytes, exchange: Exchange) -> bool:
        """Carry out a request whose body is whole, and answer it by a callback. Return False if it needs the app.

        Makes the same checks as ``__call__``, in the same order, and counts each request once.
        """
        if self._read_command is None or len(body) > MOST_BODY:
            return False
        headers = self._read(scope)
        answer = WholeResponse(scope, exchange, self._answered)
        # Read before the checks: most requests are no commands, and ``__call__`` counts them. Here they must not be
        # counted as well.
        carry_out = self._read_command(scope, headers, body, answer)
        if carry_out is None:
            return False
        refused, wait_s = self._refused(scope, headers)
        if refused is None:
            if self._turns is not None:
                answer.turns = self._turns
                self._turns.moves += 1
            carry_out()
        else:
            status, own_headers, why = self._refusal(scope, refused, wait_s)
            answer.send(status, own_headers, why)
        return True

    async def _receive_body(self, scope: Scope, receive: Receive) -> tuple[str | None, Receive]:
        try:
            # Read without turns: if its address had to wait for a turn, a body that came in time would count as late.
            with needed_by_others():
                async with asyncio.timeout(self._body_within_s):
                    body = await _read_body(receive, self._most_body)
        except TimeoutError:
            return "slow", receive
        await asyncio.sleep(0)  # the rest of the request takes turns again
        scope[BODY] = body
        return "too-large" if len(body) > self._most_body else None, _replay(body, receive)

    def _read(self, scope: Scope) -> HeaderValues:
        """Return the request's headers, read once. Put the address and scheme that proxies report into the scope."""
        headers: HeaderValues | None = scope.get(HEADER_VALUES)
        if headers is None:
            headers = scope[HEADER_VALUES] = dict(scope["headers"])
            # A dict keeps the last of two equal names. That is rare, so the usual request builds it once.
            if len(headers) < len(scope["headers"]):
                headers.clear()
                for name, value in scope["headers"]:  # a joined value is no valid host, origin or length
                    headers[name] = headers[name] + b"," + value if name in headers else value
            if self._proxies:
                apply_forwarded_headers(scope, headers, self._proxies)
        return headers

    def _refused(self, scope: Scope, headers: HeaderValues) -> tuple[str | None, float]:
        """Return the code of a refusal, or None, and the seconds to wait.

        Each request counts for the rate limit, refused or not. If too many requests of its address wait, a request does
        not come this far: after a second it is refused without these checks, and its connection ends.
        """
        # First, so a flood is refused at the least cost.
        if self._admit is not None and (wait_s := self._admit(client_address(scope))) > 0:
            return "too-many", wait_s
        host = headers.get(b"host")
        if host is None or scope.get("http_version", "1.1") not in VERSIONS:
            return "unreadable", 0
        if host not in self._known and not self._is_allowed_host(host):
            return "host", 0
        if scope["method"] not in METHODS:
            return "method", 0
        path = scope["path"]
        # The raw path, if the server gives it: percent signs make it up to three times as long as the decoded path.
        if len(scope.get("raw_path") or path) + len(scope["query_string"]) > MOST_TARGET:
            return "address-long", 0
        # U+FFFD stands for bytes that are no UTF-8. A "*" or an absolute address begins with no slash.
        if not path.startswith("/") or not path.isprintable() or "\ufffd" in path:
            return "unreadable", 0
        # GET and HEAD change nothing, so a foreign page may cause them.
        if scope["method"] == "POST":
            site, origin = headers.get(b"sec-fetch-site"), headers.get(b"origin")
            if not is_same_origin(site, origin, host, scope["scheme"]):
                return "cross-origin", 0
        length = headers.get(b"content-length", b"0")
        if not length.isdigit():
            return "unreadable", 0
        # By its digits first: Python refuses to convert numbers of more than 4,300.
        if len(length) > 9 or int(length) > MOST_HEARD:
            return "too-large", 0
        return None, 0

    def _is_allowed_host(self, host: bytes) -> bool:
        """Return True if the house answers to this Host header.

        Only a yes is cached: the machine may get a new address.
        """
        allowed = is_allowed_host(host, self._names)
        # Bounded, as a client may put any port behind an allowed name.
        if allowed and len(self._known) < MOST_NAMES:
            self._known.add(host)
        return allowed

    async def _refuse(self, scope: Scope, send: Send, code: str, wait_s: float, *, closes: bool) -> None:
        status, headers, body = self._refusal(scope, code, wait_s)
        headers.append((b"content-length", b"%d" % len(body)))
        if closes:
            headers.append((b"connection", b"close"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        # A HEAD gets the length of the body, and no body.
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    def _refusal(self, scope: Scope, code: str, wait_s: float) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        status, why = REFUSALS[code]
        kind, body = self._look(scope, status, code, why)
        headers = [(b"content-type", kind.encode("ascii"))]
        if code == "method":
            headers.append((b"allow", ", ".join(METHODS).encode("ascii")))
        if wait_s > 0:
            headers.append((b"retry-after", retry_after(wait_s).encode("ascii")))
        return status, headers, body


def plain_look(scope: Scope, status: int, code: str, why: str) -> tuple[str, bytes]:
    """Return a refusal in English: a page of one sentence for a browser that wants a page, otherwise JSON."""
    accept = next((value for name, value in scope["headers"] if name == b"accept"), b"")
    if b"text/html" in accept:
        page = (
            f'<!doctype html><html lang="en"><title>{status}: pubdice</title><h1>{status}</h1><p>{html.escape(why)}</p>'
        )
        return "text/html; charset=utf-8", page.encode()
    return "application/json", msgspec.json.encode(Refusal(code, why))


def _forget_request(scope: Scope) -> None:
    """Remove everything from a stream's scope except the facts for metrics and the log. The headers would take 2 KB for
    hours.
    """
    kept = {key: scope[key] for key in OF_STREAMS if key in scope}
    scope.clear()
    scope.update(kept)


async def _read_body(receive: Receive, most: int) -> bytes:
    """Read a request's body. If it is too long, return more than ``most`` bytes, but not all.

    Raises ClientDisconnect if the client leaves early.
    """
    body, length = b"", 0
    while length <= MOST_HEARD:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        part = message.get("body", b"")
        length += len(part)
        body = (body + part)[: most + 1]
        if not message.get("more_body", False):
            break
    return body


def _replay(body: bytes, receive: Receive) -> Receive:
    replayed = False

    async def again() -> Message:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
