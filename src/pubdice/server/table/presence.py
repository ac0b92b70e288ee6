"""Presence at a table: the streams of its pages, as server-sent events, and the last visits of people without one.

Each stream has a short queue, and heartbeats that tell both ends that the other is alive.
"""

import asyncio
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from types import coroutine
from typing import Any

from pubdice.room import RoomState
from pubdice.room.state import clock

MOST_BYTES = 131_072
MOST_WAITING = 64
"""The most bytes, and messages, that may wait for a slow reader. Then the stream ends and the page reconnects."""
HEARTBEAT = b": heartbeat\n\n"
HEAD = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store, no-transform"),
    (b"x-accel-buffering", b"no"),
]


def frame(data: bytes, seq: int | None, event: str = "") -> bytes:
    """Return a message of a stream. JSON has no line ends, so the data is one line."""
    name = b"event: " + event.encode() + b"\n" if event else b""
    number = b"id: %d\n" % seq if seq is not None else b""
    return number + name + b"data: " + data + b"\n\n"


class Stream:
    """One page's stream. Messages go in at any time, and out as fast as the reader takes them.

    A message is sent at once. A task waits only while the reader is slow. With an event and a second task for each
    stream, 2,000 quiet streams took 4 MB more (144 MB, not 140: ``benchmarks.cluster phones``). A task for each message
    took a tenth of the time that a move takes to reach four pages.
    """

    __slots__ = ("_closing", "_fault", "_send", "_sending", "_serving", "_waiting", "language", "person")

    def __init__(self, person: str | None, language: str) -> None:
        self.person, self.language = person, language
        self._waiting: list[bytes] = []
        self._closing = False
        self._fault: Exception | None = None
        self._send: Any = None
        self._sending: asyncio.Task[None] | None = None
        self._serving: asyncio.Task[Any] | None = None

    def put(self, data: bytes) -> None:
        """Send a message. If the reader has fallen too far behind, end the stream."""
        if len(self._waiting) >= MOST_WAITING or sum(map(len, self._waiting)) + len(data) > MOST_BYTES:
            self._waiting.clear()
            self.end()
        elif not self._closing:
            self._waiting.append(data)
            self._flush()

    def begin(self, data: bytes) -> None:
        """Put a message before all that wait. It has the events that the reader missed."""
        self._waiting.insert(0, b"retry: 1000\n\n" + data)

    def heartbeat(self) -> None:
        """Send a comment line if no message is waiting."""
        if not self._waiting:
            self.put(HEARTBEAT)

    def end(self, last: bytes = b"") -> None:
        """End the stream, after one last message if there is one."""
        if last and not self._closing:
            self._waiting.append(last)
        self._closing = True
        self._flush()

    async def serve(self, receive: Any, send: Any) -> None:
        """Serve as the body of an ASGI response, until the house or the client ends the stream."""
        await send({"type": "http.response.start", "status": 200, "headers": HEAD})
        self._send, self._serving = send, asyncio.current_task()
        try:
            self._flush()
            if self._fault is not None:
                raise self._fault
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            if self._fault is not None:
                raise self._fault from None
            raise
        finally:  # a task that is done, or was cancelled before it began, would keep all of this in a cycle
            self._send = self._serving = self._fault = None
            sending, self._sending = self._sending, None
            if sending is not None:
                sending.cancel()

    def _flush(self) -> None:
        """Send the waiting messages, unless that is under way. If the reader takes no more, a task sends the rest."""
        if self._send is None or self._sending is not None:
            return
        sending = self._send_waiting(self._send)
        try:
            waits_for = sending.send(None)
        except StopIteration:
            return
        self._sending = asyncio.ensure_future(_go_on(sending, waits_for))

    async def _send_waiting(self, send: Any) -> None:
        try:
            while self._waiting:
                waiting, self._waiting = self._waiting, []
                await send({"type": "http.response.body", "body": b"".join(waiting), "more_body": True})
            if self._closing:
                self._send = None
                await send({"type": "http.response.body", "body": b""})
        except Exception as error:  # noqa: BLE001 - what it is, the task that serves the request raises it
            self._fault = error
            if self._serving is not None and self._serving is not asyncio.current_task():
                self._serving.cancel()
        finally:
            self._sending = None


@coroutine
def _go_on(begun: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    """Go on with a coroutine from the point where it waits. Python 3.12 has ``Task(eager_start=True)`` for this."""
    heard, fault = None, None
    while True:
        try:
            heard = yield waits_for
        except BaseException as error:  # noqa: BLE001 - the coroutine's own: it was cancelled
            fault = error
        try:
            waits_for = begun.send(heard) if fault is None else begun.throw(fault)
        except StopIteration:
            return
        finally:
            fault = None  # otherwise a cycle: its traceback refers to this frame


AWAY_MS = 4_000
"""The time without a stream after which a person counts as away. A page that reloads is not away."""
SEEN_MS = 120_000
"""The time that a person without a stream counts as here after each page.

Such a page reloads every ten seconds while its person waits (``pages.REFRESH_S``), but not in their own turn. With 45
s, people who thought about their move counted as away.
"""
NEVER = 2**62
"""A time in ms that never comes."""


class Presence:
    """The streams of one table, and the last visits of people without one. Times are in ms since 1970.

    ``attended`` is the start of the current visit: the table has not been empty since. ``seen_before`` gets the code of
    the table before a rematch, and some people. It returns the time of their last visit to that table.
    """

    away_ms = AWAY_MS

    def __init__(
        self,
        people: Iterable[str],
        now: int,
        seen_before: Callable[[str, Iterable[str]], int] = lambda code, who: 0,
    ) -> None:
        self.streams: set[Stream] = set()
        self.attended = now
        self._seen_before = seen_before
        self._here: frozenset[str | None] = frozenset()
        self._loaded_at = now
        self._last_seen = dict.fromkeys(people, now)
        self._silences: tuple[int, Mapping[int, int]] | None = None  # the first number is the layout version
        self._all_here: tuple[int, int] | None = None  # in this layout version no seat is away before this time
        self._attended_until = 0
        self._came = 0  # the time when a visitor came to the empty table. 0 once that is settled

    def attend(self, now: int, linger_ms: int) -> bool:
        """Count a visit, seated or not: the table is attended for ``linger_ms``. Return True if it was empty before."""
        # Checks ``_attended_until`` too: a page that reloads has no stream for a moment, but the table was not empty.
        was_empty = now >= self._attended_until and not self.is_attended(now)
        self._attended_until = max(self._attended_until, now + linger_ms)
        if was_empty:
            self.attended = self._came = now
        return was_empty

    def settle_coming(self, state: RoomState) -> bool:
        """Return True if the turn must get its full time again, because its clock has run since before a visitor came
        to the empty table. Stays true until the event with the new time (``Retimed``) is stored.
        """
        due = clock(state) is not None and state.turn_at < self._came
        if not due:
            self._came = 0
        return due

    def is_attended(self, now: int) -> bool:
        """Return True if a visitor is here, seated or not."""
        return bool(self.streams) or now < self._attended_until

    def see(self, person: str, until: int) -> None:
        """Count a person as seen until this time."""
        # Read before it is overwritten. Only with an earlier time does a person count as away sooner than cached.
        before = self._last_seen.get(person, self._loaded_at)
        self._last_seen[person] = until
        if person not in self._here:
            self._silences = None
            if until < before:  # otherwise no seat is away any sooner
                self._all_here = None

    def join(self, stream: Stream) -> None:
        """Add the stream that a person's page has opened."""
        self.streams.add(stream)
        self._update_here()

    def leave(self, stream: Stream, now: int) -> None:
        """Remove a stream that has ended. The person may have others open."""
        self.streams.discard(stream)
        # Spectators are not noted: a crowd that comes and goes would fill the memory.
        if stream.person is not None and stream.person in self._last_seen:
            self._last_seen[stream.person] = now
        self._update_here()

    def _update_here(self) -> None:
        self._here, self._silences, self._all_here = frozenset(self._connected()), None, None

    def _connected(self) -> Iterable[str | None]:
        return [stream.person for stream in self.streams]

    def reseat(self, people: Iterable[str], now: int) -> None:
        """Note that these people have the seats now. Forget the last visits of all other people."""
        self._last_seen = {person: self._last_seen.get(person, now) for person in people}
        # Both are cached for a layout version, and this is a new one.
        self._silences = self._all_here = None

    def seen(self, people: Iterable[str], now: int) -> int:
        """Return the last time that any of these people was here, with or without a seat. 0 if they never were."""
        known = list(people)
        if not self._here.isdisjoint(known):
            return now
        return max([self._seen_at(person, 0) for person in known])

    def gone(self, state: RoomState, now: int) -> Mapping[int, int]:
        """Return the seats whose people are away, each with the time when they were last seen."""
        known = self._all_here
        if known is not None and known[0] == state.layout_version and now < known[1]:
            return {}  # the case at nearly every move
        silent = self._silent(state)
        # The first time at which the answer can change. Until then ``gone`` costs two comparisons a move.
        self._all_here = state.layout_version, min(silent.values(), default=NEVER) + self.away_ms
        return {seat: since for seat, since in silent.items() if now >= since + self.away_ms}

    def missing(self, state: RoomState, now: int) -> Mapping[int, int]:
        """Return ``gone``, and the seats kept for people who are neither here nor at the table before this rematch."""
        gone = self.gone(state, now)
        # Seats are kept for people only between the matches of an evening.
        if state.match is not None or not state.setup.expected:
            return gone
        missing: dict[int, int] = {}
        for seat, chair in enumerate(state.chairs):
            if chair.awaited:
                before = self._seen_before(state.setup.before, chair.awaited)
                # The latest of three times. A person is not away for longer than the table exists, nor since before
                # their last visit to this table or to the table before.
                since = max(state.setup.opened, before, self.seen(chair.awaited, now))
                if now >= since + self.away_ms:
                    missing[seat] = since
        return {**gone, **missing}

    def absent(self, state: RoomState, now: int) -> Mapping[int, bool]:
        """Return the seats whose people are away. The value is True if the others may vote for a bot there."""
        gone = self.gone(state, now)
        lost = state.lost(gone, now)
        return {seat: seat in lost for seat in gone}

    def is_complete(self, state: RoomState) -> bool:
        """Return True if all seated people have a stream."""
        return not self._silent(state)

    def next_change(self, state: RoomState, now: int) -> int | None:
        """Return the time when the next person counts as away, or may be voted about. None if there is none."""
        waits = (self.away_ms, 1000 * state.setup.grace_s)
        changes = [since + wait for since in self._silent(state).values() for wait in waits]
        return min((change for change in changes if change > now), default=None)

    def _silent(self, state: RoomState) -> Mapping[int, int]:
        """Return the seats whose people have no stream, each with the time when they were last seen."""
        if self._silences is None or self._silences[0] != state.layout_version:
            silences = {
                seat: max([self._seen_at(person, self._loaded_at) for person in chair.people])
                for seat, chair in enumerate(state.chairs)
                if chair.people and self._here.isdisjoint(chair.people)
            }
            self._silences = state.layout_version, silences
        return self._silences[1]

    def _seen_at(self, person: str, otherwise: int) -> int:
        return self._last_seen.get(person, otherwise)
