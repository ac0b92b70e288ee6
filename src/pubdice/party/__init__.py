"""The people round a table: who sits where, what they ask of the table, and what comes of it. Pure, like the table."""

from pubdice.party.asking import Asker, Step
from pubdice.party.events import Event, Line, read_line, write_line
from pubdice.party.party import Party
from pubdice.party.setup import Setup, read_setup
from pubdice.party.state import Chair, PartyState

__all__ = [
    "Asker",
    "Chair",
    "Event",
    "Line",
    "Party",
    "PartyState",
    "Setup",
    "Step",
    "read_line",
    "read_setup",
    "write_line",
]
