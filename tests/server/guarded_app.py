"""A guarded app and who knocks at it: over ASGI, without a network, and what each of them got."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from pubdice.server.web.guard import HEADERS, REFUSALS, Guard
from pubdice.server.web.trusted_hosts import client_address

Headers = list[tuple[bytes, bytes]]
Scope = dict[str, Any]
HOST = (b"host", b"pub.example:4224")


class Heard:
    """A client's answer."""

    def __init__(self, sent: list[Any]) -> None:
        self.sent = sent
        self.status: int | None = sent[0]["status"] if sent else None
        self.headers: dict[bytes, bytes] = dict(sent[0]["headers"]) if sent else {}
        self.body = b"".join(message.get("body", b"") for message in sent[1:])


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Tell the request as JSON: its path, its sender, its scheme."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    told = {"body": body.decode("latin-1"), "from": client_address(scope), "scheme": scope["scheme"]}
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})


async def never_called(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("the app was reached")


def ask(
    app: Any = echo,
    *,
    method: str = "GET",
    path: str = "/",
    query: bytes = b"",
    headers: Headers | None = None,
    parts: list[bytes] | None = None,
    peer: str = "192.0.2.7",
    receive: Callable[[], Awaitable[Any]] | None = None,
    **options: Any,
) -> Heard:
    """Ask a guarded app, over ASGI, and hear what it says."""
    sent: list[Any] = []
    waiting = list(parts or [b""])

    async def take() -> Any:
        if not waiting:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

    async def give(message: Any) -> None:
        sent.append(message)

    options.setdefault("names", ["pub.example"])
    scope: Scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "query_string": query,
        "scheme": "http",
        "headers": [HOST] if headers is None else headers,
        "client": (peer, 50_000),
    }
    asyncio.run(Guard(app, **options)(scope, receive or take, give))
    return Heard(sent)


def post(headers: Headers, parts: list[bytes] | None = None, app: Any = echo, **options: Any) -> Heard:
    said = [(b"transfer-encoding", b"chunked")] if parts else []
    return ask(app, method="POST", headers=[HOST, *headers, *said], parts=parts, **options)


def refused(heard: Heard, code: str) -> bool:
    status, why = REFUSALS[code]
    carried = all(heard.headers.get(name) == value for name, value in HEADERS)
    return heard.status == status and json.loads(heard.body) == {"code": code, "why": why} and carried
