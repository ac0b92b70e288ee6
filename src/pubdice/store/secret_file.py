"""A secret in a file of its own, so no copy of the tables has it: 32 random bytes in hex.

Only its owner can read it.
"""

import os
from collections.abc import Callable
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice.store.disk import sync_file, sync_folder

SIZE = 32
"""The number of bytes of a secret."""


def read_secret(file: Path, source: Callable[[int], bytes]) -> bytes:
    """Return the secret in a file. If the file is missing, make it. ``source`` returns a number of random bytes.

    The file is complete from the moment that it has its name. The caller keeps other processes out, by the store's
    lock. Raise NotStored("secret-file") if it cannot be read, and NotStored("store-unwritable") if it cannot be made.
    """
    try:
        if not file.exists():
            _make(file, source(SIZE))
    except OSError as error:
        facts = {"reason": error.strerror or "", "folder": str(file.parent), "file": str(file)}
        raise NotStored("store-unwritable", **facts) from None
    try:
        file.chmod(0o600)
        secret = bytes.fromhex(file.read_text("ascii").strip())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else ""
        raise NotStored("secret-file", file=str(file), reason=reason or "") from None
    if len(secret) != SIZE:
        raise NotStored("secret-file", file=str(file), reason="")
    return secret


def _make(file: Path, secret: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)  # may be left from a killed process with the same id
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            opened.write(secret.hex() + "\n")
        sync_file(draft)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(file.parent)
