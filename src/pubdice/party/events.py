"""What happens at a table, as facts, and as the lines of its log: ``TIME WORD FACTS``, time in ms since 1970.

A move of the match is the table's own event inside a ``Moved``. Persons are the opaque names the house knows browsers
by; ``public`` leaves them out, as they are nobody else's business.
"""

from dataclasses import astuple, dataclass
from typing import get_args

from pubdice import table as tables
from pubdice.game import BadNotation, quick
from pubdice.table import Table


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
    """A person who showed the seat's words has it too, from another phone."""

    seat: int
    person: str


@dataclass(frozen=True, slots=True)
class Botted:
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
    """The host changed what is played, before the match: ``house_rules`` as JSON."""

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
class Started:
    """The match began."""


@dataclass(frozen=True, slots=True)
class StoodIn:
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
class Paced:
    """Bots now wait so many ms before each action."""

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


@quick
@dataclass(frozen=True, slots=True)
class Moved:
    """Something happened in the match."""

    event: tables.Event


Event = (
    Sat
    | Shared
    | Joined
    | Botted
    | Left
    | Removed
    | Admitted
    | Closed
    | Shifted
    | Readied
    | Unreadied
    | Ruled
    | Renamed
    | HandedOver
    | Paused
    | Unpaused
    | Queued
    | Unqueued
    | Started
    | StoodIn
    | Resumed
    | Voted
    | TimedOut
    | Paced
    | Nudged
    | Rematched
    | Reopened
    | Followed
    | Moved
)

WORDS = {kind.__name__.lower(): kind for kind in get_args(Event) if kind is not Moved}
SHAPES = {word: tuple(kind.__annotations__.values()) for word, kind in WORDS.items()}


@quick
@dataclass(frozen=True, slots=True)
class Line:
    """An event and when it happened, in ms since 1970."""

    at: int
    event: Event


def write_line(table: Table | None, line: Line) -> str:
    """A line of a log. ``table`` is the match's, once it has begun."""
    if isinstance(line.event, Moved):
        assert table is not None, "moves happen in a match"
        return f"{line.at} {tables.write_event(table, line.event.event)}"
    return " ".join([str(line.at), type(line.event).__name__.lower(), *map(str, astuple(line.event))])


def read_line(table: Table | None, text: str) -> Line:
    """What a line of a log holds. Raises BadNotation("event")."""
    time, _, said = text.partition(" ")
    word, _, rest = said.partition(" ")
    if not (time.isascii() and time.isdigit()) or len(time) > 14:
        raise BadNotation("event", found=text)
    if word not in WORDS:
        if table is None:
            raise BadNotation("event", found=text)
        try:
            return Line(int(time), Moved(tables.read_event(table, said)))
        except ValueError:  # BadNotation too
            raise BadNotation("event", found=text) from None
    shape = SHAPES[word]
    facts = rest.split(" ", len(shape) - 1) if shape else []
    if len(facts) != len(shape) or (not shape and rest) or not all(facts):
        raise BadNotation("event", found=text)
    values: list[int | str] = []
    for kind, fact in zip(shape, facts, strict=True):
        if kind is int and not (fact.isascii() and fact.isdigit() and len(fact) <= 9):
            raise BadNotation("event", found=text)
        values.append(int(fact) if kind is int else fact)
    return Line(int(time), WORDS[word](*values))


def public(text: str) -> str:
    """A line as everybody may see it: without the person.

    >>> public("1763638000123 sat 0 3q2-7wAAAAAAAAAAAAAAAA Ann"), public("1763638000123 roll 344512")
    ('1763638000123 sat 0 Ann', '1763638000123 roll 344512')
    """
    words = text.split(" ", 4)
    if words[1] in ("sat", "shared", "joined"):
        return " ".join([*words[:3], *words[4:]])
    if words[1] in ("queued", "unqueued", "reopened"):
        return " ".join([*words[:2], *words[3:]])
    return text
