"""People and their seats: they sit down, share a phone, join from a second phone, change names, leave.

The host removes people, admits new people again, and makes another person the host.
"""

from dataclasses import dataclass, replace

from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.room.chairs import (
    Closed,
    empty_seat,
    free_seat,
    gathers,
    may_be_named,
    missing,
    seat_bot,
    taken,
)
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import TAKEN, Event, SeatEvent, changed, logged
from pubdice.room.pauses import Unpaused
from pubdice.room.seeds import commits
from pubdice.room.state import Chair, RoomState
from pubdice.text.language import Language

MOST_RENAMES = 5
"""The most name changes that one person can make at a table."""
MOST_PHONES = 4
"""The most phones of one seat. One more displaces the oldest, but never the first (``Setup.first_stays``)."""


def _is_awaited(state: RoomState, seat: int) -> bool:
    return seat < len(state.chairs) and bool(state.chairs[seat].awaited)


def _sat_down(language: Language, after: RoomState, seat: int, you: int | None) -> str:
    """Return the sentence for a person who sat down at a table that grows, with the number of taken seats."""
    texts = "{name} sat down. {number} at the table.", "{name} sat down. {number} at the table."
    if seat == you:
        texts = "You sat down. {number} at the table.", "You sat down. {number} at the table."
    return language.count(*texts, taken(after), name=after.chairs[seat].name)


@dataclass(frozen=True, slots=True)
class Sat(SeatEvent):
    """The event that a person took an empty seat or a bot's seat.

    At a table that grows, the seat can be a new one after the last.
    """

    log = logged("sat", seat=int, person=str, name=str)
    stages = ("gathering", "playing")
    chairs = ("empty", "bot")
    changes_header = comes = new_seat = True
    seat: int
    person: str
    name: str

    def fits(self, state: RoomState) -> bool:
        new = self.person not in (*state.people, *state.banned)
        return new and may_be_named(state, self.seat, self.name)

    def needed(self, state: RoomState) -> bool:
        return _is_awaited(state, self.seat)

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return Chair(self.name, (self.person,))

    def starts_afresh(self, state: RoomState, chair: Chair) -> bool:
        return self.person not in state.stood_up

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        if gathers(after):
            return _sat_down(language, after, self.seat, you)
        old, name = before.chairs[self.seat], after.called(self.seat, you)
        if not old.name or self.person in old.awaited:
            return language.about("{name} sat down.", "You sat down.", name)
        return language.about("{name} takes over from {other}.", "You take over from {other}.", name, other=old.name)


@dataclass(frozen=True, slots=True)
class Shared(SeatEvent):
    """The event that another player took a seat on the phone of a person who sits here."""

    log = logged("shared", seat=int, person=str, name=str)
    stages = ("gathering",)
    chairs = ("empty",)
    changes_header = new_seat = True
    seat: int
    person: str
    name: str

    def fits(self, state: RoomState) -> bool:
        known = self.person in state.people
        return known and may_be_named(state, self.seat, self.name)

    def needed(self, state: RoomState) -> bool:
        return _is_awaited(state, self.seat)

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return Chair(self.name, (self.person,))

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        if not gathers(after):
            return language.say("{name} sat down.", name=self.name)
        return _sat_down(language, after, self.seat, you)


@dataclass(frozen=True, slots=True)
class Joined(SeatEvent):
    """The event that a second phone has the seat too, because a person typed the seat's four words on it."""

    log = logged("joined", seat=int, person=str)
    stages = ("gathering", "playing", "over")
    chairs = TAKEN
    comes = keeps_votes = True
    seat: int
    person: str

    def fits(self, state: RoomState) -> bool:
        return self.person not in (*state.people, *state.banned)

    def needed(self, state: RoomState) -> bool:
        return _is_awaited(state, self.seat)

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        stays = 1 if first_stays else 0
        others = (*chair.people[stays:], self.person)[stays - MOST_PHONES :]
        return replace(chair, people=(*chair.people[:stays], *others))

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        if gathers(after) and any(self.person in kept.people for kept in after.setup.expected):
            return ""
        texts = "{name} has this seat on another phone too.", "You have this seat on another phone too."
        return language.about(*texts, after.called(self.seat, you))


def comes_late(kit: Kit, state: RoomState, person: str | None) -> bool:
    """Return True if a person who sits down now must wait for the next match, as this one's seeds are about to open.

    This holds after a header was fixed and abandoned, if the match can begin with the present people. Otherwise a
    person could leave without opening a seed, return without a cookie, and delay the match permanently. The host and
    awaited people are exempt.
    """
    begun = state.attempts > 0 and not state.fixed and state.match is None and commits(state.setup)
    return begun and not missing(kit, state) and not state.is_host(person) and not state.kept_for(person)


def _check_in_time(decision: Decision) -> None:
    if comes_late(decision.kit, decision.state, decision.caller.person):
        raise Refused("seeds-begun")


@dataclass(frozen=True, slots=True)
class Sit(RoomCommand):
    """Take an empty seat or a bot's seat.

    Without ``seat``, it is the seat kept for the caller, an empty one, a new one, or a bot's.
    """

    do = "sit"
    may_begin = True
    seat: int | None = None
    name: str = ""

    def decide(self, decision: Decision) -> None:
        if decision.state.stage == "over":
            raise Refused("match-over")
        if decision.state.seat_of(decision.caller.person) is not None:
            raise Refused("seated-already")
        decision.check_admitted()
        kept = decision.state.kept_for(decision.caller.person)
        if kept and (self.seat is None or self.seat in kept):
            _sit_again(decision, kept, self.name)
            return
        seat = self.seat if self.seat is not None else free_seat(decision)
        if seat != len(decision.state.chairs) or self.seat is not None:
            chair = decision.chair(seat)
            if chair.people:
                raise Refused("seat-taken", name=chair.name)
            if chair.awaited:
                raise Refused("seat-kept", name=chair.name)
        _check_in_time(decision)
        decision.add(Sat(seat, decision.person(), decision.nickname(self.name, seat)))


def _sit_again(decision: Decision, kept: tuple[int, ...], name: str) -> None:
    """Give a person their kept seats, with all phones that had them, and the seat that their other phone has taken."""
    caller = decision.person()
    shared = _shared_with(decision)
    if shared is not None:
        decision.add(Joined(shared, caller))
    for number, seat in enumerate(kept):
        chair = decision.state.chairs[seat]
        called = decision.nickname(name, seat) if name.strip() and not number else chair.name
        sits_already = number or shared is not None
        decision.add((Shared if sits_already else Sat)(seat, caller, called))
        for person in chair.awaited:
            # a person for whom other seats are kept will come for them, so is left out here
            others = set(decision.state.kept_for(person)) - set(kept)
            if person != caller and person not in decision.state.people and not others:
                decision.add(Joined(seat, person))


def _shared_with(decision: Decision) -> int | None:
    """Return the seat of the caller that another of the caller's phones has already taken here. None if there is none.

    The phones shared the seat in the last match.
    """
    caller = decision.caller.person
    for expected in decision.state.setup.expected:
        for seat, chair in enumerate(decision.state.chairs):
            if caller in expected.people and caller not in chair.people and set(chair.people) & set(expected.people):
                return seat
    return None


@dataclass(frozen=True, slots=True)
class Share(RoomCommand):
    """Seat more players on the caller's phone, each at a seat of their own.

    ``name`` has one name, or several with commas.

    No name can have a comma. If one of them cannot sit down, none does.
    """

    do = "share"
    may_begin = True
    name: str = ""

    def decide(self, decision: Decision) -> None:
        decision.check_gathering()
        decision.own_seat()
        if not decision.state.is_host(decision.caller.person):  # keeps removed people off a friend's phone
            decision.check_admitted()
            if decision.caller.person in decision.state.unshared:
                raise Refused("share-removed")
        _check_in_time(decision)
        names = [name for name in self.name.split(",") if name.strip()] or [self.name]
        for name in names:
            seat = empty_seat(decision)
            decision.add(Shared(seat, decision.person(), decision.nickname(name, seat)))


@dataclass(frozen=True, slots=True)
class Join(RoomCommand):
    """Give the caller's phone this seat too. The house has checked the four words that were typed on the phone."""

    seat: int

    def decide(self, decision: Decision) -> None:
        if decision.state.seat_of(decision.caller.person) is not None:
            raise Refused("seated-already")
        decision.check_admitted(new=False)
        if not decision.chair(self.seat).people:
            raise Refused("seat-empty")
        decision.add(Joined(self.seat, decision.person()))


@dataclass(frozen=True, slots=True)
class Left(SeatEvent):
    """The event that a seat became empty, because its person left permanently.

    Before the match, it is also for a lost person who was given up.
    """

    log = logged("left", seat=int)
    stages = ("gathering", "playing")
    chairs = TAKEN
    empties = loosens = leads_on = ends = True
    seat: int

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return Chair()

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.about("{name} leaves.", "You leave.", before.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class Removed(SeatEvent):
    """The event that the host removed a person, who cannot come back.

    New people must wait until the host admits them.
    """

    log = logged("removed", seat=int)
    stages = ("gathering", "playing")
    chairs = (*TAKEN, "empty")
    empties = loosens = leads_on = ends = True
    seat: int

    def fits(self, state: RoomState) -> bool:
        return bool(state.chairs[self.seat].people or state.chairs[self.seat].awaited)

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return Chair()

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        chair = state.chairs[self.seat]
        here = {person for seat, other in enumerate(state.chairs) if seat != self.seat for person in other.people}
        banned = [person for person in chair.people or chair.awaited if person not in here]
        unshared = [person for person in chair.people if person in here and person not in state.unshared]
        return SeatEvent.after(self, kit, state, at).but(
            banned=(*state.banned, *banned),
            unshared=(*state.unshared, *unshared),
            shut=state.shut or bool(chair.people),
        )

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        if gathers(after) and not before.chairs[self.seat].people:
            return language.say("{name} was removed.", name=before.chairs[self.seat].name)
        return language.about("{name} was removed.", "You were removed.", before.called(self.seat, you))


def _vacate(decision: Decision, event: Left | Removed) -> None:
    """Empty a seat. During a match a bot takes it. Before the match, a table that grows removes it."""
    state = decision.state
    if state.stage == "over":
        raise Refused("match-over")
    if state.paused_at and not set(state.people) - set(state.chairs[event.seat].people):
        decision.add(Unpaused(event.seat))  # no other seat has people to end the pause
    decision.add(event)
    if decision.state.stage == "playing":
        seat_bot(decision, event.seat, decision.bot_named(""))
    elif decision.state.setup.grows and len(decision.state.chairs) > 1:
        decision.add(Closed(event.seat))


@dataclass(frozen=True, slots=True)
class Leave(RoomCommand):
    """Leave the caller's seat permanently. Without ``seat``, leave all the caller's seats."""

    do = "leave"
    may_begin = True
    seat: int | None = None
    name: str = ""

    def decide(self, decision: Decision) -> None:
        if self.name:
            decision.seat_meant(self.seat, self.name)
        decision.own_seat(self.seat)
        seats = decision.state.seats_of(decision.caller.person) if self.seat is None else (self.seat,)
        for seat in reversed(seats):
            _vacate(decision, Left(seat))


@dataclass(frozen=True, slots=True)
class Remove(RoomCommand):
    """Remove a person, as the host.

    While the host is lost, any seated person can free the seat of another lost person.
    """

    do = "remove"
    may_begin = True
    seat: int | None = None
    name: str = ""

    def decide(self, decision: Decision) -> None:
        seat = decision.seat_meant(self.seat, self.name)
        decision.check_host()
        chair = decision.chair(seat)
        if not chair.people and not chair.awaited:
            raise Refused("seat-empty")
        decision.own_seat()
        if seat in decision.state.seats_of(decision.caller.person):
            raise Refused("remove-oneself")
        if decision.state.is_host(decision.caller.person):
            _vacate(decision, Removed(seat))
        elif seat in decision.lost_seats() and chair.people:
            _vacate(decision, Left(seat))
        else:
            raise Refused("not-host")


@dataclass(frozen=True, slots=True)
class Admitted(Event):
    """The event that the host admits new people again after a removal."""

    log = logged("admitted")
    stages = ("gathering", "playing", "over")

    def fits(self, state: RoomState) -> bool:
        return state.shut

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, shut=False)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.say("New people can sit down again.")


@dataclass(frozen=True, slots=True)
class Admit(RoomCommand):
    """Admit new people again after a removal, as the host."""

    do = "admit"

    def decide(self, decision: Decision) -> None:
        decision.check_host()
        if not decision.state.shut:
            raise Refused("not-shut")
        decision.add(Admitted())


@dataclass(frozen=True, slots=True)
class Renamed(SeatEvent):
    """The event that a seat has another name now."""

    log = logged("renamed", seat=int, name=str)
    stages = ("gathering", "playing")
    chairs = TAKEN
    changes_header = keeps_votes = same_people = True
    seat: int
    name: str

    def fits(self, state: RoomState) -> bool:
        return may_be_named(state, self.seat, self.name)

    def chair(self, chair: Chair, *, first_stays: bool) -> Chair:
        return replace(chair, name=self.name)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        renamed = (*state.renamed, *state.chairs[self.seat].people[:1])
        return SeatEvent.after(self, kit, state, at).but(renamed=renamed)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        other = before.called(self.seat, you)
        text = "{other} is now called {name}." if other else "You are now called {name}."
        return language.say(text, other=other, name=self.name)


@dataclass(frozen=True, slots=True)
class Rename(RoomCommand):
    """Change the name of one of the caller's seats."""

    do = "rename"
    name: str = ""
    seat: int | None = None

    def decide(self, decision: Decision) -> None:
        seat = decision.own_seat(self.seat)
        if decision.state.stage == "over":
            raise Refused("match-over")
        chair = decision.state.chairs[seat]
        name = decision.nickname(self.name, seat)
        if name == chair.name:
            raise Refused("nothing-new")
        if sum(map(decision.state.renamed.count, chair.people)) >= MOST_RENAMES:
            raise Refused("renamed-often", most=MOST_RENAMES)
        decision.add(Renamed(seat, name))


@dataclass(frozen=True, slots=True)
class HandedOver(Event):
    """The event that the person at this seat is the host now."""

    log = logged("handedover", seat=int)
    stages = ("gathering", "playing", "over")
    chairs = TAKEN
    seat: int

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, host=state.chairs[self.seat].people[0])

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.about("{name} is the host now.", "You are the host now.", after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class HandOver(RoomCommand):
    """Make another person the host, as the host."""

    do = "handover"
    seat: int | None = None
    name: str = ""

    def decide(self, decision: Decision) -> None:
        seat = decision.seat_meant(self.seat, self.name)
        decision.check_host()
        chair = decision.chair(seat)
        if not chair.people:
            raise Refused("seat-empty")
        if decision.state.host in chair.people:
            raise Refused("nothing-new")
        decision.add(HandedOver(seat))
