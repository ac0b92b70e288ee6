"""A players' book keeps its promises in every database: bounds, sums of old matches, and no erased player."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pubdice.core.errors import NotStored
from pubdice.store import players_book as module
from pubdice.store.players_book import MOST_LINKS, MOST_TRIES, BookEntry, BookPlayer, PlayersBook
from pubdice.store.sqlite.players import PlayersFile

ENTRY = BookEntry(1, "AAAAAA", 10, 0, "ship", "rounds 1", 2, 1.0)
WORTH = {"matches": 1, "lost": 0.5}


@pytest.fixture
def opened(tmp_path: Path) -> PlayersBook:
    """An empty book."""
    return PlayersFile(tmp_path / "house.db.players")


@pytest.fixture
def book(opened: PlayersBook) -> Iterator[PlayersBook]:
    with closing(opened) as book:
        book.begin("ann", 5)
        book.begin("bob", 6)
        yield book


def number(book: PlayersBook, person: str) -> int:
    player = book.player_of(person)
    assert player is not None
    return player.id


def test_a_browser_has_one_player_and_a_player_a_few_browsers(book: PlayersBook) -> None:
    book.begin("ann", 7)
    assert book.players() == [1, 2], "it is somebody's already"
    for at in range(MOST_LINKS + 3):
        book.enter(f"phone {at}", 1, 10 + at)
    linked = book.browsers(number(book, f"phone {MOST_LINKS + 2}"))
    assert len(linked) == MOST_LINKS
    assert book.player_of("ann") is None, "the longest linked was let go"
    assert book.player_of(linked[0][0]) == BookPlayer(1, MOST_LINKS)
    book.enter("bob", 1, 99)
    book.enter("eve", 9, 99)
    assert book.links(["bob", "ann", "eve"]) == {"bob": (2, 0)}, "a book is not taken away, and none is made up"


def test_a_seat_opens_the_book_in_which_its_match_counts(book: PlayersBook) -> None:
    book.add([ENTRY, replace(ENTRY, player=2, seat=1), replace(ENTRY, code="BBBBBB", state="out")])
    assert sorted(book.seats("AAAAAA")) == [(1, 0), (2, 1)]
    assert book.seats("BBBBBB") == []


def test_old_matches_become_sums_and_count_once(book: PlayersBook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 3)
    for at in range(8):
        entry = replace(ENTRY, code=f"CODE{at}", at=100 + at, state="worked", utility="share", worth=WORTH)
        book.add([entry, replace(entry, player=2, seat=1, won=0.0)])
    assert [entry.at for entry in book.entries(1)] == [107, 106, 105]
    (sums,) = book.sums(1)
    assert (sums.games, sums.won, sums.worth) == (5, 5, {"matches": 5, "lost": 2.5})
    assert book.horizon(1) == 105


def test_a_match_worked_out_counts_once_for_each_player(book: PlayersBook) -> None:
    book.add([ENTRY, replace(ENTRY, player=2, seat=1, won=0.0)])
    book.add([replace(ENTRY, won=0.5)])
    assert book.waiting(1) == book.waiting(2) == 1
    book.worked("AAAAAA", "share", {0: WORTH, 1: {"matches": 1, "lost": 0.0}})
    book.worked("AAAAAA", "chips", None)
    (mine,), (theirs,) = book.entries(1), book.entries(2)
    assert (mine.state, mine.utility, mine.worth, mine.won) == ("worked", "share", WORTH, 1.0)
    assert theirs.worth == {"matches": 1, "lost": 0.0}


def test_a_match_is_given_up_after_a_few_tries(book: PlayersBook) -> None:
    book.add([ENTRY])
    for _ in range(MOST_TRIES):
        assert [entry.code for entry in book.new(1, 9)] == ["AAAAAA"]
        book.tried("AAAAAA")
    assert book.waiting(1) == 0
    assert book.entries(1)[0].state == "bare"


def test_what_does_not_count_is_remembered_and_not_shown(book: PlayersBook) -> None:
    book.add([replace(ENTRY, state="out"), replace(ENTRY, player=2, seat=1)])
    book.worked("AAAAAA", "share", {0: WORTH, 1: WORTH})
    assert book.known(1, ["AAAAAA", "BBBBBB"]) == {"AAAAAA"}
    assert not book.entries(1)
    assert [each["state"] for each in book.export(1)["matches"]] == ["out"]


def test_nobody_is_entered_who_was_erased_meanwhile(book: PlayersBook) -> None:
    book.erase(1)
    book.add([ENTRY])
    assert book.known(1, ["AAAAAA"]) == set()
    book.begin("cid", 7)
    assert number(book, "cid") == 3, "a number is given once"


def test_a_match_that_is_in_the_sums_is_not_entered_again(book: PlayersBook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 2)
    matches = [replace(ENTRY, code=f"CODE{at}", at=100 + at) for at in range(4)]
    book.add(matches)
    book.add(matches)
    assert [entry.at for entry in book.entries(1)] == [103, 102]
    assert [(sums.games, sums.won) for sums in book.sums(1)] == [(2, 2.0)]


def test_everything_about_a_player_goes_out_and_goes(book: PlayersBook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 1)
    for at in (10, 20):
        played = replace(ENTRY, code=f"CODE{at}", at=at, state="worked", utility="share", worth=WORTH)
        book.add([played, replace(played, player=2, seat=1, won=0.0)])
    assert book.export(1) == {
        "joined": 5,
        "words": "",
        "browsers": [{"person": "ann", "since": 0}],
        "matches": [
            {
                "code": "CODE20", "at": 20, "seat": 0, "game": "ship", "form": "rounds 1", "seats": 2, "won": 1.0,
                "state": "worked", "utility": "share", "worth": WORTH,
            }
        ],
        "sums": [{"game": "ship", "utility": "share", "games": 1, "won": 1.0, "worth": WORTH}],
    }  # fmt: skip
    book.erase(1)
    assert book.player_of("ann") is None
    assert (book.players(), book.entries(1), book.sums(1), book.browsers(1)) == ([2], [], [], [])
    assert len(book.entries(2)) == len(book.sums(2)) == 1


def test_words_of_an_earlier_version_open_a_book(book: PlayersBook) -> None:
    assert not book.has_words()
    with book._transaction() as work:
        work.execute("UPDATE players SET words = ? WHERE id = 1", (b"hash of Ann",))
    assert book.has_words()
    assert (book.player_with(b"hash of Ann"), book.player_with(b"hash of Bob")) == (1, None)
    assert book.export(1)["words"] == b"hash of Ann".hex()
    book.erase(1)
    assert (book.player_with(b"hash of Ann"), book.has_words()) == (None, False)
    assert len(book.salt()) == 32


def test_browsers_leave(book: PlayersBook) -> None:
    book.enter("phone", 1, 7)
    book.leave("ann")
    assert (book.player_of("ann"), book.browsers(1)) == (None, [("phone", 7)])
    assert (book.links([]), book.known(1, [])) == ({}, set())


def test_a_disk_that_fails_is_said(book: PlayersBook) -> None:
    book.close()
    with pytest.raises(NotStored, match="store-unwritable"):
        book.player_of("ann")
    with pytest.raises(NotStored, match="store-unwritable"):
        book.leave("ann")
