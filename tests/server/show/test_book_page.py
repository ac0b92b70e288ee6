"""The players' book as its page tells it: how many games and real decisions there were, each in a plain number."""

import pytest

from pubdice.server.pages.book import BookPage, HeldBook, filled_book
from pubdice.store.players_book import BookSums
from pubdice.text.catalogues import language


@pytest.mark.parametrize(("games", "decisions"), [(1, 1), (1, 7), (3, 1), (3, 12)])
def test_games_and_real_decisions_are_counted_in_words(games: int, decisions: int) -> None:
    older = (BookSums("midnight", "share", games, 0.5, {"matches": games, "decisions": decisions}),)
    told = filled_book(BookPage(), language("en"), {"midnight": "Midnight"}, HeldBook((), older), str)
    assert told.games == ("1 game" if games == 1 else f"{games} games")
    assert told.decisions == ("1 real decision" if decisions == 1 else f"{decisions} real decisions")
    there = filled_book(BookPage(), language("de"), {}, HeldBook((), older), str)
    assert (there.games, there.decisions) != (told.games, told.decisions)
