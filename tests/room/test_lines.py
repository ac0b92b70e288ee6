"""The lines of a log: each event written and read, what no line may hold, and what cannot have happened."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import fields
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import CASES, KITS, Case, choices, play
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.kit import Kit
from pubdice.match.header import read_name
from pubdice.match.table import Dice, Table
from pubdice.room import Event, LogLine, Room, commands, read_line, write_line
from pubdice.room import events as happened
from pubdice.room.commands import ASKED, SLICES
from pubdice.room.decision import RoomCommand
from pubdice.room.event import SeatEvent
from pubdice.room.events import BY_TAG, EVENTS, Joined, Moved, Sat, WentOn, public
from room.always_true import check_sound
from room.random_commands import Walk, walks
from room.scripted_room import BEGIN, evening, played

EVERY_KIT = pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
PERSONS = st.from_regex(r"[A-Za-z0-9_-]{22}", fullmatch=True)


def named(name: str) -> bool:
    try:
        return read_name(name) == name
    except BadNotation:
        return False


NAMES = st.one_of(
    st.sampled_from(("Ann", "Ann Bee", "Zo\xeb O'Hara", "1", "\u0628\u0648\u0628", "sat 0 x y", "A & B")),
    st.text(min_size=1, max_size=24).filter(named),
)
FACTS: dict[str, st.SearchStrategy[object]] = {
    "seat": st.integers(0, 10**9 - 1),
    "absent": st.integers(0, 10**9 - 1),
    "to": st.integers(0, 10**9 - 1),
    "rules": st.sampled_from(
        (
            '{"rules": {"game": "pig", "target": "20"}, "dice": "house", "clock_s": 0, "grace_s": 1}',
            "{}",
            "[1, 2]",
        )
    ),
    "digest": st.sampled_from(("-", "ab" * 32)),
    "seed": st.one_of(st.from_regex(r"[A-Za-z0-9]{1,32}", fullmatch=True), st.just("ab" * 32)),
    "ms": st.integers(0, 10**9 - 1),
    "person": PERSONS,
    "before": PERSONS,
    "fork": st.from_regex(r"[0-9a-f]{16}", fullmatch=True),
    "moves": st.integers(0, 10**9 - 1),
    "name": NAMES,
    "bot": st.sampled_from(sorted({bot for kit in KITS.values() for bot in kit.bots})),
    "why": st.sampled_from(("gave", "voted")),
    "code": st.text("ABCDEFGHJKLMNPQRSTUVWXYZ", min_size=6, max_size=6),
}


EVERY_WORD = pytest.mark.parametrize("word", BY_TAG)
TIMES = st.integers(0, 10**14 - 1)


def _events(word: str) -> st.SearchStrategy[Event]:
    kind = BY_TAG[word]
    return st.builds(kind, **{name: FACTS[name] for name in kind.log.facts})


def test_every_module_that_declares_a_command_or_an_event_is_listed() -> None:
    bases = {"pubdice.room.decision", "pubdice.room.event"}
    below = {kind.__module__ for base in (RoomCommand, Event, SeatEvent) for kind in base.__subclasses__()} - {"types"}
    assert below - bases == {module.__name__ for module in SLICES} | {"pubdice.room.typed_line"}
    assert len({command.do for command in ASKED}) == len(ASKED)


def test_every_kind_of_event_but_a_move_has_a_tag_of_its_own() -> None:
    assert len(BY_TAG) == len(EVENTS)
    assert not set(BY_TAG) & {"draw", "roll", "mark", "play", "back", "unplay"}


@EVERY_WORD
def test_a_line_holds_every_fact_of_its_event(word: str) -> None:
    kind: Any = BY_TAG[word]
    assert kind.log.facts == {field.name: field.type for field in fields(kind)}


@EVERY_WORD
@given(data=st.data())
def test_an_event_written_and_read_is_the_same_event_on_one_line(word: str, data: st.DataObject) -> None:
    line = LogLine(data.draw(TIMES), data.draw(_events(word)))
    text = write_line(None, line)
    assert read_line(None, text) == line
    assert len(text.splitlines()) == 1
    assert text == text.strip()


@EVERY_KIT
@pytest.mark.parametrize("dice", get_args(Dice))
@given(data=st.data())
def test_a_move_written_and_read_is_the_same_move(kit: Kit, dice: Dice, data: st.DataObject) -> None:
    case: Case = data.draw(st.sampled_from([case for case in CASES if case.kit is kit]))
    live = play(case, 3, data.draw(choices(40)), dice)
    for event in live.events:
        line = LogLine(data.draw(TIMES), Moved(event))
        assert read_line(live.table, write_line(live.table, line)) == line


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Sat(0, "3q2-7wAAAAAAAAAAAAAAAA", "Ann Bee"), "sat 0 3q2-7wAAAAAAAAAAAAAAAA Ann Bee"),
        (Joined(2, "3q2-7wAAAAAAAAAAAAAAAA"), "joined 2 3q2-7wAAAAAAAAAAAAAAAA"),
        (happened.BotSeated(1, "tip", "Tip 2"), "botted 1 tip Tip 2"),
        (happened.Left(1), "left 1"),
        (happened.Removed(1), "removed 1"),
        (happened.Closed(3), "closed 3"),
        (happened.Started(), "started"),
        (happened.BotSubstituted(0, "tip", "voted"), "stoodin 0 tip voted"),
        (happened.Resumed(0), "resumed 0"),
        (happened.Voted(0, 2), "voted 0 2"),
        (happened.TimedOut(0), "timedout 0"),
        (happened.Retimed(), "retimed"),
        (happened.BotPaceSet(0), "paced 0"),
        (happened.Nudged(1), "nudged 1"),
        (happened.Rematched(1, "ABCDEF"), "rematched 1 ABCDEF"),
        (happened.Reopened("3q2-7wAAAAAAAAAAAAAAAA", "ABCDEF"), "reopened 3q2-7wAAAAAAAAAAAAAAAA ABCDEF"),
        (happened.Followed(0), "followed 0"),
        (happened.Shared(1, "3q2-7wAAAAAAAAAAAAAAAA", "Kim"), "shared 1 3q2-7wAAAAAAAAAAAAAAAA Kim"),
        (happened.Readied(1), "readied 1"),
        (happened.Unreadied(1), "unreadied 1"),
        (happened.Shifted(2, 0), "shifted 2 0"),
        (happened.Ruled('{"dice": "house"}'), 'ruled {"dice": "house"}'),
        (happened.Renamed(1, "Ann Bee"), "renamed 1 Ann Bee"),
        (happened.HandedOver(1), "handedover 1"),
        (happened.Paused(1), "paused 1"),
        (happened.Unpaused(1), "unpaused 1"),
        (happened.Admitted(), "admitted"),
        (happened.Queued("3q2-7wAAAAAAAAAAAAAAAA", "Lou"), "queued 3q2-7wAAAAAAAAAAAAAAAA Lou"),
        (happened.Unqueued("3q2-7wAAAAAAAAAAAAAAAA"), "unqueued 3q2-7wAAAAAAAAAAAAAAAA"),
        (
            happened.WentOn("0123456789abcdef", 14, "3q2-7wAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAA"),
            "wenton 0123456789abcdef 14 3q2-7wAAAAAAAAAAAAAAAA AAAAAAAAAAAAAAAAAAAAAA",
        ),
        (
            happened.Recognised("3q2-7wAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAA"),
            "recognised 3q2-7wAAAAAAAAAAAAAAAA AAAAAAAAAAAAAAAAAAAAAA",
        ),
    ],
    ids=lambda fact: type(fact).__name__ if not isinstance(fact, str) else "",
)
def test_lines_are_plain(event: Event, text: str) -> None:
    """Logs are kept: a line written today is read in every later version."""
    assert write_line(None, LogLine(BEGIN, event)) == f"{BEGIN} {text}"
    assert read_line(None, f"{BEGIN} {text}") == LogLine(BEGIN, event)


MALFORMED = [
    "",
    " ",
    "1",
    "1 ",
    "1  started",
    "started",
    "x started",
    "-1 started",
    "1.5 started",
    "\u0661 started",
    "\xb2 started",
    f"{10**14} started",
    "1" * 5000 + " started",
    "1 started 0",
    "1 Started",
    "1 moved",
    "1 dance",
    "1 sat",
    "1 sat 0",
    "1 sat 0 ann",
    "1 sat 0 ann ",
    "1 sat 0  Ann",
    "1 sat x ann Ann",
    "1 sat -1 ann Ann",
    "1 sat \xb2 ann Ann",
    "1 sat 1234567890 ann Ann",
    "1 joined 0",
    "1 left",
    "1 left 0 1",
    "1 left 0.0",
    "1 voted 0",
    "1 voted 0 1 2",
    "1 voted 0 x",
    "1 paced",
    "1 paced 1e3",
    "1 rematched 0",
    "1 " + "left " * 1000,
    "1 left " + "0" * 5000,
]
MOVES = [
    "roll",
    "roll ",
    "roll x",
    "roll 1 2",
    "roll \xb2",
    "draw",
    "draw x",
    "draw 1 2",
    "draw -1",
    "draw " + "9" * 5000,
    "mark x",
    "mark -1",
    "mark 0  x",
    "mark " + "9" * 5000,
    "play",
    "play ",
    "play k7",
    "play k5 x",
    "play k5 ",
    "play k5  1",
    "play k5 -1",
    "play k5 " + "9" * 5000,
    "play " + "k" * 5000,
    "back 1",
    "unplay",
    "unplay 1 2",
    "back ",
]


def _accepted(table: Table | None, texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts that are read as a line of the log."""
    for text in texts:
        with suppress(BadNotation):
            read_line(table, text)
            yield text


def test_a_line_that_is_none_is_refused() -> None:
    for table in (None, played("ann", "bob").state.table):
        assert list(_accepted(table, MALFORMED)) == []


@EVERY_KIT
def test_a_move_that_is_none_is_refused(kit: Kit) -> None:
    for table in (None, played("ann", "bob", game=kit.name).state.table):
        assert list(_accepted(table, [f"1 {text}" for text in MOVES])) == []


@given(text=st.text(max_size=60), word=st.sampled_from((*BY_TAG, "roll", "draw", "mark", "play", "back", "unplay")))
def test_whatever_a_line_holds_it_is_an_event_or_refused(text: str, word: str) -> None:
    table = played("ann", "bob").state.table
    for line in (text, f"1 {text}", f"1 {word} {text}", f"1 {word}{text}"):
        try:
            read_line(table, line)
        except BadNotation:
            continue


# what spectators are told


def test_nobody_is_told_a_person() -> None:
    table = evening("pig", 4, "tip")
    table.ask("ann", commands.Sit(None, "Ann Bee"))
    table.ask("bob", commands.Join(0))
    assert [public(line) for line in table.log] == [f"{BEGIN} sat 0 Ann Bee", f"{BEGIN} joined 0"]


@EVERY_WORD
@given(data=st.data())
def test_a_public_line_is_the_line_without_its_person_and_seed(word: str, data: st.DataObject) -> None:
    event: Event = data.draw(_events(word))
    text = write_line(None, LogLine(BEGIN, event))
    if isinstance(event, Sat | Joined | happened.Shared | happened.Queued | happened.Unqueued | happened.Reopened):
        assert public(text) == text.replace(f" {event.person}", "", 1)
    elif isinstance(event, happened.WentOn | happened.Recognised):
        assert public(text) == text.removesuffix(f" {event.before} {event.person}")
    elif isinstance(event, happened.Seeded):
        assert public(text) == text.removesuffix(f" {event.seed}")
    else:
        assert public(text) == text


@EVERY_WORD
@given(data=st.data(), other=PERSONS)
def test_a_public_line_does_not_depend_on_the_person(word: str, data: st.DataObject, other: str) -> None:
    event: Event = data.draw(_events(word))
    masked = event
    if isinstance(event, Sat):
        masked = Sat(event.seat, other, event.name)
    elif isinstance(event, happened.Shared):
        masked = happened.Shared(event.seat, other, event.name)
    elif isinstance(event, Joined):
        masked = Joined(event.seat, other)
    elif isinstance(event, happened.Queued):
        masked = happened.Queued(other, event.name)
    elif isinstance(event, happened.WentOn):
        masked = happened.WentOn(event.fork, event.moves, other, other)
    elif isinstance(event, happened.Recognised):
        masked = happened.Recognised(other, other)
    assert public(write_line(None, LogLine(BEGIN, event))) == public(write_line(None, LogLine(BEGIN, masked)))


@EVERY_KIT
@given(data=st.data())
def test_an_evening_of_other_persons_under_the_same_names_looks_the_same(kit: Kit, data: st.DataObject) -> None:
    order = data.draw(walks(kit))
    mine, other = Walk(order, "m"), Walk(order, "other-")
    mine.run(60)
    other.run(60)
    assert [public(line) for line in mine.log] == [public(line) for line in other.log]
    assert not any(person in public(line) for line in mine.log for person in mine.people)


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


def test_a_match_of_too_few_seats_cannot_have_begun() -> None:
    table = evening("pig", 3, "tip", "tip")
    with pytest.raises(BadNotation):
        list(table.room.replay(table.state, [f"{BEGIN} closed 0", f"{BEGIN} closed 0", f"{BEGIN} started"]))
