"""What can be marked: all that the rules allow, in every game, and nothing that leads nowhere."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import crew
from match.scripted_table import ROLL, ask_all
from play import KITS, choices, play, seatings
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, KeepGame, RoundState, Seat, Verb, kept_by
from pubdice.games.midnight.rules import Midnight
from pubdice.games.ship.rules import Ship
from pubdice.kit import Kit
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from pubdice.match.table import VERBS, Marking, RollOrBank, Table, TableState
from pubdice.typed import Choose
from pubdice.typed_dice import choose


def _pressed(marking: Marking) -> set[tuple[int, ...]]:
    """All marks that presses of dice can come to, sorted, where each press leads on."""
    found, waiting = set[tuple[int, ...]]({()}), list[tuple[int, ...]]([()])
    while waiting:
        marks = waiting.pop()
        for place, _ in marking.dice:
            after = tuple(sorted(marking.press(place, marks)))
            if after not in found and (place in marks or marking.leads_on(after)):
                found.add(after)
                waiting.append(after)
    return found


def _meant(table: Table, state: TableState, marks: tuple[int, ...]) -> list[Any]:
    """The actions that roll and bank mean with these marks."""
    actions = []
    for verb in VERBS:
        with suppress(IllegalAction):
            actions.append(table.meant(replace(state, marks=marks), verb))
    return actions


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
@given(data=st.data())
def test_presses_reach_every_legal_action_and_each_leads_to_one(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit, 4))
    live = play(case, seats, data.draw(choices(40)))
    for state in live.states:
        match, marking = live.table.match, live.table.marking(state)
        if not (legal := match.legal(state.match)):
            assert marking == Marking()
            continue
        if not isinstance(match.game, KeepGame):
            assert marking == Marking(), "in a game of moves no die is chosen"
            continue
        reached = _pressed(marking)
        assert {action for marks in reached for action in _meant(live.table, state, marks)} == set(legal)
        mover = state.mover
        assert mover is not None
        for marks in reached:
            hand = state.trays[mover].shows(marks)
            keeps = [kept_by(match.game, action) for action in legal]
            assert any(all(keep.count(face) >= hand.count(face) for face in hand) for keep in keeps)


class UnmarkedCrew(crew.Crew):
    """Crew in which banking keeps both dice, marked or not."""

    def choose(self, state: RoundState, verb: Verb, kept: tuple[int, ...]) -> Keep:
        return Keep(state.free) if verb == "bank" and state.free else crew.Crew.choose(self, state, verb, kept)


def _table(game: crew.Crew | Ship) -> Table:
    return Table(Match(game, 2, Rounds(1)), ("Ann", "Bob"))


def test_dice_that_are_kept_together_are_marked_and_freed_together() -> None:
    table = _table(crew.Crew())
    state, _ = ask_all(table, table.start(), ROLL, ROLL, rolls=[(6, 5, 2, 1, 1), (1, 3, 4)])
    marking = table.marking(state)
    assert marking.dice == ((2, 1), (3, 3), (4, 4))
    assert (marking.press(4, ()), marking.press(3, ()), marking.press(2, (4,))) == ((4,), (2, 3), (4, 2, 3))
    assert marking.press(2, (4, 2, 3)) == (4,)


def test_where_both_verbs_do_without_marks_no_die_can_be_marked() -> None:
    table = _table(UnmarkedCrew())
    state, _ = ask_all(table, table.start(), ROLL, rolls=[(6, 5, 4, 1, 1)])
    assert len(table.match.legal(state.match)) == 2
    assert table.marking(state) == Marking()


def test_a_die_marked_beside_an_equal_one_that_stays_anyway_is_kept_too() -> None:
    """6 and 5 are aboard: one 4 comes aboard, and the other is cargo. Marked, it went back into the cup."""
    table = _table(Ship("single"))
    state, _ = ask_all(table, table.start(), ROLL, ROLL, rolls=[(6, 5, 1, 1, 2), (4, 4, 2)])
    assert table.stays(state) == (2,)
    for marks, kept in (((), (4,)), ((2,), (4,)), ((3,), (4, 4)), ((2, 3), (4, 4)), ((4,), (2, 4))):
        assert table.meant(replace(state, marks=marks), "roll") == Keep(kept), marks
    for typed, places in ((Choose("toggle", (4,)), (3,)), (Choose("mark", (4,)), (3,)), (Choose("keep", (4,)), (2,))):
        assert choose(table.view(state, Seat(0)), (), typed, "face", table.stays(state)) == places
    rolled, _ = ask_all(table, state, RollOrBank("roll", (3,)), rolls=[(1,)])
    assert [die.face for die in table.view(rolled, Seat(1))] == []
    assert rolled.match.round is not None
    assert rolled.match.round.scores == (5,), "4 and 1"


def test_where_a_die_must_be_marked_none_stays_by_itself() -> None:
    """At Midnight 4 4 has a 4 in every keep: to mark the second is to keep that one."""
    table = Table(Match(Midnight(), 2, Rounds(1)), ("Ann", "Bob"))
    state, _ = ask_all(table, table.start(), ROLL, RollOrBank("roll", (2, 3, 4, 5)), rolls=[(2, 3, 1, 4, 5, 6), (4, 4)])
    assert table.stays(state) == ()
    for marks in ((0,), (1,)):
        assert table.meant(replace(state, marks=marks), "roll") == Keep((4,))
