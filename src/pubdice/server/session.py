"""Who is asking: a browser, by a token in a cookie. Knows no names, no tables and no store.

The token is 128 random bits that only the browser keeps. The house's log knows the person alone, which is a hash of the
token: whoever reads the log can pass for nobody.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable
from hashlib import sha256

TOKEN_BYTES = 16
LANGUAGE_COOKIE = "language"
THEME_COOKIE = "theme"
A_YEAR_S = 365 * 24 * 3600
MOST_COOKIES = 40
_TOKEN = re.compile("[A-Za-z0-9_-]{21}[AQgw]")
_VALUE = re.compile("[A-Za-z0-9_-]{1,64}")


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
    """The person whose token this is, as the log knows them; None for what is no token.

    >>> person_of("AAAAAAAAAAAAAAAAAAAAAA")
    'ilvbTMFRZBJsbvJmjendJA'
    >>> person_of("AAAA") is None
    True
    """
    if token is None or not _TOKEN.fullmatch(token):
        return None
    return _base64(sha256(token.encode("ascii")).digest()[:TOKEN_BYTES])


def set_token(token: str, *, secure: bool) -> str:
    """The Set-Cookie header that gives a browser its token, and renews it."""
    return _set(cookie_name(secure=secure), token, secure)


def set_language(tag: str, *, secure: bool) -> str:
    """The Set-Cookie header that keeps a browser's language."""
    return _set(LANGUAGE_COOKIE, tag, secure)


def set_theme(theme: str, *, secure: bool) -> str:
    """The Set-Cookie header that keeps whether a browser wants it light or dark; empty: as its system is."""
    kept = _set(THEME_COOKIE, theme or "system", secure)
    return kept if theme else kept.replace(f"Max-Age={A_YEAR_S}", "Max-Age=0")


def forget(*, secure: bool) -> str:
    """The Set-Cookie header that makes a browser nobody again."""
    return _set(cookie_name(secure=secure), "gone", secure).replace(f"Max-Age={A_YEAR_S}", "Max-Age=0")


def read_cookies(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The cookies of a request's headers by name, whatever else stands there; of two alike the first counts."""
    found: dict[str, str] = {}
    for name, value in headers:
        if name == b"cookie":
            for pair in value.decode("latin-1").split(";", MOST_COOKIES)[:MOST_COOKIES]:
                key, equals, text = pair.partition("=")
                if equals:
                    found.setdefault(key.strip(), text.strip().strip('"'))
    return found


def token_in(cookies: dict[str, str], *, secure: bool) -> str | None:
    """The token among a request's cookies, if there is one that may be one."""
    token = cookies.get(cookie_name(secure=secure))
    return token if person_of(token) else None


def _set(name: str, value: str, secure: bool) -> str:
    if not _VALUE.fullmatch(value):
        raise ValueError(f"no value for a cookie of ours: {value!r}")
    return f"{name}={value}; Path=/; Max-Age={A_YEAR_S}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")


def _base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
