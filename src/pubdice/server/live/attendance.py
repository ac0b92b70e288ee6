"""Who comes to a table and goes: what that starts, and who gets a seat back."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from pubdice.core.errors import NotStored, Refused
from pubdice.room import RoomState
from pubdice.room.commands import Command, Resume, Retime
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
    @abstractmethod
    def is_shared(self) -> bool:
        """Whether other processes serve this table, too."""

    @abstractmethod
    async def _submit_own(self, command: Command, only: RoomState) -> bytes:
        """A command of the table's own, in this state and no other."""

    @property
    def state(self) -> RoomState:
        """The table's state after the last stored event."""
        return self.loaded.state

    def meet(self, elsewhere: Mapping[int, str]) -> None:
        """Take in who is at this table by other processes, as each has told."""
        if self.presence.hear(elsewhere, self._services.clock.now()):
            self.spectators.update_presence()
            self.autoplay.schedule()
        self._settle_coming()

    def attend(self) -> None:
        """Somebody came to an empty table: bots and the turn clock start again.

        The turn under way has its full time from the first stream on, and where other processes serve the table, from
        the next look at who is there. Without a stream the table's timer gives it that time instead of ending it
        (``autoplay``), since a page may be read by anybody's link, and a GET stores nothing.
        """
        self._attend(self._services.clock.now())

    def _attend(self, now: int) -> None:
        linger_s = min(max(self.loaded.state.setup.grace_s, LEAST_LINGER_S), MOST_LINGER_S)
        if self.presence.attend(now, 1000 * linger_s):
            self.autoplay.schedule()

    def _settle_coming(self) -> None:
        """Give the turn under way its full time, if nobody was here when somebody came and its clock has run since."""
        if self.presence.streams and self.presence.settle_coming(self.state):
            self._services.background.spawn(self._retime())

    async def _retime(self) -> None:
        with suppress(NotStored, Refused):  # somebody moved first, the log is full, or the database is away
            await self._submit_own(Retime(), self.state)

    def join(self, stream: Stream) -> None:
        """A page opened a stream and watches."""
        self.seen(stream.person, 0)
        self.spectators.join(stream)
        if not self.is_shared:
            self._settle_coming()

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
        now = self._services.clock.now()
        self._attend(now)
        seat = self.loaded.state.seat_of(person)
        if seat is None or person is None:
            return
        self.presence.see(person, now + grace_ms)
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
