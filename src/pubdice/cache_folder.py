"""The cache folder: solutions, and code compiled to compute them.

Only this module asks the system for the folder, once per call, as child processes (bots, replays) inherit the
environment. Solvers of games are handed the folder (``Kit.with_cache``). Code that numba compiles belongs to the
machine and to no match, so ``solve.finite.kernels`` asks here.
"""

import os
from pathlib import Path
from stat import S_ISDIR


def cache_folder() -> Path | None:
    """PUBDICE_CACHE, or else the user's cache folder. None for a user without a home. The folder need not exist."""
    if named := os.environ.get("PUBDICE_CACHE"):
        return Path(named)
    from platformdirs import user_cache_path  # noqa: PLC0415 - pubdice --help needs none of it

    try:
        return user_cache_path("pubdice", appauthor=False)
    except RuntimeError:
        return None


def own_folder(folder: Path) -> bool:
    """Make a folder for compiled code. False if another user may have written to it. Raises OSError.

    Code from another user would run in this process. A checksum would not help, as that user would write it too.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    return S_ISDIR(found.st_mode) and is_own(found)


def is_own(found: os.stat_result) -> bool:
    """True if only this user may write to the file or folder. On Windows always true, as ``stat`` does not say."""
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
