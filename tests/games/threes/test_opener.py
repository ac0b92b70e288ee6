"""Who opens as the loser after the moon, and the logs and records of versions in which the moon's seat could."""

import pytest

import pubdice
from pubdice.checked_record import read_checked
from pubdice.core.errors import IllegalAction
from pubdice.games import GAMES
from pubdice.match.header import RawHeader
from pubdice.match.match import Match
from pubdice.room import Room, read_setup, write_setup
from pubdice.room import commands as ask
from pubdice.server.match_records import write_record
from pubdice.server.table.ordered_setup import setup_ordered
from pubdice.server.wire import Order
from pubdice.terminal.drill_positions import position_of
from pubdice.terminal.game_log import local_setup
from pubdice.text.language import Language
from room.scripted_room import BEGIN, Evening, again, evening

RULES = {"moon": "yes", "format": "rounds 2", "opener": "loser"}
THREES, SIXES = (3,) * 5, (6,) * 5
SHOT = """pubdice 1
game: threes
moon: yes
seats: Ann, Bob
format: rounds 3
opener: loser
first: Ann

round 1
Ann: 33333 k33333 = 0
Bob: 66666 k66666 = 30
round 2
"""
"""Bob is last and shoots the moon."""
NOW = "Ann: 33333 k33333 = 0\nBob: 66666 k66666 = 30\nround 3\nAnn: 33356 k333\n"
BEFORE = "Bob: 12333 k12333 = 3\nAnn: 66666 k66666 = 30\nround 3\nAnn: 33356\n"
MIXED = "Bob: 12333 k12333 = 3\nAnn: 66666 k66666 = 30\nround 3\nBob: 33356\n"


def _shot(table: Evening) -> Evening:
    """Ann has scored 0, and Bob has shot the moon."""
    table.sit("ann", "bob")
    for person, dice in (("ann", THREES), ("bob", SIXES)):
        table.roll(person, dice)
        table.ask(person, ask.RollOrBank("bank", (0, 1, 2, 3, 4)))
    assert table.play.match.number == 2
    return table


def _match(text: str) -> Match[object, object]:
    return read_checked(text, GAMES, Language()).match


def test_a_table_begun_now_is_opened_by_the_seat_that_lost_to_the_moon() -> None:
    order = Order("threes", "Ann", people=2, rules=RULES)
    setup = read_setup(write_setup(setup_ordered(order, GAMES, "ann", BEGIN)))
    room = Room(GAMES["threes"], setup)
    assert _shot(Evening(room, room.start())).state.mover == 0


def test_the_log_of_a_table_of_before_goes_on_as_it_began() -> None:
    """Its first line lacks ``loser_lost``; its record is read as it was played, also where it is cut."""
    table = _shot(evening("threes", rules=RULES))
    assert "loser_lost" not in write_setup(table.room.setup)
    assert table.state.mover == 1
    table.roll("bob", (1, 2, 3, 3, 3))
    assert table.replayed() == table.state
    assert table.state.table is not None
    header = GAMES["threes"].normalize(RawHeader({"game": "threes", **RULES, "seats": "Ann, Bob"}))
    text = write_record(header, table.state.table, iter(table.log))
    assert text.endswith("round 2\nBob: 12333\n")
    checked = read_checked(text, GAMES, Language())
    assert checked.steps[-1].after == table.play.match


def test_the_table_of_a_rematch_and_a_game_of_the_terminal_begin_as_now() -> None:
    table = _shot(evening("threes", rules=RULES))
    while table.state.stage == "playing":
        person = ("ann", "bob")[table.state.mover or 0]
        table.roll(person, THREES)
        table.ask(person, ask.RollOrBank("bank", (0, 1, 2, 3, 4)))
    assert again(table, "ann", "bob").state.setup.loser_lost
    header = GAMES["threes"].normalize(RawHeader({"game": "threes", **RULES, "seats": "Ann, Bob"}))
    assert local_setup(header, {}, "house", 0).loser_lost


def test_records_are_read_as_now_or_all_of_them_as_before() -> None:
    assert _match(SHOT + NOW).loser_lost
    assert _match(SHOT).loser_lost, "nobody has opened the round yet"
    assert not _match(SHOT + BEFORE).loser_lost
    for text in (SHOT + MIXED, SHOT.replace("opener: loser", "opener: fixed") + BEFORE):
        with pytest.raises(IllegalAction) as error:
            read_checked(text, GAMES, Language())
        assert (error.value.code, error.value.place and error.value.place.line) == ("turn", 13)


@pytest.mark.parametrize("rounds", [SHOT + NOW, SHOT + BEFORE, SHOT], ids=["now", "before", "not opened"])
def test_a_match_in_one_line_is_read_with_the_seats_of_its_record(rounds: str) -> None:
    match = pubdice.read_record(rounds)
    again = pubdice.read_position(match.position)
    assert (again.state, again.record, again.position) == (match.state, match.record, match.position)
    assert ("loser any" in match.position) == (rounds == SHOT + BEFORE)


def test_a_position_of_a_record_of_before_has_its_seats() -> None:
    position = position_of(SHOT + BEFORE, GAMES, Language())
    assert position is not None
    told, read = read_checked(position.record(), GAMES, Language()), read_checked(SHOT + BEFORE, GAMES, Language())
    assert (told.header, told.match, told.steps) == (read.header, read.match, read.steps), "as records, not as text"
