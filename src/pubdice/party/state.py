"""A table with its people, as data. Changes nothing; ``party`` does."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal

from pubdice.game import Seat, quick
from pubdice.party.setup import Setup
from pubdice.table import Table, TableState

Kind = Literal["empty", "person", "bot", "standin"]
Stage = Literal["gathering", "playing", "over"]


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat and who sits there.

    name: as it is spoken of; of one just left in a match, as it was. people: the persons (browsers) that may act for
    it. bot: the policy that plays it now. why: how a bot came to stand in for a person, ``gave`` or ``voted``.
    awaited: the persons an empty chair is kept for, under its name. ready: they are ready for the match.
    """

    name: str = ""
    people: tuple[str, ...] = ()
    bot: str = ""
    why: str = ""
    awaited: tuple[str, ...] = ()
    ready: bool = False

    @property
    def kind(self) -> Kind:
        """Whether anybody sits there, and what."""
        if self.people:
            return "standin" if self.bot else "person"
        return "bot" if self.bot else "empty"


@quick
@dataclass(frozen=True, slots=True)
class PartyState:
    """A table with its people under way.

    host: who runs the table. table, play: the match and its state, once it has begun. votes: (seat, absent seat,
    when). hurried: the seat whose turn a bot plays out, as its time is up. seq: events so far. at: when the last one
    was. turn_at: when the turn under way began. moved_at: when the last move was, or when the mover's seat last changed
    hands. shape: seq of the last event that changed who sits here or the stage.
    rolls: so many in the match; rolled: the seat that rolled last. nudged_at: when the mover was last reminded.
    rematch: the next table's code; inside: the seats that have gone there. barred: persons who cannot sit here again.
    opens: the seat that opens, where nobody is drawn; drawn: the Player 1 that was. paused_at: since when the match
    stands still, 0 if it does not; pauses: how often it did. renamed: who has changed a name here, once for each time.
    queue: those who watch and want to sit at the next table, by person and name. shut: somebody was removed, so nobody
    new sits down until the host lets them. unshared: persons with a seat left of whose seats one was removed: they
    share no more.
    """

    setup: Setup
    chairs: tuple[Chair, ...]
    host: str
    pace_ms: int
    at: int
    turn_at: int
    table: Table | None = None
    play: TableState | None = None
    moved_at: int = 0
    votes: tuple[tuple[int, int, int], ...] = ()
    hurried: int | None = None
    seq: int = 0
    shape: int = 0
    rolls: int = 0
    rolled: int | None = None
    nudged_at: int = 0
    rematch: str = ""
    barred: tuple[str, ...] = ()
    opens: int = 0
    drawn: int | None = None
    inside: tuple[int, ...] = ()
    paused_at: int = 0
    pauses: int = 0
    renamed: tuple[str, ...] = ()
    queue: tuple[tuple[str, str], ...] = ()
    shut: bool = False
    unshared: tuple[str, ...] = ()

    def but(self, **facts: Any) -> "PartyState":
        """The state with these facts changed, as ``replace`` makes it, in a fifth of the time: one is made a move."""
        values = list(_values(self))
        for name, fact in facts.items():
            values[_AT[name]] = fact
        return PartyState(*values)

    @property
    def stage(self) -> Stage:
        """Whether people are gathering, playing, or done."""
        if self.play is None:
            return "gathering"
        return "over" if self.play.match.over else "playing"

    @property
    def mover(self) -> Seat | None:
        """Whose turn it is."""
        return None if self.table is None or self.play is None else self.table.mover(self.play)

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits where, by name."""
        if self.table is not None:
            return self.table.names
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
        seats = self.seats_of(person)
        if len(seats) > 1 and (mover := self.mover) in seats:
            return mover
        return seats[0] if seats else None

    def only_seat_of(self, person: str | None) -> int | None:
        """The seat whose people are told of in the second person: none where several share a phone."""
        seats = self.seats_of(person)
        return seats[0] if len(seats) == 1 else None

    def kept_for(self, person: str | None) -> tuple[int, ...]:
        """The empty chairs that wait for a person."""
        return tuple([seat for seat, chair in enumerate(self.chairs) if person in chair.awaited])

    def is_shut_to(self, person: str | None) -> bool:
        """Whether this person has to wait until the host lets new people sit down."""
        return self.shut and person != self.host and not self.kept_for(person)

    def is_host(self, person: str | None) -> bool:
        """Whether a person is the host, on any phone of the host's seat."""
        return person == self.host or any(self.host in self.chairs[seat].people for seat in self.seats_of(person))

    @property
    def host_seat(self) -> int | None:
        """Where the host sits, or is waited for."""
        seats = (*self.seats_of(self.host), *self.kept_for(self.host))
        return seats[0] if seats else None

    def lost(self, gone: Mapping[int, int], now: int) -> frozenset[int]:
        """Of the seats whose people are gone, since when, those that were waited for as long as the table waits.

        A pause is for going away: nobody is lost in one.
        """
        if self.paused_at:
            return frozenset()
        return frozenset([seat for seat, since in gone.items() if now >= since + 1000 * self.setup.grace_s])

    def is_forlorn(self, lost: Set[int]) -> bool:
        """Whether people gather and their host is lost: then everybody who sits here may run the table."""
        return self.play is None and self.host_seat in lost

    def may_run(self, person: str | None, lost: Set[int]) -> bool:
        """Whether a person may run the table: the host, or whoever sits here while that one is lost."""
        return self.is_host(person) or (self.is_forlorn(lost) and self.seat_of(person) is not None)

    def voters(self, absent: int, since: int) -> frozenset[int]:
        """The seats for a bot at the seat of somebody absent since then: a vote does not outlive their return."""
        return frozenset(seat for seat, about, at in self.votes if about == absent and at >= since)

    def ballot(self, absent: int, gone: Mapping[int, int]) -> tuple[int, int]:
        """How many of those present are for a bot at an absent seat, and how many it takes: more than half of them."""
        present = {seat for seat, chair in enumerate(self.chairs) if chair.people and seat not in gone}
        return len(present & self.voters(absent, gone[absent])), len(present) // 2 + 1

    def plays(self, seat: int) -> bool:
        """Whether a bot is to play this seat now."""
        return bool(self.chairs[seat].bot) or self.hurried == seat


_AT = {name: at for at, name in enumerate(PartyState.__slots__)}
_values = attrgetter(*_AT)
