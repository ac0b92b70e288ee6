"""All commands of a table with people. Each is declared in its own module, beside its events.

If the host has been away for the grace time while people gather, every seated person can give the host's commands.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import ModuleType
from typing import TypeVar

from pubdice.match.table import Draw, EnterDice, Mark, PlayAction, RollOrBank, TakeBack
from pubdice.room import (
    beginning,
    chairs,
    evening_plan,
    going_on,
    log_lines,
    moves,
    nudge,
    pauses,
    queue,
    rematches,
    rules,
    seats,
    standins,
    takebacks,
)
from pubdice.room.beginning import AddSeed, Begin, Commit, Ready, SeedOfSeat, Start, Unready
from pubdice.room.chairs import AddBot, Close, Shift
from pubdice.room.decision import RoomCommand
from pubdice.room.evening_plan import ALL, ALONE, Plan, Unplan
from pubdice.room.going_on import GoOn, Recognise
from pubdice.room.moves import (
    Bank,
    Bot,
    ChooseMove,
    DrawOpener,
    MarkPlaces,
    Play,
    Reroll,
    Retime,
    RollOn,
    TimeUp,
    TypeDice,
    Undo,
)
from pubdice.room.nudge import Nudge
from pubdice.room.pauses import Pause, Unpause
from pubdice.room.queue import Drop, Queue, Unqueue
from pubdice.room.rematches import Follow, Rematch
from pubdice.room.rules import Pace, Rules
from pubdice.room.seats import Admit, HandOver, Join, Leave, Remove, Rename, Share, Sit
from pubdice.room.standins import Give, Resume, Vote
from pubdice.room.takebacks import Agree, Decline
from pubdice.room.typed_line import Typed
from pubdice.text.language import Language, Sentence
from pubdice.typed import own_words

Declared = TypeVar("Declared")
Command = RoomCommand | Play
SLICES: tuple[ModuleType, ...] = (
    moves,
    seats,
    nudge,
    standins,
    takebacks,
    beginning,
    pauses,
    chairs,
    rules,
    evening_plan,
    queue,
    rematches,
    going_on,
    log_lines,
)
"""The modules that declare commands and events.

A module may have ``REFUSED``, the sentences of refusals that only its own commands have.
"""


def declared(base: type[Declared]) -> tuple[type[Declared], ...]:
    """Return the subclasses of ``base`` that the modules in ``SLICES`` declare, in order."""
    found = (
        thing
        for module in SLICES
        for thing in vars(module).values()
        if getattr(thing, "__module__", "") == module.__name__
    )
    return tuple(thing for thing in found if isinstance(thing, type) and issubclass(thing, base))


ASKED = tuple(command for command in declared(RoomCommand) if command.do)
"""The commands that clients send. Each of them has a name in the protocol."""
HOUSE_WORDS: Mapping[str, str] = {
    "w": "whose",
    "who": "whose",
    "hint": "hint",
    "rematch": "rematch",
    **{word: command.do for command in ASKED for word in command.words},
}
"""The request for each word that a player can type alone on a line, at a table of the house."""
REFUSED: Mapping[str, Sentence] = {
    code: text for module in SLICES for code, text in getattr(module, "REFUSED", {}).items()
}
"""By code, the sentences of refusals that only one command has."""


@lru_cache(maxsize=64)
def house_words(language: Language) -> Mapping[str, str]:
    """Return ``HOUSE_WORDS`` with the language's own words for the commands in ``typed.IN_A_LANGUAGE``.

    >>> house_words(Language()) == HOUSE_WORDS
    True
    """
    own = {word: HOUSE_WORDS[command] for word, command in own_words(language).items() if command in HOUSE_WORDS}
    return {**own, **HOUSE_WORDS}


__all__ = [
    "ALL",
    "ALONE",
    "ASKED",
    "HOUSE_WORDS",
    "REFUSED",
    "AddBot",
    "AddSeed",
    "Admit",
    "Agree",
    "Bank",
    "Begin",
    "Bot",
    "ChooseMove",
    "Close",
    "Command",
    "Commit",
    "Decline",
    "Draw",
    "DrawOpener",
    "Drop",
    "EnterDice",
    "Follow",
    "Give",
    "GoOn",
    "HandOver",
    "Join",
    "Leave",
    "Mark",
    "MarkPlaces",
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
    "Reroll",
    "Resume",
    "Retime",
    "RollOn",
    "RollOrBank",
    "Rules",
    "SeedOfSeat",
    "Share",
    "Shift",
    "Sit",
    "Start",
    "TakeBack",
    "TimeUp",
    "TypeDice",
    "Typed",
    "Undo",
    "Unpause",
    "Unplan",
    "Unqueue",
    "Unready",
    "Vote",
    "declared",
    "house_words",
]
