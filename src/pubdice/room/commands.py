"""All commands of a table with people. Each is declared in a module of its own, with its events.

While people gather and the host is lost, everybody who sits there may do what the host does.
"""

from collections.abc import Mapping

from pubdice.match.table import Draw, EnterDice, Mark, PlayAction, RollOrBank, TakeBack
from pubdice.room import nudge
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
    Roll,
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
from pubdice.room.typed_line import Typed
from pubdice.text.language import Sentence

Command = RoomCommand | Play
ASKED: tuple[type[RoomCommand], ...] = (
    MarkPlaces,
    Roll,
    Reroll,
    Bank,
    ChooseMove,
    TypeDice,
    Undo,
    DrawOpener,
    Sit,
    Give,
    Resume,
    Leave,
    Remove,
    Close,
    Start,
    Vote,
    Pace,
    Nudge,
    Ready,
    Share,
    AddBot,
    Drop,
    Shift,
    Rules,
    Rename,
    HandOver,
    Pause,
    Unpause,
    Queue,
    Admit,
    Unready,
    SeedOfSeat,
    Plan,
    Unplan,
)
"""The commands that people ask for: each has a name on the wire."""
REFUSED: Mapping[str, Sentence] = {**nudge.REFUSED}
"""The sentences of refusals that one command alone has, by their codes."""

__all__ = [
    "ALL",
    "ALONE",
    "ASKED",
    "REFUSED",
    "AddBot",
    "AddSeed",
    "Admit",
    "Bank",
    "Begin",
    "Bot",
    "ChooseMove",
    "Close",
    "Command",
    "Commit",
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
    "Roll",
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
]
