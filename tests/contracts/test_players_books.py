"""What a players' book promises in every database: bounds, sums of old matches, and nobody entered who was erased."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pubdice.core.errors import NotStored, Refused
from pubdice.store import players_book as module
from pubdice.store.players_book import MOST_LINKS, MOST_TRIES, BookEntry, PlayersBook
from pubdice.store.sqlite.players import PlayersFile

ENTRY = BookEntry(1, "AAAAAA", 10, 0, "ship", "rounds 1", 2, 1.0)
WORTH = {"matches": 1, "lost": 0.5}


@pytest.fixture(params=["sqlite", "postgres"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PlayersBook]:
    with closing(_opened(request, tmp_path)) as book:
        assert book.join("ann", "Ann", b"hash of Ann", 5)
        assert book.join("bob", "Bob", b"hash of Bob", 6)
        yield book


def _opened(request: pytest.FixtureRequest, folder: Path) -> PlayersBook:
    if request.param == "sqlite":
        return PlayersFile(folder / "house.db.players")
    from pubdice.store.postgres.players import PlayersTables  # noqa: PLC0415 - the driver is an extra

    return PlayersTables(request.getfixturevalue("empty_database"))


def number(book: PlayersBook, person: str) -> int:
    player = book.player_of(person)
    assert player is not None
    return player.id


def test_a_browser_has_one_player_and_a_player_a_bounded_number_of_browsers(book: PlayersBook) -> None:
    assert not book.join("ann", "Else", b"other", 7), "it is somebody's already"
    assert not book.enter("phone", b"no such hash", 8)
    for at in range(MOST_LINKS + 3):
        assert book.enter(f"phone {at}", b"hash of Ann", 10 + at)
    linked = book.browsers(number(book, f"phone {MOST_LINKS + 2}"))
    assert len(linked) == MOST_LINKS
    assert book.player_of("ann") is None, "the longest linked was let go"
    assert book.enter("bob", b"hash of Ann", 99)
    assert book.links(["bob", "ann"]) == {"bob": (1, 99)}


def test_a_full_book_takes_nobody_in(book: PlayersBook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PLAYERS", 2)
    with pytest.raises(Refused, match="book-full"):
        book.join("cid", "Cid", b"hash of Cid", 7)
    assert book.player_of("cid") is None


def test_names_of_which_no_match_counts_are_found_and_dropped(
    book: PlayersBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 1)
    for person, joined in (("cid", 7), ("dee", 8), ("eve", 9)):
        assert book.join(person, person, person.encode(), joined)
    assert book.unplayed(9, 9) == [1, 2, 3, 4]
    assert book.unplayed(99, 2) == [1, 2]
    book.add([replace(ENTRY, player=1)])
    book.add([replace(ENTRY, player=2, state="out")])
    for at in (10, 11):
        book.add([replace(ENTRY, player=3, code=f"CODE{at}", at=at)])
    book.worked("CODE11", "", None)
    assert book.unplayed(99, 9) == [2, 4, 5]
    book.drop_unplayed([1, 2, 3, 4])
    assert [book.player_of(person) is not None for person in ("ann", "bob", "cid", "dee", "eve")] == [
        True,
        False,
        True,
        False,
        True,
    ]
    assert not book.enter("phone", b"hash of Bob", 99)
    assert book.join("bob", "Bob", b"hash of Bob", 100)


def test_names_of_the_address_that_wrote_the_most_go_first_and_it_has_a_bounded_number(
    book: PlayersBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_UNPLAYED", 3)
    for at, person in enumerate(("cid", "eve 1", "eve 2", "eve 3")):
        assert book.join(person, person, person.encode(), 10 + at, b"ee" if person > "e" else b"cc")
    assert book.unplayed(99, 9) == [4, 5, 6, 3, 1, 2], "of names without an address nobody knows who wrote them"
    assert book.unplayed(99, 9, b"cc") == [3]
    with pytest.raises(Refused, match="book-here"):
        book.join("eve 4", "Eve", b"hash of Eve", 20, b"ee")
    assert book.player_of("eve 4") is None
    assert book.export(4)["opener"] == b"ee".hex()
    book.add([replace(ENTRY, player=4, state="out")])
    with pytest.raises(Refused, match="book-here"):
        book.join("eve 4", "Eve", b"hash of Eve", 20, b"ee")
    book.add([replace(ENTRY, player=4, code="BBBBBB")])
    assert book.export(4)["opener"] == "", "it is forgotten once a match counts"
    assert book.join("eve 4", "Eve", b"hash of Eve", 20, b"ee")
    book.drop_unplayed([5])
    assert book.join("eve 5", "Eve", b"another hash", 21, b"ee"), "a name that has gone counts no more"


def test_old_matches_become_sums_and_nothing_is_lost_or_counted_twice(
    book: PlayersBook, monkeypatch: pytest.MonkeyPatch
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


def test_what_is_worked_out_counts_for_all_who_were_there_and_only_once(book: PlayersBook) -> None:
    book.add([ENTRY, replace(ENTRY, player=2, seat=1, won=0.0)])
    book.add([replace(ENTRY, won=0.5)])
    assert book.waiting(1) == book.waiting(2) == 1
    book.worked("AAAAAA", "share", {0: WORTH, 1: {"matches": 1, "lost": 0.0}})
    book.worked("AAAAAA", "chips", None)
    (mine,), (theirs,) = book.entries(1), book.entries(2)
    assert (mine.state, mine.utility, mine.worth, mine.won) == ("worked", "share", WORTH, 1.0)
    assert theirs.worth == {"matches": 1, "lost": 0.0}


def test_a_match_that_cannot_be_worked_out_is_given_up_after_a_few_tries(book: PlayersBook) -> None:
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
    assert not book.opponents(1, 9)
    assert not book.opponents(2, 9)
    assert [each["state"] for each in book.export(1)["matches"]] == ["out"]


def test_nobody_is_entered_who_was_erased_meanwhile(book: PlayersBook) -> None:
    book.erase(1)
    book.add([ENTRY])
    assert book.known(1, ["AAAAAA"]) == set()
    assert book.join("cid", "Cid", b"hash of Cid", 7)
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
        "name": "Ann",
        "joined": 5,
        "words": b"hash of Ann".hex(),
        "opener": "",
        "browsers": [{"person": "ann", "since": 5}],
        "matches": [
            {
                "code": "CODE20", "at": 20, "seat": 0, "game": "ship", "form": "rounds 1", "seats": 2, "won": 1.0,
                "state": "worked", "utility": "share", "worth": WORTH,
            }
        ],
        "sums": [{"game": "ship", "utility": "share", "games": 1, "won": 1.0, "worth": WORTH}],
        "met": [{"name": "Bob", "games": 2, "won": 2.0, "theirs": 0.0}],
    }  # fmt: skip
    assert [type(value) for value in book.export(1)["met"][0].values()] == [str, int, float, float]
    book.erase(1)
    assert book.player_of("ann") is None
    assert (book.entries(1), book.sums(1), book.opponents(2, 9), book.browsers(1)) == ([], [], [], [])
    assert not book.enter("phone", b"hash of Ann", 30)
    assert len(book.entries(2)) == len(book.sums(2)) == 1


def test_words_are_changed_and_browsers_leave(book: PlayersBook) -> None:
    book.change_words(1, b"other words")
    assert not book.enter("phone", b"hash of Ann", 7)
    assert book.enter("phone", b"other words", 7)
    book.leave("ann")
    assert (book.player_of("ann"), book.browsers(1)) == (None, [("phone", 7)])
    with pytest.raises(NotStored, match="store-unwritable"):
        book.change_words(2, b"other words")
    assert book.enter("tablet", b"hash of Bob", 8)
    assert (len(book.salt), book.links([]), book.known(1, [])) == (32, {}, set())


def test_a_disk_that_fails_is_said(book: PlayersBook) -> None:
    book.close()
    with pytest.raises(NotStored, match="store-unwritable"):
        book.player_of("ann")
    with pytest.raises(NotStored, match="store-unwritable"):
        book.leave("ann")
