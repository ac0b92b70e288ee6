"""A bundle: a whole house in one file.

It is a zip of the house's files and of ``pubdice.json``, the list of these files.

A zip can come from anywhere, so the reader accepts only what this version writes. It has a few known names, each with a
bounded size and a SHA-256, and no folders, links, encryption or comments. If the directory shows that a bundle is too
large, it is refused before anything is unpacked. Two zips of the same files have the same bytes if the same zlib made
them.
"""

import json
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import file_digest, sha256
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

from pubdice.core.errors import NotStored
from pubdice.core.json_depth import shallow

FORMAT = 1
"""The version of the bundle's format. A bundle with a higher number comes from a newer pubdice."""
CONTENTS = "pubdice.json"
TABLES, BOOK, KEY, OPENED, COOKIES = "house.db", "house.db.players", "house.db.seals", "house.db.opened", "cookies.json"
"""The names of files in a bundle.

In order: the tables, the players' book, the key of the seals, the opened seals, a browser's cookies.
"""
MOST_BYTES = 2_000_000_000
"""The most bytes of all files of a bundle together, unpacked."""
PARTS = {TABLES: MOST_BYTES, BOOK: MOST_BYTES, KEY: 1_000, OPENED: 20_000_000, COOKIES: 20_000}
"""The files that a bundle can have, in this order, each with its most bytes. A million opened seals take 20 MB."""
MOST_CONTENTS, MOST_DIRECTORY, MOST_ENTRIES = 4_000, 4_000, 1 + len(PARTS)
RATIO, FREE = 200, 1_000_000
"""The bounds against zip bombs: a file can have ``RATIO`` times its packed size plus ``FREE`` bytes.

Pages of SQLite compress 3 to 50 times.
"""
PIECE = 1 << 16
END = struct.Struct("<4s4H2LH")
"""The end of a zip: mark, two disk numbers, two entry counts, size and offset of the directory, size of a comment."""
FLAGS = 0x080E
"""The allowed flags of a zip entry, as programs set them: compression level, sizes after the bytes, UTF-8."""
FAULTS = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, KeyError, OSError, OverflowError, RuntimeError, TypeError,
    ValueError,
)  # fmt: skip
"""The exceptions that ``zipfile`` raises for a damaged zip.

NotImplementedError and RecursionError are RuntimeErrors.
"""


@dataclass(frozen=True, slots=True)
class BundledFile:
    """The entry of a file in ``pubdice.json``. ``size`` is in bytes, and ``digest`` is the SHA-256 in hex."""

    size: int
    digest: str


class Bundle:
    """A bundle that is read from a whole zip. ``most`` bounds the bytes of all its files together.

    Raises NotStored("bundle-damaged"), NotStored("bundle-newer") or NotStored("bundle-large").
    """

    def __init__(self, file: IO[bytes], most: int = MOST_BYTES) -> None:
        try:
            # This must come before ``ZipFile``. It reads the whole directory into memory and trusts the stated length.
            _check_end(file)
            self._zip = zipfile.ZipFile(file)
            infos = self._zip.infolist()
            told = next((info for info in infos if info.filename == CONTENTS), None)
            # The directory's size also bounds ``_pieces``, because ``zipfile`` never yields more bytes than that.
            if told is None or told.file_size > MOST_CONTENTS:
                raise NotStored("bundle-damaged")
            _check_kind(told)
            data = json.loads(shallow(b"".join(self._pieces(CONTENTS))))
            _check_format(data)
            self.files = _files(data)
            self._check(infos, most)
        except FAULTS:
            raise NotStored("bundle-damaged") from None

    def write(self, name: str, target: IO[bytes]) -> None:
        """Write a file's content to ``target``. Raise NotStored("bundle-damaged"), or OSError from the target."""
        digest = sha256()
        for piece in self._read(name):
            digest.update(piece)
            target.write(piece)
        target.flush()
        if digest.hexdigest() != self.files[name].digest:
            raise NotStored("bundle-damaged")

    def _read(self, name: str) -> Iterator[bytes]:
        pieces = self._pieces(name)
        while True:
            try:
                piece = next(pieces, b"")
            except FAULTS:
                raise NotStored("bundle-damaged") from None
            if not piece:
                return
            yield piece

    def _pieces(self, name: str) -> Iterator[bytes]:
        """Yield a file's content in pieces, at most as many bytes as the zip's directory states.

        ``zipfile`` checks the CRC-32 at the end.
        """
        with self._zip.open(name) as opened:
            while piece := opened.read(PIECE):
                yield piece

    def _check(self, infos: list[zipfile.ZipInfo], most: int) -> None:
        named = [info.filename for info in infos]
        # A name that comes twice could be checked as one file and unpacked as another.
        if len(set(named)) < len(named) or {*self.files, CONTENTS} != set(named) or TABLES not in self.files:
            raise NotStored("bundle-damaged")
        for info in infos:
            _check_kind(info)
        if sum(info.file_size for info in infos) > most:
            raise NotStored("bundle-large", most=most // 1_000_000)
        for info in infos:
            size, packed = info.file_size, info.compress_size
            # The sizes in the directory and in ``pubdice.json`` must agree. A zip bomb has a false one.
            known = info.filename == CONTENTS or size == self.files[info.filename].size <= PARTS[info.filename]
            if not known or size > FREE + RATIO * packed:
                raise NotStored("bundle-damaged")


def write_bundle(out: IO[bytes], files: Mapping[str, Path]) -> None:
    """Write a bundle of these files. ``files`` has their paths by their names in it.

    Raise NotStored("house-large") or OSError.
    """
    # The order is that of ``PARTS``, so the same house gives the same bytes.
    files = {name: files[name] for name in PARTS if name in files}
    if sum(path.stat().st_size for path in files.values()) > MOST_BYTES:
        raise NotStored("house-large", most=MOST_BYTES // 1_000_000)
    described: dict[str, dict[str, Any]] = {}
    for name, path in files.items():
        with path.open("rb") as file:
            described[name] = {"bytes": path.stat().st_size, "sha256": file_digest(file, "sha256").hexdigest()}
    contents = {"format": FORMAT, "pubdice": version("pubdice"), "files": described}
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr(_entry(CONTENTS), json.dumps(contents, indent=1) + "\n")
        for name, path in files.items():
            entry = _entry(name)
            entry.file_size = path.stat().st_size
            with path.open("rb") as file, packed.open(entry, "w") as target:
                while piece := file.read(PIECE):
                    target.write(piece)


def _entry(name: str) -> zipfile.ZipInfo:
    """Return a file's entry in the zip. It has no real time, and only the file's owner may read the file."""
    # 1980 is the first year that a zip can store.
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    # System 3 is Unix. Its mode is in the upper 16 bits: 0o100600 is a plain file for its owner.
    entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o100600 << 16
    return entry


def _check_end(file: IO[bytes]) -> None:
    """Refuse a zip whose directory is large or misplaced, because ``zipfile`` reads all of it into memory."""
    size = file.seek(0, 2)
    if size < END.size:
        raise NotStored("bundle-damaged")
    file.seek(size - END.size)
    mark, disk, first, here, entries, length, start, comment = END.unpack(file.read(END.size))
    # Nothing may lie between the directory and the end, or after it. Otherwise two programs can find different
    # directories in one file.
    whole = start + length + END.size == size
    if mark != b"PK\5\6" or disk or first or comment or here != entries or not whole:
        raise NotStored("bundle-damaged")
    if entries > MOST_ENTRIES or length > MOST_DIRECTORY:
        raise NotStored("bundle-damaged")


def _check_kind(info: zipfile.ZipInfo) -> None:
    """Refuse any entry that is not a plain file that zlib can unpack."""
    # The mode 0 means none, as from programs on Windows. A link would have S_IFLNK.
    mode = info.external_attr >> 16
    plain = stat.S_IFMT(mode) in (0, stat.S_IFREG) and info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    if not plain or info.flag_bits & ~FLAGS:
        raise NotStored("bundle-damaged")


def _check_format(data: Any) -> None:
    """Refuse a list of files in another format, before reading keys that only this format has."""
    found = data.get("format") if isinstance(data, dict) else None
    # ``type``, because ``isinstance`` takes True for an int
    if type(found) is not int or found < 1:
        raise NotStored("bundle-damaged")
    if found > FORMAT:
        raise NotStored("bundle-newer")


def _files(data: dict[str, Any]) -> Mapping[str, BundledFile]:
    """Return the entries of ``pubdice.json`` by the file's name. Raise KeyError or ValueError for a faulty entry."""
    found: dict[str, BundledFile] = {}
    if not isinstance(data["files"], dict):
        raise ValueError("files")
    for name, told in data["files"].items():
        size, digest = told["bytes"], told["sha256"]
        if name not in PARTS or type(size) is not int or not isinstance(digest, str):
            raise ValueError(name)
        found[name] = BundledFile(size, digest)
    return found
