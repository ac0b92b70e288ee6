"""A roll that names the dice to keep is one event, which says where they lie."""

import pytest

from match.scripted_table import ROLL, ask_all, fourtwenty_table
from pubdice.core.errors import IllegalAction, Refused
from pubdice.core.game import Keep, Seat
from pubdice.games.midnight import Midnight
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from pubdice.match.record import Played, Rolled
from pubdice.match.table import Mark, Marked, RollOrBank, Table, TableState, moves, read_event, write_event
from support.scripted_cup import ScriptedCup

TABLE = Table(Match(Midnight(), 2, Rounds(1)), ("Ann", "Bob"))
FALLEN = (3, 4, 4, 5, 1, 2)


def _rolled() -> TableState:
    return TABLE.apply(TABLE.start(), Rolled(FALLEN))


def test_the_dice_named_stay_where_they_lie_and_a_log_says_where() -> None:
    state, cup = _rolled(), ScriptedCup([(6, 6, 6, 6)])
    events = TABLE.decide(state, RollOrBank("roll", marks=(2, 3)), cup)
    assert events == (Played(Keep((4, 5)), (2, 3)), Rolled((6, 6, 6, 6)))
    texts = [write_event(TABLE, event) for event in events]
    assert texts == ["play k45 2 3", "roll 6666"]
    for text in texts:
        state = TABLE.apply(state, read_event(TABLE, text))
    assert [(die.place, die.face) for die in TABLE.view(state, state.match.order[0]) if die.status == "locked"] == [
        (2, 4),
        (3, 5),
    ]


def test_the_dice_named_count_and_not_those_marked_before() -> None:
    cup = ScriptedCup([(6,) * 5])
    (marked,) = TABLE.decide(_rolled(), Mark((0, 1)), cup)
    state = TABLE.apply(_rolled(), marked)
    played, _ = TABLE.decide(state, RollOrBank("roll", marks=(3,)), cup)
    assert played == Played(Keep((5,)), (3,))


def test_dice_marked_before_are_not_named_twice() -> None:
    cup = ScriptedCup([(6,) * 4])
    (marked,) = TABLE.decide(_rolled(), Mark((2, 3)), cup)
    played, _ = TABLE.decide(TABLE.apply(_rolled(), marked), RollOrBank("roll", marks=(2, 3)), cup)
    assert played == Played(Keep((4, 5)))


@pytest.mark.parametrize("places", [(6,), (-1,), (2, 2), (0, 99)])
def test_dice_that_do_not_lie_there_refuse_the_whole_roll(places: tuple[int, ...]) -> None:
    with pytest.raises(Refused) as error:
        TABLE.decide(_rolled(), RollOrBank("roll", marks=places), ScriptedCup())
    assert error.value.code == "not-markable"


@pytest.mark.parametrize("text", ["play k45 0 3", "play k45 2", "play k45 2 3 4", "play k44 2 2", "play k45 2 9"])
def test_a_line_whose_places_do_not_show_what_is_kept_cannot_have_happened(text: str) -> None:
    with pytest.raises(IllegalAction):
        TABLE.apply(_rolled(), read_event(TABLE, text))


def test_no_die_can_have_been_marked_while_a_roll_is_due() -> None:
    """At 420 a hand lies there between its rolls, and what was kept of it is not locked."""
    table = fourtwenty_table()
    state, _ = ask_all(table, table.start(), ROLL, ROLL, rolls=[(6, 5, 5, 1), (6, 5, 5, 1)])
    assert table.apply(state, Marked((1,))).marks == (1,)
    due = table.apply(state, Played(Keep((5, 5))))
    assert [die.face for die in table.view(due, Seat(0))] == [5, 5]
    with pytest.raises(IllegalAction) as error:
        table.apply(due, Marked((1,)))
    assert error.value.code == "not-markable"


def test_a_record_knows_no_places() -> None:
    assert moves([Rolled(FALLEN), Played(Keep((4, 5)), (2, 3))]) == [Rolled(FALLEN), Played(Keep((4, 5)))]
