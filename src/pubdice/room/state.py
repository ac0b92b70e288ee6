"""A table with its people, as data, with its timer and the bound of its log. Changes nothing: events do.

The house has the clock, and gives the commands when they are due.
"""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal

from pubdice.core.dice import SIX, DieFaces
from pubdice.core.frozen import maker, quick
from pubdice.core.game import Seat
from pubdice.match.formats import MOST_ROUNDS
from pubdice.match.record import TurnCount
from pubdice.match.table import Table, TableState
from pubdice.room.setup import Setup

_FORK = re.compile("[0-9a-f]{16}")
ChairKind = Literal["empty", "person", "bot", "standin"]
Stage = Literal["gathering", "playing", "over"]


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat and its people.

    name: of the seat; one that was just left in a match keeps its name. people: the persons (browsers) that may act for
    it. bot: the policy that plays it now. why: the reason a bot stands in for a person, ``gave`` or ``voted``. awaited:
    the persons an empty chair is kept for, under its name. ready: its people said so. seed: its own, for sealed dice;
    digest: of the seed that its phone keeps, "-" if the match goes on without.
    """

    name: str = ""
    people: tuple[str, ...] = ()
    bot: str = ""
    why: str = ""
    awaited: tuple[str, ...] = ()
    ready: bool = False
    seed: str = ""
    digest: str = ""

    @property
    def kind(self) -> ChairKind:
        """The occupant's kind: nobody, a person, a bot, or a bot that stands in for a person."""
        if self.people:
            return "standin" if self.bot else "person"
        return "bot" if self.bot else "empty"


@quick
@dataclass(frozen=True, slots=True)
class Live:
    """A match that has begun: its table, with the present names, and the table's state."""

    table: Table
    state: TableState


@quick
@dataclass(frozen=True, slots=True)
class RoomState:
    """A table and its people, after some event. Times are in ms since 1970.

    host: the person who runs the table. match: None before it has begun. votes: (seat, absent seat, time).
    timed_out_seat: the seat whose time is up: a bot plays its turn to the end. stood_up: the persons who have left the
    mover's seat in this turn. seq: events so far. at: when the last one happened. turn_at: when this turn began, or
    somebody new took the mover's seat. moved_at: when the last move happened, or the mover's seat last changed
    hands. layout_version: seq of the last event that changed who sits here, or the stage. dice_version: seq of the last
    event that changed the dice, any of the match but marks. rolls: their number in the match; rolled: the seat that
    rolled last. nudged_at: when the mover was last reminded.

    rematch: the next table's code; inside: the seats that have gone there. queue: spectators who want to sit at the
    next table, by person and name. banned: persons who cannot sit here again. shut: somebody was removed, so nobody new
    sits down until the host lets them. unshared: persons who had several seats of which the host removed one: they
    cannot share their phone again. renamed: the persons who changed a name here, once for each time.

    opens: the seat that opens the first round if nobody is drawn; drawn: the seat that was drawn as Player 1.
    paused_at: the start of the pause, 0 without one; pauses: their number.

    Of sealed dice: fixed: the header, once it is fixed; fixed_at: the time; attempts: their number; passed_over:
    persons who ended an attempt without their seeds, or by leaving, with its number. seeds: the seats' own, in their
    order, and bound: the fixed part of each roll's message, both since the match began; house_seed: the house's, in
    hex, since it was opened. turns: at a table of a duplicate night, what counts the slots of its rolls, since the
    match began.
    """

    setup: Setup
    chairs: tuple[Chair, ...]
    host: str
    pace_ms: int
    at: int
    turn_at: int
    match: Live | None = None
    moved_at: int = 0
    votes: tuple[tuple[int, int, int], ...] = ()
    timed_out_seat: int | None = None
    stood_up: tuple[str, ...] = ()
    seq: int = 0
    layout_version: int = 0
    dice_version: int = 0
    rolls: int = 0
    rolled: int | None = None
    nudged_at: int = 0
    rematch: str = ""
    banned: tuple[str, ...] = ()
    opens: int = 0
    drawn: int | None = None
    inside: tuple[int, ...] = ()
    paused_at: int = 0
    pauses: int = 0
    renamed: tuple[str, ...] = ()
    queue: tuple[tuple[str, str], ...] = ()
    shut: bool = False
    unshared: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    house_seed: str = ""
    fixed: str = ""
    fixed_at: int = 0
    attempts: int = 0
    passed_over: tuple[tuple[str, int], ...] = ()
    bound: str = ""
    turns: TurnCount | None = None

    def but(self, **facts: Any) -> "RoomState":
        """The state with these fields changed: ``replace`` in a fifth of the time, as every move makes one."""
        values = list(_values(self))
        for name, fact in facts.items():
            values[_AT[name]] = fact
        return _state(*values)

    @property
    def stage(self) -> Stage:
        """The stage of the table: people gather, play, or are done."""
        if self.match is None:
            return "gathering"
        return "over" if self.match.state.match.over else "playing"

    @property
    def mover(self) -> Seat | None:
        """The seat whose turn it is."""
        return None if self.match is None else self.match.state.mover

    @property
    def table(self) -> Table | None:
        """The match table, once the match has begun."""
        return None if self.match is None else self.match.table

    @property
    def turn_order(self) -> tuple[Seat, ...]:
        """The seats of this round in the order of their turns; empty before the match."""
        return () if self.match is None else self.match.state.match.order

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats, in their order."""
        if self.match is not None:
            return self.match.table.names
        return tuple([chair.name for chair in self.chairs])

    @property
    def people(self) -> tuple[str, ...]:
        """Every person that has a seat."""
        return tuple(dict.fromkeys(person for chair in self.chairs for person in chair.people))

    def seats_of(self, person: str | None) -> tuple[int, ...]:
        """The seats of a person: several where people share a phone."""
        return tuple([seat for seat, chair in enumerate(self.chairs) if person in chair.people])

    def seat_of(self, person: str | None) -> int | None:
        """The seat a person acts for: the mover's, if it is one of theirs."""
        seats = [seat for seat, chair in enumerate(self.chairs) if person in chair.people]
        if len(seats) > 1 and (mover := self.mover) in seats:
            return mover
        return seats[0] if seats else None

    def only_seat_of(self, person: str | None) -> int | None:
        """The seat that pages call "you"; None if several seats share the phone."""
        seats = self.seats_of(person)
        return seats[0] if len(seats) == 1 else None

    def kept_for(self, person: str | None) -> tuple[int, ...]:
        """The empty chairs that wait for a person."""
        return tuple([seat for seat, chair in enumerate(self.chairs) if person in chair.awaited])

    def is_shut_to(self, person: str | None) -> bool:
        """True if this person has to wait until the host lets new people sit down."""
        return self.shut and person != self.host and not self.kept_for(person)

    def is_host(self, person: str | None) -> bool:
        """True if a person is the host, on any phone of the host's seat."""
        return person == self.host or any(self.host in self.chairs[seat].people for seat in self.seats_of(person))

    @property
    def host_seat(self) -> int | None:
        """The seat where the host sits, or is waited for."""
        seats = (*self.seats_of(self.host), *self.kept_for(self.host))
        return seats[0] if seats else None

    def lost(self, gone: Mapping[int, int], now: int) -> frozenset[int]:
        """The seats whose people have been gone for the grace time. gone: since when, by seat.

        Nobody is lost in a pause, as people pause to go away.
        """
        if self.paused_at:
            return frozenset()
        return frozenset([seat for seat, since in gone.items() if now >= since + 1000 * self.setup.grace_s])

    def host_is_lost(self, lost: Set[int]) -> bool:
        """True if the host is lost before the match: then everybody who sits here may run the table."""
        return self.match is None and self.host_seat in lost

    def may_run(self, person: str | None, lost: Set[int]) -> bool:
        """True if a person may run the table: the host, or anybody seated while ``host_is_lost``."""
        return self.is_host(person) or (self.host_is_lost(lost) and self.seat_of(person) is not None)

    def voters(self, absent: int, since: int) -> frozenset[int]:
        """The seats that have voted for a bot since this person left: a return makes earlier votes void."""
        return frozenset(seat for seat, about, at in self.votes if about == absent and at >= since)

    def ballot(self, absent: int, gone: Mapping[int, int]) -> tuple[int, int]:
        """Votes of present seats for a bot at an absent one, and how many it needs: more than half of those present."""
        present = {seat for seat, chair in enumerate(self.chairs) if chair.people and seat not in gone}
        return len(present & self.voters(absent, gone[absent])), len(present) // 2 + 1

    @property
    def die(self) -> DieFaces:
        """The faces of the dice of the match under way; the usual ones without a match."""
        return SIX if self.match is None else self.match.table.match.game.faces

    def called(self, seat: int, you: int | None) -> str:
        """A seat's name; empty for the seat ``you``, which listens."""
        return "" if seat == you else self.chairs[seat].name

    def plays(self, seat: int) -> bool:
        """True if a bot plays this seat now."""
        return bool(self.chairs[seat].bot) or self.timed_out_seat == seat


_state = maker(RoomState)
_AT = {name: at for at, name in enumerate(RoomState.__slots__)}
_values = attrgetter(*_AT)


def is_cut(state: RoomState) -> bool:
    """True if a log ends within a command: somebody has left a match, and the bot that plays on is not there yet."""
    return state.stage == "playing" and any(chair.kind == "empty" for chair in state.chairs)


COMING_AND_GOING = 5_000
A_TURN = 100
MOST_LINES = 300_000
"""Lines for people who come and go, and for ties; lines for each turn and its marks; the most lines of any log."""


def is_done(state: RoomState) -> bool:
    """True if a match is over, or cannot go on as its log is full."""
    return state.stage == "over" or (state.match is not None and is_full(state))


def is_full(state: RoomState) -> bool:
    """True if the log has reached its bound."""
    return state.seq >= COMING_AND_GOING and state.seq >= most_of(state)


def most_of(state: RoomState) -> int:
    """The bound of this table's log, in lines."""
    planned = 1 if state.table is None else state.table.match.format.rounds_planned  # before it no moves use lines
    return most_lines(planned, len(state.chairs))


def most_lines(rounds: int, seats: int) -> int:
    """The bound of a table with these seats and planned rounds; 0 if no number of rounds is set, as in a race.

    >>> most_lines(5, 4), most_lines(0, 2), most_lines(1000, 20)
    (7000, 9000, 300000)
    """
    return min(COMING_AND_GOING + A_TURN * (rounds or MOST_ROUNDS) * seats, MOST_LINES)


TimerKind = Literal["begin", "bot", "clock"]
"""The match begins, a bot acts, or the turn clock runs out."""


READ_MS = 4_000
"""A bot that begins a rematch waits at least so long: by ear the new match is heard first, and its turn in between."""


def opens_rematch(state: RoomState) -> bool:
    """True until somebody has moved in a rematch in which bots take their time: its pages may be on their way."""
    return bool(state.setup.before and state.pace_ms and state.match is not None and not state.match.state.moved)


def due(state: RoomState, least_ms: int = 0) -> tuple[int, TimerKind] | None:
    """The time when the timer of a match next runs out (ms since 1970), and its kind; None while the table waits for
    people.

    least_ms: bots wait at least this long before each action.
    """
    live = state.match
    if live is None or state.paused_at or (mover := live.state.mover) is None:
        return None
    if state.plays(mover):
        if live.table.enters_dice(live.state):
            return None
        return state.moved_at + max(state.pace_ms, least_ms, READ_MS if opens_rematch(state) else 0), "bot"
    deadline = clock(state)
    return None if deadline is None else (deadline, "clock")


def clock(state: RoomState) -> int | None:
    """The time when the mover's time is up (ms since 1970); None without a turn clock, or while a bot plays.

    It depends on the log alone, so every process shows the same. While nobody is at a table nobody's time is up there,
    and when somebody comes the turn has all its time again (``Retimed``).
    """
    live = state.match
    if not state.setup.clock_s or live is None or state.paused_at:
        return None
    mover = live.state.mover
    if mover is None or state.plays(mover):
        return None
    return state.turn_at + 1000 * state.setup.clock_s
