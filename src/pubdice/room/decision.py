"""The decision of one command: its caller, the state so far, and the log lines to which it has led.

Each line builds on the state after the line before. If the command is refused, none of its lines is kept. The base
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
    """The person who gives a command, and the time at which it is given."""

    person: str | None  # None if the table itself gives the command, by its timer
    now: int  # ms since 1970
    gone: Mapping[int, int] = field(default_factory=dict)  # the seats whose people are away, and since when
    seen: int | None = None  # the last event (``RoomState.seq``) that the person has seen; None if unknown


@quick
@dataclass(frozen=True, slots=True)
class Step:
    """One line of the log, with the states before and after the line."""

    before: RoomState
    line: LogLine
    after: RoomState

    def write(self) -> str:
        live = self.before.match
        return write_line(None if live is None else live.table, self.line)


def apply(kit: Kit, state: RoomState, line: LogLine) -> RoomState:
    """Return the state after a line of the log. Raise IllegalAction for a line that cannot have happened."""
    if not possible(state, line.event):
        raise IllegalAction("cannot-happen", state=state, action=line.event)
    return line.event.after(kit, state, line.at)


_line, _moved, _step = maker(LogLine), maker(Moved), maker(Step)


class Decision:
    """A command being decided. ``state`` is the state after the ``steps`` so far.

    Each method ``check_…`` raises Refused if its condition does not hold.
    """

    def __init__(  # noqa: PLR0917 - made in one place
        self, kit: Kit, state: RoomState, caller: Caller, cup: Cup, seals: Seals, games: Mapping[str, Kit]
    ) -> None:
        self.kit, self.state, self.caller, self.seals = kit, state, caller, seals
        self.games = games or {kit.name: kit}
        self._cup = cup
        self.steps: list[Step] = []

    def add(self, event: Event) -> None:
        """Add a line to the log. Raise Refused("seeds-opening") if the event would change a header that is fixed."""
        if self.state.fixed and self.state.match is None and event.changes_header:
            raise Refused("seeds-opening")
        line = LogLine(self.caller.now, event)
        before, self.state = self.state, apply(self.kit, self.state, line)
        self.steps.append(Step(before, line, self.state))

    def move(self, command: TableCommand) -> None:
        """Add the lines to which a command of the match leads. Raise Refused or IllegalAction."""
        live = self.match()
        for event, after in live.table.steps(live.state, command, self.cup()):
            line = _line(self.caller.now, _moved(event))
            before, self.state = self.state, moved(self.state, live, event, after, line.at)
            self.steps.append(_step(before, line, self.state))
            live = self.state.match or live
        if live.state.match.over and self.state.setup.dice == "sealed" and not self.state.house_seed:
            self.add(SealOpened(self.seals.open(read_seal(self.state.setup.seal))))

    def cup(self) -> Cup:
        """Return the source of the next roll.

        Raise Refused("seal-lost") if the house cannot open its seal, and Refused("night-lost") if it has lost the dice
        of the duplicate night.
        """
        if self.state.turns is not None:
            live, night = self.match(), read_night(self.state.setup.night)
            return self.seals.night_cup(night, self.state.turns.slot(live.table.match, live.state.match))
        if self.state.setup.dice != "sealed":
            return self._cup
        return self.seals.cup(read_seal(self.state.setup.seal), self.state.bound, self.state.rolls + 1)

    def person(self) -> str:
        """Return the person who gives the command.

        Raise ValueError if it is the table itself, which gives no such command.
        """
        if self.caller.person is None:
            raise ValueError("only a person can give this command")
        return self.caller.person

    def own_seat(self, named: int | None = None) -> int:
        """Return the caller's seat ``named``, or without a name the seat for which the caller acts.

        Raise Refused otherwise.
        """
        seat = self.state.seat_of(self.caller.person)
        if seat is None:
            raise Refused("not-seated")
        if named is None:
            return seat
        if named not in self.state.seats_of(self.caller.person):
            raise Refused("not-your-seat")
        return named

    def check_seated(self) -> None:
        """Check that the caller has a seat. The table itself passes too, as at a terminal where bots play alone."""
        if self.caller.person is not None:
            self.own_seat()

    def lost_seats(self) -> frozenset[int]:
        """Return the lost seats, whose people have been away for the grace time."""
        return self.state.lost(self.caller.gone, self.caller.now)

    def chair(self, seat: int) -> Chair:
        """Return the chair at a seat. Raise Refused if there is no seat with this number."""
        if not 0 <= seat < len(self.state.chairs):
            raise Refused("no-such-seat", seats=len(self.state.chairs))
        return self.state.chairs[seat]

    def seat_meant(self, seat: int | None, name: str = "") -> int:
        """Return the seat that a command is about.

        Raise Refused without a seat, or if ``name`` no longer sits there.
        """
        if seat is None:
            raise Refused("name-a-seat")
        if name and seat < len(self.state.chairs) and name != self.state.names[seat]:
            raise Refused("seat-moved")
        return seat

    def bot_named(self, text: str) -> str:
        """Return the bot with this name, or the usual bot for "". Raise Refused if it cannot play here."""
        bots, name = self.kit.bots, text.strip().lower()
        if name and name not in bots:
            raise Refused("no-such-bot", bots=bots)
        if name == PERFECT and len(self.state.chairs) > MOST_PERFECT:
            raise Refused("perfect-seats", most=MOST_PERFECT)
        return name or bots[0]

    def nickname(self, text: str, seat: int) -> str:
        """Return the typed name for a seat, checked.

        Raise Refused or BadNotation, also for a name like another one here.
        """
        return read_nickname(text, [chair.name for other, chair in enumerate(self.state.chairs) if other != seat])

    def match(self) -> Live:
        """Return the match. Raise Refused if it has not begun."""
        if self.state.match is None:
            raise Refused("not-started")
        return self.state.match

    def check_host(self) -> None:
        """Check that the caller may run the table."""
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
        """Check that the caller was not removed. If ``new``, check also that the table admits new people.

        After a removal a table admits no new people, because a browser without its cookie counts as a new person.
        """
        if self.caller.person in self.state.banned:
            raise Refused("removed-before")
        if new and self.state.is_shut_to(self.caller.person):
            raise Refused("table-shut")

    def check_seen(self) -> None:
        """Check that the caller has seen the present dice.

        Otherwise a choice among earlier dice would count for these. Marks change no dice, so several quick presses on
        one view all count. Arrivals and departures do not matter either.
        """
        if self.caller.seen is not None and not self.steps and self.caller.seen < self.state.dice_version:
            raise Refused("seen-late")

    def check_own_timer(self) -> None:
        """Check that the table itself gives the command. A client's request never decodes to such a command."""
        assert self.caller.person is None, "only the table gives this command"


class RoomCommand:
    """A command at a table. Its fields are the fields of its message. The ``Caller`` has the person and the time."""

    __slots__ = ()
    do: ClassVar[str] = ""  # the name in the protocol; "" if only the table, the house or another command gives it
    # the words to type for it, in the text field of a table's page and in ``pubdice join``
    words: ClassVar[tuple[str, ...]] = ()
    help: ClassVar[tuple[str, str] | None] = None  # the command's row on the help page for typed words
    may_begin: ClassVar[bool] = False  # True if the match can begin after the command (``beginning.begins``)

    def decide(self, decision: Decision) -> None:
        """Add the log lines to which the command leads. Raise Refused, IllegalAction or BadNotation."""
        raise NotImplementedError
