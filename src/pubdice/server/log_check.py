"""Checks that a log is possible. It replays the log from its first line, as a house does that loads the table."""

from collections.abc import Iterable, Iterator, Mapping

from pubdice.checked_record import installed
from pubdice.core.errors import BadNotation, IllegalAction, NotStored
from pubdice.kit import Kit
from pubdice.match.header import RawHeader
from pubdice.room import Room, RoomState, read_setup
from pubdice.room.setup import least_seats, with_seats
from pubdice.room.state import is_cut
from pubdice.store.house_store import HouseReads

LINES_CHECKED = 2_000


def read_log(reader: HouseReads, table: int) -> Iterator[str]:
    """Yield a log's lines, read in batches, so the memory does not grow with the log. Raises NotStored."""
    start = 0
    while lines := reader.part(table, start, LINES_CHECKED):
        yield from lines
        start += len(lines)


def verify(log: Iterable[str], games: Mapping[str, Kit]) -> int:
    """Replay a log. Return the number of its events. Raises NotStored for the first impossible line."""
    return replayed(log, games)[0]


def replayed(log: Iterable[str], games: Mapping[str, Kit]) -> tuple[int, RoomState]:
    """Replay a log. Return the number of its events, and the state at its end.

    Raises NotStored("log-impossible"), NotStored("game-gone"), and the reader's errors.
    """
    events, lines = 0, iter(log)
    try:
        setup = read_setup(next(lines, ""))
        kit = installed(games, setup.rules["game"])
        kit.normalize(RawHeader(with_seats(setup.rules, max(setup.seats, least_seats(kit)))))
        room = Room(kit, setup)
        state = room.start()
        for step in room.replay(state, lines):
            events, state = events + 1, step.after
        if is_cut(state):
            raise IllegalAction("cannot-happen")
    # KeyError, IndexError: a game or a seat that does not exist. Only a forged file can name one.
    except (BadNotation, IllegalAction, KeyError, IndexError, ValueError):
        raise NotStored("log-impossible", event=events + 1) from None
    return events, state
