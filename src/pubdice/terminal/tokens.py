"""Who one is to each house on the web: the cookies, kept between one ``join`` and the next."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any


def read_object(file: Path | None) -> dict[str, Any]:
    """The object in a JSON file of one's own; an empty one if it cannot be read."""
    with suppress(OSError, ValueError, RecursionError):
        data = None if file is None else json.loads(file.read_text(encoding="utf-8"))
        return data if isinstance(data, dict) else {}
    return {}


def replace_object(file: Path | None, data: dict[str, Any]) -> None:
    """Replace the file in one step, for its owner only; that it cannot be written is no reason not to play."""
    if file is None:
        return
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as text:
            json.dump(data, text)
        part.replace(file)


class Tokens:
    """Who one is to each house, kept in a file of one's own, so that a seat is found again."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known = {key: value for key, value in read_object(file).items() if isinstance(value, str)}

    def of(self, house: str) -> str:
        """The cookie for a house; empty if there is none."""
        return self._known.get(house, "")

    def keep(self, house: str, cookie: str) -> None:
        """Keep it, if that can be done."""
        if not cookie or self._known.get(house) == cookie:
            return
        self._known[house] = cookie
        replace_object(self._file, self._known)
