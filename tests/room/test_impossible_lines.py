"""Logs of lines that read well and tell of what cannot have happened: each is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.kit import Kit
from pubdice.room import Event, LogLine, Room, commands, write_line
from pubdice.room.events import BY_TAG, WentOn
from room.always_true import check_sound
from room.random_commands import Walk, walks
from room.random_lines import EVERY_KIT, FACTS
from room.scripted_room import BEGIN, evening, growing, over, played


@EVERY_KIT
@given(data=st.data())
def test_a_damaged_log_is_refused_or_tells_of_a_table_that_can_be(kit: Kit, data: st.DataObject) -> None:
    walk = Walk(data.draw(walks(kit)))
    walk.run(40)
    lines = list(walk.log)
    for _ in range(data.draw(st.integers(1, 3))):
        if not lines:
            break
        at, to = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        harm = data.draw(st.sampled_from(("drop", "double", "swap", "foreign", "letter")))
        if harm == "drop":
            del lines[at]
        elif harm == "double":
            lines.insert(to, lines[at])
        elif harm == "swap":
            lines[at], lines[to] = lines[to], lines[at]
        elif harm == "foreign":
            event = data.draw(st.sampled_from(sorted(BY_TAG)).flatmap(_low))
            lines.insert(at, write_line(None, LogLine(BEGIN, event)))
        else:
            place = data.draw(st.integers(0, len(lines[at]) - 1))
            lines[at] = lines[at][:place] + data.draw(st.sampled_from("0123456789 k\xb2")) + lines[at][place + 1 :]
    room = Room(walk.room.kit, walk.room.setup)
    try:
        elsewhere = False
        for step in room.replay(room.start(), lines):
            elsewhere |= isinstance(step.line.event, WentOn)
            check_sound(step.after, whole=False, elsewhere=elsewhere)
    except (BadNotation, IllegalAction):
        return


def _low(word: str) -> st.SearchStrategy[Event]:
    """An event about a seat that may be there."""
    low = {"seat": st.integers(0, 4), "absent": st.integers(0, 4), "person": st.sampled_from(("m0", "m1", "m9"))}
    kind = BY_TAG[word]
    return st.builds(kind, **{name: low.get(name, FACTS[name]) for name in kind.log.facts})


@pytest.mark.parametrize(
    "text",
    [
        "sat 0 ann Ann",
        "sat 9 eve Eve",
        "sat 1 eve bob",
        "sat 0 eve Eve",
        "joined 0 bob",
        "joined 2 eve",
        "botted 0 tip Tip",
        "botted 2 tip Tip",
        "left 2",
        "removed 2",
        "closed 2",
        "closed 0",
        "started",
        "stoodin 2 tip gave",
        "resumed 0",
        "resumed 2",
        "voted 0 0",
        "voted 0 2",
        "voted 0 9",
        "voted 2 0",
        "timedout 1",
        "timedout 9",
        "nudged 2",
        "rematched 0 ABCDEF",
        "unqueued eve",
        "reopened eve ABCDEF",
        "back",
        "roll 7",
        "roll 11",
        "play hold",
        "mark 0",
        "draw 0",
    ],
)
def test_what_cannot_have_happened_in_a_match_is_refused(text: str) -> None:
    table = played("ann", "bob", bots=["tip"])
    with pytest.raises(IllegalAction):
        list(table.room.replay(table.state, [f"{BEGIN} {text}"]))


@pytest.mark.parametrize("text", ["sat 1 bob Bob", "joined 0 bob"])
def test_who_was_removed_does_not_sit_down_again(text: str) -> None:
    table = evening()
    table.sit("ann", "bob")
    table.ask("ann", commands.Remove(1))
    with pytest.raises(IllegalAction):
        list(table.room.replay(table.state, [f"{BEGIN} {text}"]))


@pytest.mark.parametrize("text", ["sat 2 eve Eve", "shared 2 bob Kim", "botted 2 tip Tip"])
def test_a_table_that_grew_does_not_grow_in_a_match(text: str) -> None:
    table = growing("ann", "bob")
    table.ask("ann", commands.Start())
    with pytest.raises(IllegalAction):
        list(table.room.replay(table.state, [f"{BEGIN} {text}"]))


@pytest.mark.parametrize(
    "text",
    [
        "sat 1 eve Eve",
        "left 0",
        "nudged 0",
        "stoodin 0 tip gave",
        "roll 1",
        "timedout 0",
        "reopened ann ABCDEF",
        "unqueued ann",
    ],
)
def test_what_cannot_have_happened_after_the_end_is_refused(text: str) -> None:
    table = over("ann", bots=["tip"])
    table.ask("ann", commands.Rematch("ABCDEF"))
    for line in (text, "rematched 0 GHJKLM", "back"):
        with pytest.raises(IllegalAction):
            list(table.room.replay(table.state, [f"{BEGIN} {line}"]))


def test_a_match_cannot_have_begun_with_an_empty_seat() -> None:
    table = evening("pig", 3, "tip")
    table.sit("ann")
    with pytest.raises(IllegalAction):
        list(table.room.replay(table.state, [f"{BEGIN} started"]))


def test_a_match_of_too_few_seats_cannot_have_begun() -> None:
    table = evening("pig", 3, "tip", "tip")
    with pytest.raises(BadNotation):
        list(table.room.replay(table.state, [f"{BEGIN} closed 0", f"{BEGIN} closed 0", f"{BEGIN} started"]))
