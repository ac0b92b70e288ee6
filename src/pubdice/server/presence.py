"""Who is here: the streams of a table, and when its people without one were last seen. Tells nobody, asks nobody."""

from collections.abc import Iterable, Mapping

from pubdice.party import PartyState
from pubdice.server.stream import Stream

AWAY_MS = 4_000
"""A seat without any stream counts as away after so long: a page that loads anew is not away."""
SEEN_MS = 120_000
"""A seat that reads pages without a stream counts as here for so long after each.

Such a page loads itself anew every ten seconds while one waits (``pages.REFRESH_S``), but not in one's own turn, where
one may think for longer than the 45 s it was.
"""


class Presence:
    """The streams of one table, and who else was seen. Times are in ms since 1970."""

    def __init__(self, people: Iterable[str], now: int) -> None:
        self.streams: set[Stream] = set()
        self._here: frozenset[str | None] = frozenset()
        self._since = now
        self._left = dict.fromkeys(people, now)
        self._silences: tuple[int, Mapping[int, int]] | None = None  # as of which shape
        self._stays = 0

    def stay(self, until: int) -> None:
        """Somebody, with a seat or without, counts as here until then."""
        self._stays = max(self._stays, until)

    def company(self, now: int) -> bool:
        """Whether anybody is here."""
        return bool(self.streams) or now < self._stays

    def see(self, person: str, until: int) -> None:
        """A person is here until then at least."""
        self._left[person] = until
        if person not in self._here:
            self._silences = None

    def join(self, stream: Stream) -> None:
        """A stream has begun."""
        self.streams.add(stream)
        self._look_round()

    def part(self, stream: Stream, now: int) -> None:
        """A stream has ended; whoever it was may have others."""
        self.streams.discard(stream)
        if stream.person is not None and stream.person in self._left:
            self._left[stream.person] = now
        self._look_round()

    def _look_round(self) -> None:
        self._here, self._silences = frozenset([stream.person for stream in self.streams]), None

    def reseat(self, people: Iterable[str], now: int) -> None:
        """These have seats now: the others are nobody's loss."""
        self._left, self._silences = {person: self._left.get(person, now) for person in people}, None

    def seen(self, people: Iterable[str], now: int) -> int:
        """When one of these was last here, with a seat or without; 0 if they never were."""
        known = list(people)
        return now if not self._here.isdisjoint(known) else max([self._left.get(person, 0) for person in known])

    def gone(self, state: PartyState, now: int) -> Mapping[int, int]:
        """The seats whose people are away, and since when."""
        return {seat: since for seat, since in self._silent(state).items() if now >= since + AWAY_MS}

    def absent(self, state: PartyState, now: int) -> Mapping[int, bool]:
        """The seats whose people are away, and whether they may be voted for."""
        gone = self.gone(state, now)
        lost = state.lost(gone, now)
        return {seat: seat in lost for seat in gone}

    def next_change(self, state: PartyState, now: int) -> int | None:
        """When somebody next counts as away, or may be voted for; None if nobody will."""
        waits = (AWAY_MS, 1000 * state.setup.grace_s)
        changes = [since + wait for since in self._silent(state).values() for wait in waits]
        return min((change for change in changes if change > now), default=None)

    def _silent(self, state: PartyState) -> Mapping[int, int]:
        """The seats whose people have no stream, and when they were last seen."""
        if self._silences is None or self._silences[0] != state.shape:
            silences = {
                seat: max(self._left.get(person, self._since) for person in chair.people)
                for seat, chair in enumerate(state.chairs)
                if chair.people and self._here.isdisjoint(chair.people)
            }
            self._silences = state.shape, silences
        return self._silences[1]
