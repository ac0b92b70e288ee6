"""The queue of a table: spectators who want a seat at the next table."""

from dataclasses import dataclass

from pubdice.core.errors import Refused
from pubdice.kit import Kit
from pubdice.room.chairs import Close
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import Event, changed, logged
from pubdice.room.nickname import read_nickname
from pubdice.room.state import RoomState
from pubdice.text.language import Language

MOST_QUEUE = 20


@dataclass(frozen=True, slots=True)
class Queued(Event):
    """The event that a spectator wants a seat at the next table."""

    log = logged("queued", person=str, name=str)
    stages = ("playing", "over")
    person: str
    name: str

    def fits(self, state: RoomState) -> bool:
        return not state.rematch and self.person not in (*state.people, *state.banned, *dict(state.queue))

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, queue=(*state.queue, (self.person, self.name)))

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.say("{name} wants to play in the next match.", name=self.name)


@dataclass(frozen=True, slots=True)
class Queue(RoomCommand):
    """Put the caller, a spectator, in the queue for the next table."""

    do = "queue"
    name: str = ""

    def decide(self, decision: Decision) -> None:
        state, person = decision.state, decision.caller.person
        if state.match is None:
            raise Refused("not-started")
        if state.seat_of(person) is not None:
            raise Refused("seated-already")
        decision.check_admitted()
        decision.check_no_rematch()
        if person in dict(state.queue):
            raise Refused("queued-already")
        if len(state.queue) >= MOST_QUEUE:
            raise Refused("queue-full")
        name = read_nickname(decision.nickname(self.name, -1), [other for _, other in state.queue])
        decision.add(Queued(decision.person(), name))


@dataclass(frozen=True, slots=True)
class Unqueued(Event):
    """The event that the host took a person off the queue. The person cannot sit down or queue here again."""

    log = logged("unqueued", person=str)
    stages = ("playing", "over")
    leads_on = True
    person: str

    def fits(self, state: RoomState) -> bool:
        return not state.rematch and self.person in dict(state.queue)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        queue = tuple([waiting for waiting in state.queue if waiting[0] != self.person])
        return changed(state, at, queue=queue, banned=(*state.banned, self.person))

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.say("{name} was removed.", name=dict(before.queue)[self.person])


@dataclass(frozen=True, slots=True)
class Unqueue(RoomCommand):
    """Take a person off the queue by name, as the host. The person cannot sit down or queue here again."""

    name: str

    def decide(self, decision: Decision) -> None:
        decision.check_host()
        decision.check_no_rematch()
        for person, name in decision.state.queue:
            if name == self.name:
                decision.add(Unqueued(person))
                return
        raise Refused("not-queued")


@dataclass(frozen=True, slots=True)
class Drop(RoomCommand):
    """Take a person off the queue by name, as the host. With ``seat``, the command is the same as ``Close``."""

    do = "drop"
    may_begin = True
    seat: int | None = None
    name: str = ""

    def decide(self, decision: Decision) -> None:
        if self.seat is None and self.name:
            Unqueue(self.name).decide(decision)
        else:
            Close(self.seat, self.name).decide(decision)
