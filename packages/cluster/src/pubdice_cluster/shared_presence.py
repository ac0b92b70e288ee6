"""Presence at a table across processes: each reports its own streams, and takes in the others' reports."""

import json
from collections.abc import Callable, Iterable, Mapping

from pubdice.core.json_depth import shallow
from pubdice.room import RoomState
from pubdice.server.table.presence import Presence, Stream

AWAY_ELSEWHERE_MS = 8_000
"""A person without a stream for this long is away. News of a stream takes up to 4 s between processes."""


class SharedPresence(Presence):
    """One table's streams at this process, and the reports of the other living nodes."""

    away_ms = AWAY_ELSEWHERE_MS

    def __init__(
        self,
        people: Iterable[str],
        now: int,
        seen_before: Callable[[str, Iterable[str]], int] = lambda code, who: 0,
    ) -> None:
        self._elsewhere: dict[int, Mapping[str, int]] = {}  # by node: 0 for a person there, or the time last seen
        self._attended_elsewhere: dict[int, tuple[int, int]] = {}  # by node: attended since, and at least until
        self._watched: frozenset[int] = frozenset()  # nodes with a stream at this table
        self._sighted: set[str] = set()  # people seen; for others the time of loading counts
        super().__init__(people, now, seen_before)

    def settle_coming(self, state: RoomState) -> bool:
        """Settle an arrival, as ``Presence.settle_coming``. False also if a person was here by another process."""
        if self._came and self.was_attended_elsewhere(self._came):
            self._came = 0
        return super().settle_coming(state)

    def is_attended(self, now: int) -> bool:
        """True if a person is here by any process."""
        return bool(self._watched) or super().is_attended(now)

    def see(self, person: str, until: int) -> None:
        """Count a person as seen until this time."""
        super().see(person, until)
        self._sighted.add(person)

    def leave(self, stream: Stream, now: int) -> None:
        """Take in the end of a stream."""
        if stream.person is not None and stream.person in self._last_seen:
            self._sighted.add(stream.person)
        super().leave(stream, now)

    def reseat(self, people: Iterable[str], now: int) -> None:
        """Take in the people who have seats now."""
        super().reseat(people, now)
        self._sighted &= self._last_seen.keys()

    def to_text(self) -> str:
        """The presence at this process as text for the others, or "" if it has and had none."""
        # Only people that this process saw. For others it has just the time it loaded the table, which would count as
        # seen elsewhere.
        people = {person: until for person, until in self._last_seen.items() if person in self._sighted}
        people |= {stream.person: 0 for stream in self.streams if stream.person is not None}
        if not people and not self.streams:
            return ""
        until = 0 if self.streams else self._attended_until
        return json.dumps([self.attended if self.streams else 0, people, self.attended, until])

    def hear(self, found: Mapping[int, str], now: int) -> bool:
        """Merge the reports of the other living nodes about this table. Returns True if anything has changed."""
        heard = {node: read for node, text in found.items() if (read := _read_text(text)) is not None}
        elsewhere: dict[int, Mapping[str, int]] = {node: people for node, (_, people, _, _) in heard.items()}
        watched = frozenset([node for node, (watched_since, _, _, _) in heard.items() if watched_since])
        self._attended_elsewhere = {node: (since, until) for node, (_, _, since, until) in heard.items()}
        if self.was_attended_elsewhere(self._came):  # settle it now: the next report may have another time
            self._came = 0
        # The usual case. Going on would send every page of the table again.
        if elsewhere == self._elsewhere and watched == self._watched:
            return False
        for people in self._elsewhere.values():  # people who were there have been seen until now
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
        """True if the table was attended at another process at the moment ``came``."""
        return any(
            since < came and (node in self._watched or came < until)
            for node, (since, until) in self._attended_elsewhere.items()
        )

    def _connected(self) -> Iterable[str | None]:
        others = [person for people in self._elsewhere.values() for person, until in people.items() if not until]
        return [*super()._connected(), *others]

    def _seen_at(self, person: str, otherwise: int) -> int:
        """The time when a person was last seen, by any process."""
        seen = [people[person] for people in self._elsewhere.values() if person in people]
        # Seen elsewhere but not here, so the time of loading says nothing.
        if person in self._sighted or not seen:
            seen.append(super()._seen_at(person, otherwise))
        return max(seen)


def _read_text(text: str) -> tuple[int, dict[str, int], int, int] | None:
    """Parse a text of ``to_text``. None for a text in another form.

    >>> _read_text('[17, {"ann": 0}, 17, 0]'), _read_text('{"since": 17}')
    ((17, {'ann': 0}, 17, 0), None)

    An older process sends only the first two values: the start of its streams, and the people there.

    >>> _read_text('[17, {"ann": 0}]')
    (17, {'ann': 0}, 17, 0)
    """
    try:
        watched, people, *attended = json.loads(shallow(text))
        # The previous version sends only two values. Both versions run side by side while a house is updated.
        since, until = attended or (watched, 0)
        return int(watched), {str(person): int(seen) for person, seen in people.items()}, int(since), int(until)
    except (ValueError, TypeError, AttributeError):
        return None
