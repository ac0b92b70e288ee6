"""A built folder on the disk. It can be written while a host serves it, and compared with a new build."""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from pubdice.core.errors import Refused
from pubdice_pocket.build.archives import unpacked
from pubdice_pocket.build.contents import LIST, WORKER, Folder, is_packed, on_host

MOST_LIST = 1_000_000  # The most bytes to read of a list of files. A list of this build has about 9,000.


def write_folder(folder: Folder, to: Path) -> int:
    """Write a folder, over an earlier build if there is one. Return the number of bytes written. Raises Refused,
    OSError.

    Each file is replaced as a whole, and the service worker last. Until then, phones stay with their earlier version.
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
    """Return the names of the files of an earlier build in this folder. Raises Refused if the path is a file, or a
    folder with any other content.
    """
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
    return listed & set(_names(to))  # only names of files found in the folder, so no name leads out of it


def _names(folder: Path) -> Iterator[str]:
    """Yield each file below a folder, by its path from there."""
    for file in folder.rglob("*"):
        if file.is_file() or file.is_symlink():
            yield file.relative_to(folder).as_posix()


def differences(folder: Folder, found: Path) -> list[str]:
    """Return the differences between a folder on the disk and a build, one line for each file. Compressed files are
    compared by their unpacked contents.
    """
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
