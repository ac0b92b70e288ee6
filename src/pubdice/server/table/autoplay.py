"""The table's own commands, by its timer: time-outs, bots and the start of a match. Idle while the table is empty."""

from collections.abc import Awaitable, Callable
from typing import Any

from pubdice.core.errors import NotStored, Refused
from pubdice.room import Room, RoomState
from pubdice.room.beginning import begins
from pubdice.room.commands import Begin, Command, Retime, TimeUp
from pubdice.room.state import READ_MS, TimerKind, due, is_full, opens_rematch
from pubdice.server.replay import Loaded
from pubdice.server.table.commit import TableLog
from pubdice.server.table.presence import Presence
from pubdice.server.table.services import TableServices

VOID = ("seal-lost", "seal-opened", "night-lost", "game-failed")
"""Refusals of a match that cannot go on, because the house can no longer roll its dice or its game has a fault."""
RETRY_S = 1.0
"""The wait after a failure before the next try."""
MOST_WAIT_S = 5.0
"""The longest time for which the timer is set at once, because the system's clock may be changed meanwhile."""
UNSEEN_PACE_MS = 150
"""The shortest wait of a bot before each action while no stream is open."""
RETIMED_MS = 5_000
"""No turn times out within this time after a visit to an empty table. Other processes may first have to say if it was
empty.
"""
COMES_MS = 8_000
"""The longest time that a bot that opens a rematch waits for the pages of the people seated there."""
EASY_MS = 1000
"""Bots with a shorter pace share a budget (``bot_moves.Hurry``). When it is used up, they wait this long."""


class Autoplay:
    """The timer of one table. ``submit`` carries out a command of the table's own, if the table is in the given state.

    Tables with the same ``asker`` share the budget of fast and perfect bots (``TableActor.asker``).
    """

    def __init__(
        self,
        room: Room,
        loaded: Loaded,
        presence: Presence,
        services: TableServices,
        submit: Callable[[Command, RoomState], Awaitable[bytes]],
        *,
        log: TableLog,
        asker: str = "",
    ) -> None:
        self._room, self._loaded, self._presence, self._services = room, loaded, presence, services
        self._submit, self._log, self._asker = submit, log, asker
        self._timer: Any = None
        self._waited = self._closed = False
        self._came = 0  # arrival of the last page, in ms since 1970

    @property
    def is_due(self) -> bool:
        """True if the timer is set."""
        return self._timer is not None

    def schedule(self) -> None:
        """Set the timer for the table's next command."""
        self._stop()
        upcoming = self._next()
        if upcoming is not None:
            self._wait(min(MOST_WAIT_S, max(0.0, (upcoming[0] - self._services.clock.now()) / 1000)))

    def came(self) -> None:
        """Note that a page has come. A bot may be waiting for it before the first move of a rematch."""
        self._came = self._services.clock.now()
        if opens_rematch(self._loaded.state):
            self.schedule()

    def pause(self) -> None:
        """Do nothing for a second: an immediate retry would only fail again."""
        self._stop()
        self._services.clock.after(RETRY_S, self.schedule)

    def close(self) -> None:
        """Stop permanently. Drops the reference to the actor, so a forgotten table is freed at once. A reference cycle
        would stay until a collection of the oldest objects, which may never come (``server.garbage.tune``).
        """
        self._closed = True
        self._submit = _refuse
        self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self, delay_s: float) -> None:
        self._timer = self._services.clock.after(delay_s, lambda: self._services.background.spawn(self._tick()))

    def _next(self) -> tuple[int, TimerKind] | None:
        """Return the time and kind of the table's next command. None if the table is empty, or its log is full."""
        now, state, presence = self._services.clock.now(), self._loaded.state, self._presence
        if self._closed or not presence.is_attended(now) or is_full(state):
            return None
        # Awaited people may be at another table, which sends no news here. So the timer checks.
        if state.match is None:
            at = begins(self._room.kit, state, presence.missing(state, now), now)
            if at is None and state.setup.grows:  # the match may begin when a grace time ends
                at = presence.next_change(state, now)
            return None if at is None else (at, "begin")
        upcoming = due(state, 0 if presence.streams else UNSEEN_PACE_MS)
        if upcoming is not None and upcoming[1] == "clock":  # The turn may get its full time again: see ``attend``.
            return max(upcoming[0], presence.attended + RETIMED_MS), "clock"
        if upcoming is not None and opens_rematch(state):
            heard, latest = self._came + READ_MS, state.moved_at + COMES_MS
            at = min(heard, latest + READ_MS) if presence.is_complete(state) else latest
            return max(upcoming[0], at), upcoming[1]
        return upcoming

    async def _tick(self) -> None:
        """Send the due command. If it fails, retry, unless another command has changed the table and set the timer."""
        services, state, upcoming = self._services, self._loaded.state, self._next()
        now = services.clock.now()
        if upcoming is None:
            self.schedule()
            return
        at, kind = upcoming
        clock_set_back = kind == "bot" and state.moved_at > now
        if at > now and not clock_set_back:
            self.schedule()
            return
        hurries = kind == "bot" and state.pace_ms < EASY_MS and not self._waited
        if hurries and not services.bots.hurry.take(self._asker, self._log.table, now):
            self._waited = True
            self._wait(EASY_MS / 1000)
            return
        self._waited = False
        try:
            own: dict[TimerKind, Command] = {"clock": TimeUp(), "begin": Begin()}
            if kind == "clock" and self._presence.settle_coming(state):  # the visitor has opened no stream
                own["clock"] = Retime()
            command = own.get(kind) or await services.bots.command(
                self._room, state, self._presence.gone(state, now), self._asker
            )
            await self._submit(command, state)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a bot, people are waiting
            is_void = isinstance(error, Refused) and error.code in VOID
            if not is_void and not isinstance(error, NotStored):
                services.background.failed(error)
            if self._loaded.state is not state:
                return
            if is_void:
                self._stop()  # a retry cannot help, and the table may be forgotten
            else:
                services.clock.after(RETRY_S, self.schedule)


async def _refuse(command: Command, state: RoomState) -> bytes:
    """Refuse each command, as the table is closed. Raises NotStored("moved-on")."""
    raise NotStored("moved-on")
