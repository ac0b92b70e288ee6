"""The end of a table's log: its latest lines, and states from which they are replayed, however long the log is.

Whoever missed more than it holds loads the table again; the whole log is in the store.
"""

from collections.abc import Sequence

from pubdice.party import Party, PartyState, Step

KEPT = 640
"""Lines kept at least, once there are so many."""
STRIDE = 32
"""A state is kept after every so many events."""


class Tail:
    """The latest lines of one log. Begins at a state, with none."""

    def __init__(self, start: PartyState) -> None:
        self.lines: list[str] = []
        self._stops = [start]

    @property
    def first(self) -> int:
        """How many events there were before the first line kept."""
        return self._stops[0].seq

    def add(self, line: str, after: PartyState) -> None:
        """A line more, and the state after it."""
        self.lines.append(line)
        if after.seq % STRIDE == 0:
            self._stops.append(after)
            if len(self.lines) >= 2 * KEPT:
                self._forget()

    def _forget(self) -> None:
        before = self.first
        self._stops = [stop for stop in self._stops if stop.seq >= before + KEPT]
        del self.lines[: self.first - before]

    def since(self, seq: int) -> Sequence[str]:
        """The lines after so many events, as far as they are kept."""
        return self.lines[max(0, seq - self.first) :]

    def steps(self, party: Party, seq: int) -> list[Step]:
        """The steps after so many events, as far as they are kept, made again from the nearest stop before."""
        stop = next((stop for stop in reversed(self._stops) if stop.seq <= seq), self._stops[0])
        return [step for step in party.replay(stop, self.lines[stop.seq - self.first :]) if step.after.seq > seq]
