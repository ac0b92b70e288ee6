"""The file of the players' book: another program's, other versions, copies, and nothing left when erased."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pubdice.core.errors import NotStored
from pubdice.store.players_book import BookEntry
from pubdice.store.sqlite.book_file import VERSIONS, book_path, copy_players
from pubdice.store.sqlite.players import PlayersFile

ENTRY = BookEntry(1, "AAAAAA", 10, 0, "ship", "rounds 1", 2, 1.0)


@pytest.fixture
def book(tmp_path: Path) -> PlayersFile:
    book = PlayersFile(tmp_path / "house.db.players")
    book.begin("ann", 5)
    book.begin("bob", 6)
    return book


def test_a_book_that_could_not_be_made_is_made_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sqlite3.DatabaseError("no more")

    with monkeypatch.context() as patched:
        patched.setattr("pubdice.store.sqlite.book_file.run", full)
        with pytest.raises(NotStored, match="store-unwritable"):
            PlayersFile(tmp_path / "book")
    assert list(tmp_path.iterdir()) == []
    PlayersFile(tmp_path / "book").close()


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
    copied = book_path(tmp_path / "copy.db")
    copy_players(book.file, copied)
    assert PlayersFile(copied).export(1) == book.export(1)
    assert copied.stat().st_mode & 0o777 == 0o600
    with pytest.raises(NotStored, match="backup-exists"):
        copy_players(book.file, copied)


def test_nothing_is_left_in_the_file_of_who_was_erased(book: PlayersFile) -> None:
    assert book.file is not None
    book.begin("the Queen of Diamonds' phone", 7)
    assert b"Queen of Diamonds" in book.file.read_bytes()
    book.erase(3)
    left = book.file.read_bytes()
    assert (b"Queen of Diamonds" in left, b"bob" in left) == (False, True)


def test_a_book_with_names_loses_them_alone(tmp_path: Path) -> None:
    file = tmp_path / "house.db.players"
    with closing(sqlite3.connect(file)) as db:
        db.executescript((Path(__file__).parents[1] / "databases" / "book-1.sql").read_text(encoding="utf-8"))
        held = {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in ("links", "entries", "sums")}
        words = db.execute("SELECT id, words FROM players").fetchall()
        db.execute("DELETE FROM players WHERE id = 3")
        db.execute("DELETE FROM links WHERE player = 3")
        db.commit()
    assert b"Queen of Diamonds" in file.read_bytes()
    with closing(PlayersFile(file)) as book:
        for table, rows in held.items():
            assert book._all(f"SELECT * FROM {table}") == [row for row in rows if 3 not in row], table
        assert [(player, book.player_with(hashed)) for player, hashed in words] == [(1, 1), (2, 2), (3, None)]
        book.begin("new", 5)
        assert book.players() == [1, 2, 4], "a number is given once, also after one has gone"
    left = file.read_bytes()
    assert not any(name in left for name in (b"Queen of Diamonds", b"Knave of Hearts", b"opener"))
