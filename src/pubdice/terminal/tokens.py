"""Who one is to each house on the web: the cookies, kept between one ``join`` and the next."""

import json
import os
from contextlib import suppress
from pathlib import Path


class Tokens:
    """Who one is to each house, kept in a file of one's own, so that a seat is found again."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known: dict[str, str] = {}
        if file is not None:
            with suppress(OSError, ValueError):
                data = json.loads(file.read_text(encoding="utf-8"))
                self._known = {key: value for key, value in data.items() if isinstance(value, str)}

    def of(self, house: str) -> str:
        """The cookie for a house; empty if there is none."""
        return self._known.get(house, "")

    def keep(self, house: str, cookie: str) -> None:
        """Keep it; that it cannot be kept is no reason not to play."""
        if self._file is None or not cookie or self._known.get(house) == cookie:
            return
        self._known[house] = cookie
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            part = self._file.with_suffix(".part")
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump(self._known, file)
            part.replace(self._file)
