"""Who asks something of a table with people, and the lines that come of it. Knows no command."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pubdice.cup import Cup
from pubdice.game import quick
from pubdice.kit import PERFECT, Kit
from pubdice.party.apply import apply, moved
from pubdice.party.events import Event, Line, Moved, write_line
from pubdice.party.setup import MOST_PERFECT
from pubdice.party.state import Chair, PartyState
from pubdice.table import Command, Refused, Table, TableState


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, when (ms since 1970), and which seats have lost their people, since when.

    person: None is the table itself.
    """

    person: str | None
    now: int
    gone: Mapping[int, int] = field(default_factory=dict)


@quick
@dataclass(frozen=True, slots=True)
class Step:
    """One line, and the states it leads from and to."""

    before: PartyState
    line: Line
    after: PartyState

    def write(self) -> str:
        """The line as the log has it."""
        return write_line(self.before.table, self.line)


class Asking:
    """One command being decided: the state so far, and the lines that led to it."""

    def __init__(self, kit: Kit, state: PartyState, asker: Asker, cup: Cup) -> None:
        self.kit, self.state, self.asker, self.cup = kit, state, asker, cup
        self.steps: list[Step] = []

    def add(self, event: Event) -> None:
        """A line, on the state after the one before."""
        line = Line(self.asker.now, event)
        before, self.state = self.state, apply(self.kit, self.state, line)
        self.steps.append(Step(before, line, self.state))

    def moves(self, command: Command) -> None:
        """What the match makes of a command of its own."""
        table, play = self.match()
        for event, after in table.steps(play, command, self.cup):
            line = Line(self.asker.now, Moved(event))
            before, self.state = self.state, moved(self.state, event, after, line.at)
            self.steps.append(Step(before, line, self.state))

    def own(self, named: int | None = None) -> int:
        """The asker's seat: the one that is named, if it is theirs, or the one they act for."""
        seat = self.state.seat_of(self.asker.person)
        if seat is None:
            raise Refused("not-seated")
        if named is None:
            return seat
        if named not in self.state.seats_of(self.asker.person):
            raise Refused("not-your-seat")
        return named

    def lost(self) -> frozenset[int]:
        """The seats whose people were waited for long enough."""
        return self.state.lost(self.asker.gone, self.asker.now)

    def host(self) -> None:
        """Only who may run the table goes on from here."""
        if not self.state.may_run(self.asker.person, self.lost()):
            raise Refused("not-host")

    def chair(self, seat: int) -> Chair:
        """The seat of that number."""
        if not 0 <= seat < len(self.state.chairs):
            raise Refused("no-such-seat", seats=len(self.state.chairs))
        return self.state.chairs[seat]

    def bot(self, name: str) -> str:
        """The bot of that name; the usual one for none."""
        bots = self.kit.bots
        if name and name not in bots:
            raise Refused("no-such-bot", bots=bots)
        if name == PERFECT and len(self.state.chairs) > MOST_PERFECT:
            raise Refused("perfect-seats", most=MOST_PERFECT)
        return name or bots[0]

    def match(self) -> tuple[Table, TableState]:
        """The match, once it has begun."""
        if self.state.table is None or self.state.play is None:
            raise Refused("not-started")
        return self.state.table, self.state.play

    def under_way(self) -> None:
        """Only while the match is played one goes on from here."""
        if self.state.stage != "playing":
            raise Refused("not-started" if self.state.play is None else "match-over")

    def running(self) -> None:
        """Only while the match is not paused one goes on from here."""
        if self.state.paused_at:
            raise Refused("paused")
