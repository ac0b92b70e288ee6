"""Answers: data as JSON, pages as HTML, compressed where the reader takes it; and refusals, as whichever is wanted."""

import gzip
import re
from functools import cache
from typing import Any

import msgspec
from starlette.responses import Response

from pubdice.kit import Kit
from pubdice.languages import LANGUAGES, language
from pubdice.server import pages
from pubdice.server.limits import retry_after
from pubdice.server.visitor import Visitor
from pubdice.server.wire import Refusal
from pubdice.server.words import Fault, refusal
from pubdice.table import Refused

LEAST_WORTH = 600
"""Bytes below which compressing is not worth it."""
_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*\*.*?\*/)[ \t]*\n", re.MULTILINE | re.DOTALL)
_BLANK = re.compile(rb"/\*.*?\*/|\s+", re.DOTALL)
_SPACE = re.compile(rb"(?:\s*;)?\s*([{};,>])\s*|(?<=:) +")
"""Where a style sheet may have spaces and needs none; that is a tenth of it, compressed."""


def frame(visitor: Visitor, games: tuple[tuple[str, str], ...]) -> pages.Frame:
    """What goes round every page for this visitor."""
    return pages.Frame(
        language=language(visitor.language),
        code=visitor.language,
        languages=LANGUAGES,
        games=games,
        here=visitor.request.url.path,
        theme=visitor.theme,
    )


def html(visitor: Visitor, text: str, status: int = 200) -> Response:
    """A page."""
    body, headers = text.encode(), {"vary": "accept-encoding, accept-language, cookie"}
    if len(body) > LEAST_WORTH and "gzip" in visitor.request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, compresslevel=4, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(body, status, headers, "text/html")


class Data(Response):
    """JSON, ready to be sent: most answers are so, and need no more than these two headers."""

    def __init__(self, body: bytes, status: int) -> None:
        self.status_code, self.body, self.background = status, body, None
        self.raw_headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]


def data(body: bytes, status: int = 200) -> Response:
    """Data."""
    return Data(body, status)


def refused(
    visitor: Visitor,
    error: Fault,
    games: tuple[tuple[str, str], ...],
    *,
    kit: Kit | None = None,
    game: Any = None,
) -> Response:
    """A refusal, as data or as a page of its own."""
    status, why = refusal(language(visitor.language), error, kit, game)
    if visitor.wants_page and not visitor.is_json:
        text = pages.trouble(frame(visitor, games), pages.Trouble(status, why.why, why.code))
        response = html(visitor, text, status)
    else:
        response = data(msgspec.json.encode(why), status)
    return patient(response, error)


def patient(response: Response, error: Fault) -> Response:
    """A refusal that says when to come back, where it is only for now."""
    if isinstance(error, Refused) and "wait_s" in error.facts:
        response.headers["retry-after"] = retry_after(float(str(error.facts["wait_s"])))
    return response


def at_the_door(visitor: Visitor, games: tuple[tuple[str, str], ...], status: int, why: Refusal) -> tuple[str, bytes]:
    """A refusal by the door, as whichever is wanted: the content type, and the body."""
    tongue = language(visitor.language)
    told = tongue.say(why.why)
    if visitor.wants_page and not visitor.is_json:
        text = pages.trouble(frame(visitor, games), pages.Trouble(status, told, why.code))
        return "text/html; charset=utf-8", text.encode()
    return "application/json", msgspec.json.encode(Refusal(why.code, told))


def _bare(found: re.Match[bytes]) -> bytes:
    return found[1] or b""


@cache
def static(name: str) -> tuple[bytes, bytes]:
    """A static file as it is sent, without comments, and the same compressed. Raises FileNotFoundError."""
    body = pages.read_static(name)
    if name.endswith(".js"):
        body = _COMMENT.sub(b"", body)
    elif name.endswith(".css"):
        body = _SPACE.sub(_bare, _BLANK.sub(b" ", body))
    return body, gzip.compress(body, compresslevel=9, mtime=0)
