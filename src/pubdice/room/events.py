"""All events of a table, and the log from which they are read.

A person in the log is an opaque identifier of a browser.

Event sourcing: the state follows from the events alone. Each event is declared beside the command that leads to it.
"""

from contextlib import suppress
from typing import Any

from pubdice.core.dice import whole_number
from pubdice.core.errors import BadNotation
from pubdice.match.header import read_name
from pubdice.match.table import Table, read_event
from pubdice.room.beginning import Committed, Fixed, Readied, Seeded, Started, Unreadied
from pubdice.room.chairs import BotSeated, Closed, Shifted
from pubdice.room.commands import declared
from pubdice.room.event import Event
from pubdice.room.going_on import Recognised, WentOn
from pubdice.room.log_lines import LogLine, Moved, SealOpened, write_line
from pubdice.room.moves import Retimed, TimedOut
from pubdice.room.nudge import Nudged
from pubdice.room.pauses import Paused, Unpaused
from pubdice.room.queue import Queued, Unqueued
from pubdice.room.rematches import Followed, Rematched, Reopened
from pubdice.room.rules import BotPaceSet, Ruled
from pubdice.room.seats import Admitted, HandedOver, Joined, Left, Removed, Renamed, Sat, Shared
from pubdice.room.standins import BotSubstituted, Resumed, Voted
from pubdice.room.takebacks import BackAgreed, BackAsked, BackDeclined

EVENTS = tuple(event for event in declared(Event) if event not in (Event, Moved))

__all__ = [
    "BY_TAG",
    "Admitted",
    "BackAgreed",
    "BackAsked",
    "BackDeclined",
    "BotPaceSet",
    "BotSeated",
    "BotSubstituted",
    "Closed",
    "Committed",
    "Event",
    "Fixed",
    "Followed",
    "HandedOver",
    "Joined",
    "Left",
    "LogLine",
    "Moved",
    "Nudged",
    "Paused",
    "Queued",
    "Readied",
    "Recognised",
    "Rematched",
    "Removed",
    "Renamed",
    "Reopened",
    "Resumed",
    "Retimed",
    "Ruled",
    "Sat",
    "SealOpened",
    "Seeded",
    "Shared",
    "Shifted",
    "Started",
    "TimedOut",
    "Unpaused",
    "Unqueued",
    "Unreadied",
    "Voted",
    "WentOn",
    "public",
    "read_line",
    "write_line",
]

BY_TAG = {event.log.tag: event for event in EVENTS}
"""All classes of events except ``Moved``, by their tag in the log."""
_PRIVATE_AT = {
    tag: (2 + names.index(private[0]), 3 + names.index(private[-1]))
    for tag, names in ((tag, list(event.log.facts)) for tag, event in BY_TAG.items())
    if (private := [name for name in names if name in ("before", "person") or (tag, name) == ("seeded", "seed")])
}
"""For each tag with private words: the index of the first private word in a line, and the index after the last.

Private words are persons, and a seat's own seed until the record has it.
"""

MOST_TIME_DIGITS = 14
"""The most digits of a time in ms since 1970, enough until the year 5138."""


def read_line(table: Table | None, text: str) -> LogLine:
    """Return the event and the time that a line of a log states. Raise BadNotation("event") if there is none."""
    time, _, said = text.partition(" ")
    tag, _, rest = said.partition(" ")
    at = whole_number(time, MOST_TIME_DIGITS)
    if at is None:
        raise BadNotation("event", found=text)
    if tag in BY_TAG:
        return LogLine(at, _read_facts(tag, rest, text))
    if table is None:
        raise BadNotation("event", found=text)
    try:
        return LogLine(at, Moved(read_event(table, said)))
    except ValueError:  # BadNotation is a ValueError too
        raise BadNotation("event", found=text) from None


def _read_facts(tag: str, rest: str, text: str) -> Event:
    """Return the event with this tag and the facts after it. ``text`` is the whole line, for the error."""
    event = BY_TAG[tag]
    kinds = event.log.facts
    words = rest.split(" ", len(kinds) - 1) if kinds else []
    if len(words) != len(kinds) or (not kinds and rest) or not all(words):
        raise BadNotation("event", found=text)
    facts: dict[str, Any] = {}
    for (name, kind), word in zip(kinds.items(), words, strict=True):
        fact = word if kind is str else whole_number(word)
        if fact is None or (name == "name" and not _is_name(word)):
            raise BadNotation("event", found=text)
        facts[name] = fact
    return event(**facts)


def _is_name(word: str) -> bool:
    """Return True for a name as a house writes it.

    With any other name, no match could begin and no record could be read.
    """
    with suppress(BadNotation):
        return read_name(word) == word
    return False


def public(text: str) -> str:
    """Return a line of the log without its private words (persons, and a seat's seed), as everyone may see it.

    >>> public("1763638000123 sat 0 3q2-7wAAAAAAAAAAAAAAAA Ann"), public("1763638000123 roll 344512")
    ('1763638000123 sat 0 Ann', '1763638000123 roll 344512')
    """
    words = text.split(" ", 6)
    private = _PRIVATE_AT.get(words[1])
    if private is None:
        return text
    return " ".join([*words[: private[0]], *words[private[1] :]])
