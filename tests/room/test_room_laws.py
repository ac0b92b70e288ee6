"""Laws of a table with people, over every game, format, number of seats and kind of dice.

What holds after every single command is checked by the walk itself (``walks.Walk``).
"""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import KITS, read
from pubdice.kit import Kit
from pubdice.match.header import RawHeader
from pubdice.match.record import write
from pubdice.match.sealed_record import read_fixed
from pubdice.match.table import Dice, moves
from pubdice.room import Room
from pubdice.room import commands as ask
from pubdice.room.beginning import rules_of
from pubdice.room.chairs import missing
from pubdice.room.events import Moved
from pubdice.room.next_table import evening
from pubdice.room.seeds import unseeded
from pubdice.room.setup_text import read_setup, write_setup
from pubdice.room.state import clock, due
from room.always_true import check_sound
from room.random_commands import Walk, replayed, walks

EVERY_KIT = pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
EVERY_DICE = pytest.mark.parametrize("dice", get_args(Dice))
LONGEST = 20_000


@EVERY_KIT
@EVERY_DICE
@given(data=st.data())
def test_whatever_is_asked_the_log_tells_it_all(kit: Kit, dice: Dice, data: st.DataObject) -> None:
    walk = Walk(data.draw(walks(kit, dice)))
    walk.run(data.draw(st.sampled_from((10, 40, 120))))
    assert replayed(walk.room, walk.log) == walk.state
    assert walk.state.seq == len(walk.log)
    assert replayed(Room(kit, read_setup(write_setup(walk.room.setup))), walk.log) == walk.state


@EVERY_KIT
@EVERY_DICE
@given(data=st.data())
def test_a_record_under_the_names_of_now_is_always_one(kit: Kit, dice: Dice, data: st.DataObject) -> None:
    walk = Walk(data.draw(walks(kit, dice)))
    walk.run(100)
    if walk.state.table is None or walk.state.match is None:
        return
    steps = walk.room.replay(walk.room.start(), walk.log)
    events = [step.line.event.event for step in steps if isinstance(step.line.event, Moved)]
    header = kit.normalize(RawHeader(rules_of(walk.state)))
    fixed = walk.state.fixed
    assert header.names == (read_fixed(fixed).names if fixed else walk.state.names), "sealed dice follow from the names"
    record, found = read(write(header, walk.state.table.match, moves(events)))
    assert record.header.names == header.names
    assert (found[-1].after if found else kit.match(header).start()) == walk.state.match.state.match


@EVERY_KIT
@given(data=st.data())
def test_a_table_always_ends_when_bots_play_on(kit: Kit, data: st.DataObject) -> None:
    """Everybody has left in the middle: what is due leads to the end, one deed after the other."""
    walk = Walk(data.draw(walks(kit, "house", 5)))
    walk.run(data.draw(st.integers(0, 60)))
    if walk.state.stage == "gathering":
        if not walk.state.people:
            assert walk.attempt(walk.state.host, ask.Sit(None, "Late")), "the table may be shut to all others"
        for _ in range(missing(kit, walk.state) if walk.state.setup.grows else 0):
            assert walk.attempt(walk.state.host, ask.AddBot())
        for seat in unseeded(walk.state, range(len(walk.state.chairs))):
            walk.attempt(walk.state.chairs[seat].people[0], ask.AddSeed("late"))
        if walk.state.stage == "gathering":
            assert walk.attempt(walk.state.host, ask.Start())
    if walk.state.paused_at:
        assert walk.attempt(walk.state.people[0], ask.Unpause()) if walk.state.people else walk.state.paused_at
    for person in walk.people:
        walk.attempt(person, ask.Leave())
    if walk.state.paused_at:
        assert due(walk.state) is None, "it stands still until somebody goes on"
        return
    deeds = 0
    while walk.state.stage == "playing" and (walk.state.setup.dice != "real" or due(walk.state)):
        assert not walk.state.people
        walk.own_deed()
        deeds += 1
        assert deeds < LONGEST
    assert due(walk.state) is None


@EVERY_KIT
@EVERY_DICE
@given(data=st.data())
def test_a_table_waits_for_people_only_where_people_are_to_do_something(
    kit: Kit, dice: Dice, data: st.DataObject
) -> None:
    walk = Walk(data.draw(walks(kit, dice)))
    for _ in range(60):
        walk.run(1)
        state, deed = walk.state, due(walk.state)
        if state.stage != "playing" or state.table is None or state.match is None or state.paused_at:
            assert deed is None
        elif deed is None:
            to_roll = state.table.match.to_roll(state.match.state.match)
            typed = state.setup.dice == "real" and (state.mover is None or to_roll > 0)
            assert typed or (state.mover is not None and not state.plays(state.mover) and not state.setup.clock_s)
        else:
            assert state.mover is not None
            assert deed[1] == ("bot" if state.plays(state.mover) else "clock")
            assert (clock(state) is None) == (deed[1] == "bot")
        assert clock(state) is None or clock(state) == state.turn_at + 1000 * state.setup.clock_s


@EVERY_KIT
@EVERY_DICE
@given(data=st.data())
def test_a_rematch_has_everybody_where_they_sat(kit: Kit, dice: Dice, data: st.DataObject) -> None:
    walk = Walk(data.draw(walks(kit, dice, 4)))
    walk.run(data.draw(st.sampled_from((60, 200))))
    if walk.state.stage != "over":
        return
    before = walk.state
    following = Walk(walk.order)
    following.seals = walk.seals
    following.room = Room(kit, read_setup(write_setup(walk.room.again(before, walk.now, "ABCDEF", walk.seals))))
    following.state, following.now = following.room.start(), walk.now
    check_sound(following.state)
    chairs = following.state.chairs
    assert [chair.name for chair in chairs][: len(before.chairs)] == list(before.names)
    assert [chair.awaited for chair in chairs][: len(before.chairs)] == [chair.people for chair in before.chairs]
    assert [chair.awaited for chair in chairs][len(before.chairs) :] == [(person,) for person, _ in before.queue]
    assert following.state.banned == before.banned
    assert following.state.host == before.host
    games, rows = evening(before)
    assert (games, rows) == (following.room.setup.games, following.room.setup.evening)
    assert games == before.setup.games + 1
    for person in dict.fromkeys([*before.people, *dict(before.queue)]):
        if following.state.seat_of(person) is None and following.state.match is None:
            following.attempt(person, ask.Sit(None, ""))
        if following.state.match is None:
            following.attempt(person, ask.AddSeed("again"))
            following.attempt(person, ask.Ready())
    after = following.state
    assert replayed(following.room, following.log) == after
    if not before.people:
        return
    assert after.stage == "playing", "all are there"
    assert before.table is not None
    assert after.table is not None
    assert set(before.people) <= set(after.people)
    first = before.drawn if before.table.match.first is None else before.table.match.first
    if before.setup.rules.get("first") == "draw":
        assert after.table.match.first is None
    else:
        assert first is not None
        assert after.table.match.first == (first + 1) % len(before.chairs)


@EVERY_KIT
@given(data=st.data())
def test_whatever_is_asked_of_a_rematch_the_log_tells_it_all(kit: Kit, data: st.DataObject) -> None:
    walk = Walk(data.draw(walks(kit, "house", 4)))
    walk.run(60)
    if walk.state.stage != "over":
        return
    following = Walk(walk.order)
    following.seals = walk.seals
    following.room = Room(kit, read_setup(write_setup(walk.room.again(walk.state, walk.now, "ABCDEF"))))
    following.state, following.now = following.room.start(), walk.now
    following.run(80)
    assert replayed(following.room, following.log) == following.state
