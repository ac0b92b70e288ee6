"""The events of a table with people, as facts: event sourcing, from which ``apply`` makes the state. Their text is a
line of the log each, written out below.

A move of the match is the table's own event inside a ``Moved``. Persons are the opaque names by which the house knows
browsers.
"""

from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from pubdice.core.dice import whole_number
from pubdice.core.errors import BadNotation
from pubdice.core.frozen import quick
from pubdice.match import table as tables
from pubdice.match.notation import read_name
from pubdice.match.table import Table, read_event, write_event


@dataclass(frozen=True, slots=True)
class Sat:
    """A person took a seat that was empty or a bot's; a new one after the last, where a table grows."""

    seat: int
    person: str
    name: str


@dataclass(frozen=True, slots=True)
class Shared:
    """Somebody else took a seat from the phone of a person who sits here."""

    seat: int
    person: str
    name: str


@dataclass(frozen=True, slots=True)
class Joined:
    """A person who typed the seat's words has it too, from another phone."""

    seat: int
    person: str


@dataclass(frozen=True, slots=True)
class BotSeated:
    """A bot took an empty seat, or a new one where a table grows, under a name of its own."""

    seat: int
    bot: str
    name: str


@dataclass(frozen=True, slots=True)
class Left:
    """The person left the seat for good, or was lost before the match and given up; it is empty."""

    seat: int


@dataclass(frozen=True, slots=True)
class Removed:
    """The host asked the person to leave: they cannot come back, and nobody new sits down until the host lets them."""

    seat: int


@dataclass(frozen=True, slots=True)
class Admitted:
    """The host lets new people sit down again, after somebody was removed."""


@dataclass(frozen=True, slots=True)
class Closed:
    """An empty seat was taken away before the match; those after it move up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Shifted:
    """The host moved a seat to another place in the order, before the match."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class Readied:
    """The people of a seat are ready for the match."""

    seat: int


@dataclass(frozen=True, slots=True)
class Unreadied:
    """The people of a seat are not ready any more."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ruled:
    """The host changed what is played, before the match: the new rules as JSON."""

    rules: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """A seat has another name now."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The person at this seat is the host now."""

    seat: int


@dataclass(frozen=True, slots=True)
class Paused:
    """A seat called a pause: clock and bots stand still."""

    seat: int


@dataclass(frozen=True, slots=True)
class Unpaused:
    """A seat ended the pause."""

    seat: int


@dataclass(frozen=True, slots=True)
class Queued:
    """A person who watches wants to sit at the next table."""

    person: str
    name: str


@dataclass(frozen=True, slots=True)
class Unqueued:
    """The host took a person off the queue: they cannot sit down or queue here again."""

    person: str


@dataclass(frozen=True, slots=True)
class Committed:
    """A seat's phone told the digest of its seed for the sealed dice; "-": the match goes on without one."""

    seat: int
    digest: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """The header of a match with sealed dice was fixed: the phones may open their seeds."""


@dataclass(frozen=True, slots=True)
class Seeded:
    """A seat's own seed was added to the sealed dice: typed, or opened by its phone."""

    seat: int
    seed: str


@dataclass(frozen=True, slots=True)
class SealOpened:
    """The match is over, and the house opened its seed, in hex."""

    seed: str


@dataclass(frozen=True, slots=True)
class Started:
    """The match began, with the people and bots seated then."""


@dataclass(frozen=True, slots=True)
class BotSubstituted:
    """A bot plays for the person at the seat, who ``gave`` it or was ``voted`` away while absent."""

    seat: int
    bot: str
    why: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The person plays again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Voted:
    """A seat is for a bot at the seat of somebody absent."""

    seat: int
    absent: int


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The turn clock ran out: a bot plays this turn to its end."""

    seat: int


@dataclass(frozen=True, slots=True)
class Retimed:
    """Somebody came to a table where nobody was: the turn under way has all the time of its clock again."""


@dataclass(frozen=True, slots=True)
class BotPaceSet:
    """Bots now wait this many ms before each action."""

    ms: int


@dataclass(frozen=True, slots=True)
class Nudged:
    """A seat reminded the mover, kindly."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rematched:
    """The same people play again, at the table with this code, and this seat has gone there."""

    seat: int
    code: str


@dataclass(frozen=True, slots=True)
class Reopened:
    """All who played have left: a person of the queue plays on, as the host of the table with this code."""

    person: str
    code: str


@dataclass(frozen=True, slots=True)
class Followed:
    """Another seat has gone to the next table."""

    seat: int


@dataclass(frozen=True, slots=True)
class WentOn:
    """The match goes on at another house, a person's phone. It knows that person as ``person`` and not as ``before``.

    They are the host now; before the match only if they have a seat, which the host begins it from, or if nobody has.
    fork: 16 hex digits, the identity of this continuation. moves: the number of moves of the match before it; a move
    that has not reached that phone is not among them.
    """

    fork: str
    moves: int
    before: str
    person: str


@dataclass(frozen=True, slots=True)
class Recognised:
    """A phone of the house before has come to this one, which knows its person as ``person`` and not as ``before``."""

    before: str
    person: str


@quick
@dataclass(frozen=True, slots=True)
class Moved:
    """Something happened in the match."""

    event: tables.TableEvent


Event = (
    Sat
    | Shared
    | Joined
    | BotSeated
    | Left
    | Removed
    | Admitted
    | Closed
    | Shifted
    | Readied
    | Unreadied
    | Committed
    | Fixed
    | Seeded
    | SealOpened
    | Ruled
    | Renamed
    | HandedOver
    | Paused
    | Unpaused
    | Queued
    | Unqueued
    | Started
    | BotSubstituted
    | Resumed
    | Voted
    | TimedOut
    | Retimed
    | BotPaceSet
    | Nudged
    | Rematched
    | Reopened
    | Followed
    | WentOn
    | Recognised
    | Moved
)


@quick
@dataclass(frozen=True, slots=True)
class LogLine:
    """An event and when it happened, in ms since 1970."""

    at: int
    event: Event


# Events as the lines of a table's log: ``TIME TAG FACTS``, time in ms since 1970. Decides nothing.
#
# Logs are kept for good, so their text is written out here: no tag and no order of facts follows from the name of a
# class or a field. The moves of the match have the match table's own tags (``match.table.write_event``).


FactType = type[int] | type[str]

TAGS: dict[str, tuple[type[Event], dict[str, FactType]]] = {
    "sat": (Sat, {"seat": int, "person": str, "name": str}),
    "shared": (Shared, {"seat": int, "person": str, "name": str}),
    "joined": (Joined, {"seat": int, "person": str}),
    "botted": (BotSeated, {"seat": int, "bot": str, "name": str}),
    "left": (Left, {"seat": int}),
    "removed": (Removed, {"seat": int}),
    "admitted": (Admitted, {}),
    "closed": (Closed, {"seat": int}),
    "shifted": (Shifted, {"seat": int, "to": int}),
    "readied": (Readied, {"seat": int}),
    "unreadied": (Unreadied, {"seat": int}),
    "seeded": (Seeded, {"seat": int, "seed": str}),
    "committed": (Committed, {"seat": int, "digest": str}),
    "fixed": (Fixed, {}),
    "opened": (SealOpened, {"seed": str}),
    "ruled": (Ruled, {"rules": str}),
    "renamed": (Renamed, {"seat": int, "name": str}),
    "handedover": (HandedOver, {"seat": int}),
    "paused": (Paused, {"seat": int}),
    "unpaused": (Unpaused, {"seat": int}),
    "queued": (Queued, {"person": str, "name": str}),
    "unqueued": (Unqueued, {"person": str}),
    "started": (Started, {}),
    "stoodin": (BotSubstituted, {"seat": int, "bot": str, "why": str}),
    "resumed": (Resumed, {"seat": int}),
    "voted": (Voted, {"seat": int, "absent": int}),
    "timedout": (TimedOut, {"seat": int}),
    "retimed": (Retimed, {}),
    "paced": (BotPaceSet, {"ms": int}),
    "nudged": (Nudged, {"seat": int}),
    "rematched": (Rematched, {"seat": int, "code": str}),
    "reopened": (Reopened, {"person": str, "code": str}),
    "followed": (Followed, {"seat": int}),
    "wenton": (WentOn, {"fork": str, "moves": int, "before": str, "person": str}),
    "recognised": (Recognised, {"before": str, "person": str}),
}
"""The tag of each event but ``Moved``, and its facts in the order of the line. Only the last may hold spaces."""

_TAG_OF = {event: tag for tag, (event, _) in TAGS.items()}
_FACTS_OF = {event: tuple([attrgetter(name) for name in facts]) for event, facts in TAGS.values()}
_PRIVATE_AT = {
    tag: (2 + names.index(private[0]), 3 + names.index(private[-1]))
    for tag, names in ((tag, list(facts)) for tag, (_, facts) in TAGS.items())
    if (private := [name for name in names if name in ("before", "person") or (tag, name) == ("seeded", "seed")])
}
"""The words of a line that nobody else sees, side by side: persons, and a seat's own seed, before the record. The first
word, and the one after the last.
"""

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
    """The content of a line of a log. Raises BadNotation("event")."""
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
        if fact is None or (name == "name" and not _is_name(word)):
            raise BadNotation("event", found=text)
        facts[name] = fact
    return event(**facts)


def _is_name(word: str) -> bool:
    """True for a name as a house writes it: of any other no match begins, and no record is read."""
    with suppress(BadNotation):
        return read_name(word) == word
    return False


def public(text: str) -> str:
    """A line as everybody may see it: without the person, who is nobody else's business, and without a seat's seed.

    >>> public("1763638000123 sat 0 3q2-7wAAAAAAAAAAAAAAAA Ann"), public("1763638000123 roll 344512")
    ('1763638000123 sat 0 Ann', '1763638000123 roll 344512')
    """
    words = text.split(" ", 6)
    private = _PRIVATE_AT.get(words[1])
    if private is None:
        return text
    return " ".join([*words[: private[0]], *words[private[1] :]])
