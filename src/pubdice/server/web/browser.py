"""The browser that sent a request: its person, address, language and cookies, and responses for it.

The token in its cookie is 128 random bits, which only the browser keeps. The house's log has the person, a hash of the
token. So a reader of the log cannot impersonate a player. Knows no tables and no store.
"""

import gzip
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, unquote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pubdice.core.errors import Refused
from pubdice.core.json_depth import shallow
from pubdice.kit import Kit
from pubdice.match.header import LONGEST
from pubdice.server.web.guard import BODY, HEADER_VALUES, NEAR, POCKET
from pubdice.server.web.limits import retry_after
from pubdice.server.web.refusals import Fault, refusal, refused_part
from pubdice.server.web.render import Frame, Trouble, trouble
from pubdice.server.web.trusted_hosts import client_address, host_name
from pubdice.server.wire import Refusal, wrong
from pubdice.text.catalogues import TABLE, choose, has_part, language, native_names, spoken
from pubdice.text.language import Language

TOKEN_BYTES = 16
LANGUAGE_COOKIE = "language"
THEME_COOKIE = "theme"
NAME_COOKIE, OTHERS_COOKIE = "name", "others"
DAILY_COOKIE, DAILY_PATH = "daily", "/daily"
DRILL_COOKIE, DRILL_PATH = "drill", "/drill"
A_YEAR_S = 365 * 24 * 3600
MOST_COOKIES = 40
_TOKEN = re.compile("[A-Za-z0-9_-]{21}[AQgw]")
_VALUE = re.compile("[A-Za-z0-9_.~%-]{1,2400}")
"""The form of a cookie's value: a token, a language, a theme, or quoted names. A name of 24 letters of up to four
bytes, %C3 and so on, has 288 characters. Seven names with separators have 2,034.
"""


def cookie_name(*, secure: bool) -> str:
    """Return the name of the token's cookie. Over TLS, its prefix keeps other hosts and plain connections from setting
    it.

    >>> cookie_name(secure=True)
    '__Host-pubdice'
    """
    return "__Host-pubdice" if secure else "pubdice"


def new_token(source: Callable[[int], bytes]) -> str:
    """Return a token for a browser without one: 128 random bits from ``source``, as 22 characters."""
    return _base64(source(TOKEN_BYTES))


def person_of(token: str | None) -> str | None:
    """Return the hash of a token, by which the log knows a person. None if the text is not a token.

    >>> person_of("AAAAAAAAAAAAAAAAAAAAAA")
    'ilvbTMFRZBJsbvJmjendJA'
    >>> person_of("AAAA") is None
    True
    """
    return None if token is None or not _TOKEN.fullmatch(token) else person_with(token)


def person_with(token: str) -> str:
    """Return the hash of a token, by which the log knows a person: 128 bits, as 22 characters."""
    return _base64(sha256(token.encode("ascii")).digest()[:TOKEN_BYTES])


def set_token(response: Response, token: str, *, secure: bool) -> None:
    """Set or renew the browser's token."""
    _set(response, cookie_name(secure=secure), token, secure=secure)


def set_language(response: Response, tag: str, *, secure: bool) -> None:
    """Set the browser's language."""
    _set(response, LANGUAGE_COOKIE, tag, secure=secure)


def set_theme(response: Response, theme: str, *, secure: bool) -> None:
    """Set the browser's theme, light or dark. "" follows the system, so the cookie ends."""
    _set(response, THEME_COOKIE, theme or "system", secure=secure, max_age_s=A_YEAR_S if theme else 0)


def set_name(response: Response, name: str, *, secure: bool) -> None:
    """Set the last name that the browser's person entered."""
    _set(response, NAME_COOKIE, quote(name, safe=""), secure=secure)


def set_others(response: Response, names: Sequence[str], *, secure: bool) -> None:
    """Set the names of the other players on this phone, in turn order. An empty list forgets them."""
    text = quote("\n".join(names), safe="") or "none"
    _set(response, OTHERS_COOKIE, text, secure=secure, max_age_s=A_YEAR_S if names else 0)


def set_daily(response: Response, streak: str, *, secure: bool) -> None:
    """Set the cookie with the streak of Last orders (the daily position). The browser sends it to these pages only."""
    _set(response, DAILY_COOKIE, streak, secure=secure, path=DAILY_PATH)


def set_drill(response: Response, scores: str, *, secure: bool) -> None:
    """Set the cookie with the scores in the drill. The browser sends it to the drill's pages only."""
    _set(response, DRILL_COOKIE, scores, secure=secure, path=DRILL_PATH)


def read_cookies(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the cookies in a request's headers, by name. Of two cookies with one name, the first counts."""
    found: dict[str, str] = {}
    for name, value in headers:
        if name == b"cookie":
            for pair in value.decode("latin-1").split(";", MOST_COOKIES)[:MOST_COOKIES]:
                key, equals, text = pair.partition("=")
                if equals:
                    found.setdefault(key.strip(), text.strip().strip('"'))
    return found


def token_in(cookies: dict[str, str], *, secure: bool) -> str | None:
    """Return the token among a request's cookies. None without a well-formed token."""
    token = cookies.get(cookie_name(secure=secure))
    return token if person_of(token) else None


def _set(
    response: Response, name: str, value: str, *, secure: bool, max_age_s: int = A_YEAR_S, path: str = "/"
) -> None:
    """Set a cookie that no script reads (HttpOnly) and no other site's POST carries (SameSite=Lax, against CSRF)."""
    if not _VALUE.fullmatch(value):
        raise ValueError(f"no value for a cookie of ours: {value!r}")
    lax: Any = "Lax"  # the specification's spelling. Starlette takes it, though its type says "lax"
    response.set_cookie(name, value, max_age_s, path=path, secure=secure, httponly=True, samesite=lax)


def _base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


T = TypeVar("T")
THEMES = ("", "light", "dark")
MOST_FIELDS = 80
MOST_REMEMBERED = 512
"""The most bytes of Cookie headers whose cookies are cached. Longer headers have more than our cookies."""


@dataclass(frozen=True, slots=True)
class Cookies:
    """The content of a browser's cookies. ``name`` is the last name entered. ``others`` are the other names on this
    phone.
    """

    person: str | None
    language: str | None
    theme: str
    name: str
    others: tuple[str, ...]


def cookies_of(headers: tuple[bytes, ...], *, secure: bool) -> Cookies:
    """Return the cookies in a request's Cookie headers. Cached, as ours are short and the same in every request."""
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
    """The browser, or program, that sent a request. ``new`` is the token that it gets with the answer, or "".

    ``person`` is None without a token. ``theme`` is light, dark, or "" for the system's. ``others`` has the names of
    the other players on this phone, as they were entered with ``name``.
    """

    __slots__ = (
        "_chosen",
        "_headers",
        "_language",
        "_part",
        "name",
        "new",
        "others",
        "person",
        "request",
        "secure",
        "theme",
    )

    person: str | None

    def __init__(self, request: Request, part: str = TABLE) -> None:
        scope = request.scope
        self._part = part
        self.request, self.new, self._chosen = request, "", ""
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
        """The code of the answer's language: the browser's, or English if that lacks the part of this page."""
        return spoken(self.wanted, self._part)

    def speak(self, part: str) -> None:
        """Answer in English if the browser's language lacks this part, as a refusal's sentence may be of another part
        than its page.
        """
        if not has_part(self.wanted, part):
            self._part = part

    @property
    def wanted(self) -> str:
        """The code of the browser's language."""
        if not self._chosen:  # cached, as a page asks for it three to six times
            self._chosen = choose(self.header(b"accept-language") or None, self._language)
        return self._chosen

    def header(self, name: bytes) -> str:
        """Return the value of a header, or "" if the header is missing."""
        return self._headers.get(name, b"").decode("latin-1")

    @property
    def is_json(self) -> bool:
        """True if the request's body is JSON. Its answer is then JSON too."""
        return self.kind == "application/json"

    @property
    def kind(self) -> str:
        """The content type of the request's body."""
        return self.header(b"content-type").partition(";")[0].strip().lower()

    @property
    def wants_page(self) -> bool:
        """True if the browser prefers a page to data."""
        return "text/html" in self.header(b"accept")

    @property
    def is_pocket(self) -> bool:
        """True if the house runs in this browser, and no other device can reach it."""
        return bool(self.request.scope.get(POCKET))

    @property
    def is_near(self) -> bool:
        """True if the house is on a phone, and other phones are its guests."""
        return bool(self.request.scope.get(NEAR))

    @property
    def origin(self) -> str:
        """The house's own address, by the scheme and host that this browser uses."""
        return f"{self.request.scope['scheme']}://{self.header(b'host') or 'localhost'}"

    @property
    def is_local(self) -> bool:
        """True if the browser calls the house by a name that only works on this machine."""
        name = host_name(self._headers.get(b"host", b"")) or ""
        return name == "localhost" or name.endswith(".localhost") or name == "::1" or name.startswith("127.")

    @property
    def body(self) -> bytes:
        """The request's body, as read by the guard."""
        body: bytes = self.request.scope.get(BODY, b"")
        return body

    def data(self, decode: Callable[[bytes], T]) -> T:
        """Return the request's body, decoded. Raises Refused if it is not JSON, or not of the decoded type."""
        try:
            return decode(shallow(self.body))
        except msgspec.ValidationError as error:
            raise wrong(error) from None
        except (msgspec.DecodeError, ValueError):
            raise Refused("json") from None

    def form(self) -> dict[str, str]:
        """Return the fields of a form.

        Of several fields with one name, the last counts. Raises Refused if the body is no form.
        """
        if self.kind != "application/x-www-form-urlencoded":
            raise Refused("kind")
        try:
            text = self.body.decode()
            pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
        except ValueError:
            raise Refused("shape") from None
        return dict(pairs)


def set_cookies(response: Response, browser: Browser, name: str = "") -> Response:
    """Set the cookies of a new token, if there is one, and of a name."""
    if browser.new:
        set_token(response, browser.new, secure=browser.secure)
    if name:
        set_name(response, name[:LONGEST], secure=browser.secure)
    return response


@dataclass(frozen=True, slots=True)
class PublicAddress:
    """The addresses of a house for other devices. ``address`` is for all other devices, if the operator named it.

    ``network`` is for phones on the same network, or "" if the house listens on this machine only. ``how`` is the
    command that opens the house to phones.
    """

    address: str = ""
    network: str = ""
    how: str = ""

    def origin(self, browser: Browser) -> str:
        """Return the address to pass on to other devices. "localhost" would lead a phone to itself."""
        return (self.address or (self.network if browser.is_local else "") or browser.origin).rstrip("/")

    def trouble(self, browser: Browser, language: Language) -> str:
        """Return the reason that phones can't reach the house, with a remedy. "" if they can."""
        if self.address or self.network or not browser.is_local:
            return ""
        return language.say(
            "Phones can't join yet: Pubdice only listens on this machine. Start it with {command} and they can.",
            command=self.how,
        )


LEAST_WORTH = 600
"""The least bytes of a page that is compressed."""

FORM_PAGES = {
    **dict.fromkeys(("/tables", "/tables/forget", "/prices", "/houserules", "/names"), "/"),
    "/houserules/night": "/night",
}
"""The address of a form's page, by the address to which the form is sent. A page that answers a form is found at the
address of the form's page.
"""


def frame_of(browser: Browser, games: tuple[tuple[str, str], ...]) -> Frame:
    """Return the frame of every page for this browser: language, theme, list of games."""
    url, asked = browser.request.url, browser.request.method == "GET"
    return Frame(
        language=language(browser.language),
        code=browser.language,
        wanted=browser.wanted,
        languages=native_names(),
        games=games,
        here=f"{url.path}?{url.query}" if asked and url.query else FORM_PAGES.get(url.path, url.path),
        theme=browser.theme,
        pocket=browser.is_pocket,
        near=browser.is_near,
    )


def html_response(browser: Browser, text: str, status: int = 200) -> Response:
    """Return an HTML page, compressed if it is long enough and the browser takes gzip."""
    body, headers = text.encode(), {"vary": "accept-encoding, accept-language, cookie"}
    if len(body) > LEAST_WORTH and "gzip" in browser.request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, compresslevel=4, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(body, status, headers, "text/html")


def json_response(body: bytes, status: int = 200) -> Response:
    """Return a JSON response from ready bytes."""
    return Response(body, status, media_type="application/json")


def refusal_response(
    browser: Browser,
    error: Fault,
    games: tuple[tuple[str, str], ...],
    *,
    kit: Kit | None = None,
    game: Any = None,
) -> Response:
    """Return a refusal, as data or as a page of its own."""
    browser.speak(refused_part(error))
    status, why = refusal(language(browser.language), error, kit, game)
    if browser.wants_page and not browser.is_json:
        text = trouble(frame_of(browser, games), Trouble(status, why.why, why.code, str(error.facts.get("go", ""))))
        response = html_response(browser, text, status)
    else:
        response = json_response(msgspec.json.encode(why), status)
    return with_retry_after(response, error)


def with_retry_after(response: Response, error: Fault) -> Response:
    """Return the response, with a Retry-After header if the refusal has a wait."""
    if "wait_s" in error.facts:
        response.headers["retry-after"] = retry_after(float(str(error.facts["wait_s"])))
    return response


def guard_refusal(browser: Browser, games: tuple[tuple[str, str], ...], status: int, why: Refusal) -> tuple[str, bytes]:
    """Return a refusal by the guard, as a page or as data: the content type, and the body."""
    browser.speak("house")
    told = language(browser.language).say(why.why)
    if browser.wants_page and not browser.is_json:
        text = trouble(frame_of(browser, games), Trouble(status, told, why.code))
        return "text/html; charset=utf-8", text.encode()
    return "application/json", msgspec.json.encode(Refusal(why.code, told))
