"""A table with its people, as data. Changes nothing; ``apply`` does."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Literal

from pubdice.core.errors import Refused
from pubdice.core.frozen import maker, quick
from pubdice.core.game import Seat
from pubdice.core.seal import NO_SEED, Seals, bound_by_header, bound_by_seeds, digest_of_seat, read_seal
from pubdice.match.formats import MOST_ROUNDS
from pubdice.match.notation import Header
from pubdice.match.record import TurnCount
from pubdice.match.sealed_record import AWAY, BOT, PHONE, TYPED, Proof, read_fixed, with_seeds, write_fixed
from pubdice.match.table import Marked, Table, TableState, TakenBack
from pubdice.room.events import (
    BotSubstituted,
    Closed,
    Committed,
    Event,
    Fixed,
    Followed,
    Joined,
    Left,
    Moved,
    Readied,
    Rematched,
    Removed,
    Reopened,
    Resumed,
    Sat,
    Seeded,
    Shared,
    Started,
    TimedOut,
    Unpaused,
    Unqueued,
    Voted,
)
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

    def plays(self, seat: int) -> bool:
        """True if a bot plays this seat now."""
        return bool(self.chairs[seat].bot) or self.timed_out_seat == seat


_state = maker(RoomState)
_AT = {name: at for at, name in enumerate(RoomState.__slots__)}
_values = attrgetter(*_AT)


# What a table does by its timer, and when. Pure: the house has the clock, and gives the commands when they are due.


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


# How long a table's log may grow: more than any match under its rules needs, less than would burden the house.


COMING_AND_GOING = 5_000
A_TURN = 100
MOST_LINES = 300_000
"""Lines for people who come and go, and for ties; lines for each turn and its marks; the most lines of any log."""
MOST_COMINGS = 2_000
"""Lines that are not moves, beside one for each turn. After them only ``LEADS_ON`` is accepted."""

LEAST_BOUND = MOST_COMINGS
"""No log has a lower bound: up to here nothing is refused, as at nearly every move of the house."""

MOST_MARKS = 200
"""Changes of the marks before one roll or bank."""


def marks_after(marks: int, event: Event) -> int:
    """The marks since the last move of the match once this has happened."""
    if not isinstance(event, Moved):
        return marks
    return marks + 1 if isinstance(event.event, Marked) else 0


def check_marks(marks: int, events: Sequence[Event]) -> None:
    """Refuse too many marks for one decision, by any command. marks: the number of marks before.

    One more may come together with the roll or bank that uses it.
    """
    if marks + len(events) <= MOST_MARKS:
        return  # as nearly always, whatever the events are
    moved = [event for event in events if isinstance(event, Moved)]
    most = MOST_MARKS if all(isinstance(event.event, Marked) for event in moved) else MOST_MARKS + 1
    for event in moved:
        marks = marks_after(marks, event)
        if marks > most:
            raise Refused("marks-enough", most=MOST_MARKS)


ENDS = (Left, Removed, BotSubstituted, Started, Rematched, Reopened, Followed)
"""A full log still accepts these. Each frees a seat or ends a match, so they cannot go on without limit."""
LEADS_ON = (*ENDS, Closed, Committed, Fixed, Readied, Seeded, TimedOut, Unpaused, Unqueued, Voted)
"""Events that a match needs to begin and to go on, and nobody can repeat without limit."""


def check_room(state: RoomState, events: Sequence[Event]) -> None:
    """Refuse events that would use up the lines that the match still needs. events: those of one command."""
    if state.seq < LEAST_BOUND or not events or any(isinstance(event, ENDS) for event in events):
        return
    if is_full(state):
        raise Refused("log-full")
    moves = [event.event for event in events if isinstance(event, Moved)]
    if moves:
        no_progress = all(isinstance(move, Marked) for move in moves)
        no_progress = no_progress or any(isinstance(move, TakenBack) for move in moves)
        if no_progress and state.seq >= _most(state) * 3 // 4:
            raise Refused("log-choices")
        return
    comings = state.seq - (state.match.state.seq if state.match is not None else 0)
    many = comings >= MOST_COMINGS + (_most(state) - COMING_AND_GOING) // A_TURN
    if many and not any(_leads_on(state, event) for event in events):
        raise Refused("log-comings")


def _leads_on(state: RoomState, event: Event) -> bool:
    """True if the match needs this event, or it gives an awaited person their seat."""
    if isinstance(event, Sat | Shared | Joined):
        return event.seat < len(state.chairs) and bool(state.chairs[event.seat].awaited)
    if isinstance(event, Resumed):
        return state.chairs[event.seat].why == "voted"
    return isinstance(event, LEADS_ON)


def is_done(state: RoomState) -> bool:
    """True if a match is over, or cannot go on as its log is full."""
    return state.stage == "over" or (state.match is not None and is_full(state))


def goes_on_elsewhere(state: RoomState) -> bool:
    """True if another house can go on with a match from its log alone: no roll follows from a key of this house.

    A table that was sealed once counts as sealed: its log may hold seeds that people typed.
    """
    return state.stage != "over" and not (state.setup.seal or state.setup.night or state.rematch)


def is_cut(state: RoomState) -> bool:
    """True if a log ends within a command: somebody has left a match, and the bot that plays on is not there yet."""
    return state.stage == "playing" and any(chair.kind == "empty" for chair in state.chairs)


def is_fork(text: str) -> bool:
    """True for the identity of a continuation (``WentOn``): 16 hex digits."""
    return bool(_FORK.fullmatch(text))


def is_full(state: RoomState) -> bool:
    """True if the log has reached its bound."""
    return state.seq >= COMING_AND_GOING and state.seq >= _most(state)


def _most(state: RoomState) -> int:
    planned = 1 if state.table is None else state.table.match.format.rounds_planned  # before it no moves use lines
    return most_lines(planned, len(state.chairs))


def most_lines(rounds: int, seats: int) -> int:
    """The bound of a table with these seats and planned rounds; 0 if no number of rounds is set, as in a race.

    >>> most_lines(5, 4), most_lines(0, 2), most_lines(1000, 20)
    (7000, 9000, 300000)
    """
    return min(COMING_AND_GOING + A_TURN * (rounds or MOST_ROUNDS) * seats, MOST_LINES)


# Sealed dice at a table: the seal first, then the digests of the seats' seeds, then the header, then the seeds.


MOST_PASSED = 2
"""A phone that was passed over so often, at a minute each, is not waited for again: it may never open a seed. To
leave a seat while seeds are opened counts, too. Nor is a person waited for who sits down, or a phone that joins, after
so many headers were given up: each may be the same person without a cookie.
"""


def sealed(setup: Setup, seals: Seals) -> Setup:
    """The setup with a seal, if it plays with sealed dice. One that it has stays: the seats may have added seeds to it.

    Raises Refused("no-seals").
    """
    return replace(setup, seal=seals.first().write()) if setup.dice == "sealed" and not setup.seal else setup


def commits(setup: Setup) -> bool:
    """Phones tell the digests of their seeds first: sealed dice, but for tables that version 1 set up."""
    return setup.dice == "sealed" and read_seal(setup.seal).version > 1


def unseeded(state: RoomState, seats: Sequence[int]) -> list[int]:
    """Those of these seats whose people may still tell a digest or type a seed; none with other dice."""
    if state.setup.dice != "sealed":
        return []
    chairs = state.chairs
    without = [seat for seat in seats if chairs[seat].people and not (chairs[seat].seed or _has_digest(chairs[seat]))]
    return [seat for seat in without if not opens_none(state, seat)]


def opens_none(state: RoomState, seat: int) -> bool:
    """True if every phone of a seat was passed over ``MOST_PASSED`` times: it adds no seed at this table any more."""
    times = [person for person, _ in state.passed_over]
    return all(times.count(person) >= MOST_PASSED for person in state.chairs[seat].people)


def unopened(state: RoomState) -> list[int]:
    """The seats whose phones have told a digest, and have not opened their seeds; none with other dice."""
    if state.setup.dice != "sealed":
        return []
    return [seat for seat, chair in enumerate(state.chairs) if _has_digest(chair) and not chair.seed]


def _has_digest(chair: Chair) -> bool:
    return chair.digest not in ("", NO_SEED)


def players(state: RoomState) -> list[str]:
    """The origins of the seats' seeds, as in a fixed header; "" for a person who has still to add one."""
    return [_player(chair) for chair in state.chairs]


def _player(chair: Chair) -> str:
    if chair.bot:
        return f"{BOT}{chair.bot}"
    if chair.digest:
        return AWAY if chair.digest == NO_SEED else PHONE
    return TYPED if chair.seed else ""


def fixed_digests(state: RoomState) -> list[str]:
    """The digests of the seats' seeds, by seat. The house tells the digest of a seed that a person typed."""
    return [chair.digest or (digest_of_seat(chair.seed) if chair.seed else NO_SEED) for chair in state.chairs]


def fixed_header(state: RoomState, header: Header) -> str:
    """The header that is fixed now. header: of the match."""
    seal, digests = read_seal(state.setup.seal), fixed_digests(state)
    return write_fixed(header.write(), seal, players(state), digests, state.attempts + 1)


def seeds_and_bound(state: RoomState) -> tuple[tuple[str, ...], str]:
    """The seeds with which a match begins, by seat, and what each roll's message then holds; empty for other dice."""
    if state.setup.dice != "sealed":
        return (), ""
    seeds = tuple([chair.seed or NO_SEED for chair in state.chairs])
    if commits(state.setup):
        return seeds, bound_by_header(with_seeds(state.fixed, seeds))
    return seeds, bound_by_seeds(read_seal(state.setup.seal).table, seeds)


def loosened(state: RoomState) -> tuple[Chair, ...]:
    """The chairs after a fixed header was given up: phones commit themselves to other seeds, as these may be known.

    A seat that was passed over stays so, and holds nobody up.
    """
    return tuple([replace(chair, digest="", seed="") if _has_digest(chair) else chair for chair in state.chairs])


def proof_of(state: RoomState) -> Proof | None:
    """The proof of sealed dice as the record holds it, opened or not; None for other dice, or before the match."""
    if state.setup.dice != "sealed" or state.match is None:
        return None
    fixed = read_fixed(state.fixed) if state.fixed else None
    names = fixed.names if fixed else state.names
    return Proof(read_seal(state.setup.seal), names, state.seeds, state.house_seed, fixed)
