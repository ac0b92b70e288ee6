"""One command being decided: its caller, the state so far, and the log lines it has led to.

Each line is made on the state after the one before; if the command is refused at any of them, none is kept. The base
of all commands stands here, too. Each command is declared in a module of its own, with its events. Knows none of them.
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
    """The person who gives a command, and the time (ms since 1970).

    person: None for the table itself, by its timer. gone: the seats whose people are away, and since when. seen: the
    last event (``RoomState.seq``) that they had seen; None where that is not known.
    """

    person: str | None
    now: int
    gone: Mapping[int, int] = field(default_factory=dict)
    seen: int | None = None


@quick
@dataclass(frozen=True, slots=True)
class Step:
    """One line of the log, and the states before and after it."""

    before: RoomState
    line: LogLine
    after: RoomState

    def write(self) -> str:
        """The line as the log has it."""
        live = self.before.match
        return write_line(None if live is None else live.table, self.line)


def apply(kit: Kit, state: RoomState, line: LogLine) -> RoomState:
    """The state after a line of the log. Raises IllegalAction for one that cannot have happened."""
    if not possible(state, line.event):
        raise IllegalAction("cannot-happen", state=state, action=line.event)
    return line.event.after(kit, state, line.at)


_line, _moved, _step = maker(LogLine), maker(Moved), maker(Step)


class Decision:
    """A command being decided: ``state`` is the state after the ``steps`` so far.

    Each ``check_…`` raises Refused unless the command may go on.
    """

    def __init__(  # noqa: PLR0917 - made in one place
        self, kit: Kit, state: RoomState, caller: Caller, cup: Cup, seals: Seals, games: Mapping[str, Kit]
    ) -> None:
        self.kit, self.state, self.caller, self.seals = kit, state, caller, seals
        self.games = games or {kit.name: kit}
        self._cup = cup
        self.steps: list[Step] = []

    def add(self, event: Event) -> None:
        """Add a line, on the state after the one before. Raises Refused("seeds-opening") where the header is fixed."""
        if self.state.fixed and self.state.match is None and event.changes_header:
            raise Refused("seeds-opening")
        line = LogLine(self.caller.now, event)
        before, self.state = self.state, apply(self.kit, self.state, line)
        self.steps.append(Step(before, line, self.state))

    def move(self, command: TableCommand) -> None:
        """Add the lines that a command of the match leads to. Raises Refused or IllegalAction."""
        live = self.match()
        for event, after in live.table.steps(live.state, command, self.cup()):
            line = _line(self.caller.now, _moved(event))
            before, self.state = self.state, moved(self.state, live, event, after, line.at)
            self.steps.append(_step(before, line, self.state))
            live = self.state.match or live
        if live.state.match.over and self.state.setup.dice == "sealed" and not self.state.house_seed:
            self.add(SealOpened(self.seals.open(read_seal(self.state.setup.seal))))

    def cup(self) -> Cup:
        """The source of the next roll. Raises Refused("seal-lost") where the house cannot open its seal,
        Refused("night-lost") where it has lost the dice of the night.
        """
        if self.state.turns is not None:
            live, night = self.match(), read_night(self.state.setup.night)
            return self.seals.night_cup(night, self.state.turns.slot(live.table.match, live.state.match))
        if self.state.setup.dice != "sealed":
            return self._cup
        return self.seals.cup(read_seal(self.state.setup.seal), self.state.bound, self.state.rolls + 1)

    def person(self) -> str:
        """The person who gives the command. Raises ValueError for the table itself, whose commands need none."""
        if self.caller.person is None:
            raise ValueError("only a person can give this command")
        return self.caller.person

    def own_seat(self, named: int | None = None) -> int:
        """The caller's seat: ``named`` if it is theirs; if none is named, the one they act for. Raises Refused."""
        seat = self.state.seat_of(self.caller.person)
        if seat is None:
            raise Refused("not-seated")
        if named is None:
            return seat
        if named not in self.state.seats_of(self.caller.person):
            raise Refused("not-your-seat")
        return named

    def check_seated(self) -> None:
        """The caller must sit here, or be the table itself: nobody sits at a terminal where bots play alone."""
        if self.caller.person is not None:
            self.own_seat()

    def lost_seats(self) -> frozenset[int]:
        """The seats whose people have been away for the grace time."""
        return self.state.lost(self.caller.gone, self.caller.now)

    def chair(self, seat: int) -> Chair:
        """The chair at a seat. Raises Refused if there is none."""
        if not 0 <= seat < len(self.state.chairs):
            raise Refused("no-such-seat", seats=len(self.state.chairs))
        return self.state.chairs[seat]

    def seat_meant(self, seat: int | None, name: str = "") -> int:
        """The seat that a command is about. Raises Refused if the person named sits there no longer."""
        if seat is None:
            raise Refused("name-a-seat")
        if name and seat < len(self.state.chairs) and name != self.state.names[seat]:
            raise Refused("seat-moved")
        return seat

    def bot_named(self, text: str) -> str:
        """The bot of that name; the usual one for none. Raises Refused."""
        bots, name = self.kit.bots, text.strip().lower()
        if name and name not in bots:
            raise Refused("no-such-bot", bots=bots)
        if name == PERFECT and len(self.state.chairs) > MOST_PERFECT:
            raise Refused("perfect-seats", most=MOST_PERFECT)
        return name or bots[0]

    def nickname(self, text: str, seat: int) -> str:
        """The name for a seat, which nobody else here may have. Raises Refused or BadNotation."""
        return read_nickname(text, [chair.name for other, chair in enumerate(self.state.chairs) if other != seat])

    def match(self) -> Live:
        """The match. Raises Refused before it has begun."""
        if self.state.match is None:
            raise Refused("not-started")
        return self.state.match

    def check_host(self) -> None:
        """The caller must run the table."""
        if not self.state.may_run(self.caller.person, self.lost_seats()):
            raise Refused("not-host")

    def check_gathering(self) -> None:
        """The match must not have begun."""
        if self.state.match is not None:
            raise Refused("started")

    def check_playing(self) -> None:
        """The match must have begun, and not be over."""
        if (live := self.state.match) is None or live.state.match.over:
            raise Refused("not-started" if live is None else "match-over")

    def check_running(self) -> None:
        """The match must not be paused."""
        if self.state.paused_at:
            raise Refused("paused")

    def check_going_on(self) -> None:
        """The match must have begun, and be neither over nor paused."""
        if (live := self.state.match) is None or live.state.match.over or self.state.paused_at:
            raise Refused("not-started" if live is None else "match-over" if live.state.match.over else "paused")

    def check_no_rematch(self) -> None:
        """The next table must not have been set up."""
        if self.state.rematch:
            raise Refused("rematch-laid", table=self.state.rematch)

    def check_admitted(self, *, new: bool = True) -> None:
        """The caller must not have been removed.

        new: after any removal nobody new is admitted either, as a browser that drops its cookie is a new person.
        """
        if self.caller.person in self.state.banned:
            raise Refused("removed-before")
        if new and self.state.is_shut_to(self.caller.person):
            raise Refused("table-shut")

    def check_seen(self) -> None:
        """The caller must have seen the dice as they lie: else a choice among others would be taken for one of these.

        Marks change no dice, so taps under way on one view all count. Nor do people who come and go.
        """
        if self.caller.seen is not None and not self.steps and self.caller.seen < self.state.dice_version:
            raise Refused("seen-late")

    def check_own_timer(self) -> None:
        """The table itself must have given the command: no client's request is ever decoded into it."""
        assert self.caller.person is None, "only the table gives this command"


class RoomCommand:
    """A command at a table, in the words of the person who gives it; a ``Caller`` says who, and when.

    Its fields are those of its message. do: its name there; empty for a command that the table, the house or another
    command gives. words: the words that stand for it in the field on a table's page and in ``pubdice join``. help: the
    row of that help page. may_begin: after it the match begins, if its time has come (``beginning.begins``).
    """

    __slots__ = ()
    do: ClassVar[str] = ""
    words: ClassVar[tuple[str, ...]] = ()
    help: ClassVar[tuple[str, str] | None] = None
    may_begin: ClassVar[bool] = False

    def decide(self, decision: Decision) -> None:
        """Add the lines that it leads to. Raises Refused, IllegalAction or BadNotation."""
        raise NotImplementedError
