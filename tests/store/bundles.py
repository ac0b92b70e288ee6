"""Bundles for tests: made of a house, changed, put in place, refused."""

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice.store import bundle
from pubdice.store.bundle import BOOK, CONTENTS, COOKIES, KEY, OPENED, PARTS, TABLES, Bundle
from pubdice.store.sqlite.house_files import bundle_path, gone, pack, unpack
from pubdice.store.sqlite.store import SqliteReader
from pubdice.store.staged_files import StagedFiles

GIVEN = {KEY: "5e" * 32 + "\n", OPENED: "0011223344556677/3\n", COOKIES: '{"pubdice": "token"}'}


def zip_of(data: Path, leave: tuple[str, ...] = ()) -> bytes:
    with closing(SqliteReader(data)) as tables:
        return zip_by(tables, leave)


def zip_by(tables: SqliteReader, leave: tuple[str, ...] = ()) -> bytes:
    """A bundle that the process makes which has the tables open."""
    out = io.BytesIO()
    pack(tables, out, leave)
    return out.getvalue()


def take(content: bytes, data: Path) -> None:
    """Put a bundle in place, as a house does that has checked it."""
    data.parent.mkdir(exist_ok=True)
    names = unpack(Bundle(io.BytesIO(content)), data)
    staged = StagedFiles(data)
    staged.commit(names, gone(data, names))
    staged.settle()


def told(data: Path) -> Mapping[str, object]:
    """All that a house holds, however its pages lie."""
    found: dict[str, object] = {}
    for name in PARTS:
        path = bundle_path(data, name)
        if name not in (TABLES, BOOK):
            found[name] = path.read_bytes() if path.exists() else None
        elif path.exists():
            with closing(sqlite3.connect(path)) as db:
                found[name] = list(db.iterdump())
    return found


def rewritten(content: bytes, change: Callable[[dict[str, bytes]], object], *, sums: bool = False) -> bytes:
    """A bundle made again after a change of its files. Sums: with sums that fit."""
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    change(files)
    if sums:
        with_sums(files)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(name, data)
    return out.getvalue()


def with_sums(files: dict[str, bytes]) -> None:
    contents = json.loads(files[CONTENTS])
    contents["files"] = {
        name: {"bytes": len(data), "sha256": sha256(data).hexdigest()}
        for name, data in files.items()
        if name != CONTENTS
    }
    files[CONTENTS] = json.dumps(contents).encode()


def refusal(content: bytes, folder: Path, most: int = bundle.MOST_BYTES) -> str:
    """Why a file is not taken, once it is sure that nothing is left of the try."""
    data = folder / "house.db"
    try:
        unpack(Bundle(io.BytesIO(content), most), data)
    except NotStored as error:
        StagedFiles(data).discard()
        assert list(folder.iterdir()) == []
        return error.code
    StagedFiles(data).discard()
    return ""
