"""Events as the lines of a table's log: ``TIME TAG FACTS``, time in ms since 1970. Decides nothing.

Logs are kept for good, so their text is written out here: no tag and no order of facts follows from the name of a class
or a field. The moves of the match have the match table's own tags (``match.table_log``).
"""

from operator import attrgetter
from typing import Any

from pubdice.core.errors import BadNotation
from pubdice.core.whole_number import whole_number
from pubdice.match.table import Table
from pubdice.match.table_log import read_event, write_event
from pubdice.room import events
from pubdice.room.events import Event, LogLine, Moved

FactType = type[int] | type[str]

TAGS: dict[str, tuple[type[Event], dict[str, FactType]]] = {
    "sat": (events.Sat, {"seat": int, "person": str, "name": str}),
    "shared": (events.Shared, {"seat": int, "person": str, "name": str}),
    "joined": (events.Joined, {"seat": int, "person": str}),
    "botted": (events.BotSeated, {"seat": int, "bot": str, "name": str}),
    "left": (events.Left, {"seat": int}),
    "removed": (events.Removed, {"seat": int}),
    "admitted": (events.Admitted, {}),
    "closed": (events.Closed, {"seat": int}),
    "shifted": (events.Shifted, {"seat": int, "to": int}),
    "readied": (events.Readied, {"seat": int}),
    "unreadied": (events.Unreadied, {"seat": int}),
    "seeded": (events.Seeded, {"seat": int, "seed": str}),
    "committed": (events.Committed, {"seat": int, "digest": str}),
    "fixed": (events.Fixed, {}),
    "opened": (events.SealOpened, {"seed": str}),
    "ruled": (events.Ruled, {"rules": str}),
    "renamed": (events.Renamed, {"seat": int, "name": str}),
    "handedover": (events.HandedOver, {"seat": int}),
    "paused": (events.Paused, {"seat": int}),
    "unpaused": (events.Unpaused, {"seat": int}),
    "queued": (events.Queued, {"person": str, "name": str}),
    "unqueued": (events.Unqueued, {"person": str}),
    "started": (events.Started, {}),
    "stoodin": (events.BotSubstituted, {"seat": int, "bot": str, "why": str}),
    "resumed": (events.Resumed, {"seat": int}),
    "voted": (events.Voted, {"seat": int, "absent": int}),
    "timedout": (events.TimedOut, {"seat": int}),
    "retimed": (events.Retimed, {}),
    "paced": (events.BotPaceSet, {"ms": int}),
    "nudged": (events.Nudged, {"seat": int}),
    "rematched": (events.Rematched, {"seat": int, "code": str}),
    "reopened": (events.Reopened, {"person": str, "code": str}),
    "followed": (events.Followed, {"seat": int}),
}
"""The tag of each event but ``Moved``, and its facts in the order of the line. Only the last may hold spaces."""

_TAG_OF = {event: tag for tag, (event, _) in TAGS.items()}
_FACTS_OF = {event: tuple([attrgetter(name) for name in facts]) for event, facts in TAGS.values()}
_PERSON_AT = {tag: 2 + list(facts).index("person") for tag, (_, facts) in TAGS.items() if "person" in facts}
"""Which word of a line names the person."""
_SEED_AT = {"seeded": 3}
"""Which word of a line is a seat's own seed, which nobody else sees before the record."""

MOST_TIME_DIGITS = 14
"""Of a time in ms since 1970: enough until the year 5138."""


def write_line(table: Table | None, line: LogLine) -> str:
    """A line of a log. ``table`` is the match's, once it has begun."""
    event = line.event
    if isinstance(event, Moved):
        if table is None:
            raise ValueError(f"a move before the match: {event}")
        return f"{line.at} {write_event(table, event.event)}"
    facts = [str(fact(event)) for fact in _FACTS_OF[type(event)]]
    return " ".join([str(line.at), _TAG_OF[type(event)], *facts])


def read_line(table: Table | None, text: str) -> LogLine:
    """What a line of a log holds. Raises BadNotation("event")."""
    time, _, said = text.partition(" ")
    tag, _, rest = said.partition(" ")
    at = whole_number(time, MOST_TIME_DIGITS)
    if at is None:
        raise BadNotation("event", found=text)
    if tag in TAGS:
        return LogLine(at, _read_facts(tag, rest, text))
    if table is None:
        raise BadNotation("event", found=text)
    try:
        return LogLine(at, Moved(read_event(table, said)))
    except ValueError:  # BadNotation too
        raise BadNotation("event", found=text) from None


def _read_facts(tag: str, rest: str, text: str) -> Event:
    """The event with this tag, from what stands after it. text: the line, for the error."""
    event, kinds = TAGS[tag]
    words = rest.split(" ", len(kinds) - 1) if kinds else []
    if len(words) != len(kinds) or (not kinds and rest) or not all(words):
        raise BadNotation("event", found=text)
    facts: dict[str, Any] = {}
    for (name, kind), word in zip(kinds.items(), words, strict=True):
        fact = word if kind is str else whole_number(word)
        if fact is None:
            raise BadNotation("event", found=text)
        facts[name] = fact
    return event(**facts)


def public(text: str) -> str:
    """A line as everybody may see it: without the person, who is nobody else's business, and without a seat's seed.

    >>> public("1763638000123 sat 0 3q2-7wAAAAAAAAAAAAAAAA Ann"), public("1763638000123 roll 344512")
    ('1763638000123 sat 0 Ann', '1763638000123 roll 344512')
    """
    words = text.split(" ", 4)
    at = _PERSON_AT.get(words[1]) or _SEED_AT.get(words[1])
    if at is None:
        return text
    return " ".join([*words[:at], *words[at + 1 :]])
