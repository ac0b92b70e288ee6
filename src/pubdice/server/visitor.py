"""A request as the house sees it: who asks, from where, in which language, and whether a page or data is wanted."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar
from urllib.parse import parse_qsl, quote, unquote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pubdice.languages import choose
from pubdice.names import LONGEST
from pubdice.server.guard import BODY, client_address, host_name
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
from pubdice.table import Refused

T = TypeVar("T")
NAME_COOKIE = "name"
THEMES = ("", "light", "dark")
MOST_FIELDS = 80


@dataclass(frozen=True)
class Visitor:
    """Whoever sent a request."""

    request: Request
    new: str = ""

    @cached_property
    def cookies(self) -> dict[str, str]:
        """What the browser keeps for us."""
        return read_cookies(self.request.scope["headers"])

    @property
    def secure(self) -> bool:
        """Whether the browser speaks TLS."""
        return bool(self.request.scope["scheme"] == "https")

    @cached_property
    def person(self) -> str | None:
        """The browser as the log knows it; None for one that was never given a token."""
        return person_of(self.new or token_in(self.cookies, secure=self.secure))

    @property
    def address(self) -> str:
        """Where it comes from."""
        return client_address(self.request.scope)

    @cached_property
    def language(self) -> str:
        """The code of its language."""
        header = self.request.headers.get("accept-language")
        return choose(header, self.cookies.get(LANGUAGE_COOKIE))

    @property
    def theme(self) -> str:
        """Light, dark, or empty: as its system is."""
        theme = self.cookies.get(THEME_COOKIE, "")
        return theme if theme in THEMES else ""

    @cached_property
    def name(self) -> str:
        """What it called itself last."""
        return unquote(self.cookies.get(NAME_COOKIE, ""))[:LONGEST]

    @property
    def is_json(self) -> bool:
        """Whether it sends data, and so wants data."""
        return self.request.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"

    @property
    def wants_page(self) -> bool:
        """Whether it would rather read a page than data."""
        return "text/html" in self.request.headers.get("accept", "")

    @property
    def origin(self) -> str:
        """The house's own address, as this browser has it."""
        return f"{self.request.scope['scheme']}://{self.request.headers.get('host', 'localhost')}"

    @property
    def is_local(self) -> bool:
        """Whether it calls the house by a name that only this machine knows it by."""
        name = host_name(self.request.headers.get("host", "").encode("latin-1")) or ""
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
            raise Refused("fields", reason=str(error)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Refused("json") from None

    def form(self) -> dict[str, str]:
        """The fields of a form; of several alike the last. Raises Refused for what is none."""
        kind = self.request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/x-www-form-urlencoded":
            raise Refused("kind")
        try:
            text = self.body.decode()
            pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
        except ValueError:
            raise Refused("fields", reason="form") from None
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
