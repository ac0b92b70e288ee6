"""The folder of all that is computed once and kept: solutions, and code compiled to compute them.

This is the only place that asks the system for it, at each call: processes started by us (bots, replays) inherit the
name. The solvers of games are handed it (``Kit.with_cache``); what numba compiles of the sums themselves belongs to the
machine and to no match, so ``solve.finite.fast`` asks here.
"""

import os
from pathlib import Path


def cache_folder() -> Path | None:
    """PUBDICE_CACHE, or the user's cache folder; None for a user without a home. It need not exist."""
    if named := os.environ.get("PUBDICE_CACHE"):
        return Path(named)
    from platformdirs import user_cache_path  # noqa: PLC0415 - pubdice --help needs none of it

    try:
        return user_cache_path("pubdice", appauthor=False)
    except RuntimeError:
        return None
