"""Cookies: the token that identifies a browser, its language, its theme and its names. Knows no tables and no store.

The token is 128 random bits that only the browser keeps. The house's log knows the person alone, which is a hash of the
token: reading the log lets you impersonate nobody.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

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
"""A token, a language, a theme, or names as a URL has them: 24 letters of up to four bytes, %C3 and the like each, are
288 characters; seven names with what is between them 2,034."""


def cookie_name(*, secure: bool) -> str:
    """The name of the token's cookie; over TLS one that no other host and no plain connection can set.

    >>> cookie_name(secure=True)
    '__Host-pubdice'
    """
    return "__Host-pubdice" if secure else "pubdice"


def new_token(source: Callable[[int], bytes]) -> str:
    """A token for a browser that has none: 128 bits of the source, as 22 characters."""
    return _base64(source(TOKEN_BYTES))


def person_of(token: str | None) -> str | None:
    """The person whose token this is, as the log knows them; None for anything but a token.

    >>> person_of("AAAAAAAAAAAAAAAAAAAAAA")
    'ilvbTMFRZBJsbvJmjendJA'
    >>> person_of("AAAA") is None
    True
    """
    return None if token is None or not _TOKEN.fullmatch(token) else person_with(token)


def person_with(token: str) -> str:
    """The person whose token this is, as the log knows them: 128 bits of a hash of it, as 22 characters."""
    return _base64(sha256(token.encode("ascii")).digest()[:TOKEN_BYTES])


def set_token(response: Response, token: str, *, secure: bool) -> None:
    """Give a browser its token, or renew it."""
    _set(response, cookie_name(secure=secure), token, secure=secure)


def set_language(response: Response, tag: str, *, secure: bool) -> None:
    """Have a browser keep its language."""
    _set(response, LANGUAGE_COOKIE, tag, secure=secure)


def set_theme(response: Response, theme: str, *, secure: bool) -> None:
    """Have a browser keep whether it wants it light or dark; empty: as its system is, so the cookie ends."""
    _set(response, THEME_COOKIE, theme or "system", secure=secure, max_age_s=A_YEAR_S if theme else 0)


def set_name(response: Response, name: str, *, secure: bool) -> None:
    """Have a browser keep the name that its person gave last."""
    _set(response, NAME_COOKIE, quote(name, safe=""), secure=secure)


def set_others(response: Response, names: Sequence[str], *, secure: bool) -> None:
    """Have a browser keep the names of those who share its phone, in turn order; none: forget them."""
    text = quote("\n".join(names), safe="") or "none"
    _set(response, OTHERS_COOKIE, text, secure=secure, max_age_s=A_YEAR_S if names else 0)


def set_daily(response: Response, streak: str, *, secure: bool) -> None:
    """Have a browser keep its days of Last orders, and send them with those pages alone."""
    _set(response, DAILY_COOKIE, streak, secure=secure, path=DAILY_PATH)


def set_drill(response: Response, scores: str, *, secure: bool) -> None:
    """Have a browser keep how its person does in the drill, and send that with those pages alone."""
    _set(response, DRILL_COOKIE, scores, secure=secure, path=DRILL_PATH)


def read_cookies(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The cookies in a request's headers, by name; of two with one name the first counts."""
    found: dict[str, str] = {}
    for name, value in headers:
        if name == b"cookie":
            for pair in value.decode("latin-1").split(";", MOST_COOKIES)[:MOST_COOKIES]:
                key, equals, text = pair.partition("=")
                if equals:
                    found.setdefault(key.strip(), text.strip().strip('"'))
    return found


def token_in(cookies: dict[str, str], *, secure: bool) -> str | None:
    """The token among a request's cookies; None without a well-formed one."""
    token = cookies.get(cookie_name(secure=secure))
    return token if person_of(token) else None


def _set(
    response: Response, name: str, value: str, *, secure: bool, max_age_s: int = A_YEAR_S, path: str = "/"
) -> None:
    """Set a cookie that no script reads (HttpOnly) and no other site's POST carries (SameSite=Lax, against CSRF)."""
    if not _VALUE.fullmatch(value):
        raise ValueError(f"no value for a cookie of ours: {value!r}")
    lax: Any = "Lax"  # as its specification writes it; Starlette takes it, though its type says "lax"
    response.set_cookie(name, value, max_age_s, path=path, secure=secure, httponly=True, samesite=lax)


def _base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
