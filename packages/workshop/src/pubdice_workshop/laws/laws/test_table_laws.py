"""Laws of the table: its log rebuilds it, a refused command changes nothing, and dice stay in their places."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import CASES, KITS, Choices, Live, choices, play, read, reload, seatings
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.game import KeepGame, Seat
from pubdice.kit import Kit
from pubdice.match.record import ChoiceTakenBack, Drawn, Played, Rolled
from pubdice.match.record import moves as replayed
from pubdice.match.table import (
    Dice,
    Draw,
    EnterDice,
    Mark,
    Marked,
    PlayAction,
    RollOrBank,
    TableCommand,
    TakeBack,
    TakenBack,
    moves,
    read_event,
    write_event,
)

EVERY_KIT = pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
ANY_DICE = st.sampled_from(get_args(Dice))


def _live(kit: Kit, dice: Dice, data: st.DataObject, most: int = 100) -> Live:
    case, seats = data.draw(seatings(kit))
    numbers: Choices = data.draw(choices(most))
    return play(case, seats, numbers, dice)


@EVERY_KIT
@given(dice=ANY_DICE, data=st.data())
def test_saved_and_reloaded_at_every_event_nothing_changes(kit: Kit, dice: Dice, data: st.DataObject) -> None:
    live = _live(kit, dice, data, 60)
    lines = live.lines()
    for at, state in enumerate(live.states):
        assert reload(live.table, lines[:at]) == state
        assert state.seq == at


@EVERY_KIT
@given(dice=ANY_DICE, data=st.data())
def test_an_event_written_and_read_is_the_same_event_on_one_line(kit: Kit, dice: Dice, data: st.DataObject) -> None:
    live = _live(kit, dice, data)
    for event in live.events:
        text = write_event(live.table, event)
        assert read_event(live.table, text) == event
        assert len(text.splitlines()) == 1
        assert text == text.strip()


@EVERY_KIT
@given(data=st.data())
def test_a_record_holds_no_mark_and_nothing_taken_back(kit: Kit, data: st.DataObject) -> None:
    live = _live(kit, "real", data, 200)
    _, steps = read(live.text())
    assert replayed(steps) == moves(live.events)
    assert (steps[-1].after if steps else live.table.match.start()) == live.end.match
    taken = sum(isinstance(event, TakenBack) for event in live.events)
    typed = sum(isinstance(event, Rolled | Drawn) for event in live.events)
    assert sum(isinstance(step.move, Rolled | Drawn) for step in steps) == typed - taken


@EVERY_KIT
@given(data=st.data())
def test_what_was_taken_back_is_as_if_it_had_never_been(kit: Kit, data: st.DataObject) -> None:
    live = _live(kit, "real", data, 200)
    for before, event, after in zip(live.states, live.events, live.states[1:], strict=False):
        if isinstance(event, TakenBack):
            assert before.before is not None
            assert (after.match, after.trays, after.marks) == (
                before.before.match,
                before.before.trays,
                before.before.marks,
            )
            assert after.before is None
            with pytest.raises(Refused, match="nothing-to-take-back"):
                live.table.decide(after, TakeBack(), Choices([]))


@EVERY_KIT
@given(dice=ANY_DICE, data=st.data())
def test_a_choice_comes_back_and_the_dice_that_were_seen_fall_again(kit: Kit, dice: Dice, data: st.DataObject) -> None:
    """The oracle lists each turn's dice. A turn with choices taken back shows dice of one list, in its order."""
    case, seats = data.draw(seatings(kit))
    live = play(case, seats, data.draw(choices(100)), dice, takes_back=True)
    table, fell, used = live.table, list[int](), 0
    chosen: tuple[Any, int] | None = None
    for before, event, after in zip(live.states, live.events, live.states[1:], strict=False):
        if isinstance(event, Rolled):
            again = fell[used : used + len(event.dice)]
            assert list(event.dice[: len(again)]) == again, "dice that were seen have changed"
            fell += event.dice[len(again) :]
            used += len(event.dice)
        elif isinstance(event, Played) and len(before.legal) > 1:
            chosen = (before.match, before.trays, before.mover, before.legal), used
        elif isinstance(event, ChoiceTakenBack):
            assert chosen is not None
            assert dice != "sealed"
            assert (after.match, after.trays, after.mover, after.legal) == chosen[0]
            assert (after.marks, after.choice) == ((), None)
            used = chosen[1]
        elif isinstance(event, TakenBack):  # players may type other real dice now
            return
        back = isinstance(event, ChoiceTakenBack)
        if not back and (before.mover, before.match.number) != (after.mover, after.match.number):
            last = used - (len(event.dice) if isinstance(event, Rolled) else 0)
            del fell[used:]
            assert chosen is None or last >= chosen[1]
    assert reload(table, live.lines()) == live.end


@EVERY_KIT
@given(data=st.data())
def test_a_record_with_choices_taken_back_replays_to_the_same_match(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    live = play(case, seats, data.draw(choices(100)), takes_back=True)
    text = live.text()
    assert text.count("\nback ") == sum(isinstance(event, ChoiceTakenBack) for event in live.events)
    _, steps = read(text)
    assert (steps[-1].after if steps else live.table.match.start()) == live.end.match
    counting = list[Any]()
    for event in live.events:
        if isinstance(event, ChoiceTakenBack):
            del counting[len(counting) - event.moves :]
        elif not isinstance(event, Marked):
            counting.append(Played(event.action) if isinstance(event, Played) else event)
    assert replayed(steps) == counting


@EVERY_KIT
@given(dice=ANY_DICE, data=st.data())
def test_a_table_never_waits_where_there_is_no_choice(kit: Kit, dice: Dice, data: st.DataObject) -> None:
    live = _live(kit, dice, data)
    assert len(live.table.match.legal(live.end.match)) != 1
    for before, event in zip(live.states, live.events, strict=False):
        if len(live.table.match.legal(before.match)) == 1:
            assert isinstance(event, Played), "a forced play comes at once, before anything else"


COMMANDS: list[TableCommand] = [
    Draw(),
    Draw(Seat(0)),
    Draw(Seat(99)),
    EnterDice(()),
    EnterDice((1,)),
    EnterDice((0, 7, 1, 1, 1, 1)),
    EnterDice((9,) * 4),
    Mark((0, 0)),
    Mark((-1,)),
    Mark((0, 99)),
    RollOrBank("roll"),
    RollOrBank("bank"),
    TakeBack(),
]
NOTATIONS = ("k-", "k1", "k16", "k666666", "hold", "roll", "stay", "draw")


def _commands(game: Any) -> Iterator[TableCommand]:
    yield from COMMANDS
    for text in NOTATIONS:
        with suppress(BadNotation):
            yield PlayAction(game.read_action(text))


@EVERY_KIT
@given(dice=ANY_DICE, data=st.data())
def test_whatever_is_asked_leads_to_events_or_to_a_refusal_that_changes_nothing(
    kit: Kit, dice: Dice, data: st.DataObject
) -> None:
    live = _live(kit, dice, data, 30)
    for state in live.states:
        before = repr(state)
        for command in _commands(live.table.match.game):
            try:
                events = live.table.decide(state, command, Choices([1, 2, 3, 4]))
            except (IllegalAction, Refused):
                continue
            assert events
            after = state
            for event in events:
                after = live.table.apply(after, event)
            assert after.seq == state.seq + len(events)
        assert repr(state) == before


@EVERY_KIT
@given(dice=ANY_DICE, data=st.data())
def test_dice_that_lie_on_the_table_keep_their_places_when_others_fall(
    kit: Kit, dice: Dice, data: st.DataObject
) -> None:
    live = _live(kit, dice, data)
    table = live.table
    for before, event, after in zip(live.states, live.events, live.states[1:], strict=False):
        mover = before.mover
        if mover is None or not isinstance(event, Rolled) or before.match.number != after.match.number:
            continue
        if after.mover != mover and not table.view(after, mover):
            continue
        lying = {(die.place, die.face) for die in table.view(before, mover)}
        assert lying <= {(die.place, die.face) for die in table.view(after, mover)}


@EVERY_KIT
@given(dice=ANY_DICE, data=st.data())
def test_a_locked_die_never_changes(kit: Kit, dice: Dice, data: st.DataObject) -> None:
    """A locked die stays in its place until the turn ends. In a game of moves it may also stay only until the rules
    release it.
    """
    live = _live(kit, dice, data)
    table = live.table
    for before, event, after in zip(live.states, live.events, live.states[1:], strict=False):
        mover = before.mover
        if mover is None or isinstance(event, TakenBack) or table.match.turn_ended(before.match, after.match):
            continue
        locked = {die.place: die for die in table.view(before, mover) if die.status == "locked"}
        seen = {die.place: die for die in table.view(after, mover)}
        if isinstance(table.match.game, KeepGame):
            assert locked.items() <= seen.items()
            continue
        stay = sum((Counter(die.face for die in locked.values()) & Counter(die.face for die in seen.values())).values())
        assert isinstance(event, Rolled) or seen.items() <= locked.items(), "an action rolls nothing"
        if (
            isinstance(event, Rolled)
            and locked
            and set(table.hands(before.match, mover)[0]) <= set(table.hands(after.match, mover)[0])
        ):
            assert sum(seen.get(place) == die for place, die in locked.items()) >= min(stay, len(locked))


@EVERY_KIT
@given(dice=ANY_DICE, data=st.data())
def test_what_is_seen_in_places_is_what_the_rules_hold(kit: Kit, dice: Dice, data: st.DataObject) -> None:
    live = _live(kit, dice, data)
    table = live.table
    for state in live.states:
        for number in range(table.match.seats):
            locked, free = table.hands(state.match, Seat(number))
            seen = table.view(state, Seat(number))
            assert tuple(sorted(die.face for die in seen)) == tuple(sorted(locked + free))
            assert tuple(sorted(die.face for die in seen if die.status == "locked")) == locked
            assert len({die.place for die in seen}) == len(seen)


@EVERY_KIT
@given(dice=ANY_DICE, data=st.data())
def test_marks_are_dice_of_the_mover_and_are_gone_after_a_move(kit: Kit, dice: Dice, data: st.DataObject) -> None:
    live = _live(kit, dice, data)
    for event, after in zip(live.events, live.states[1:], strict=False):
        if isinstance(event, Marked):
            mover = after.mover
            assert mover is not None
            marked = {die.place for die in live.table.view(after, mover) if die.status == "marked"}
            assert marked == set(after.marks) == set(event.places)
        else:
            assert after.marks == ()


@EVERY_KIT
def test_a_log_line_that_is_no_event_is_refused(kit: Kit) -> None:
    live = play(next(case for case in CASES if case.kit is kit), 2, Choices([0]))
    for text in ("", "roll x", "draw", "draw x", "mark a", "play", "play k7", "back again", "dance", " roll 1"):
        with pytest.raises(BadNotation):
            read_event(live.table, text)
