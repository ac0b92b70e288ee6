"""A built folder on the disk: written so that a host may serve it meanwhile, and compared with what it should be."""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from pubdice.core.errors import Refused
from pubdice_pocket.build.archives import unpacked
from pubdice_pocket.build.contents import LIST, WORKER, Folder, is_packed, on_host

MOST_LIST = 1_000_000
"""Bytes of a list of files that is read; ours has 9,000."""


def write_folder(folder: Folder, to: Path) -> int:
    """Write a folder, over an earlier one if there is one; the bytes written. Raises Refused, OSError.

    Each file is replaced whole, the service worker last: until then phones that ask keep the version they have.
    """
    earlier = _earlier(to)
    shipped = folder.shipped()
    for name in sorted(shipped, key=lambda name: (name == WORKER, name)):
        file = to / name
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f"{file.name}.new")
        beside.write_bytes(shipped[name])
        os.replace(beside, file)
    for name in earlier - shipped.keys():
        (to / name).unlink(missing_ok=True)
    return sum(map(len, shipped.values()))


def _earlier(to: Path) -> set[str]:
    """The files of the folder that lies there already; none where there is nothing. Raises Refused: it is another."""
    if to.exists() and not to.is_dir():
        raise Refused("file-there", folder=str(to))
    if not to.exists() or not any(to.iterdir()):
        return set()
    try:
        with (to / LIST).open("rb") as file:
            built = json.loads(file.read(MOST_LIST))
        ours = str(built["version"]) in (to / WORKER).read_text("utf-8")
        listed = {on_host(str(each["name"])) for each in built["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        ours = False
    if not ours:
        raise Refused("other-folder", folder=str(to))
    return listed & set(_names(to))  # a name that leads out of the folder is none of its files


def _names(folder: Path) -> Iterator[str]:
    """Every file below a folder, by its path from there."""
    for file in folder.rglob("*"):
        if file.is_file() or file.is_symlink():
            yield file.relative_to(folder).as_posix()


def differences(folder: Folder, found: Path) -> list[str]:
    """The faults of a folder on the disk, a line each; contents count, not their packing."""
    expected = {on_host(name): name for name in folder.files}
    names = set(_names(found))
    lines = []
    for name in sorted(names | expected.keys()):
        if name not in expected:
            lines.append(f"{name} does not belong there.")
        elif name not in names:
            lines.append(f"{name} is missing.")
        elif why := _difference(found / name, expected[name], folder.files[expected[name]]):
            lines.append(f"{name} {why}")
    return lines


def _difference(file: Path, name: str, expected: bytes) -> str:
    """The fault of a file; "" if there is none."""
    contents: bytes | None = file.read_bytes()
    if is_packed(name):
        contents = unpacked(contents or b"", len(expected))
    if contents is None:
        return "is damaged."
    if contents == expected:
        return ""
    found, wanted = (hashlib.sha256(each).hexdigest() for each in (contents, expected))
    return f"differs: its sha256 is {found}, and should be {wanted}."
