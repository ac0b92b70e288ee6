"""What happens at a table with people, as facts: the events of event sourcing, from which ``apply`` makes the state.
Knows no text: ``log_lines`` writes and reads them.

A move of the match is the table's own event inside a ``Moved``. Persons are the opaque names by which the house knows
browsers.
"""

from dataclasses import dataclass

from pubdice.core.frozen import quick
from pubdice.match import table as tables


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
    | Moved
)


@quick
@dataclass(frozen=True, slots=True)
class LogLine:
    """An event and when it happened, in ms since 1970."""

    at: int
    event: Event
