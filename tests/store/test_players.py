"""The file of the players' book: another program's, a newer one, copies, and nothing left of who was erased."""

import sqlite3
from pathlib import Path

import pytest

from pubdice.core.errors import NotStored
from pubdice.store.players_book import BookEntry
from pubdice.store.sqlite.players import VERSIONS, PlayersFile, beside, copy_players

ENTRY = BookEntry(1, "AAAAAA", 10, 0, "ship", "rounds 1", 2, 1.0)


@pytest.fixture
def book(tmp_path: Path) -> PlayersFile:
    book = PlayersFile(tmp_path / "house.db.players")
    assert book.join("ann", "Ann", b"hash of Ann", 5)
    assert book.join("bob", "Bob", b"hash of Bob", 6)
    return book


def test_another_programs_file_and_a_newer_book_are_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE mine (a)")
    before = other.read_bytes()
    with pytest.raises(NotStored, match="store-unreadable"):
        PlayersFile(other)
    (tmp_path / "text").write_text("no database, but long enough to be read as one" * 30)
    with pytest.raises(NotStored, match="store-unreadable"):
        PlayersFile(tmp_path / "text")
    PlayersFile(tmp_path / "new").close()
    with sqlite3.connect(tmp_path / "new") as db:
        db.execute(f"PRAGMA user_version = {len(VERSIONS) + 1}")
    with pytest.raises(NotStored, match="store-newer"):
        PlayersFile(tmp_path / "new")
    assert other.read_bytes() == before


def test_only_its_owner_reads_it_and_a_copy_holds_all(book: PlayersFile, tmp_path: Path) -> None:
    assert book.file is not None
    assert book.file.stat().st_mode & 0o777 == 0o600
    book.add([ENTRY])
    copied = beside(tmp_path / "copy.db")
    copy_players(book.file, copied)
    assert PlayersFile(copied).export(1) == book.export(1)
    assert copied.stat().st_mode & 0o777 == 0o600
    with pytest.raises(NotStored, match="backup-exists"):
        copy_players(book.file, copied)


def test_nothing_is_left_in_the_file_of_who_was_erased(book: PlayersFile) -> None:
    assert book.file is not None
    assert book.join("cid", "Queen of Diamonds", b"a hash of her words", 7)
    assert b"Queen of Diamonds" in book.file.read_bytes()
    book.erase(3)
    left = book.file.read_bytes()
    assert (b"Queen of Diamonds" in left, b"a hash of her words" in left, b"Bob" in left) == (False, False, True)
