"""Array types of the solvers, and a disk cache for arrays. A corrupt or outdated file counts as missing.

A file is an ``.npz`` without pickles. It holds the arrays, their key, and a SHA-256 of the key and of every array's
name, type, shape and bytes. ``load`` checks all of these, and does not unpack a member that is larger than its layout
allows. ``store`` writes a temporary file and renames it, so a reader sees the old file, the new one or none. If the
disk is full or read-only, nothing is stored and no error is raised.
"""

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

Arrays = Mapping[str, NDArray[Any]]
Layout = Mapping[str, tuple[tuple[int, ...], str]]
"""The expected shape and type of each array, by name. The type is a ``numpy.dtype.str``, such as ``<f8``."""

_HEADER_BYTES = 1024
_NOTES = ("key", "checksum")


def checksum(key: str, arrays: Arrays) -> str:
    """Return a SHA-256 of the key and of every array's name, type, shape and bytes."""
    summed = sha256(key.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        summed.update(repr((name, array.dtype.str, array.shape)).encode())
        summed.update(array.reshape(-1).view(np.uint8).data)
    return summed.hexdigest()


def load(folder: Path, name: str, key: str, layout: Layout) -> dict[str, NDArray[Any]] | None:
    """Return the arrays stored under this name and key. Return None if the file is missing, damaged or of another
    layout.
    """
    path = folder / f"{name}.npz"
    try:
        with ZipFile(path) as members:
            if not _fits(members, layout):
                return None
        with np.load(path, allow_pickle=False) as stored:
            if str(stored["key"]) != key:
                return None
            arrays = {each: stored[each] for each in layout}
            expected = str(stored["checksum"])
    except Exception:  # noqa: BLE001  a damaged file can raise anything, in three libraries
        return None
    if any((array.shape, array.dtype.str) != layout[each] for each, array in arrays.items()):
        return None
    return arrays if checksum(key, arrays) == expected else None


def _fits(members: ZipFile, layout: Layout) -> bool:
    sizes = {member.filename.removesuffix(".npy"): member.file_size for member in members.infolist()}
    if set(sizes) != {*layout, *_NOTES}:
        return False
    most = {each: int(np.prod(shape)) * np.dtype(kind).itemsize for each, (shape, kind) in layout.items()}
    return all(size <= most.get(each, 4 * len("checksum") * 64) + _HEADER_BYTES for each, size in sizes.items())


def store(folder: Path, name: str, key: str, arrays: Arrays) -> bool:
    """Write the arrays under this name and key. Return True if that worked, False if the disk is full or read-only."""
    part: Path | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, prefix=f"{name}.", suffix=".part", delete=False) as file:
            part = Path(file.name)
            notes = {"key": np.array(key), "checksum": np.array(checksum(key, arrays))}
            np.savez(file, **arrays, **notes)  # type: ignore[arg-type]  # numpy's stub reads the names as options
        part.replace(folder / f"{name}.npz")
    except OSError:
        if part is not None:
            with suppress(OSError):
                part.unlink(missing_ok=True)
        return False
    return True
