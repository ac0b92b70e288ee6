"""A match of Midnight in a terminal, kept in a file: the same one, short and long, not the first in its process."""

import tempfile
from pathlib import Path

from costs.counting import counted_calls
from costs.measured import Cost, cost_of
from pubdice.store.file_store import FileStore
from support.console import Room, dice

SHORT, LONG = 2, 20
"""Rounds."""
TURN = ("r", "k 1 4 6 6", "u", "k 1 4 6 6 6 6", "b")
ROLLS = "146666", "146665"
"""Ann's turns, and Bob's, who takes the same dice but one."""


def played(folder: Path, rounds: int) -> Cost:
    """The cost of a match."""
    room = Room(rolls=dice(*ROLLS * rounds), store=FileStore(folder / f"{rounds}"))
    other = tuple(line.replace("6 6 6 6", "6 6 6 5") for line in TURN)
    with counted_calls() as calls:
        told = room.run(f"play midnight --seats Ann,Bob --format rounds:{rounds}", *(TURN + other) * rounds, "q")
    assert told.status == 0, told
    return cost_of(calls, bytes_sent=len(told.out.encode()))


def measure() -> dict[str, Cost]:
    """A short match, and a long one."""
    with tempfile.TemporaryDirectory() as folder:
        played(Path(folder, "first"), SHORT)
        short, long = (played(Path(folder, "then"), rounds) for rounds in (SHORT, LONG))
    return {"A match of 2 rounds": short, "A match of 20 rounds": long}
