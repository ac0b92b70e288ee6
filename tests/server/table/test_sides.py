"""Sides at a table of two: who is told that they play which."""

from pubdice.room import commands as ask
from pubdice.server.table.announce import Announcer
from pubdice.server.table.views import ViewContext, Viewer
from pubdice.text.catalogues import language
from room.scripted_room import BEGIN, evening, played
from server.table.announced import told_to, view_of


def test_two_at_a_table_with_sides_are_told_which_they_play() -> None:
    table = evening("420", 2, rules={"format": "race"})
    table.sit("ann")
    assert [seat.side for seat in view_of(table).seats] == ["", ""]
    steps = table.steps("bob", ask.Sit(None, "Bob"))
    assert told_to(table, steps, 0) == [
        "Bob sat down.",
        "The match begins.",
        "Ann plays Red, Bob plays Blue.",
        "Ann's turn.",
    ]
    view = view_of(table)
    assert [seat.side for seat in view.seats] == ["Red", "Blue"]
    assert view.whose.text == "Ann's turn. Here: Ann as Red and Bob as Blue."
    german = Viewer(language("de"), table.room.kit, Announcer(language("de"), table.room.kit))
    view = german.view(table.state, ViewContext(BEGIN, {1: BEGIN}, "/t/".__add__), [])
    assert [seat.side for seat in view.seats] == ["Rot", "Blau"]
    assert view.whose.text.endswith("Da: Ann als Rot. Weg: Bob als Blau.")


def test_the_player_drawn_to_begin_plays_the_first_side() -> None:
    table = evening("420", 2, rules={"format": "drinks"})
    table.sit("ann")
    steps = table.steps("bob", ask.Sit(None, "Bob"), draws=[1])
    assert told_to(table, steps, 0)[2:] == [
        "Player 1 is Bob. Round 1.",
        "Bob plays Red, Ann plays Blue.",
        "Bob's turn.",
    ]
    assert [seat.side for seat in view_of(table).seats] == ["Blue", "Red"]


def test_more_at_a_table_or_another_game_play_no_sides() -> None:
    for table in (
        played("ann", "bob", "cid", game="420", rules={"format": "race"}),
        played("ann", "bob", game="midnight"),
        played("ann", "bob"),
    ):
        assert not any(seat.side for seat in view_of(table).seats)
        assert " as " not in view_of(table).whose.text
