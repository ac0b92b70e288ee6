"""The cache folder. It holds solutions of matches, and the compiled code that computes them.

Only this module finds out where the folder is. It reads the environment at each call, because child processes (bots,
replays) inherit the environment. A game's solver gets the folder as an argument (``Kit.with_cache``). Code that numba
compiles belongs to the machine and not to a match, so ``solve.finite.kernels`` calls this module itself.
"""

import os
from pathlib import Path
from stat import S_ISDIR


def cache_folder() -> Path | None:
    """Return the folder that PUBDICE_CACHE names, or else the user's cache folder. It may not exist yet.

    Returns None if PUBDICE_CACHE is not set and the user has no home folder.
    """
    if named := os.environ.get("PUBDICE_CACHE"):
        return Path(named)
    from platformdirs import user_cache_path  # noqa: PLC0415 - slow to import, and pubdice --help does without

    try:
        return user_cache_path("pubdice", appauthor=False)
    except RuntimeError:
        return None


def own_folder(folder: Path) -> bool:
    """Make a folder for compiled code. Returns False if another user may have written to it. Raises OSError.

    The caller must not use such a folder, because another user's code would run in this process. A checksum would not
    help, because that user could write the checksum too.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    return S_ISDIR(found.st_mode) and is_own(found)


def is_own(found: os.stat_result) -> bool:
    """Return True if only this user may write to the file or folder. On Windows ``stat`` cannot tell, so it is always
    True.
    """
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
