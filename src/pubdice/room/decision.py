"""One command being decided: its caller, the state so far, and the log lines it has led to.

Each line builds on the state after the previous one. If the command is refused, none of its lines is kept. The base
class of all commands is here too. Each command is declared in another module, beside its events.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from pubdice.core.cup import Cup, read_night
from pubdice.core.errors import IllegalAction, Refused
from pubdice.core.frozen import maker, quick
from pubdice.core.seal import Seals, read_seal
from pubdice.kit import PERFECT, Kit
from pubdice.match.table import TableCommand
from pubdice.room.event import Event, possible
from pubdice.room.log_lines import LogLine, Moved, SealOpened, moved, write_line
from pubdice.room.nickname import read_nickname
from pubdice.room.setup import MOST_PERFECT
from pubdice.room.state import Chair, Live, RoomState


@dataclass(frozen=True, slots=True)
class Caller:
    """The person who gives a command, and the time of it."""

    person: str | None  # None for the table itself, by its timer
    now: int  # ms since 1970
    gone: Mapping[int, int] = field(default_factory=dict)  # the seats whose people are away, and since when
    seen: int | None = None  # the last event (``RoomState.seq``) that the person has seen; None if unknown


@quick
@dataclass(frozen=True, slots=True)
class Step:
    """One line of the log, and the states before and after it."""

    before: RoomState
    line: LogLine
    after: RoomState

    def write(self) -> str:
        live = self.before.match
        return write_line(None if live is None else live.table, self.line)


def apply(kit: Kit, state: RoomState, line: LogLine) -> RoomState:
    """The state after a line of the log. Raises IllegalAction for a line that cannot have happened."""
    if not possible(state, line.event):
        raise IllegalAction("cannot-happen", state=state, action=line.event)
    return line.event.after(kit, state, line.at)


_line, _moved, _step = maker(LogLine), maker(Moved), maker(Step)


class Decision:
    """A command being decided. ``state`` is after the ``steps`` so far. Each ``check_…`` raises Refused if it fails."""

    def __init__(  # noqa: PLR0917 - made in one place
        self, kit: Kit, state: RoomState, caller: Caller, cup: Cup, seals: Seals, games: Mapping[str, Kit]
    ) -> None:
        self.kit, self.state, self.caller, self.seals = kit, state, caller, seals
        self.games = games or {kit.name: kit}
        self._cup = cup
        self.steps: list[Step] = []

    def add(self, event: Event) -> None:
        """Adds a line. Raises Refused("seeds-opening") if the header is fixed and the event would change it."""
        if self.state.fixed and self.state.match is None and event.changes_header:
            raise Refused("seeds-opening")
        line = LogLine(self.caller.now, event)
        before, self.state = self.state, apply(self.kit, self.state, line)
        self.steps.append(Step(before, line, self.state))

    def move(self, command: TableCommand) -> None:
        """Adds the lines that a command of the match leads to. Raises Refused or IllegalAction."""
        live = self.match()
        for event, after in live.table.steps(live.state, command, self.cup()):
            line = _line(self.caller.now, _moved(event))
            before, self.state = self.state, moved(self.state, live, event, after, line.at)
            self.steps.append(_step(before, line, self.state))
            live = self.state.match or live
        if live.state.match.over and self.state.setup.dice == "sealed" and not self.state.house_seed:
            self.add(SealOpened(self.seals.open(read_seal(self.state.setup.seal))))

    def cup(self) -> Cup:
        """The source of the next roll.

        Raises Refused("seal-lost") if the house cannot open its seal, ("night-lost") if it has lost the night's dice.
        """
        if self.state.turns is not None:
            live, night = self.match(), read_night(self.state.setup.night)
            return self.seals.night_cup(night, self.state.turns.slot(live.table.match, live.state.match))
        if self.state.setup.dice != "sealed":
            return self._cup
        return self.seals.cup(read_seal(self.state.setup.seal), self.state.bound, self.state.rolls + 1)

    def person(self) -> str:
        """The person who gives the command. Raises ValueError for the table itself, as its commands need no person."""
        if self.caller.person is None:
            raise ValueError("only a person can give this command")
        return self.caller.person

    def own_seat(self, named: int | None = None) -> int:
        """The caller's seat: ``named`` if it is theirs, or without a name the seat they act for. Raises Refused."""
        seat = self.state.seat_of(self.caller.person)
        if seat is None:
            raise Refused("not-seated")
        if named is None:
            return seat
        if named not in self.state.seats_of(self.caller.person):
            raise Refused("not-your-seat")
        return named

    def check_seated(self) -> None:
        """Checks that the caller has a seat, or is the table itself, as at a terminal where bots play alone."""
        if self.caller.person is not None:
            self.own_seat()

    def lost_seats(self) -> frozenset[int]:
        """The seats whose people have been away for the grace time."""
        return self.state.lost(self.caller.gone, self.caller.now)

    def chair(self, seat: int) -> Chair:
        """The chair at a seat. Raises Refused for a number without a chair."""
        if not 0 <= seat < len(self.state.chairs):
            raise Refused("no-such-seat", seats=len(self.state.chairs))
        return self.state.chairs[seat]

    def seat_meant(self, seat: int | None, name: str = "") -> int:
        """The seat that a command is about. Raises Refused if the person named no longer sits there."""
        if seat is None:
            raise Refused("name-a-seat")
        if name and seat < len(self.state.chairs) and name != self.state.names[seat]:
            raise Refused("seat-moved")
        return seat

    def bot_named(self, text: str) -> str:
        """The bot of this name, or the usual one for "". Raises Refused."""
        bots, name = self.kit.bots, text.strip().lower()
        if name and name not in bots:
            raise Refused("no-such-bot", bots=bots)
        if name == PERFECT and len(self.state.chairs) > MOST_PERFECT:
            raise Refused("perfect-seats", most=MOST_PERFECT)
        return name or bots[0]

    def nickname(self, text: str, seat: int) -> str:
        """The name for a seat, different from all other names here. Raises Refused or BadNotation."""
        return read_nickname(text, [chair.name for other, chair in enumerate(self.state.chairs) if other != seat])

    def match(self) -> Live:
        """The match. Raises Refused before it has begun."""
        if self.state.match is None:
            raise Refused("not-started")
        return self.state.match

    def check_host(self) -> None:
        """Checks that the caller can run the table."""
        if not self.state.may_run(self.caller.person, self.lost_seats()):
            raise Refused("not-host")

    def check_gathering(self) -> None:
        if self.state.match is not None:
            raise Refused("started")

    def check_playing(self) -> None:
        if (live := self.state.match) is None or live.state.match.over:
            raise Refused("not-started" if live is None else "match-over")

    def check_running(self) -> None:
        if self.state.paused_at:
            raise Refused("paused")

    def check_going_on(self) -> None:
        if (live := self.state.match) is None or live.state.match.over or self.state.paused_at:
            raise Refused("not-started" if live is None else "match-over" if live.state.match.over else "paused")

    def check_no_rematch(self) -> None:
        if self.state.rematch:
            raise Refused("rematch-laid", table=self.state.rematch)

    def check_admitted(self, *, new: bool = True) -> None:
        """Checks that the caller was not removed. If ``new``, also that the table admits new people.

        After a removal it admits none, as a browser that drops its cookie is a new person.
        """
        if self.caller.person in self.state.banned:
            raise Refused("removed-before")
        if new and self.state.is_shut_to(self.caller.person):
            raise Refused("table-shut")

    def check_seen(self) -> None:
        """Checks that the caller has seen the present dice.

        A choice among earlier dice would otherwise count for these. Marks change no dice, so several quick presses on
        one view all count. Arrivals and departures don't matter either.
        """
        if self.caller.seen is not None and not self.steps and self.caller.seen < self.state.dice_version:
            raise Refused("seen-late")

    def check_own_timer(self) -> None:
        """Checks that the table itself gives the command. No client's request decodes to such a command."""
        assert self.caller.person is None, "only the table gives this command"


class RoomCommand:
    """A command at a table. Its fields are the fields of its message, and a ``Caller`` has the person and the time."""

    __slots__ = ()
    do: ClassVar[str] = ""  # its name in the protocol; empty if only the table, the house or another command gives it
    # the words for it in the text field of a table's page and in ``pubdice join``
    words: ClassVar[tuple[str, ...]] = ()
    help: ClassVar[tuple[str, str] | None] = None  # its row on that help page
    may_begin: ClassVar[bool] = False  # True if the match can begin after it (``beginning.begins``)

    def decide(self, decision: Decision) -> None:
        """Adds the lines that it leads to. Raises Refused, IllegalAction or BadNotation."""
        raise NotImplementedError
