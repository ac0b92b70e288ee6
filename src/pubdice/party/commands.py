"""What may be asked of a table with people. Who asks, and when, comes beside it.

What the host does, everybody who sits there may do while people gather and the host is lost.
"""

from dataclasses import dataclass
from typing import Any

from pubdice.game import Verb
from pubdice.table import Draw, Enter, Mark, TakeBack


@dataclass(frozen=True, slots=True)
class Sit:
    """Take an empty seat, or a bot's; any empty one where none is named."""

    seat: int | None
    name: str


@dataclass(frozen=True, slots=True)
class Join:
    """Have this seat too, from another phone: its four words were shown."""

    seat: int


@dataclass(frozen=True, slots=True)
class Give:
    """Let a bot play for me."""

    bot: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """Play again where a bot stood in for me. The table asks it itself for whoever was voted away and is back."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave my seat for good."""


@dataclass(frozen=True, slots=True)
class Remove:
    """The host asks a person to leave; or, without a host, the others give up somebody who is lost."""

    seat: int


@dataclass(frozen=True, slots=True)
class Close:
    """The host takes an empty seat away."""

    seat: int


@dataclass(frozen=True, slots=True)
class Start:
    """The host begins; bots take the empty seats."""

    bot: str = ""


@dataclass(frozen=True, slots=True)
class Vote:
    """I am for a bot at the seat of somebody absent."""

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
    """Play again; the house has laid the next table, with this code."""

    code: str


@dataclass(frozen=True, slots=True)
class Go:
    """Roll or bank with these marks, or with those on the table."""

    verb: Verb
    marks: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The table's own: the mover's clock has run out."""


@dataclass(frozen=True, slots=True)
class Bot:
    """The table's own: a bot takes this action, or rolls."""

    action: Any = None


Play = Mark | Go | Enter | Draw | TakeBack
Command = (
    Sit
    | Join
    | Give
    | Resume
    | Leave
    | Remove
    | Close
    | Start
    | Vote
    | Pace
    | Nudge
    | Rematch
    | TimeUp
    | Bot
    | Mark
    | Go
    | Enter
    | Draw
    | TakeBack
)

__all__ = [
    "Bot",
    "Close",
    "Command",
    "Draw",
    "Enter",
    "Give",
    "Go",
    "Join",
    "Leave",
    "Mark",
    "Nudge",
    "Pace",
    "Play",
    "Rematch",
    "Remove",
    "Resume",
    "Sit",
    "Start",
    "TakeBack",
    "TimeUp",
    "Vote",
]
