"""Several files of a house replaced as one: whenever the process is killed, all are the old ones, or all the new.

New contents are first written beside the old. Then a *mark* is renamed into place, which names them with their
SHA-256: from that moment the new ones count. They are renamed over the old ones, which needs no more space on the
disk, and is done again from the start after a kill. So ``settle`` must be called before anything of the house is
opened; the store does so, under its lock.
"""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path
from typing import IO

from pubdice.store.disk import sync_file, sync_folder

NEW, MARK = ".new.", ".replacing"
"""After the name of the tables' file: before the name of a file that is new, and the mark."""


class StagedFiles:
    """New contents of files beside the tables. Its methods raise OSError."""

    def __init__(self, data: Path) -> None:
        self._folder, self._name = data.parent, data.name
        self._mark = data.with_name(data.name + MARK)

    def path(self, name: str) -> Path:
        """The path for the new content of a file."""
        return self._folder / f"{self._name}{NEW}{name}"

    def create(self, name: str) -> IO[bytes]:
        """The new content of a file, empty, which only its owner may read. Raises FileExistsError."""
        return os.fdopen(os.open(self.path(name), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b")

    def commit(self, names: Iterable[str], gone: Iterable[str] = ()) -> None:
        """Let the new contents count, and delete the files named in ``gone``. ``settle`` then puts them in place.

        After an OSError nothing has changed. Names are replaced in the order they are given.
        """
        sums: dict[str, str] = {}
        for name in names:
            sync_file(self.path(name))
            sums[name] = _sum(self.path(name))
        sync_folder(self._folder)
        draft = self._mark.with_name(self._mark.name + ".part")
        draft.write_text(json.dumps({"new": sums, "gone": list(gone)}), "utf-8")
        sync_file(draft)
        draft.replace(self._mark)
        sync_folder(self._folder)

    def settle(self) -> None:
        """Put what counts in place, or take away what does not. Costs one look at a folder where nothing is staged."""
        plan = self._plan()
        if plan is None:
            self.discard()
            return
        new, gone = plan
        waiting = [name for name in new if self.path(name).exists()]
        if len(waiting) == len(new) and any(_sum(self.path(name)) != new[name] for name in waiting):
            self._mark.unlink()  # a disk that lost what it had synced; nothing is replaced yet
            self.discard()
            return
        for name in gone:
            (self._folder / name).unlink(missing_ok=True)
        for name in waiting:
            self.path(name).replace(self._folder / name)
        sync_folder(self._folder)
        self._mark.unlink()
        sync_folder(self._folder)

    def discard(self) -> None:
        """Take away what is staged, unless it counts already."""
        if self._mark.exists():
            return
        with suppress(FileNotFoundError):
            for path in list(self._folder.iterdir()):
                if path.name.startswith(self._name + NEW):
                    path.unlink()
        self._mark.with_name(self._mark.name + ".part").unlink(missing_ok=True)

    def _plan(self) -> tuple[Mapping[str, str], list[str]] | None:
        """The plan in the mark; None without a mark that can be read."""
        try:
            plan = json.loads(self._mark.read_text("utf-8"))
            return dict(plan["new"]), list(plan["gone"])
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            self._mark.unlink()
            return None


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
