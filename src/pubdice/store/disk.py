"""What the stores on disk need of the system: fsync of a file, fsync of a folder's names, and flock."""

import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

try:
    import fcntl
except ImportError:  # no flock on Windows: there only the counts of lines and unique rows keep two writers apart
    fcntl = None  # type: ignore[assignment]


def sync_file(path: Path, flags: int = os.O_RDWR) -> None:
    """Wait until all of a file is on the disk. Raises OSError."""
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk. Systems that cannot sync a folder need not."""
    with suppress(OSError):
        sync_file(folder, os.O_RDONLY)


def lock_file(file: IO[Any], *, wait: bool) -> None:
    """Lock an open file until it is closed. Without ``wait`` raises BlockingIOError if another process has the lock."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
