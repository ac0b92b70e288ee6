"""ASGI middleware for an application whose addresses begin with the path of a folder, such as https://host/pubdice/.

The application itself uses addresses from the root ("/t/...", "/static/..."). The middleware removes the folder's path
from each request. It puts the path in front of the addresses in answers: in Location, in attributes of pages that hold
an address, in "go" and "rematch" in JSON and event streams, and in url() in style sheets. Scripts contain no addresses
(``packages/pocket/tests/pocket/test_sub_path.py`` checks that).

Paths of cookies do not change: a pocket keeps its cookies in a jar, and ``__Host-`` requires "/". Whole addresses
("https://host/pubdice/t/...") come from ``PublicAddress``, which knows the folder.
"""

import html
import re
from collections.abc import Callable
from urllib.parse import unquote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_PAGE = 8 << 20
"""The most bytes of a page. If a page comes in parts, they wait here for the last one. The house's longest page has 42
KB, in one part."""
_PREFIX = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)+")
_ADDRESS = re.compile(rb'="(?=/(?!/))')
_HOLD_ADDRESSES = tuple(
    f" {name}".encode()
    for name in ("href", "src", "action", "formaction", "data-here", "data-ask", "data-copy", "data-share",
                 'property="og:image" content')
)  # fmt: skip
"""The attributes that hold an address. In all other attributes "/..." is text, or the value of a field."""
_KEYS = re.compile(rb'"(?:go|rematch)": ?"(?=/(?!/))')
_URLS = re.compile(rb"""\burl\(["']?(?=/(?!/))""")
_STREAM = "text/event-stream"
Rewrite = Callable[[bytes], bytes]


def below(app: ASGIApp, prefix: str) -> ASGIApp:
    """Return the application with its addresses under ``prefix``. If ``prefix`` is empty (the root), return ``app``.

    Raises ValueError as ``SubPath`` does.
    """
    return SubPath(app, prefix) if prefix else app


class SubPath:
    """An application whose addresses begin with a prefix.

    ``prefix`` is the path of a folder as browsers write it, with a slash in front and none at the end: "/pubdice".
    Raises ValueError for any other text.
    """

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        if not _PREFIX.fullmatch(prefix):
            raise ValueError(f"no path of a folder: {prefix!r}")
        self._app = app
        self._path, self._raw = unquote(prefix), prefix.encode("ascii")
        page = _put_in_page(html.escape(prefix))
        data = _put(_KEYS, prefix)
        self._rewrites = {
            "text/html": page,
            "image/svg+xml": page,
            "text/css": _put(_URLS, re.sub(r"(['()])", r"\\\1", prefix)),
            "application/json": data,
            _STREAM: data,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on without the prefix. A request for another folder gets a 404 with one sentence."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path != self._path and not path.startswith(f"{self._path}/"):
            await self._refuse(send)
            return
        raw = scope.get("raw_path") or b""
        inner = {
            **scope,
            "path": path[len(self._path) :] or "/",
            "raw_path": raw.removeprefix(self._raw) or b"/",
            # The middleware cannot read a compressed answer. And compression saves nothing between a worker and its
            # page.
            "headers": [header for header in scope["headers"] if header[0] != b"accept-encoding"],
        }
        await self._app(inner, receive, _PrefixedAnswer(self._raw, self._rewrites, send))

    async def _refuse(self, send: Send) -> None:
        why = f"Nothing is here. Pubdice is at {self._path}/ on this host.".encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(why))]
        await send({"type": "http.response.start", "status": 404, "headers": headers})
        await send({"type": "http.response.body", "body": why})


class _PrefixedAnswer:
    """An answer that is being sent. The prefix is put into its headers, and into its body if the body's type may
    contain addresses.
    """

    def __init__(self, prefix: bytes, rewrites: dict[str, Rewrite], send: Send) -> None:
        self._prefix, self._rewrites, self._send = prefix, rewrites, send
        self._head: Message | None = None
        self._rewrite: Rewrite | None = None
        self._waiting = b""

    async def __call__(self, message: Message) -> None:
        """Pass a part of the answer on. A page is passed on when it is complete, because its headers state its
        length.
        """
        if message["type"] == "http.response.start":
            headers = [(name, self._header(name, value)) for name, value in message.get("headers", ())]
            kind = dict(headers).get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
            self._rewrite, head = self._rewrites.get(kind), {**message, "headers": headers}
            if self._rewrite is None or kind == _STREAM:
                await self._send(head)
            else:
                self._head = head
        elif self._rewrite is None:
            await self._send(message)
        elif self._head is None:  # each part of a stream is made of whole events
            await self._send({**message, "body": self._rewrite(message.get("body", b""))})
        else:
            await self._whole(self._rewrite, self._head, message)

    async def _whole(self, rewrite: Rewrite, head: Message, last: Message) -> None:
        self._waiting += last.get("body", b"")
        if len(self._waiting) > MOST_PAGE:
            raise ValueError("a page is too long to put a prefix into its addresses")
        if last.get("more_body", False):
            return
        body = rewrite(self._waiting)
        if body:  # an answer to HEAD has no body, and its length must not change
            length = b"%d" % len(body)
            head["headers"] = [
                (name, length if name == b"content-length" else value) for name, value in head["headers"]
            ]
        await self._send(head)
        await self._send({**last, "body": body})

    def _header(self, name: bytes, value: bytes) -> bytes:
        own = name == b"location" and value.startswith(b"/") and not value.startswith(b"//")
        return self._prefix + value if own else value


def _put(found: "re.Pattern[bytes]", prefix: str) -> Rewrite:
    """Return a function that puts a prefix after every match of a pattern."""
    put = prefix.encode("ascii")
    return lambda text: found.sub(lambda match: match[0] + put, text)


def _put_in_page(prefix: str) -> Rewrite:
    """Return a function that puts a prefix into the attributes of a page that hold an address. For speed it looks for
    values that begin with a slash, then at the names of their attributes.
    """
    put = b'="' + prefix.encode("ascii")

    def rewrite(text: bytes) -> bytes:
        def placed(match: "re.Match[bytes]") -> bytes:
            return put if text.endswith(_HOLD_ADDRESSES, 0, match.start()) else match[0]

        return _ADDRESS.sub(placed, text)

    return rewrite
