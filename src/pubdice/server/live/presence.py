"""Who is here: the streams of a table, and when its people without one were last seen. Sends nothing."""

from collections.abc import Callable, Iterable, Mapping

from pubdice.room import RoomState
from pubdice.server.sse import Stream

AWAY_MS = 4_000
"""A person without any stream counts as away after so long: a page that reloads is not away."""
SEEN_MS = 120_000
"""A person whose pages open no stream counts as here for so long after each page.

Such a page reloads every ten seconds while its person waits (``pages.REFRESH_S``), but not in their own turn: after
45 s, as it once was, people who were thinking counted as away.
"""


class Presence:
    """The streams of one table, and when people without one were seen. Times are in ms since 1970.

    seen_before: when one of these people was last at the table with this code (the one a rematch follows). attended:
    since when somebody has been here without a break; turns are timed from then at the earliest.
    """

    def __init__(
        self, people: Iterable[str], now: int, seen_before: Callable[[str, Iterable[str]], int] = lambda code, who: 0
    ) -> None:
        self.streams: set[Stream] = set()
        self.attended = now
        self._seen_before = seen_before
        self._here: frozenset[str | None] = frozenset()
        self._loaded_at = now
        self._last_seen = dict.fromkeys(people, now)
        self._silences: tuple[int, Mapping[int, int]] | None = None  # the first number is their layout version
        self._attended_until = 0

    def attend(self, now: int, linger_ms: int) -> bool:
        """Count the table as attended for so long, as somebody came, seated or not. True if nobody was here before."""
        was_empty = not self.is_attended(now)
        self._attended_until = max(self._attended_until, now + linger_ms)
        if was_empty:
            self.attended = now
        return was_empty

    def paused(self, since: int, until: int) -> None:
        """A pause has ended: shift the start of ``attended`` by its length, so that no turn loses time."""
        self.attended += max(0, until - max(self.attended, since))

    def is_attended(self, now: int) -> bool:
        """Whether anybody is here, seated or not."""
        return bool(self.streams) or now < self._attended_until

    def see(self, person: str, until: int) -> None:
        """Count a person as seen until this time."""
        self._last_seen[person] = until
        if person not in self._here:
            self._silences = None

    def join(self, stream: Stream) -> None:
        """A person's page has opened a stream."""
        self.streams.add(stream)
        self._update_here()

    def leave(self, stream: Stream, now: int) -> None:
        """A stream has ended; the person may have others open."""
        self.streams.discard(stream)
        if stream.person is not None and stream.person in self._last_seen:
            self._last_seen[stream.person] = now
        self._update_here()

    def _update_here(self) -> None:
        self._here, self._silences = frozenset([stream.person for stream in self.streams]), None

    def reseat(self, people: Iterable[str], now: int) -> None:
        """These people have seats now: forget when all others were last seen."""
        self._last_seen = {person: self._last_seen.get(person, now) for person in people}
        self._silences = None

    def seen(self, people: Iterable[str], now: int) -> int:
        """When one of these was last here, with a seat or without; 0 if they never were."""
        known = list(people)
        if not self._here.isdisjoint(known):
            return now
        return max([self._last_seen.get(person, 0) for person in known])

    def gone(self, state: RoomState, now: int) -> Mapping[int, int]:
        """The seats whose people are away, and since when."""
        return {seat: since for seat, since in self._silent(state).items() if now >= since + AWAY_MS}

    def missing(self, state: RoomState, now: int) -> Mapping[int, int]:
        """As ``gone``, and the seats kept for people who are neither here nor at the table that a rematch follows."""
        gone = self.gone(state, now)
        if state.match is not None or not state.setup.expected:
            return gone
        missing: dict[int, int] = {}
        for seat, chair in enumerate(state.chairs):
            if chair.awaited:
                before = self._seen_before(state.setup.before, chair.awaited)
                since = max(state.setup.opened, before, self.seen(chair.awaited, now))
                if now >= since + AWAY_MS:
                    missing[seat] = since
        return {**gone, **missing}

    def absent(self, state: RoomState, now: int) -> Mapping[int, bool]:
        """The seats whose people are away, and whether the others may vote for a bot there."""
        gone = self.gone(state, now)
        lost = state.lost(gone, now)
        return {seat: seat in lost for seat in gone}

    def next_change(self, state: RoomState, now: int) -> int | None:
        """When the next person counts as away, or the others may vote about them; None if that is nobody."""
        waits = (AWAY_MS, 1000 * state.setup.grace_s)
        changes = [since + wait for since in self._silent(state).values() for wait in waits]
        return min((change for change in changes if change > now), default=None)

    def _silent(self, state: RoomState) -> Mapping[int, int]:
        """The seats whose people have no stream, and when they were last seen."""
        if self._silences is None or self._silences[0] != state.layout_version:
            silences = {
                seat: max(self._last_seen.get(person, self._loaded_at) for person in chair.people)
                for seat, chair in enumerate(state.chairs)
                if chair.people and self._here.isdisjoint(chair.people)
            }
            self._silences = state.layout_version, silences
        return self._silences[1]
