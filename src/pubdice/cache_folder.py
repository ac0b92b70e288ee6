"""The folder of all that is computed once and kept: solutions, and code compiled to compute them.

This is the only place that asks the system for it, at each call: processes started by us (bots, replays) inherit the
name. The solvers of games are handed it (``Kit.with_cache``); the code that numba compiles belongs to the machine and
to no match, so ``solve.finite.kernels`` asks here.
"""

import os
from pathlib import Path
from stat import S_ISDIR


def cache_folder() -> Path | None:
    """PUBDICE_CACHE, or the user's cache folder; None for a user without a home. It need not exist."""
    if named := os.environ.get("PUBDICE_CACHE"):
        return Path(named)
    from platformdirs import user_cache_path  # noqa: PLC0415 - pubdice --help needs none of it

    try:
        return user_cache_path("pubdice", appauthor=False)
    except RuntimeError:
        return None


def own_folder(folder: Path) -> bool:
    """Make a folder for code that is kept; False if another user can have written to it. Raises OSError.

    A file of code that somebody else wrote would run in this process; no checksum helps, as they would write that, too.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    return S_ISDIR(found.st_mode) and is_own(found)


def is_own(found: os.stat_result) -> bool:
    """True if only this user may write to a file or folder. Windows tells neither, and is believed."""
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
