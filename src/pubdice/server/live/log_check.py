"""Whether a log can have come about: it is replayed from its first line, as a house does that loads the table."""

from collections.abc import Iterable, Iterator, Mapping

from pubdice.core.errors import BadNotation, IllegalAction, NotStored
from pubdice.kit import Kit
from pubdice.room import Room, RoomState, read_setup
from pubdice.store.reads import HouseReads

LINES_AT_ONCE = 2_000


def read_log(reader: HouseReads, table: int) -> Iterator[str]:
    """A log's lines, a part at a time, so that a long one takes no more memory than a short one. Raises NotStored."""
    start = 0
    while lines := reader.part(table, start, LINES_AT_ONCE):
        yield from lines
        start += len(lines)


def verify(log: Iterable[str], games: Mapping[str, Kit]) -> int:
    """Replay a log; how many events it has. Raises NotStored for the first line that cannot stand there."""
    return replayed(log, games)[0]


def replayed(log: Iterable[str], games: Mapping[str, Kit]) -> tuple[int, RoomState]:
    """The same, and the state at its end. Raises NotStored("log-impossible"), and what the log's reader raises."""
    events, lines = 0, iter(log)
    try:
        setup = read_setup(next(lines, ""))
        room = Room(games[setup.rules["game"]], setup)
        state = room.start()
        for step in room.replay(state, lines):
            events, state = events + 1, step.after
    except (BadNotation, IllegalAction, KeyError, IndexError, ValueError):
        raise NotStored("log-impossible", event=events + 1) from None
    return events, state
