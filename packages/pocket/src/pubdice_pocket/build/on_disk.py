"""A built folder on the disk: written while a host may serve it, and compared with a build."""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from pubdice.core.errors import Refused
from pubdice_pocket.build.archives import unpacked
from pubdice_pocket.build.contents import LIST, WORKER, Folder, is_packed, on_host

MOST_LIST = 1_000_000  # The most bytes that are read of a list of files. Ours has 9,000.


def write_folder(folder: Folder, to: Path) -> int:
    """Write a folder, over an earlier one if there is one. Returns the bytes written. Raises Refused, OSError.

    Each file is replaced as a whole, the service worker last. Until then, phones that ask keep their version.
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
    """The files of an earlier build in this folder. Raises Refused if it is a file, or a folder of something else."""
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
    return listed & set(_names(to))  # no file of a folder has a name that leads out of it


def _names(folder: Path) -> Iterator[str]:
    """Every file below a folder, by its path from there."""
    for file in folder.rglob("*"):
        if file.is_file() or file.is_symlink():
            yield file.relative_to(folder).as_posix()


def differences(folder: Folder, found: Path) -> list[str]:
    """The faults of a folder on the disk, one a line. It compares unpacked contents."""
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
    contents: bytes | None = file.read_bytes()
    if is_packed(name):
        contents = unpacked(contents or b"", len(expected))
    if contents is None:
        return "is damaged."
    if contents == expected:
        return ""
    found, wanted = (hashlib.sha256(each).hexdigest() for each in (contents, expected))
    return f"differs: its sha256 is {found}, and should be {wanted}."
