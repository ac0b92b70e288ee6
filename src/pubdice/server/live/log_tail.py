"""The end of a table's log: its latest lines, and snapshots of the state from which to replay them. A page that
reconnects having missed more than this loads the table again; the store has the whole log.
"""

from collections.abc import Sequence

from pubdice.room import Room, RoomState, Step

LINES_KEPT = 640
"""The least number of lines kept of a log that has more; the oldest go when there are twice as many."""
SNAPSHOT_EVERY = 32
"""A snapshot of the state is kept every so many events, so a page that reconnects costs the replay of what it missed,
and of fewer lines than this.
"""


class LogTail:
    """The latest lines of one log. start: the state before the first of them."""

    def __init__(self, start: RoomState) -> None:
        self.lines: list[str] = []
        self._snapshots = [start]

    @property
    def first(self) -> int:
        """How many events there were before the first line kept."""
        return self._snapshots[0].seq

    def add(self, line: str, after: RoomState) -> None:
        """Add a line, and the state after it."""
        self.lines.append(line)
        if after.seq % SNAPSHOT_EVERY == 0:
            self._snapshots.append(after)
            if len(self.lines) >= 2 * LINES_KEPT:
                self._forget()

    def _forget(self) -> None:
        before = self.first
        self._snapshots = [snapshot for snapshot in self._snapshots if snapshot.seq >= before + LINES_KEPT]
        del self.lines[: self.first - before]

    def since(self, seq: int) -> Sequence[str]:
        """The lines after so many events, as far as they are kept."""
        return self.lines[max(0, seq - self.first) :]

    def steps(self, room: Room, seq: int) -> list[Step]:
        """The steps after so many events, as far as lines are kept, replayed from the nearest snapshot before."""
        snapshot = next((snapshot for snapshot in reversed(self._snapshots) if snapshot.seq <= seq), self._snapshots[0])
        return [step for step in room.replay(snapshot, self.lines[snapshot.seq - self.first :]) if step.after.seq > seq]
