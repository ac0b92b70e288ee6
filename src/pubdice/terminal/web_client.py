"""An HTTP client for a table of a house on the web. Commands go by POST, and one event stream reconnects when it
breaks.

The client passes on the house's messages as plain data. It knows no game, and shows nothing.
"""

import json
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from socket import gaierror
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from pubdice.core.json_depth import shallow
from pubdice.terminal.house_messages import CHANCES, DONE, MOST_LINE, TooLongError, fits, is_update, messages
from pubdice.text.catalogues import language


def read_object(file: Path | None) -> dict[str, Any] | None:
    """Read a JSON file that holds an object. Returns {} if the file is missing, and None if it can't be read."""
    try:
        data = {} if file is None else json.loads(shallow(file.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def replace_object(file: Path | None, data: dict[str, Any]) -> None:
    """Replace a JSON file atomically. Only its owner can read it. Errors are ignored, because play goes on without the
    file.
    """
    if file is None:
        return
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as text:
            json.dump(data, text)
        part.replace(file)


class Tokens:
    """Session cookies by house, in a file that only its owner can read. The cookie gives a returning player the same
    seat.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known = {key: value for key, value in (read_object(file) or {}).items() if isinstance(value, str)}

    def of(self, house: str) -> str:
        """Return the cookie for a house, or ""."""
        return self._known.get(house, "")

    def keep(self, house: str, cookie: str) -> None:
        """Save the cookie for a house. An error is ignored."""
        if not cookie or self._known.get(house) == cookie:
            return
        self._known[house] = cookie
        replace_object(self._file, self._known)


WITHIN_S = 20.0
"""The seconds of silence after which the client reconnects. The house sends a heartbeat every few seconds."""
TRIES = 6
MOST_WAIT_S = 8.0
NEEDED = "An address is needed as the table shows it, such as http://192.168.1.7:4224/t/ABCDEF."
NO_HOUSE = "That is no house of pubdice."
UNREADABLE = "store-unreadable"
"""The refusal's code when a house can't read the lines that its other processes have stored."""
TOKENS = ("pubdice", "__Host-pubdice")


class HouseError(Exception):
    """The house refused, or can't be reached. The message is a sentence. ``code`` is the code of the refusal, or ""."""

    def __init__(self, why: str, code: str = "") -> None:
        super().__init__(why)
        self.code = code


class AddressError(HouseError):
    """The address does not name a table."""


@dataclass
class WebTable:
    """One table on the web. ``cookie`` tells the house who the player is. ``wait(n)`` sleeps n seconds."""

    address: str
    wait: Callable[[float], object]
    language: str = "en"
    cookie: str = ""
    closed: bool = field(default=False, init=False)
    house: str = field(init=False)
    path: str = field(init=False)
    place: str = field(init=False)
    _host: str = field(init=False)
    _port: int | None = field(init=False)

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.address if "://" in self.address else f"http://{self.address}")
            port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:  # the address has an unbalanced bracket, or a port that is not a number
            raise AddressError(self._say(NEEDED)) from None
        code = parts.path.removeprefix("/t/").rstrip("/")
        if parts.scheme not in ("http", "https") or not parts.hostname or code == parts.path or not _is_code(code):
            raise AddressError(self._say(NEEDED))
        self.place = f"{parts.hostname}, port {port}"
        self._host, self._port = parts.hostname, parts.port
        self.house = f"{parts.scheme}://{parts.netloc}"
        self.path = parts.path.rstrip("/")

    def _say(self, sentence: str, **facts: object) -> str:
        return language(self.language).say(sentence, **facts)

    def state(self) -> dict[str, Any]:
        """Return the table's current view. If the house can't read its store, the client tries again. Raises
        HouseError.
        """
        return self._checked(self._answered(f"{self.path}/state"))

    def ask(self, do: str, **fields: object) -> dict[str, Any]:
        """Send a command. All retries have the same key, so the house does it at most once. Raises HouseError."""
        body = json.dumps({"key": secrets.token_urlsafe(16), "do": do, **fields}).encode()
        done = self._answered(self.path, body)
        if not fits(done, DONE):
            raise HouseError(self._say(NO_HOUSE))
        return done

    def _answered(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        """Return the house's answer. Raises HouseError.

        A command is retried if the house can't be reached. A page is retried only if the house can't read its store.
        """
        for attempt in range(TRIES):
            try:
                return self._data(self._open(path, body))
            except _UnreachableError as error:
                if attempt == TRIES - 1 or (body is None and error.code != UNREADABLE):
                    raise
                self.wait(min(MOST_WAIT_S, 0.5 * 2**attempt))
        raise AssertionError

    def follow(self, seq: int) -> Iterator[dict[str, Any]]:
        """Yield each update after ``seq`` events, also after a reconnect, until ``closed`` is true. Raises HouseError.

        After a long gap it yields the whole table, with the key ``anew``. If the table shows chances, it yields a line
        with the key ``chances`` after each turn.
        """
        attempt = 0
        while not self.closed:
            try:
                with self._open(f"{self.path}/events?from={seq}", within_s=WITHIN_S) as stream:
                    for name, data in messages(stream.readline):
                        attempt = 0
                        if name in ("", "view"):
                            update = self._checked(json.loads(shallow(data)))
                            seq = max(seq, update["seq"])
                            yield update
                        elif name == "reload":
                            update = self.state()
                            seq = update["seq"]
                            yield {**update, "anew": True}
                        elif name == "chances":
                            if not fits(news := json.loads(shallow(data)), CHANCES):
                                raise HouseError(self._say(NO_HOUSE))
                            yield {"chances": news["say"]}
            except TooLongError:
                raise HouseError(self._say(NO_HOUSE)) from None
            except (_UnreachableError, OSError, HTTPException, ValueError):
                pass
            if not self.closed:
                self.wait(min(MOST_WAIT_S, 0.25 * 2**attempt))
                attempt = min(attempt + 1, TRIES)

    def _open(self, path: str, body: bytes | None = None, within_s: float = 10.0) -> HTTPResponse:
        headers = {"accept": "application/json", "accept-language": self.language}
        if body is not None:
            headers["content-type"] = "application/json"
        if self.cookie:
            headers["cookie"] = self.cookie
        try:
            if not self._host.isascii():  # urllib would send the name as it is, in Latin-1
                headers["host"] = self._host.encode("idna").decode() + (f":{self._port}" if self._port else "")
            request = Request(self.house + path, body, headers)  # noqa: S310 - http and https only, as checked
            response: HTTPResponse = urlopen(request, timeout=within_s)  # noqa: S310
        except HTTPError as error:
            raise self._house_error(error) from None
        except (OSError, HTTPException, UnicodeError) as error:
            told = self._say("Can't reach a table at {place}{why}.", place=self.place, why=self._why(error))
            raise _UnreachableError(told) from None
        for value in response.headers.get_all("set-cookie") or ():
            if value.partition("=")[0] in TOKENS:
                self.cookie = value.partition(";")[0]
        return response

    def _data(self, response: HTTPResponse) -> dict[str, Any]:
        with response:
            try:
                data = json.loads(shallow(response.read(MOST_LINE)))
            except (OSError, HTTPException, ValueError):
                raise _UnreachableError(self._say("The answer of the house cannot be read.")) from None
        if not isinstance(data, dict):
            raise HouseError(self._say(NO_HOUSE))
        return data

    def _checked(self, update: Any) -> dict[str, Any]:
        """Return the message if it has the shape of an update. Raises HouseError otherwise."""
        if not is_update(update):
            raise HouseError(self._say(NO_HOUSE))
        checked: dict[str, Any] = update
        return checked

    def _why(self, error: Exception) -> str:
        """Return the cause of a failed connection in words, if it helps the person who typed the address. Otherwise
        "".
        """
        reason = getattr(error, "reason", error)
        if isinstance(reason, ConnectionRefusedError):
            return self._say(": nothing answers there")
        if isinstance(reason, TimeoutError):
            return self._say(": no answer came in time")
        # UnicodeError is for a host name with impossible letters, or too many
        if isinstance(reason, gaierror | UnicodeError):
            return self._say(": no machine of that name is known")
        return ""

    def _house_error(self, error: HTTPError) -> HouseError:
        with error:
            try:
                told = json.loads(shallow(error.read(10_000)))
                why, code = str(told["why"]), str(told.get("code", ""))
            except (OSError, HTTPException, ValueError, KeyError, TypeError):
                why, code = self._say("The house answered {code}.", code=error.code), ""
        return _UnreachableError(why, code) if error.code >= 500 or error.code == 429 else HouseError(why, code)


class _UnreachableError(HouseError):
    """The house can't be reached, so the client can't know if a command was done. It may try again with the same
    key.
    """


def _is_code(text: str) -> bool:
    return text.isascii() and text.replace("-", "").isalnum()
