"""Who is here: the streams of a table, and when its people without one were last seen. Sends nothing.

Where several processes serve the house, each tells the others of its own streams (``told``), and hears of theirs.
"""

import json
from collections.abc import Callable, Iterable, Mapping

from pubdice.room import RoomState
from pubdice.room.state import clock
from pubdice.server.sse import Stream

AWAY_MS = 4_000
"""A person without any stream counts as away after so long: a page that reloads is not away."""
AWAY_ELSEWHERE_MS = 8_000
"""The same where several processes serve the house: news of a stream takes up to 4 s from one to another."""
SEEN_MS = 120_000
"""A person whose pages open no stream counts as here for so long after each page.

Such a page reloads every ten seconds while its person waits (``pages.REFRESH_S``), but not in their own turn: after
45 s, as it once was, people who were thinking counted as away.
"""
FOR_EVER = 2**62
"""A time in ms that does not come: while everybody has a stream."""


class Presence:
    """The streams of one table, and when people without one were seen. Times are in ms since 1970.

    seen_before: when one of these people was last at the table with this code (the one a rematch follows). attended:
    since when somebody has been here, by this process, without a break.
    """

    def __init__(
        self,
        people: Iterable[str],
        now: int,
        seen_before: Callable[[str, Iterable[str]], int] = lambda code, who: 0,
        away_ms: int = AWAY_MS,
    ) -> None:
        self.streams: set[Stream] = set()
        self._away_ms = away_ms
        self._elsewhere: dict[int, Mapping[str, int]] = {}  # by node: who is there (0), or was seen until then
        self._attended_elsewhere: dict[int, tuple[int, int]] = {}  # by node: since when, and until when at least
        self._watched: frozenset[int] = frozenset()  # the nodes at which somebody has a stream
        self.attended = now
        self._seen_before = seen_before
        self._here: frozenset[str | None] = frozenset()
        self._loaded_at = now
        self._last_seen = dict.fromkeys(people, now)
        self._sighted: set[str] = set()  # those who were seen; for the others the time of loading counts
        self._silences: tuple[int, Mapping[int, int]] | None = None  # the first number is their layout version
        self._all_here: tuple[int, int] | None = None  # nobody is away in this layout version before this time
        self._attended_until = 0
        self._came = 0  # when somebody came to the empty table, as far as this process knew; 0 once that is settled

    def attend(self, now: int, linger_ms: int) -> bool:
        """Count the table as attended for so long, as somebody came, seated or not. True if nobody was here before."""
        was_empty = now >= self._attended_until and not self.is_attended(now)
        self._attended_until = max(self._attended_until, now + linger_ms)
        if was_empty:
            self.attended = self._came = now
        return was_empty

    def settle_coming(self, state: RoomState) -> bool:
        """True if the turn under way is due all its time: its clock has run since before somebody came, and nobody was
        here. That stays so until the event that gives it (``Retimed``) is stored.
        """
        due = clock(state) is not None and state.turn_at < self._came and not self.was_attended_elsewhere(self._came)
        if not due:
            self._came = 0
        return due

    def is_attended(self, now: int) -> bool:
        """Whether anybody is here, seated or not."""
        return bool(self.streams or self._watched) or now < self._attended_until

    def see(self, person: str, until: int) -> None:
        """Count a person as seen until this time."""
        before = self._last_seen.get(person, self._loaded_at)
        self._last_seen[person] = until
        self._sighted.add(person)
        if person not in self._here:
            self._silences = None
            if until < before:  # else nobody is away any sooner
                self._all_here = None

    def join(self, stream: Stream) -> None:
        """A person's page has opened a stream."""
        self.streams.add(stream)
        self._update_here()

    def leave(self, stream: Stream, now: int) -> None:
        """A stream has ended; the person may have others open."""
        self.streams.discard(stream)
        if stream.person is not None and stream.person in self._last_seen:
            self._last_seen[stream.person] = now
            self._sighted.add(stream.person)
        self._update_here()

    def _update_here(self) -> None:
        own = [stream.person for stream in self.streams]
        others = [person for people in self._elsewhere.values() for person, until in people.items() if not until]
        self._here, self._silences, self._all_here = frozenset([*own, *others]), None, None

    # what other processes tell, and are told

    def told(self) -> str:
        """What other processes need to know of who is here by this one, or was; "" if that is nobody."""
        people = {person: until for person, until in self._last_seen.items() if person in self._sighted}
        people |= {stream.person: 0 for stream in self.streams if stream.person is not None}
        if not people and not self.streams:
            return ""
        until = 0 if self.streams else self._attended_until
        return json.dumps([self.attended if self.streams else 0, people, self.attended, until])

    def hear(self, found: Mapping[int, str], now: int) -> bool:
        """Take in what the other living nodes tell of this table; whether anything has changed."""
        heard = {node: read for node, text in found.items() if (read := _read_told(text)) is not None}
        elsewhere: dict[int, Mapping[str, int]] = {node: people for node, (_, people, _, _) in heard.items()}
        watched = frozenset([node for node, (watched_since, _, _, _) in heard.items() if watched_since])
        self._attended_elsewhere = {node: (since, until) for node, (_, _, since, until) in heard.items()}
        if self.was_attended_elsewhere(self._came):  # settled now: later the other may tell of another time
            self._came = 0
        if elsewhere == self._elsewhere and watched == self._watched:
            return False
        for people in self._elsewhere.values():  # those who were there have been seen until now
            for person, until in people.items():
                if person in self._last_seen and person not in self._sighted:
                    self._last_seen[person] = until or now
                    self._sighted.add(person)
                elif person in self._last_seen:
                    self._last_seen[person] = max(self._last_seen[person], until or now)
        self._elsewhere, self._watched = elsewhere, watched
        self._update_here()
        return True

    def was_attended_elsewhere(self, came: int) -> bool:
        """Whether somebody was at the table by another process when somebody came to this one."""
        return any(
            since < came and (node in self._watched or came < until)
            for node, (since, until) in self._attended_elsewhere.items()
        )

    def reseat(self, people: Iterable[str], now: int) -> None:
        """These people have seats now: forget when all others were last seen."""
        self._last_seen = {person: self._last_seen.get(person, now) for person in people}
        self._sighted &= self._last_seen.keys()
        self._silences = self._all_here = None

    def seen(self, people: Iterable[str], now: int) -> int:
        """When one of these was last here, with a seat or without; 0 if they never were."""
        known = list(people)
        if not self._here.isdisjoint(known):
            return now
        return max([self._seen_at(person, 0) for person in known])

    def gone(self, state: RoomState, now: int) -> Mapping[int, int]:
        """The seats whose people are away, and since when."""
        known = self._all_here
        if known is not None and known[0] == state.layout_version and now < known[1]:
            return {}  # as at nearly every move, with streams or without
        silent = self._silent(state)
        self._all_here = state.layout_version, min(silent.values(), default=FOR_EVER) + self._away_ms
        return {seat: since for seat, since in silent.items() if now >= since + self._away_ms}

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
                if now >= since + self._away_ms:
                    missing[seat] = since
        return {**gone, **missing}

    def absent(self, state: RoomState, now: int) -> Mapping[int, bool]:
        """The seats whose people are away, and whether the others may vote for a bot there."""
        gone = self.gone(state, now)
        lost = state.lost(gone, now)
        return {seat: seat in lost for seat in gone}

    def next_change(self, state: RoomState, now: int) -> int | None:
        """When the next person counts as away, or the others may vote about them; None if that is nobody."""
        waits = (self._away_ms, 1000 * state.setup.grace_s)
        changes = [since + wait for since in self._silent(state).values() for wait in waits]
        return min((change for change in changes if change > now), default=None)

    def _silent(self, state: RoomState) -> Mapping[int, int]:
        """The seats whose people have no stream, and when they were last seen."""
        if self._silences is None or self._silences[0] != state.layout_version:
            silences = {
                seat: max([self._seen_at(person, self._loaded_at) for person in chair.people])
                for seat, chair in enumerate(state.chairs)
                if chair.people and self._here.isdisjoint(chair.people)
            }
            self._silences = state.layout_version, silences
        return self._silences[1]

    def _seen_at(self, person: str, otherwise: int) -> int:
        """When a person was last seen, here or elsewhere; if nobody has seen them, since when somebody has looked."""
        seen = [people[person] for people in self._elsewhere.values() if person in people]
        if person in self._sighted or not seen:
            seen.append(self._last_seen.get(person, otherwise))
        return max(seen)


def _read_told(text: str) -> tuple[int, dict[str, int], int, int] | None:
    """What ``told`` wrote; None for what another version may have written instead.

    >>> _read_told('[17, {"ann": 0}, 17, 0]'), _read_told('{"since": 17}')
    ((17, {'ann': 0}, 17, 0), None)

    An older process tells only the first two: when its streams began, and who is there.

    >>> _read_told('[17, {"ann": 0}]')
    (17, {'ann': 0}, 17, 0)
    """
    try:
        watched, people, *attended = json.loads(text)
        since, until = attended or (watched, 0)
        return int(watched), {str(person): int(seen) for person, seen in people.items()}, int(since), int(until)
    except (ValueError, TypeError, AttributeError):
        return None
