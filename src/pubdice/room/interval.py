"""Between matches and in a pause: who wants to play next, who goes to the next table, when the match stands still."""

from pubdice.core.errors import Refused
from pubdice.room.bounds import is_done
from pubdice.room.commands import Follow, Pause, Queue, Rematch, Unpause, Unqueue
from pubdice.room.decision import Decision
from pubdice.room.events import Followed, Paused, Queued, Rematched, Reopened, Unpaused, Unqueued
from pubdice.room.nickname import read_nickname

MOST_PAUSES = 20
MOST_QUEUE = 20


def queue(decision: Decision, command: Queue) -> None:
    """A spectator asks for a seat at the next table."""
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
    name = read_nickname(decision.nickname(command.name, -1), [other for _, other in state.queue])
    decision.add(Queued(decision.person(), name))


def unqueue(decision: Decision, command: Unqueue) -> None:
    """The host takes somebody off the queue."""
    decision.check_host()
    decision.check_no_rematch()
    for person, name in decision.state.queue:
        if name == command.name:
            decision.add(Unqueued(person))
            return
    raise Refused("not-queued")


def rematch(decision: Decision, command: Rematch) -> None:
    """The caller goes to the next table, which the house has set up, with all their seats."""
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
        decision.add(Reopened(decision.person(), command.code))
        return
    decision.add(Rematched(seat, command.code))
    for other in state.seats_of(person):
        if other != seat:
            decision.add(Followed(other))


def follow(decision: Decision, _: Follow) -> None:
    """The caller goes to the next table too."""
    decision.own_seat()
    if not decision.state.rematch:
        raise Refused("not-over")
    state = decision.state
    seats = [seat for seat in state.seats_of(decision.caller.person) if seat not in state.inside]
    if not seats:
        raise Refused("rematch-laid", table=state.rematch)
    for seat in seats:
        decision.add(Followed(seat))


def pause(decision: Decision, _: Pause) -> None:
    """The clock and the bots stand still."""
    decision.check_playing()
    seat = decision.own_seat()
    decision.check_running()
    if decision.state.pauses >= MOST_PAUSES:
        raise Refused("pauses", most=MOST_PAUSES)
    decision.add(Paused(seat))


def unpause(decision: Decision, _: Unpause) -> None:
    """The match goes on."""
    decision.check_playing()
    seat = decision.own_seat()
    if not decision.state.paused_at:
        raise Refused("not-paused")
    decision.add(Unpaused(seat))
