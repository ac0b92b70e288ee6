"""The commands of a table with people, each in the words of the person who gives it; a ``Caller`` says who, and when.

Everybody who sits there may do what the host does, while people gather and the host is lost.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pubdice.match.table import Dice, Draw, EnterDice, Mark, PlayAction, RollOrBank, TakeBack
from pubdice.typed import Intent


@dataclass(frozen=True, slots=True)
class Sit:
    """Take an empty seat, or a bot's; where none is named, the one kept for me, any empty one, or a new one."""

    seat: int | None
    name: str


@dataclass(frozen=True, slots=True)
class Join:
    """Have this seat too, from another phone; its four words were typed there."""

    seat: int


@dataclass(frozen=True, slots=True)
class Share:
    """Others play on my phone too, each at a seat of their own: one name, or several with commas between."""

    name: str


@dataclass(frozen=True, slots=True)
class Ready:
    """I am ready for the match, with all my seats."""


@dataclass(frozen=True, slots=True)
class Unready:
    """I am not ready after all, with none of my seats."""


@dataclass(frozen=True, slots=True)
class Commit:
    """The digest of my own seed for the sealed dice, at one of my seats: its phone opens the seed later."""

    digest: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class AddSeed:
    """My own seed for the sealed dice, at one of my seats; at all of mine that have none if none is named.

    Once the header is fixed, the seed of which my phone told the digest.
    """

    seed: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Give:
    """Let a bot play for me."""

    bot: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """Play again where a bot stood in for me. The table gives it for a person who was voted away and is back."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave my seat permanently; all of mine if none is named."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """The host asks a person to leave; or, without a host, the others give up somebody who is lost."""

    seat: int


@dataclass(frozen=True, slots=True)
class Close:
    """The host takes an empty seat away, or a bot's."""

    seat: int


@dataclass(frozen=True, slots=True)
class AddBot:
    """The host seats a bot."""

    bot: str = ""


@dataclass(frozen=True, slots=True)
class Shift:
    """The host moves a seat to another place in the order."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class Rules:
    """The host changes what is played, before the match. Fields left out stay; "" makes a rule usual again."""

    rules: Mapping[str, str] = field(default_factory=dict)
    dice: Dice | None = None
    clock_s: int | None = None
    grace_s: int | None = None
    pace_ms: int | None = None
    lessons: int | None = None
    chances: bool | None = None


ALONE, ALL = "alone", "all"
"""The words a plan may have in place of a game."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The host plans a game after the others: its name and format, its matches ("3", "best of 3"), its house rules.

    Without a game: the number of matches of the present one. ``ALONE``: this many of it, and nothing after it. ``ALL``:
    this many of it, and then a match of every other game of the house.
    """

    play: str
    times: str
    rules: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unplan:
    """The host takes a game off the line-up. at: its place there, from 0; game: its name, as others may have moved."""

    at: int
    game: str


@dataclass(frozen=True, slots=True)
class Start:
    """The host begins the match. Bots take the empty seats; a table that grows closes them instead."""

    bot: str = ""


@dataclass(frozen=True, slots=True)
class Rename:
    """My seat goes by another name."""

    name: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class HandOver:
    """The host makes somebody else the host."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause the match: the turn clock and the bots stop."""


@dataclass(frozen=True, slots=True)
class Admit:
    """The host lets new people sit down again, after somebody was removed."""


@dataclass(frozen=True, slots=True)
class Unpause:
    """End the pause: clock and bots go on."""


@dataclass(frozen=True, slots=True)
class Queue:
    """I watch, and want to sit at the next table."""

    name: str


@dataclass(frozen=True, slots=True)
class Unqueue:
    """The host takes somebody off the queue, by name: they cannot sit down or queue here again."""

    name: str


@dataclass(frozen=True, slots=True)
class Vote:
    """Vote for a bot at the seat of somebody who is absent."""

    seat: int
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Pace:
    """The host sets the bots' pace, in ms."""

    ms: int


@dataclass(frozen=True, slots=True)
class Nudge:
    """Remind the mover, kindly."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Play again, at the table with this code, which the house has set up."""

    code: str


@dataclass(frozen=True, slots=True)
class Follow:
    """Go to the next table, which somebody has asked for already."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Do what a typed line says: all of it, or nothing."""

    intents: tuple[Intent, ...]


@dataclass(frozen=True, slots=True)
class Begin:
    """By the table's timer: begin the match, as everybody here is ready and the grace time of the others is over."""


@dataclass(frozen=True, slots=True)
class TimeUp:
    """By the table's timer: the mover's clock has run out."""


@dataclass(frozen=True, slots=True)
class Retime:
    """By the house: somebody came to a table where nobody was, so the turn under way has all its time again."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """The match goes on at this house, which knows a person of the house before by another name; see ``WentOn``."""

    fork: str
    before: str
    person: str


@dataclass(frozen=True, slots=True)
class Recognise:
    """A phone of the house before is here: its person goes by another name at this house; see ``Recognised``."""

    before: str
    person: str


@dataclass(frozen=True, slots=True)
class Bot:
    """By the table's timer: a bot takes this action, or rolls if it is None."""

    action: Any = None


Play = Mark | RollOrBank | PlayAction | EnterDice | Draw | TakeBack
Command = (
    Sit
    | Share
    | Join
    | Ready
    | Unready
    | Commit
    | AddSeed
    | Give
    | Resume
    | Leave
    | Remove
    | Close
    | AddBot
    | Shift
    | Rules
    | Plan
    | Unplan
    | Start
    | Rename
    | HandOver
    | Pause
    | Unpause
    | Admit
    | Queue
    | Unqueue
    | Vote
    | Pace
    | Nudge
    | Rematch
    | Follow
    | Begin
    | TimeUp
    | Retime
    | GoOn
    | Recognise
    | Bot
    | Mark
    | RollOrBank
    | PlayAction
    | EnterDice
    | Draw
    | TakeBack
    | Typed
)

__all__ = [
    "AddBot",
    "AddSeed",
    "Admit",
    "Begin",
    "Bot",
    "Close",
    "Command",
    "Commit",
    "Draw",
    "EnterDice",
    "Follow",
    "Give",
    "GoOn",
    "HandOver",
    "Join",
    "Leave",
    "Mark",
    "Nudge",
    "Pace",
    "Pause",
    "Plan",
    "Play",
    "PlayAction",
    "Queue",
    "Ready",
    "Recognise",
    "Rematch",
    "Remove",
    "Rename",
    "Resume",
    "Retime",
    "RollOrBank",
    "Rules",
    "Share",
    "Shift",
    "Sit",
    "Start",
    "TakeBack",
    "TimeUp",
    "Typed",
    "Unpause",
    "Unplan",
    "Unqueue",
    "Unready",
    "Vote",
]
