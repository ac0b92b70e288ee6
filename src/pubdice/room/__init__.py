"""People around a table: their seats, their commands and the resulting events.

Pure functions, as in ``match.table``.
"""

from pubdice.room.decide import Room
from pubdice.room.decision import Caller, Step
from pubdice.room.events import Event, LogLine, read_line, write_line
from pubdice.room.setup import Setup
from pubdice.room.setup_text import read_setup, write_setup
from pubdice.room.state import Chair, Live, RoomState

__all__ = [
    "Caller",
    "Chair",
    "Event",
    "Live",
    "LogLine",
    "Room",
    "RoomState",
    "Setup",
    "Step",
    "read_line",
    "read_setup",
    "write_line",
    "write_setup",
]
