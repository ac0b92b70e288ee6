"""Several files of a house, replaced together. If the process is killed, all of them are old or all are new.

New contents are first written beside the old files. Then a *mark*, a list of the new files with their SHA-256, is
renamed into place. From that moment the new contents count. They are then renamed over the old files, without a need
for more disk space. If the process is killed in between, the next start repeats the renaming. So ``settle`` must run
before any file of the house is opened. The store calls it under its lock.
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
"""The parts of names that follow the name of the tables' file.

``NEW`` comes before the name of a file with new content. ``MARK`` is the end of the mark's name.
"""


class StagedFiles:
    """The new contents of files beside the tables. Methods raise OSError."""

    def __init__(self, data: Path) -> None:
        self._folder, self._name = data.parent, data.name
        self._mark = data.with_name(data.name + MARK)

    def path(self, name: str) -> Path:
        """Return the path of the new content for a file."""
        return self._folder / f"{self._name}{NEW}{name}"

    def create(self, name: str) -> IO[bytes]:
        """Open an empty file for new content. Only its owner can read it. Raise FileExistsError."""
        return os.fdopen(os.open(self.path(name), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b")

    def commit(self, names: Iterable[str], gone: Iterable[str] = ()) -> None:
        """Make the new contents count, and mark the files in ``gone`` for deletion.

        ``settle`` puts them in place later.

        If this raises OSError, nothing has changed. Files are replaced in the order of ``names``.
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
        """Put committed contents in place. Remove contents that are not committed.

        If there are no new contents at all, it costs one look at a folder.
        """
        plan = self._plan()
        if plan is None:
            self.discard()
            return
        new, gone = plan
        waiting = [name for name in new if self.path(name).exists()]
        if len(waiting) == len(new) and any(_sum(self.path(name)) != new[name] for name in waiting):
            self._mark.unlink()  # the disk lost synced data; no file is replaced yet, so keep the old ones
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
        """Remove staged contents, unless they are committed."""
        if self._mark.exists():
            return
        with suppress(FileNotFoundError):
            for path in list(self._folder.iterdir()):
                if path.name.startswith(self._name + NEW):
                    path.unlink()
        self._mark.with_name(self._mark.name + ".part").unlink(missing_ok=True)

    def _plan(self) -> tuple[Mapping[str, str], list[str]] | None:
        """Return the plan in the mark: the files to replace with their SHA-256, and the files to delete.

        None if there is no readable mark.
        """
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
