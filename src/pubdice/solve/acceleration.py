"""Just-in-time compilation by numba, with a folder that caches the compiled code.

The folder's name has a hash of the compiled file and of this file, which has the options. So code compiled from an
older edit never runs. Compiled code releases the interpreter's lock. Threads are Python's own, so there is no numba
threading layer that a fork or a second Python thread could break.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from pubdice.cache_folder import own_folder


@cache
def numpy_there() -> bool:
    """Return True if numpy is installed, without importing it."""
    return find_spec("numpy") is not None


@cache
def numba_there() -> bool:
    """Return True if numba is installed."""
    return find_spec("numba") is not None


def code_folder(below: Path, source: Path, constants: str = "") -> Path:
    """Return the folder that caches the compiled code of ``source``.

    ``constants`` is a text of the values that the file imports. numba compiles them in, so the folder's name depends on
    them too.
    """
    hashed = sha256(source.read_bytes() + Path(__file__).read_bytes() + constants.encode())
    return below / f"numba-{hashed.hexdigest()[:16]}"


_FOLDER_OF_THE_PROCESS = Lock()
"""Lock held while ``numba.config.CACHE_DIR`` is changed, because it is one setting for the whole process. Without the
lock, two threads at once sent compiled code to the folder that the program was started in."""


def compile_all(kept: Path | None, *functions: Callable[..., Any], **options: Any) -> list[Callable[..., Any]]:
    """Wrap functions so that numba compiles each at its first call.

    If the folder ``kept`` is given and no other user can write to it, numba caches the compiled code there. Raises
    numba's own error if numba cannot write its cache.
    """
    numba: Any = import_module("numba")
    kept = kept if kept is not None and own_folder(kept) else None
    config = numba.config
    compile_it = numba.njit(nogil=True, error_model="numpy", boundscheck=False, cache=kept is not None, **options)
    with _FOLDER_OF_THE_PROCESS:
        before = config.CACHE_DIR
        try:
            config.CACHE_DIR = str(kept or before)
            return [compile_it(function) for function in functions]
        finally:
            config.CACHE_DIR = before


def most_threads() -> int:
    """Return the number of threads worth starting: the number of cores, or NUMBA_NUM_THREADS if that is set."""
    threads: int = import_module("numba").config.NUMBA_NUM_THREADS
    return threads
