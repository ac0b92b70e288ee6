"""The file of the players' book: bounds, sums of old matches, versions, copies, and nothing left of who was erased."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from pubdice.core.errors import NotStored, Refused
from pubdice.store import players as module
from pubdice.store.players import MOST_LINKS, MOST_TRIES, BookEntry, PlayersFile
from pubdice.store.players_schema import VERSIONS, beside, copy_players

ENTRY = BookEntry(1, "AAAAAA", 10, 0, "ship", "rounds 1", 2, 1.0)
WORTH = {"matches": 1, "lost": 0.5}


@pytest.fixture
def book(tmp_path: Path) -> PlayersFile:
    book = PlayersFile(tmp_path / "house.db.players")
    assert book.join("ann", "Ann", b"hash of Ann", 5)
    assert book.join("bob", "Bob", b"hash of Bob", 6)
    return book


def number(book: PlayersFile, person: str) -> int:
    player = book.player_of(person)
    assert player is not None
    return player.id


def test_a_browser_has_one_player_and_a_player_a_bounded_number_of_browsers(book: PlayersFile) -> None:
    assert not book.join("ann", "Else", b"other", 7), "it is somebody's already"
    assert not book.enter("phone", b"no such hash", 8)
    for at in range(MOST_LINKS + 3):
        assert book.enter(f"phone {at}", b"hash of Ann", 10 + at)
    linked = book.browsers(number(book, f"phone {MOST_LINKS + 2}"))
    assert len(linked) == MOST_LINKS
    assert book.player_of("ann") is None, "the longest linked was let go"
    assert book.enter("bob", b"hash of Ann", 99)
    assert book.links(["bob", "ann"]) == {"bob": (1, 99)}


def test_a_full_book_takes_nobody_in(book: PlayersFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PLAYERS", 2)
    with pytest.raises(Refused, match="book-full"):
        book.join("cid", "Cid", b"hash of Cid", 7)
    assert book.player_of("cid") is None


def test_old_matches_become_sums_and_nothing_is_lost_or_counted_twice(
    book: PlayersFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 3)
    for at in range(8):
        entry = replace(ENTRY, code=f"CODE{at}", at=100 + at, state="worked", utility="share", worth=WORTH)
        book.add([entry, replace(entry, player=2, seat=1, won=0.0)])
    assert [entry.at for entry in book.entries(1)] == [107, 106, 105]
    (sums,) = book.sums(1)
    assert (sums.games, sums.won, sums.worth) == (5, 5, {"matches": 5, "lost": 2.5})
    for player, won in ((1, 8), (2, 0)):
        (other,) = book.opponents(player, 9)
        assert (other.games, other.won, other.theirs) == (8, won, 8 - won)
    assert book.horizon(1) == 105


def test_what_is_worked_out_counts_for_all_who_were_there_and_only_once(book: PlayersFile) -> None:
    book.add([ENTRY, replace(ENTRY, player=2, seat=1, won=0.0)])
    book.add([replace(ENTRY, won=0.5)])
    assert book.waiting(1) == book.waiting(2) == 1
    book.worked("AAAAAA", "share", {0: WORTH, 1: {"matches": 1, "lost": 0.0}})
    book.worked("AAAAAA", "chips", None)
    (mine,), (theirs,) = book.entries(1), book.entries(2)
    assert (mine.state, mine.utility, mine.worth, mine.won) == ("worked", "share", WORTH, 1.0)
    assert theirs.worth == {"matches": 1, "lost": 0.0}


def test_a_match_that_cannot_be_worked_out_is_not_tried_for_ever(book: PlayersFile) -> None:
    book.add([ENTRY])
    for _ in range(MOST_TRIES):
        assert [entry.code for entry in book.new(1, 9)] == ["AAAAAA"]
        book.tried("AAAAAA")
    assert book.waiting(1) == 0
    assert book.entries(1)[0].state == "bare"


def test_what_does_not_count_is_remembered_and_not_shown(book: PlayersFile) -> None:
    book.add([replace(ENTRY, state="out"), replace(ENTRY, player=2, seat=1)])
    book.worked("AAAAAA", "share", {0: WORTH, 1: WORTH})
    assert book.known(1, ["AAAAAA", "BBBBBB"]) == {"AAAAAA"}
    assert not book.entries(1)
    assert not book.opponents(1, 9)
    assert not book.opponents(2, 9)
    assert [each["state"] for each in book.export(1)["matches"]] == ["out"]


def test_nobody_is_entered_who_was_erased_meanwhile(book: PlayersFile) -> None:
    book.erase(1)
    book.add([ENTRY])
    assert book.known(1, ["AAAAAA"]) == set()
    assert book.join("cid", "Cid", b"hash of Cid", 7)
    assert number(book, "cid") == 3, "a number is given once"


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


def test_a_disk_that_fails_is_said(book: PlayersFile) -> None:
    book.close()
    with pytest.raises(NotStored, match="store-unwritable"):
        book.player_of("ann")
