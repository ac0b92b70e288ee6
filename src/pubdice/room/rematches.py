"""Rematches: the players go to the next table, which the house has set up."""

from dataclasses import dataclass

from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import TAKEN, Event, changed, logged
from pubdice.room.state import RoomState, is_done
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class Rematched(Event):
    """The event that a seat started a rematch, and has gone to the table with this code."""

    log = logged("rematched", seat=int, code=str)
    stages = ("playing", "over")
    chairs = TAKEN
    leads_on = ends = True
    seat: int
    code: str

    def fits(self, state: RoomState) -> bool:
        return is_done(state) and not state.rematch

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, rematch=self.code, inside=(self.seat,))

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        texts = "{name} wants a rematch.", "You want a rematch."
        return language.about(*texts, after.called(self.seat, you))

    def plays_on(self, language: Language, after: RoomState, you: int | None) -> str:
        """Return the sentence that replaces ``said`` if one more round decides a tie, or the match is played again."""
        return language.about("{name} wants to play on.", "You want to play on.", after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class Reopened(Event):
    """The event that a person in the queue becomes the host of the next table, because all players have left.

    ``code`` is the code of that table.
    """

    log = logged("reopened", person=str, code=str)
    stages = ("playing", "over")
    leads_on = ends = True
    person: str
    code: str

    def fits(self, state: RoomState) -> bool:
        return is_done(state) and not state.rematch and not state.people and self.person in dict(state.queue)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, rematch=self.code, host=self.person)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.say("{name} wants a rematch.", name=dict(before.queue)[self.person])


@dataclass(frozen=True, slots=True)
class Followed(Event):
    """The event that one more seat has gone to the next table."""

    log = logged("followed", seat=int)
    stages = ("playing", "over")
    chairs = TAKEN
    leads_on = ends = True
    seat: int

    def fits(self, state: RoomState) -> bool:
        return is_done(state) and bool(state.rematch) and self.seat not in state.inside

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, inside=(*state.inside, self.seat), layout_version=state.layout_version)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        texts = "{name} is in for the rematch.", "You are in for the rematch."
        return language.about(*texts, after.called(self.seat, you))


@dataclass(frozen=True, slots=True)
class Rematch(RoomCommand):
    """Start a rematch with all the caller's seats, at the table with this code, which the house has set up."""

    code: str

    def decide(self, decision: Decision) -> None:
        state, person = decision.state, decision.caller.person
        seat = state.seat_of(person)
        if seat is None and person not in dict(state.queue):
            raise Refused("not-seated")
        if not is_done(state):
            raise Refused("not-over")
        decision.check_no_rematch()
        if seat is None:
            if state.people:
                raise Refused("rematch-theirs")
            decision.add(Reopened(decision.person(), self.code))
            return
        decision.add(Rematched(seat, self.code))
        for other in state.seats_of(person):
            if other != seat:
                decision.add(Followed(other))


@dataclass(frozen=True, slots=True)
class Follow(RoomCommand):
    """Take the caller's seats to the next table, after another person started the rematch."""

    def decide(self, decision: Decision) -> None:
        decision.own_seat()
        if not decision.state.rematch:
            raise Refused("not-over")
        state = decision.state
        seats = [seat for seat in state.seats_of(decision.caller.person) if seat not in state.inside]
        if not seats:
            raise Refused("rematch-laid", table=state.rematch)
        for seat in seats:
            decision.add(Followed(seat))
