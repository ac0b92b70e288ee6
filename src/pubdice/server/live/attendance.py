"""Who comes to a table and goes: what that starts, and who gets a seat back."""

from abc import ABC
from collections.abc import Mapping
from functools import partial

from pubdice.core.errors import NotStored, Refused
from pubdice.room import RoomState
from pubdice.room.commands import Resume
from pubdice.server.live.autoplay import RETRY_S, Autoplay
from pubdice.server.live.command_queue import CommandQueue
from pubdice.server.live.loading import Loaded
from pubdice.server.live.presence import SEEN_MS, Presence
from pubdice.server.live.spectators import Spectators
from pubdice.server.live.table_services import TableServices
from pubdice.server.sse import Stream

LEAST_LINGER_S, MOST_LINGER_S = 45, 120
"""After its last visitor was seen, a table counts as attended for its grace time, but within these bounds."""


class Attendance(CommandQueue, ABC):
    """The part of a table in memory that people come to and go from. used: when anything happened, in ms since 1970."""

    loaded: Loaded
    presence: Presence
    spectators: Spectators
    autoplay: Autoplay
    used: int
    _services: TableServices
    _closed: bool

    @property
    def state(self) -> RoomState:
        """The table's state after the last stored event."""
        return self.loaded.state

    def meet(self, elsewhere: Mapping[int, str]) -> None:
        """Take in who is at this table by other processes, as each has told."""
        if self.presence.hear(elsewhere, self._services.clock.now()):
            self.spectators.update_presence()
            self.autoplay.schedule()

    def attend(self) -> None:
        """Somebody came to an empty table: bots and the turn clock start again, and the turn under way has its full
        time.
        """
        linger_s = min(max(self.state.setup.grace_s, LEAST_LINGER_S), MOST_LINGER_S)
        if self.presence.attend(self._services.clock.now(), 1000 * linger_s):
            self.autoplay.schedule()

    def join(self, stream: Stream) -> None:
        """A page opened a stream and watches."""
        self.seen(stream.person, 0)
        self.spectators.join(stream)

    def leave(self, stream: Stream) -> None:
        """A page closed its stream."""
        self.attend()  # the page was open until now
        self.used = self._services.clock.now()
        self.spectators.leave(stream)
        if self.state.match is None:
            self.autoplay.schedule()

    def seen(self, person: str | None, grace_ms: int = SEEN_MS, *, restores: bool = True) -> None:
        """A person has shown up. Somebody who was voted away gets the seat back, if ``restores`` is true.

        It is false where a page is only read: another site's link can make a browser do that.
        """
        self.attend()
        seat = self.state.seat_of(person)
        if seat is None or person is None:
            return
        self.presence.see(person, self._services.clock.now() + grace_ms)
        if self.spectators.is_shown_away(seat):
            self.spectators.update_presence()
        if restores and self.voted_away(person) is not None:
            self._services.background.spawn(self.restore_seat(person))

    def voted_away(self, person: str | None) -> int | None:
        """The seat that a person was voted away from, if they are back; else None."""
        seat = self.state.seat_of(person)
        if seat is None or self.state.chairs[seat].why != "voted" or self.state.stage != "playing":
            return None
        return None if seat in self.presence.gone(self.state, self._services.clock.now()) else seat

    async def restore_seat(self, person: str | None) -> None:
        """Give a person back the seat they were voted away from, if they were."""
        while not self._closed and (seat := self.voted_away(person)) is not None:
            try:
                await self.ask(Resume(seat), None, None, only=self.state)
            except NotStored:
                self._services.clock.after(RETRY_S, partial(self._try_again, person))
                return
            except Refused:
                return  # the log is full: nobody plays on here

    def _try_again(self, person: str | None) -> None:
        self._services.background.spawn(self.restore_seat(person))
