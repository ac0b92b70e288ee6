"""The cookies of the pocket. A service worker cannot set cookies in the browser, so a file beside the tables keeps
them.
"""

import json
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

from pubdice.core.json_depth import shallow
from pubdice.store.disk import sync_file, sync_folder

MOST = 40  # The most cookies kept. The house sets four.


class CookieJar:
    """The cookies of one browser, in a file. Raises OSError if the file cannot be read or written."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            kept = json.loads(shallow(file.read_text("utf-8"))) if file.exists() else {}
        except ValueError:  # the disk is damaged, so the player has to give their name again
            kept = {}
        self._kept = {str(name): str(value) for name, value in kept.items()} if isinstance(kept, dict) else {}

    @property
    def header(self) -> str:
        """The value of a ``Cookie`` header, or "" if there are no cookies."""
        return "; ".join(f"{name}={value}" for name, value in self._kept.items())

    def take(self, set_cookie: str) -> None:
        """Keep the cookies of a ``Set-Cookie`` header, or forget them if it says ``Max-Age=0``."""
        try:
            morsels = SimpleCookie(set_cookie)
        except CookieError:
            return
        before = dict(self._kept)
        for name, morsel in morsels.items():
            self._kept.pop(name, None)
            if morsel["max-age"] != "0" and len(self._kept) < MOST:
                self._kept[name] = morsel.coded_value
        if self._kept != before:
            new = self._file.with_name(f"{self._file.name}.new")
            new.write_text(json.dumps(self._kept), "utf-8")
            sync_file(new)
            # if the process is killed here, the old file or the new one is left, never half of one
            new.replace(self._file)
            sync_folder(self._file.parent)
