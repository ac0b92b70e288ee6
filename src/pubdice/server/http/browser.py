"""The browser that sent a request: its person, address and language, and whether it wants a page or data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar
from urllib.parse import parse_qsl, unquote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pubdice.core.errors import Refused
from pubdice.match.notation import LONGEST
from pubdice.server.http.cookies import (
    LANGUAGE_COOKIE,
    NAME_COOKIE,
    OTHERS_COOKIE,
    THEME_COOKIE,
    new_token,
    person_of,
    person_with,
    read_cookies,
    set_name,
    set_token,
    token_in,
)
from pubdice.server.http.guard import BODY, HEADER_VALUES, POCKET
from pubdice.server.http.trusted_hosts import client_address, host_name
from pubdice.server.requests import wrong
from pubdice.text.catalogues import choose

T = TypeVar("T")
THEMES = ("", "light", "dark")
MOST_FIELDS = 80
MOST_REMEMBERED = 512
"""Bytes of Cookie headers that are cached; longer ones hold more than our cookies."""


@dataclass(frozen=True, slots=True)
class Cookies:
    """What a browser's cookies say: which person it is, its language, light or dark, the name it gave last.

    others: of those who share the phone.
    """

    person: str | None
    language: str | None
    theme: str
    name: str
    others: tuple[str, ...]


def cookies_of(headers: tuple[bytes, ...], *, secure: bool) -> Cookies:
    """The cookies in a request's Cookie headers; cached, as ours are short and the same in every request."""
    read = _cached if sum(map(len, headers)) <= MOST_REMEMBERED else _read
    return read(headers, secure=secure)


def _read(headers: tuple[bytes, ...], *, secure: bool) -> Cookies:
    found = read_cookies([(b"cookie", header) for header in headers])
    theme, name = found.get(THEME_COOKIE, ""), unquote(found.get(NAME_COOKIE, ""))[:LONGEST]
    person = person_of(token_in(found, secure=secure))
    others = tuple(other[:LONGEST] for other in unquote(found.get(OTHERS_COOKIE, "")).split("\n") if other.strip())
    return Cookies(person, found.get(LANGUAGE_COOKIE), theme if theme in THEMES else "", name, others)


_cached = lru_cache(maxsize=4096)(_read)


class Browser:
    """The browser, or program, that sent a request.

    new: the token that it gets with the answer, "" for none. secure: whether it uses TLS. person: the browser as the
    log knows it; None if it has no token. theme: light, dark, or "": as its system is. name: the one given last.
    others: those who shared the phone then.
    """

    __slots__ = ("_headers", "_language", "name", "new", "others", "person", "request", "secure", "theme")

    person: str | None

    def __init__(self, request: Request) -> None:
        scope = request.scope
        self.request, self.new = request, ""
        self.secure = scope["scheme"] == "https"
        self._headers: Mapping[bytes, bytes] = scope.get(HEADER_VALUES, {})
        headers = tuple([value for name, value in scope["headers"] if name == b"cookie"])
        cookies = cookies_of(headers, secure=self.secure)
        self.person = cookies.person
        self._language, self.theme = cookies.language, cookies.theme
        self.name, self.others = cookies.name, cookies.others

    @property
    def address(self) -> str:
        """The client's network address."""
        return client_address(self.request.scope)

    @property
    def language(self) -> str:
        """The code of its language."""
        return choose(self.header(b"accept-language") or None, self._language)

    def header(self, name: bytes) -> str:
        """A header, empty where there is none."""
        return self._headers.get(name, b"").decode("latin-1")

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
    def is_pocket(self) -> bool:
        """Whether the house runs in this very browser, where nobody else can reach it."""
        return bool(self.request.scope.get(POCKET))

    @property
    def origin(self) -> str:
        """The house's own address, as this browser has it."""
        return f"{self.request.scope['scheme']}://{self.header(b'host') or 'localhost'}"

    @property
    def is_local(self) -> bool:
        """Whether it calls the house by a name that only this machine knows it by."""
        name = host_name(self._headers.get(b"host", b"")) or ""
        return name == "localhost" or name.endswith(".localhost") or name == "::1" or name.startswith("127.")

    @property
    def body(self) -> bytes:
        """The request's body, as the guard has read it."""
        body: bytes = self.request.scope.get(BODY, b"")
        return body

    def data(self, decoder: "msgspec.json.Decoder[T]") -> T:
        """The request's body, decoded. Raises Refused if it is not JSON, or not of the decoder's type."""
        try:
            return decoder.decode(self.body)
        except msgspec.ValidationError as error:
            raise wrong(error) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Refused("json") from None

    def form(self) -> dict[str, str]:
        """The fields of a form; of several with one name the last counts. Raises Refused if the body is no form."""
        if self.kind != "application/x-www-form-urlencoded":
            raise Refused("kind")
        try:
            text = self.body.decode()
            pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
        except ValueError:
            raise Refused("shape") from None
        return dict(pairs)


class KnownBrowser(Browser):
    """A browser that has a token, or gets one with the answer, so that a command it repeats comes from the same person.

    source: random bytes for a new token.
    """

    __slots__ = ()
    person: str

    def __init__(self, request: Request, source: Callable[[int], bytes]) -> None:
        super().__init__(request)
        if not self.person:
            self.new = new_token(source)
            self.person = person_with(self.new)


def set_cookies(response: Response, browser: Browser, name: str = "") -> Response:
    """Set the cookies of a new token, if there is one, and of a name."""
    if browser.new:
        set_token(response, browser.new, secure=browser.secure)
    if name:
        set_name(response, name[:LONGEST], secure=browser.secure)
    return response
