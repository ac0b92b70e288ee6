"""A request as the house sees it: who asks, from where, in which language, and whether a page or data is wanted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar
from urllib.parse import parse_qsl, quote, unquote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pubdice.languages import choose
from pubdice.names import LONGEST
from pubdice.server.callers import client_address, host_name
from pubdice.server.guard import ASKED, BODY
from pubdice.server.session import (
    A_YEAR_S,
    LANGUAGE_COOKIE,
    THEME_COOKIE,
    new_token,
    person_of,
    read_cookies,
    set_token,
    token_in,
)
from pubdice.server.wire import wrong
from pubdice.table import Refused

T = TypeVar("T")
NAME_COOKIE = "name"
THEMES = ("", "light", "dark")
MOST_FIELDS = 80
MOST_REMEMBERED = 512
"""Bytes of cookies that are not read anew with every request."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a browser keeps for us: who it is, its language, light or dark, and what it called itself last."""

    person: str | None
    language: str | None
    theme: str
    name: str


def kept(cookies: tuple[bytes, ...], *, secure: bool) -> Kept:
    """What stands in a request's cookies; ours are short, and the same from one request to the next."""
    read = _kept if sum(map(len, cookies)) <= MOST_REMEMBERED else _kept.__wrapped__
    return read(cookies, secure=secure)


@lru_cache(maxsize=4096)
def _kept(cookies: tuple[bytes, ...], *, secure: bool) -> Kept:
    found = read_cookies([(b"cookie", header) for header in cookies])
    theme, name = found.get(THEME_COOKIE, ""), unquote(found.get(NAME_COOKIE, ""))[:LONGEST]
    person = person_of(token_in(found, secure=secure))
    return Kept(person, found.get(LANGUAGE_COOKIE), theme if theme in THEMES else "", name)


class Visitor:
    """Whoever sent a request.

    new: the token that this browser is given. secure: whether it speaks TLS. person: the browser as the log knows it;
    None for one that was never given a token. theme: light, dark, or empty: as its system is. name: what it called
    itself last.
    """

    __slots__ = ("_asked", "_language", "name", "new", "person", "request", "secure", "theme")

    def __init__(self, request: Request, new: str = "") -> None:
        scope = request.scope
        self.request, self.new = request, new
        self.secure = scope["scheme"] == "https"
        self._asked: Mapping[bytes, bytes] = scope.get(ASKED, {})
        cookies = tuple([value for name, value in scope["headers"] if name == b"cookie"])
        known = kept(cookies, secure=self.secure)
        self.person = person_of(new) if new else known.person
        self._language, self.theme, self.name = known.language, known.theme, known.name

    @property
    def address(self) -> str:
        """Where it comes from."""
        return client_address(self.request.scope)

    @property
    def language(self) -> str:
        """The code of its language."""
        return choose(self.header(b"accept-language") or None, self._language)

    def header(self, name: bytes) -> str:
        """A header, empty where there is none."""
        return self._asked.get(name, b"").decode("latin-1")

    @property
    def is_json(self) -> bool:
        """Whether it sends data, and so wants data."""
        return self.kind == "application/json"

    @property
    def kind(self) -> str:
        """What kind of body it sends."""
        return self.header(b"content-type").partition(";")[0].strip().lower()

    @property
    def wants_page(self) -> bool:
        """Whether it would rather read a page than data."""
        return "text/html" in self.header(b"accept")

    @property
    def origin(self) -> str:
        """The house's own address, as this browser has it."""
        return f"{self.request.scope['scheme']}://{self.header(b'host') or 'localhost'}"

    @property
    def is_local(self) -> bool:
        """Whether it calls the house by a name that only this machine knows it by."""
        name = host_name(self._asked.get(b"host", b"")) or ""
        return name == "localhost" or name.endswith(".localhost") or name == "::1" or name.startswith("127.")

    @property
    def body(self) -> bytes:
        """What it sent, as the door has read it."""
        body: bytes = self.request.scope.get(BODY, b"")
        return body

    def data(self, decoder: "msgspec.json.Decoder[T]") -> T:
        """What it sent as JSON. Raises Refused for what is none, or not of that kind."""
        try:
            return decoder.decode(self.body)
        except msgspec.ValidationError as error:
            raise wrong(error) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Refused("json") from None

    def form(self) -> dict[str, str]:
        """The fields of a form; of several alike the last. Raises Refused for what is none."""
        if self.kind != "application/x-www-form-urlencoded":
            raise Refused("kind")
        try:
            text = self.body.decode()
            pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
        except ValueError:
            raise Refused("shape") from None
        return dict(pairs)


def known(request: Request, source: Callable[[int], bytes]) -> Visitor:
    """Whoever asks, from now on by a token: given with the first page, a command repeated is the same person's."""
    visitor = Visitor(request)
    return visitor if visitor.person else Visitor(request, new_token(source))


def keep(response: Response, visitor: Visitor, name: str = "") -> Response:
    """Let the browser keep its new token, and its name."""
    if visitor.new:
        response.raw_headers.append((b"set-cookie", set_token(visitor.new, secure=visitor.secure).encode("latin-1")))
    if name:
        value = f"{NAME_COOKIE}={quote(name)}; Path=/; Max-Age={A_YEAR_S}; HttpOnly; SameSite=Lax"
        value += "; Secure" if visitor.secure else ""
        response.raw_headers.append((b"set-cookie", value.encode("latin-1")))
    return response
