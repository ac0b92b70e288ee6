"""The presence of people at a table that several processes serve. Each process reports its own streams (pages that are
connected), and takes in the reports of the other processes.
"""

import json
from collections.abc import Callable, Iterable, Mapping

from pubdice.core.json_depth import shallow
from pubdice.room import RoomState
from pubdice.server.table.presence import Presence, Stream

AWAY_ELSEWHERE_MS = 8_000
"""A person without a stream for this many milliseconds is away. It is long, because news of a stream takes up to 4 s
between processes."""


class SharedPresence(Presence):
    """The streams of one table at this process, and the reports of the other living nodes."""

    away_ms = AWAY_ELSEWHERE_MS

    def __init__(
        self,
        people: Iterable[str],
        now: int,
        seen_before: Callable[[str, Iterable[str]], int] = lambda code, who: 0,
    ) -> None:
        # for each node, each person's time last seen, or 0 for a person there now
        self._elsewhere: dict[int, Mapping[str, int]] = {}
        self._attended_elsewhere: dict[int, tuple[int, int]] = {}  # for each node: attended since, and at least until
        self._watched: frozenset[int] = frozenset()  # nodes that have a stream at this table
        # people whom some process saw. For all other people only the time of loading is known.
        self._sighted: set[str] = set()
        super().__init__(people, now, seen_before)

    def settle_coming(self, state: RoomState) -> bool:
        """Give a person who came to an empty table time for the turn, as ``Presence.settle_coming``. If a person was
        here at another process all the time, return False.
        """
        if self._came and self.was_attended_elsewhere(self._came):
            self._came = 0
        return super().settle_coming(state)

    def is_attended(self, now: int) -> bool:
        """Return True if a person is here, at any process."""
        return bool(self._watched) or super().is_attended(now)

    def see(self, person: str, until: int) -> None:
        """Note that a person was seen until this time."""
        super().see(person, until)
        self._sighted.add(person)

    def leave(self, stream: Stream, now: int) -> None:
        """Take in the end of a stream."""
        if stream.person is not None and stream.person in self._last_seen:
            self._sighted.add(stream.person)
        super().leave(stream, now)

    def reseat(self, people: Iterable[str], now: int) -> None:
        """Take in the list of people who have seats now."""
        super().reseat(people, now)
        self._sighted &= self._last_seen.keys()

    def to_text(self) -> str:
        """Return the presence at this process, as a text for the other processes. The text is "" if no person is or was
        here.
        """
        # Report only people that this process saw itself. For the others ``_last_seen`` has the time at which the table
        # was loaded. The other processes would take it for a sighting.
        people = {person: until for person, until in self._last_seen.items() if person in self._sighted}
        people |= {stream.person: 0 for stream in self.streams if stream.person is not None}
        if not people and not self.streams:
            return ""
        until = 0 if self.streams else self._attended_until
        return json.dumps([self.attended if self.streams else 0, people, self.attended, until])

    def hear(self, found: Mapping[int, str], now: int) -> bool:
        """Take in the reports of the other living nodes about this table. Return True if anything has changed."""
        heard = {node: read for node, text in found.items() if (read := _read_text(text)) is not None}
        elsewhere: dict[int, Mapping[str, int]] = {node: people for node, (_, people, _, _) in heard.items()}
        watched = frozenset([node for node, (watched_since, _, _, _) in heard.items() if watched_since])
        self._attended_elsewhere = {node: (since, until) for node, (_, _, since, until) in heard.items()}
        if self.was_attended_elsewhere(self._came):  # settle it now, because the next report may have another time
            self._came = 0
        # This is the usual case. Without this return, every page of the table would be sent again.
        if elsewhere == self._elsewhere and watched == self._watched:
            return False
        for people in self._elsewhere.values():  # people who were there at the last report have been seen until now
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
        """Return True if the table was attended at another process at the moment ``came``."""
        return any(
            since < came and (node in self._watched or came < until)
            for node, (since, until) in self._attended_elsewhere.items()
        )

    def _connected(self) -> Iterable[str | None]:
        others = [person for people in self._elsewhere.values() for person, until in people.items() if not until]
        return [*super()._connected(), *others]

    def _seen_at(self, person: str, otherwise: int) -> int:
        """Return the time when a person was last seen, at any process."""
        seen = [people[person] for people in self._elsewhere.values() if person in people]
        # If the person was seen elsewhere but not here, the time of loading says nothing.
        if person in self._sighted or not seen:
            seen.append(super()._seen_at(person, otherwise))
        return max(seen)


def _read_text(text: str) -> tuple[int, dict[str, int], int, int] | None:
    """Parse a text of ``to_text``. Return None for a text in another form.

    >>> _read_text('[17, {"ann": 0}, 17, 0]'), _read_text('{"since": 17}')
    ((17, {'ann': 0}, 17, 0), None)

    An older process sends only the first two values: the start of its streams, and the people there.

    >>> _read_text('[17, {"ann": 0}]')
    (17, {'ann': 0}, 17, 0)
    """
    try:
        watched, people, *attended = json.loads(shallow(text))
        # The previous version of the program sends only two values. Both versions run side by side while a house is
        # updated.
        since, until = attended or (watched, 0)
        return int(watched), {str(person): int(seen) for person, seen in people.items()}, int(since), int(until)
    except (ValueError, TypeError, AttributeError):
        return None
