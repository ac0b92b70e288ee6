"""Just-in-time compilation by numba, and the folder that caches the compiled code; finds out if numpy and numba are
installed.

The folder is named by a hash of the file that is compiled and of this one, which has the options, so code of an older
edit is never run. Compiled code holds no lock, and threads are Python's own: there is no numba threading layer that a
fork or a second Python thread could break.
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
    """True if numpy is installed; it is not imported here."""
    return find_spec("numpy") is not None


@cache
def numba_there() -> bool:
    """True if numba is installed."""
    return find_spec("numba") is not None


def code_folder(below: Path, source: Path, constants: str = "") -> Path:
    """The folder that caches the compiled code of a file. constants: those it takes from other files, which numba
    compiles in.
    """
    hashed = sha256(source.read_bytes() + Path(__file__).read_bytes() + constants.encode())
    return below / f"numba-{hashed.hexdigest()[:16]}"


_FOLDER_OF_THE_PROCESS = Lock()
"""Held while numba's folder is another: numba knows one for all of the process. Between two threads code went to
the folder that the program was started in."""


def compile_all(kept: Path | None, *functions: Callable[..., Any], **options: Any) -> list[Callable[..., Any]]:
    """The functions, to be compiled at their first call, with their code cached in the folder, if given and our own.

    Raises numba's own error if numba finds no place for the code there.
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
    """The number of threads worth starting: the cores, or NUMBA_NUM_THREADS."""
    threads: int = import_module("numba").config.NUMBA_NUM_THREADS
    return threads
