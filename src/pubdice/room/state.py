"""The state of a table with its people, as data. Also its timer and the bound of its log. Only events change the state.

The house has the clock. It gives the timer's commands when they are due.
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
    """A seat and its people. A person is an identifier of a browser."""

    name: str = ""  # the name of the seat; if its people have just left during a match, it keeps the name
    people: tuple[str, ...] = ()  # the persons (browsers) that can act for the seat
    bot: str = ""  # the policy of the bot that plays the seat now, or ""
    why: str = ""  # the reason a bot stands in for a person: ``gave`` or ``voted``
    awaited: tuple[str, ...] = ()  # the persons for whom an empty chair is kept, under its name
    ready: bool = False
    seed: str = ""  # the seat's own seed for sealed dice
    digest: str = ""  # the digest of the seed that the phone keeps; "-" if the match goes on without a seed

    @property
    def kind(self) -> ChairKind:
        """The kind of occupant. A "standin" is a bot that plays for a person."""
        if self.people:
            return "standin" if self.bot else "person"
        return "bot" if self.bot else "empty"


@quick
@dataclass(frozen=True, slots=True)
class Live:
    """A match that has begun. ``table`` has the present names at the seats."""

    table: Table
    state: TableState


@quick
@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An open question to the others, if the last choice may come back."""

    seat: int  # the seat that asks
    seq: int  # the number of the event
    at: int  # its time in ms since 1970
    agreed: tuple[int, ...] = ()  # the seats that have agreed


@quick
@dataclass(frozen=True, slots=True)
class RoomState:
    """The state of a table and its people after an event. Times are in ms since 1970."""

    setup: Setup
    chairs: tuple[Chair, ...]
    host: str  # the person who runs the table
    pace_ms: int
    at: int  # the time of the last event
    turn_at: int  # the start of this turn, or the time a new person took the mover's seat
    match: Live | None = None  # None until the match has begun
    moved_at: int = 0  # the time of the last move, or of the last change of the mover's people
    votes: tuple[tuple[int, int, int], ...] = ()  # (seat that votes, absent seat, time)
    timed_out_seat: int | None = None  # the seat whose time is up, so a bot finishes its turn
    stood_up: tuple[str, ...] = ()  # the persons who left the mover's seat in this turn
    seq: int = 0  # the number of events so far
    layout_version: int = 0  # the ``seq`` of the last event that changed the seats' people or the stage
    dice_version: int = 0  # the ``seq`` of the last event of the match, not counting marks
    rolls: int = 0  # the number of rolls in the match
    rolled: int | None = None  # the seat that rolled last
    nudged_at: int = 0  # the time of the mover's last reminder
    rematch: str = ""  # the next table's code
    banned: tuple[str, ...] = ()  # persons who cannot sit here again
    opens: int = 0  # the seat that opens the first round, if Player 1 is not drawn by lot
    drawn: int | None = None  # the seat drawn as Player 1
    inside: tuple[int, ...] = ()  # the seats that have gone to the next table
    paused_at: int = 0  # the start of the pause under way; 0 without one
    pauses: int = 0  # the number of pauses so far
    renamed: tuple[str, ...] = ()  # persons who changed a name here, one entry a change
    queue: tuple[tuple[str, str], ...] = ()  # (person, name) of each spectator who wants a seat at the next table
    shut: bool = False  # after a removal, the table takes no new people until the host admits them
    # persons who lost one of several seats by removal; they cannot share their phone again
    unshared: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()  # with sealed dice, the seats' seeds by seat, once the match has begun
    house_seed: str = ""  # the house's seed in hex, once it is opened
    fixed: str = ""  # the fixed header of sealed dice, or ""
    fixed_at: int = 0  # the time at which the header was fixed
    attempts: int = 0  # the number of headers fixed so far
    # (person, attempt) of each person who ended an attempt without opening a seed, or by leaving
    passed_over: tuple[tuple[str, int], ...] = ()
    bound: str = ""  # the part of each roll's message that stays the same, once the match has begun
    # the seat whose person made the last choice; None for a bot's, and if time ran out or the person stopped playing
    chose: Seat | None = None
    question: OpenQuestion | None = None
    asked_for: int = 0  # the match's number of events before the last choice for which a player has asked
    granted: tuple[tuple[int, int], ...] = ()  # (round, seat that asked) of each choice taken back
    turns: TurnCount | None = None  # in a match of a duplicate night, the count that numbers its rolls

    def but(self, **facts: Any) -> "RoomState":
        """Return the state with these fields changed.

        This takes a fifth of the time of ``dataclasses.replace``, and every move calls it.
        """
        values = list(_values(self))
        for name, fact in facts.items():
            values[_AT[name]] = fact
        return _state(*values)

    @property
    def stage(self) -> Stage:
        if self.match is None:
            return "gathering"
        return "over" if self.match.state.match.over else "playing"

    @property
    def mover(self) -> Seat | None:
        """The seat whose turn it is. None before the match, until Player 1 is drawn, and once the match is over."""
        return None if self.match is None else self.match.state.mover

    @property
    def table(self) -> Table | None:
        return None if self.match is None else self.match.table

    @property
    def turn_order(self) -> tuple[Seat, ...]:
        """The seats of this round in turn order. Empty before the match."""
        return () if self.match is None else self.match.state.match.order

    @property
    def names(self) -> tuple[str, ...]:
        if self.match is not None:
            return self.match.table.names
        return tuple([chair.name for chair in self.chairs])

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(person for chair in self.chairs for person in chair.people))

    def seats_of(self, person: str | None) -> tuple[int, ...]:
        """Return the seats of a person. There are several if players share a phone."""
        return tuple([seat for seat, chair in enumerate(self.chairs) if person in chair.people])

    def seat_of(self, person: str | None) -> int | None:
        """Return the seat for which a person acts: the mover's if it is the person's, else the person's first.

        None without one.
        """
        seats = [seat for seat, chair in enumerate(self.chairs) if person in chair.people]
        if len(seats) > 1 and (mover := self.mover) in seats:
            return mover
        return seats[0] if seats else None

    def only_seat_of(self, person: str | None) -> int | None:
        """Return the seat that pages call "you". None if the person has several seats on a phone, or none."""
        seats = self.seats_of(person)
        return seats[0] if len(seats) == 1 else None

    def kept_for(self, person: str | None) -> tuple[int, ...]:
        return tuple([seat for seat, chair in enumerate(self.chairs) if person in chair.awaited])

    def is_shut_to(self, person: str | None) -> bool:
        """Return True if this person must wait until the host admits new people."""
        return self.shut and person != self.host and not self.kept_for(person)

    def is_host(self, person: str | None) -> bool:
        """Return True if a person is the host, on any phone of the host's seat."""
        return person == self.host or any(self.host in self.chairs[seat].people for seat in self.seats_of(person))

    @property
    def host_seat(self) -> int | None:
        """The seat where the host sits, or is awaited. None if there is no such seat."""
        seats = (*self.seats_of(self.host), *self.kept_for(self.host))
        return seats[0] if seats else None

    def lost(self, gone: Mapping[int, int], now: int) -> frozenset[int]:
        """Return the lost seats, whose people have been away for the grace time.

        ``gone`` has the time since when, by seat.

        Empty during a pause, because people pause a match to go away.
        """
        if self.paused_at:
            return frozenset()
        return frozenset([seat for seat, since in gone.items() if now >= since + 1000 * self.setup.grace_s])

    def host_is_lost(self, lost: Set[int]) -> bool:
        """Return True if the host is lost before the match. Then every seated person may run the table."""
        return self.match is None and self.host_seat in lost

    def may_run(self, person: str | None, lost: Set[int]) -> bool:
        """Return True if a person may run the table: the host, or any seated person while ``host_is_lost``."""
        return self.is_host(person) or (self.host_is_lost(lost) and self.seat_of(person) is not None)

    def voters(self, absent: int, since: int) -> frozenset[int]:
        """Return the seats that have voted for a bot since this person left.

        When the person comes back, the votes lapse.
        """
        return frozenset(seat for seat, about, at in self.votes if about == absent and at >= since)

    def ballot(self, absent: int, gone: Mapping[int, int]) -> tuple[int, int]:
        """Return the number of present seats that voted for a bot at an absent seat, and the number needed.

        The number needed is more than half of the present seats.
        """
        present = {seat for seat, chair in enumerate(self.chairs) if chair.people and seat not in gone}
        return len(present & self.voters(absent, gone[absent])), len(present) // 2 + 1

    @property
    def die(self) -> DieFaces:
        """The faces of the dice in the match. Before a match, the usual faces."""
        return SIX if self.match is None else self.match.table.match.game.faces

    def called(self, seat: int, you: int | None) -> str:
        """Return a seat's name. Return "" for ``you``, the listener's seat."""
        return "" if seat == you else self.chairs[seat].name

    def plays(self, seat: int) -> bool:
        """Return True if a bot plays this seat now."""
        return bool(self.chairs[seat].bot) or self.timed_out_seat == seat


_state = maker(RoomState)
_AT = {name: at for at, name in enumerate(RoomState.__slots__)}
_values = attrgetter(*_AT)


def is_cut(state: RoomState) -> bool:
    """Return True if a log ends in the middle of a command.

    A person has left a match then, and the next line, which seats a bot, is missing.
    """
    return state.stage == "playing" and any(chair.kind == "empty" for chair in state.chairs)


def is_to_ask(state: RoomState) -> bool:
    """Return True if an undo now is about a choice, and not about real dice that players have just typed in."""
    live = state.match
    if live is None or live.table.dice != "real":
        return live is not None
    before, choice = live.state.before, live.state.choice
    chosen = choice is not None and (before is None or choice.moved > before.moved)
    return chosen and state.chose is not None and not live.state.match.over


def unanswered(state: RoomState) -> tuple[int, ...]:
    """Return the seats whose people have not agreed yet. Empty if nothing is asked."""
    asked = state.question
    if asked is None:
        return ()
    own = state.chairs[asked.seat].people
    return tuple([
        seat
        for seat, chair in enumerate(state.chairs)
        if chair.kind == "person" and seat not in asked.agreed and not set(own).intersection(chair.people)
    ])  # fmt: skip


def chosen_by(state: RoomState, lost: Set[int] = frozenset()) -> Seat | None:
    """Return the seat that can ask for the last choice now, or ask again if only ``lost`` seats have not answered.

    None if the choice stands.
    """
    live = state.match
    if live is None or live.state.match.over or live.state.choice is None or state.turns is not None:
        return None
    waits = set(unanswered(state)) - lost if state.question else live.state.choice.seq <= state.asked_for
    return None if waits or state.rematch or state.timed_out_seat is not None else state.chose


COMING_AND_GOING = 5_000
A_TURN = 100
MOST_LINES = 300_000
"""The bounds of a log, in lines.

``COMING_AND_GOING`` is for arrivals, departures and ties. ``A_TURN`` is for each turn with its marks. No log has more
than ``MOST_LINES``.
"""


def is_done(state: RoomState) -> bool:
    """Return True if a match is over, or cannot go on because its log is full."""
    return state.stage == "over" or (state.match is not None and is_full(state))


def is_full(state: RoomState) -> bool:
    """Return True if the log has reached its bound."""
    return state.seq >= COMING_AND_GOING and state.seq >= most_of(state)


def most_of(state: RoomState) -> int:
    """Return the bound of this table's log, in lines."""
    planned = 1 if state.table is None else state.table.match.format.rounds_planned  # no moves before the match
    return most_lines(planned, len(state.chairs))


def most_lines(rounds: int, seats: int) -> int:
    """Return the bound of a log with this many planned rounds and seats, in lines.

    0 rounds (not planned, as in a race) count as ``MOST_ROUNDS``.

    >>> most_lines(5, 4), most_lines(0, 2), most_lines(1000, 20)
    (7000, 9000, 300000)
    """
    return min(COMING_AND_GOING + A_TURN * (rounds or MOST_ROUNDS) * seats, MOST_LINES)


TimerKind = Literal["begin", "bot", "clock"]
"""The kinds of timer: the match begins, a bot acts, or the turn clock runs out."""


READ_MS = 4_000
"""The least wait of a bot that makes the first move of a rematch, so the players hear of the match before it."""


ANSWER_MS = 20_000
"""The time for which a bot does not move while players answer a question."""


def opens_rematch(state: RoomState) -> bool:
    """Return True before the first move of a rematch in which bots take their time. Its pages may still be loading."""
    return bool(state.setup.before and state.pace_ms and state.match is not None and not state.match.state.moved)


def due(state: RoomState, least_ms: int = 0) -> tuple[int, TimerKind] | None:
    """Return the time at which the timer of a match next fires (ms since 1970), and its kind.

    None while the table waits for people. A bot waits at least ``least_ms`` before each action.
    """
    live = state.match
    if live is None or state.paused_at or (mover := live.state.mover) is None:
        return None
    if state.plays(mover):
        if live.table.enters_dice(live.state):
            return None
        waits = state.moved_at + max(state.pace_ms, least_ms, READ_MS if opens_rematch(state) else 0)
        return waits if state.question is None else max(waits, state.question.at + ANSWER_MS), "bot"
    deadline = clock(state)
    return None if deadline is None else (deadline, "clock")


def clock(state: RoomState) -> int | None:
    """Return the time at which the mover's time is up (ms since 1970). None without a turn clock, or while a bot plays.

    The result depends on the log alone, so every process shows the same time. If no people are present at a table, its
    clock does not act. When a person comes, the turn gets its full time again (``Retimed``).
    """
    live = state.match
    if not state.setup.clock_s or live is None or state.paused_at:
        return None
    mover = live.state.mover
    if mover is None or state.plays(mover):
        return None
    return state.turn_at + 1000 * state.setup.clock_s
