"""Lines of a table's log: ``TIME TAG FACTS``, with the time in ms since 1970. Also the bounds of the log's length.

Each class of event defines its tag and facts. Moves have the match table's lines (``match.table.write_event``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pubdice.core.errors import Refused
from pubdice.core.frozen import maker, quick
from pubdice.core.seal import digest_of, is_digest, read_seal
from pubdice.kit import Kit
from pubdice.match import table as tables
from pubdice.match.record import ChoiceTakenBack, Drawn, Played, Rolled
from pubdice.match.table import Marked, Table, TableEvent, TableState, TakenBack, passed_on, write_event
from pubdice.room.event import Event, changed, logged
from pubdice.room.state import A_TURN, COMING_AND_GOING, Live, RoomState, is_full, most_of
from pubdice.text.language import Language


@quick
@dataclass(frozen=True, slots=True)
class Moved(Event):
    """The event of a move in the match. Its line in the log is the match table's (``match.table.write_event``)."""

    stages = ("playing", "over")
    event: tables.TableEvent

    def fits(self, state: RoomState) -> bool:
        gone_on = bool(state.rematch) and (state.stage == "playing" or isinstance(self.event, BACK))
        if isinstance(self.event, ChoiceTakenBack) and state.question is None:
            return False
        return not state.paused_at and not gone_on and all(chair.kind != "empty" for chair in state.chairs)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        live = state.match
        assert live is not None, "a move is possible only in a match"
        return moved(state, live, self.event, live.table.apply(live.state, self.event), at)


_live = maker(Live)
BACK = TakenBack | ChoiceTakenBack


def moved(state: RoomState, live: Live, event: TableEvent, play: TableState, at: int) -> RoomState:
    """Return the state after an event of the match ``live``. ``play`` is the state of the match table after it."""
    table, before = live.table, live.state
    seq, rolls, rolled = state.seq + 1, state.rolls, state.rolled
    if isinstance(event, Rolled):
        rolls, rolled = rolls + 1, before.mover
    live = _live(table, play)
    after: dict[str, Any] = {
        "match": live,
        "seq": seq,
        "at": at,
        "moved_at": at,
        "dice_version": state.dice_version if isinstance(event, Marked) else seq,
        "rolls": rolls,
        "rolled": rolled,
        "drawn": event.seat if isinstance(event, Drawn) else state.drawn,
    }
    if state.turns is not None and isinstance(event, Drawn | Rolled | Played):
        after["turns"] = state.turns.after(table.match, before.match, event, play.match)
    if isinstance(event, Played) and len(before.legal) > 1:
        after["chose"] = None if before.mover is None or state.plays(before.mover) else before.mover
    elif isinstance(event, ChoiceTakenBack) and state.question is not None:
        number = play.match.number
        after["granted"] = (*[each for each in state.granted if each[0] == number], (number, state.question.seat))
    falls = state.question is not None and not isinstance(event, Marked)
    if falls:
        after["question"] = None
    if not passed_on(before, play):
        return state.but(**after, layout_version=seq if falls else state.layout_version)
    layout_changed = falls or play.match.over != before.match.over or state.timed_out_seat is not None
    layout_version = seq if layout_changed else state.layout_version
    return state.but(**after, turn_at=at, timed_out_seat=None, stood_up=(), layout_version=layout_version)


@dataclass(frozen=True, slots=True)
class SealOpened(Event):
    """The event that the house opened its seed, in hex, after the match."""

    log = logged("opened", seed=str)
    stages = ("over",)
    seed: str

    def fits(self, state: RoomState) -> bool:
        return opens(state, self.seed)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, house_seed=self.seed)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.say("The seal is open: everybody can check the dice.")


def opens(state: RoomState, seed: str) -> bool:
    """Return True if ``seed`` is the seed under the seal, and the seal is not yet open."""
    sealed = state.setup.dice == "sealed" and not state.house_seed
    return sealed and is_digest(seed) and digest_of(seed) == read_seal(state.setup.seal).digest


@quick
@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a table's log: an event and its time, in ms since 1970."""

    at: int
    event: Event


def write_line(table: Table | None, line: LogLine) -> str:
    """Return a line of a log as text. ``table`` is the match's table, or None before the match."""
    event = line.event
    if isinstance(event, Moved):
        if table is None:
            raise ValueError(f"a move before the match: {event}")
        return f"{line.at} {write_event(table, event.event)}"
    tag, facts = event.log
    return " ".join([str(line.at), tag, *[str(getattr(event, name)) for name in facts]])


MOST_COMINGS = 2_000
"""The most lines that are not moves, besides one for each turn.

After them, the log takes only events that a match needs.
"""

LEAST_BOUND = MOST_COMINGS
"""The number of lines below which no line is refused. Nearly every log is shorter, so its moves need no count."""

MOST_MARKS = 200
"""The most changes of the marks before one roll or bank."""


def marks_after(marks: int, event: Event) -> int:
    """Return the number of changes of the marks since the last move of the match, after this event."""
    if not isinstance(event, Moved):
        return marks
    return marks + 1 if isinstance(event.event, Marked) else 0


def check_marks(marks: int, events: Sequence[Event]) -> None:
    """Raise Refused if a decision has too many changes of the marks. ``marks`` is their number before these events.

    The roll or bank that uses the marks may bring one more.
    """
    if marks + len(events) <= MOST_MARKS:
        return  # nearly always: even if all events are marks, they are few enough
    moved = [event for event in events if isinstance(event, Moved)]
    most = MOST_MARKS if all(isinstance(event.event, Marked) for event in moved) else MOST_MARKS + 1
    for event in moved:
        marks = marks_after(marks, event)
        if marks > most:
            raise Refused("marks-enough", most=MOST_MARKS)


def check_room(state: RoomState, events: Sequence[Event]) -> None:
    """Raise Refused if the events of one command would use up the lines that the match still needs."""
    if state.seq < LEAST_BOUND or not events or any(event.ends for event in events):
        return
    if is_full(state):
        raise Refused("log-full")
    moves = [event.event for event in events if isinstance(event, Moved)]
    if moves:
        no_progress = all(isinstance(move, Marked) for move in moves)
        no_progress = no_progress or any(isinstance(move, BACK) for move in moves)
        if no_progress and state.seq >= most_of(state) * 3 // 4:
            raise Refused("log-choices")
        return
    comings = state.seq - (state.match.state.seq if state.match is not None else 0)
    many = comings >= MOST_COMINGS + (most_of(state) - COMING_AND_GOING) // A_TURN
    if many and not any(event.needed(state) for event in events):
        raise Refused("log-comings")
