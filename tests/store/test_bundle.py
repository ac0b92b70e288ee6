"""Everything in one file: a bundle of a running house comes out whole, without deleted rows."""

import io
import json
import sqlite3
import stat
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from databases.every_event import spend
from pubdice.core.errors import NotStored
from pubdice.store import SqliteReader, SqliteStore, bundle
from pubdice.store.bundle import BOOK, CONTENTS, COOKIES, KEY, OPENED, PARTS, TABLES, Bundle
from pubdice.store.direct_writer import DirectWriter
from pubdice.store.sqlite.house_files import bundle_path
from pubdice.store.sqlite.schema import exclusive
from store.bundles import refusal, rewritten, take, told, with_sums, zip_by, zip_of
from store.connections import code, entry, table


def test_everything_comes_out_as_it_went_in(house: Path, packed: bytes, tmp_path: Path) -> None:
    take(packed, tmp_path / "mine.db")
    assert {path.name for path in tmp_path.iterdir()} == {
        "mine.db", "mine.db.players", "mine.db.seals", "mine.db.opened", "cookies.json",
    }  # fmt: skip
    assert told(tmp_path / "mine.db") == told(house)
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in tmp_path.iterdir())
    take(zip_of(tmp_path / "mine.db"), tmp_path / "back" / "house.db")
    assert told(tmp_path / "back" / "house.db") == told(house)


def test_two_bundles_of_one_house_have_the_same_bytes(house: Path, packed: bytes) -> None:
    assert zip_of(house) == packed
    with zipfile.ZipFile(io.BytesIO(packed)) as opened:
        contents = json.loads(opened.read(CONTENTS))
        assert opened.namelist() == [CONTENTS, *PARTS]
    assert contents["format"] == 1
    assert list(contents["files"]) == list(PARTS)


def test_what_is_left_out_is_not_in_it(house: Path) -> None:
    content = zip_of(house, leave=(KEY, COOKIES))
    assert set(Bundle(io.BytesIO(content)).files) == {TABLES, BOOK, OPENED}
    assert b"5e5e5e" not in rewritten(content, with_sums)


@pytest.mark.parametrize("alone", [False, True])
def test_a_house_is_packed_while_it_writes(tmp_path: Path, alone: bool) -> None:
    data = tmp_path / "house.db"
    made = SqliteStore(data, connect=exclusive, writer=DirectWriter) if alone else SqliteStore(data)
    with closing(made) as store:
        of = table(store)
        store.write(entry(of, 1, "before"))
        content = zip_by(store) if alone else zip_of(data)
        store.write(entry(of, 2, "after"))
    take(content, tmp_path / "other" / "house.db")
    with closing(SqliteReader(tmp_path / "other" / "house.db")) as reader:
        assert reader.read(of) == ["setup", "before"]


def test_what_was_deleted_is_not_in_the_file(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "house.db")) as store:
        store.settle("erased", b"the name of Kim " * 500)
    with closing(sqlite3.connect(tmp_path / "house.db", isolation_level=None)) as db:
        db.execute("PRAGMA secure_delete = OFF").fetchall()
        db.execute("DELETE FROM house WHERE name = 'erased'")
    assert b"the name of Kim" in (tmp_path / "house.db").read_bytes()
    take(zip_of(tmp_path / "house.db"), tmp_path / "other" / "house.db")
    assert b"the name of Kim" not in (tmp_path / "other" / "house.db").read_bytes()


def test_seals_that_were_opened_here_stay_opened(packed: bytes, tmp_path: Path) -> None:
    data = tmp_path / "house.db"
    bundle_path(data, OPENED).write_text("0011223344556677/3\nffeeddccbbaa9988/12\ncut sh")
    take(packed, data)
    assert bundle_path(data, OPENED).read_text().splitlines()[:2] == ["0011223344556677/3", "ffeeddccbbaa9988/12"]


def test_a_restore_removes_an_old_book_and_its_journals(packed: bytes, tmp_path: Path) -> None:
    data = tmp_path / "house.db"
    for name in ("house.db.players", "house.db-journal", "house.db-wal", "house.db.players-journal"):
        (tmp_path / name).write_bytes(b"old")
    content = rewritten(packed, lambda files: files.pop(BOOK), sums=True)
    take(content, data)
    assert {path.name for path in tmp_path.iterdir()} == {
        "house.db", "house.db.seals", "house.db.opened", "cookies.json",
    }  # fmt: skip


def test_a_house_that_is_damaged_or_newer_is_not_packed(tmp_path: Path) -> None:
    data = tmp_path / "house.db"
    spend(data)
    whole = data.read_bytes()
    data.write_bytes(whole[:8192] + bytes(4096) + whole[12288:])
    assert code(lambda: zip_of(data)) == "store-unreadable"
    data.write_bytes(whole)
    with closing(sqlite3.connect(data)) as db:
        db.execute("PRAGMA user_version = 99")
    assert code(lambda: zip_of(data)) == "store-newer"


def test_no_room_is_said_and_nothing_is_left(packed: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Bundle, "write", full)
    assert refusal(packed, tmp_path) == "store-unwritable"


def test_a_bundle_may_be_as_large_as_it_says_and_no_larger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "MOST_BYTES", 3_000)
    parts = {TABLES: tmp_path / "tables", BOOK: tmp_path / "book"}
    parts[TABLES].write_bytes(bytes(2_000))
    parts[BOOK].write_bytes(bytes(1_000))
    out = io.BytesIO()
    bundle.write_bundle(out, parts)
    assert {file.size for file in Bundle(out).files.values()} == {1_000, 2_000}
    parts[BOOK].write_bytes(bytes(1_001))
    with pytest.raises(NotStored, match="house-large"):
        bundle.write_bundle(io.BytesIO(), parts)
