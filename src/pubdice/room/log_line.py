"""Lines of a table's log: ``TIME TAG FACTS``, time in ms since 1970. Each class of event says its tag and facts.

The moves of the match have the match table's own tags (``match.table.write_event``).
"""

from dataclasses import dataclass

from pubdice.core.frozen import quick
from pubdice.match.table import Table, write_event
from pubdice.room.event import Event
from pubdice.room.match_events import Moved


@quick
@dataclass(frozen=True, slots=True)
class LogLine:
    """An event and when it happened, in ms since 1970."""

    at: int
    event: Event


def write_line(table: Table | None, line: LogLine) -> str:
    """A line of a log. ``table`` is the match's, once it has begun."""
    event = line.event
    if isinstance(event, Moved):
        if table is None:
            raise ValueError(f"a move before the match: {event}")
        return f"{line.at} {write_event(table, event.event)}"
    tag, facts = event.log
    return " ".join([str(line.at), tag, *[str(getattr(event, name)) for name in facts]])
