"""The door of the house, before any page: what gets in, and what is refused. Knows no tables and no people.

A plain ASGI wrapper. In this order it settles who is really calling (a proxy is believed only if it was named), and
refuses: more requests than ``admit`` allows, a name the house does not go by (DNS rebinding), other methods than GET,
HEAD and POST, long or unreadable addresses, anything but reading that another site's page asks for, and bodies that
are large or slow. A body is read whole before the app is called, so an app never sees half a request. Whatever goes
wrong inside becomes one sentence and a log entry. Answers that stream pass through as they are.
"""

import asyncio
import html
from collections.abc import Callable, Iterable

import msgspec
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pubdice.server.callers import Asked, Proxies, believe, client_address, goes_by, is_from_here
from pubdice.server.carried import Answer
from pubdice.server.limits import retry_after
from pubdice.server.wire import Refusal

BODY = "pubdice.body"
"""Where in the scope an app finds the body, which the door has read, if the server has not. Never a longer one."""
ASKED = "pubdice.asked"
"""Where in the scope an app finds what was asked: the request's headers (``callers.Asked``)."""
MOST_BODY = 4096
MOST_HEARD = 65_536
"""A body too large is still heard out up to here, as many clients read no answer before they have said everything."""
MOST_TARGET = 1024
MOST_NAMES = 100
MOST_HEAD = 16_384
BODY_WITHIN_S = 10.0
METHODS = ("GET", "HEAD", "POST")
VERSIONS = ("1.0", "1.1", "2")
"""Of HTTP. Older ones have no headers."""

REFUSALS: dict[str, tuple[int, str]] = {
    "unreadable": (400, "The browser sent something unreadable. Try again."),
    "cross-origin": (403, "Blocked: that came from another website."),
    "method": (405, "Only GET, HEAD and POST work here."),
    "slow": (408, "The rest of the request didn't arrive in time."),
    "too-large": (413, "That's too much at once. A request can have 4 KB."),
    "address-long": (414, "That address is too long."),
    "host": (421, "pubdice doesn't know this address. The person who runs it can add it with --address."),
    "too-many": (429, "Too fast. Wait a moment."),
    "fault": (500, "Something went wrong. Nothing was changed."),
}
"""Why the door refuses: the status and the sentence of each code."""

Look = Callable[[Scope, int, str, str], tuple[str, bytes]]
"""From a scope, a status, a code and its sentence: the content type and the body of a refusal."""


class Guard:
    """An app behind the door.

    names: the names the house goes by, besides addresses and localhost. proxies: who may say for whom they ask.
    admit: from a client's address, the seconds it has to wait. look: a refusal as it is sent. answered: told the scope
    and the status of every answer as it starts. failed: told of everything that went wrong inside.
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
        body_within_s: float = BODY_WITHIN_S,
    ) -> None:
        self.app = app
        self._names = frozenset(name.lower().rstrip(".") for name in names)
        self._proxies = proxies
        self._admit = admit
        self._look = look or plain_look
        self._answered = answered
        self._failed = failed
        self._body_within_s = body_within_s
        self._known: set[bytes] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it at the door."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no WebSockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        asked = scope[ASKED] = _read(scope["headers"])
        if self._proxies:
            believe(scope, asked, self._proxies)
        answer = Answer(scope, send, self._answered)
        refused, wait_s = self._refused(scope, asked)
        has_body = b"transfer-encoding" in asked or asked.get(b"content-length", b"0") != b"0"
        if refused is None and has_body and BODY not in scope:
            try:
                refused, receive = await self._hear(scope, receive)
            except ClientDisconnect:  # gone before it was all said
                return
        try:
            if refused is not None:
                unheard = refused == "too-large" or (has_body and BODY not in scope)
                await self._refuse(scope, answer, refused, wait_s, closes=unheard)
                return
            await self.app(scope, receive, answer)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 - whatever it was, nobody outside reads it
            if self._failed is not None:
                self._failed(scope, error)
            if not answer.started:  # else it is too late for a sentence, and the server cuts the connection
                await self._refuse(scope, answer, "fault", 0, closes=False)

    async def _hear(self, scope: Scope, receive: Receive) -> tuple[str | None, Receive]:
        try:
            async with asyncio.timeout(self._body_within_s):
                body = await _read_body(receive)
        except TimeoutError:
            return "slow", receive
        scope[BODY] = body
        return "too-large" if len(body) > MOST_BODY else None, _replay(body, receive)

    def _refused(self, scope: Scope, asked: Asked) -> tuple[str | None, float]:
        """Why a request is refused, and how long to wait; whatever comes counts, refused or not."""
        if self._admit is not None and (wait_s := self._admit(client_address(scope))) > 0:
            return "too-many", wait_s
        host = asked.get(b"host")
        if host is None or scope.get("http_version", "1.1") not in VERSIONS:
            return "unreadable", 0
        if not self._goes_by(host):
            return "host", 0
        if scope["method"] not in METHODS:
            return "method", 0
        path = scope["path"]
        if len(scope.get("raw_path") or path) + len(scope["query_string"]) > MOST_TARGET:
            return "address-long", 0
        if not path.startswith("/") or not path.isprintable() or "\ufffd" in path:
            return "unreadable", 0
        if scope["method"] == "POST":
            site, origin = asked.get(b"sec-fetch-site"), asked.get(b"origin")
            if not is_from_here(site, origin, host, scope["scheme"]):
                return "cross-origin", 0
        length = asked.get(b"content-length", b"0")
        if not length.isdigit():
            return "unreadable", 0
        if len(length) > 9 or int(length) > MOST_HEARD:
            return "too-large", 0
        return None, 0

    def _goes_by(self, host: bytes) -> bool:
        """Whether the house answers to this name; what it does is remembered, as an address may be a new one."""
        known = host in self._known or goes_by(host, self._names)
        if known and len(self._known) < MOST_NAMES:
            self._known.add(host)
        return known

    async def _refuse(self, scope: Scope, send: Send, code: str, wait_s: float, *, closes: bool) -> None:
        status, why = REFUSALS[code]
        kind, body = self._look(scope, status, code, why)
        headers = [(b"content-type", kind.encode("ascii")), (b"content-length", str(len(body)).encode("ascii"))]
        if closes:
            headers.append((b"connection", b"close"))
        if code == "method":
            headers.append((b"allow", ", ".join(METHODS).encode("ascii")))
        if wait_s > 0:
            headers.append((b"retry-after", retry_after(wait_s).encode("ascii")))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def plain_look(scope: Scope, status: int, code: str, why: str) -> tuple[str, bytes]:
    """A refusal in English: a page of one sentence for a browser that wants a page, JSON for everyone else."""
    accept = next((value for name, value in scope["headers"] if name == b"accept"), b"")
    if b"text/html" in accept:
        page = (
            f'<!doctype html><html lang="en"><title>{status}: pubdice</title><h1>{status}</h1><p>{html.escape(why)}</p>'
        )
        return "text/html; charset=utf-8", page.encode()
    return "application/json", msgspec.json.encode(Refusal(code, why))


def _read(headers: Iterable[tuple[bytes, bytes]]) -> Asked:
    """Headers by name; one that comes twice counts as a list, which is no host, origin or length."""
    asked: Asked = {}
    for name, value in headers:
        asked[name] = asked[name] + b"," + value if name in asked else value
    return asked


async def _read_body(receive: Receive) -> bytes:
    """A request's body, or a beginning too long to be allowed. Raises ClientDisconnect before it is all there."""
    body, heard = b"", 0
    while heard <= MOST_HEARD:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        part = message.get("body", b"")
        heard += len(part)
        body = (body + part)[: MOST_BODY + 1]
        if not message.get("more_body", False):
            break
    return body


def _replay(body: bytes, receive: Receive) -> Receive:
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
