"""Between matches and in a pause: who wants to sit next, who goes to the next table, and when all stands still."""

from pubdice.party import commands as ask
from pubdice.party.bounds import is_done
from pubdice.party.events import Followed, Paused, Queued, Rematched, Reopened, Unpaused, Unqueued
from pubdice.party.gathering import Gathering
from pubdice.party.nickname import read_nickname
from pubdice.table import Refused

MOST_PAUSES = 20
MOST_QUEUE = 20


class Interval(Gathering):
    """A table, and somebody who asks something of it between matches or in a pause."""

    def _queue(self, command: ask.Queue) -> None:
        state, person = self.state, self.asker.person
        if state.play is None:
            raise Refused("not-started")
        if state.seat_of(person) is not None:
            raise Refused("seated-already")
        self.admitted()
        if state.rematch:
            raise Refused("rematch-laid", table=state.rematch)
        if person in dict(state.queue):
            raise Refused("queued-already")
        if len(state.queue) >= MOST_QUEUE:
            raise Refused("queue-full")
        name = read_nickname(self.fresh_name(command.name, -1), [other for _, other in state.queue])
        assert person is not None, "only people want to sit"
        self.add(Queued(person, name))

    def _unqueue(self, command: ask.Unqueue) -> None:
        self.host()
        if self.state.rematch:
            raise Refused("rematch-laid", table=self.state.rematch)
        for person, name in self.state.queue:
            if name == command.name:
                self.add(Unqueued(person))
                return
        raise Refused("not-queued")

    def _rematch(self, command: ask.Rematch) -> None:
        state, person = self.state, self.asker.person
        seat = state.seat_of(person)
        if seat is None and person not in dict(state.queue):
            raise Refused("not-seated")
        if not is_done(state):
            raise Refused("not-over")
        if state.rematch:
            raise Refused("rematch-laid", table=state.rematch)
        if seat is None:
            if state.people:
                raise Refused("rematch-theirs")
            assert person is not None, "only people queue"
            self.add(Reopened(person, command.code))
            return
        self.add(Rematched(seat, command.code))
        for other in self.state.seats_of(self.asker.person):
            if other != seat:
                self.add(Followed(other))

    def _follow(self, command: ask.Follow) -> None:
        self.own()
        if not self.state.rematch:
            raise Refused("not-over")
        seats = [seat for seat in self.state.seats_of(self.asker.person) if seat not in self.state.inside]
        if not seats:
            raise Refused("rematch-laid", table=self.state.rematch)
        for seat in seats:
            self.add(Followed(seat))

    def _pause(self, command: ask.Pause) -> None:
        self.under_way()
        seat = self.own()
        self.running()
        if self.state.pauses >= MOST_PAUSES:
            raise Refused("pauses", most=MOST_PAUSES)
        self.add(Paused(seat))

    def _unpause(self, command: ask.Unpause) -> None:
        self.under_way()
        seat = self.own()
        if not self.state.paused_at:
            raise Refused("not-paused")
        self.add(Unpaused(seat))
