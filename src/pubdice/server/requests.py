"""What a client may ask for, and the answers to it, as data: commands, orders of tables, refusals. Knows no HTTP."""

import re
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError

from pubdice.core.errors import Refused
from pubdice.room.setup import CLOCK_S, GRACE_S, MOST_LESSONS, PACE_MS

Deed = Literal[
    "mark", "roll", "reroll", "bank", "enter", "back", "draw",
    "sit", "join", "give", "resume", "leave", "remove", "close", "start", "vote", "pace", "nudge", "rematch",
    "ready", "share", "add-bot", "drop", "move", "rules", "rename", "handover", "pause", "unpause", "queue", "react",
    "forget", "type", "admit", "unready", "seed", "hint", "plan", "unplan",
]  # fmt: skip
"""What may be asked of a table; ``Request`` says which of its fields each needs."""

MOST_ASKED_SEATS = 64
"""Seats a message can name: what keeps a message small. How many a table has is its game's business."""
ClientKey = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$(?!\n)")]
OrderKey = Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z0-9_-]*$(?!\n)")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_ASKED_SEATS)]
PlaceOnTray = Annotated[
    int, Meta(ge=0, lt=32, description='Where a die lies: from 0, left to right. People count from 1: "Die 3" is at 2.')
]


_FIELD = re.compile(r"field `(\w{1,40})`|`\$\.(\w+)")


def wrong(error: ValidationError, field: str = "") -> Refused:
    """The refusal of what does not fit: the field's name, as the rest is said in English and for programmers.

    >>> wrong(ValidationError("Expected `int` >= 0 - at `$.seat`")).facts
    {'field': 'seat'}
    """
    found = _FIELD.search(str(error))
    name = (found[1] or found[2]) if found else field
    return Refused("fields", field=name) if name else Refused("shape")


HouseRules = Annotated[
    dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=200)]], Meta(max_length=20)
]
ClockSeconds = Annotated[int, Meta(ge=0, le=600)]
GraceSeconds = Annotated[int, Meta(ge=0, le=3600)]
PaceMs = Annotated[int, Meta(ge=0, le=10_000)]
LessonsPercent = Annotated[int, Meta(ge=0, le=MOST_LESSONS)]


class Request(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A command, with the key under which it counts once.

    reroll keeps nothing, where roll is refused as it would throw away dice of which some could stay. marks: places from
    0 (mark; roll and bank take them too, as the marks the player sees). dice: real dice as they fell (enter). seat:
    which one (sit, give, resume, leave, remove, close, vote; draw with real dice); the asker's own where it is left
    out; also of drop, rename, handover, move. to: its new place in the order (move). name: how one is called (sit,
    share, rename, queue; share takes several, with commas between), or who is meant, as they may sit elsewhere by now
    (remove, drop, close, move, handover, vote); drop without a seat means somebody in the queue. words: the four words
    of a seat (join). ms: a bot's pace. bot: which one (give, vote, start, add-bot); the usual one where it is left out.
    rules, dice (house, real or sealed), clock_s, grace_s, pace_ms, lessons, chances: the match to play, as in an
    ``Order``; what is left out stays (rules). phrase: which (react). change: come to the next table, but not ready yet
    (rematch). text: a line as it is typed (type), dice by face: ``1 6 r``. digest, seed: for sealed dice (seed), of
    ``seat``, where several share the phone, else of all the asker's seats that wait for one. First the digest: the
    SHA-256 in hex of a seed that the phone keeps. Once the view has a header, the seed itself: 1 to 32 letters and
    digits. The house knows a seed without a digest early, and the record says so. seen: the last event (``View.seq``)
    that the player had seen (mark, roll, reroll, bank, enter, draw, back, type): where dice have changed since then,
    the command is refused as ``seen-late``, and nothing changes. Send it always: left out, or larger than the
    last event, the player counts as having seen all that the process knew when it read the command; over PostgreSQL as
    having seen everything.

    play: a game to plan for the evening, by name and format ("mexico lives 3"; plan), without it the one at the table;
    times: how many matches of it, "3" or "best of 3" (plan); rules: its house rules (plan). unplan takes ``play`` off
    the list, at place ``to``.
    """

    key: ClientKey
    do: Deed
    marks: Annotated[list[PlaceOnTray], Meta(max_length=32)] | UnsetType = UNSET
    dice: Annotated[str, Meta(max_length=64)] | UnsetType = UNSET
    seat: SeatNumber | UnsetType = UNSET
    name: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    words: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    ms: Annotated[int, Meta(ge=0, le=60_000)] | UnsetType = UNSET
    bot: Annotated[str, Meta(max_length=40)] | UnsetType = UNSET
    to: SeatNumber | UnsetType = UNSET
    rules: HouseRules | UnsetType = UNSET
    clock_s: ClockSeconds | UnsetType = UNSET
    grace_s: GraceSeconds | UnsetType = UNSET
    pace_ms: PaceMs | UnsetType = UNSET
    lessons: LessonsPercent | UnsetType = UNSET
    chances: bool | UnsetType = UNSET
    phrase: Annotated[int, Meta(ge=0, le=5)] | UnsetType = UNSET
    text: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    digest: Annotated[str, Meta(max_length=64)] | UnsetType = UNSET
    seed: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    seen: Annotated[int, Meta(ge=0, le=1 << 53)] | UnsetType = UNSET
    play: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    times: Annotated[str, Meta(max_length=40)] | UnsetType = UNSET
    change: bool = False


class Order(Struct, forbid_unknown_fields=True):
    """A table to be set up, once under each ``key``.

    rules: the game's options by key, and ``format`` ("rounds 5"), ``opener``, ``first`` ("draw"); the usual ones where
    left out. people: seats for people; the first is the asker's, called ``name``. Left out, each person who comes gets
    a new seat, and the match begins when the host says so or all are ready. others: names of those who share the
    asker's phone, a seat each. start: it begins at once. bots: policies, a seat each. listed: whether it stands in the
    lobby. dice: house, real or sealed, which wait for the seats' seeds before they start. grace_s: how long a lost seat
    waits before the others may vote; clock_s: a turn's time, 0 for none; pace_ms: a bot's pause. lessons: everybody
    gets hints, and a warning before a choice that loses so many percent of what is played for; 0 for none. chances:
    everybody sees each seat's chances.
    """

    game: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(max_length=200)]
    key: OrderKey = ""
    people: Annotated[int, Meta(ge=1, le=MOST_ASKED_SEATS)] | None = None
    others: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=MOST_ASKED_SEATS - 1)] = []
    bots: Annotated[list[str], Meta(max_length=MOST_ASKED_SEATS)] = []
    rules: dict[str, str] = {}
    listed: bool = False
    dice: Literal["house", "real", "sealed"] = "house"
    grace_s: GraceSeconds = GRACE_S
    clock_s: ClockSeconds = CLOCK_S
    pace_ms: PaceMs = PACE_MS
    lessons: LessonsPercent = 0
    chances: bool = False
    start: bool = False


class Opened(Struct):
    """A table was set up: its code, and where it is."""

    code: str
    go: str


class Done(Struct):
    """A command was done and is stored: the table's events so far; where to go, if elsewhere.

    said: what answers a typed line, beside what happens.
    """

    seq: int
    go: str | None = None
    said: str | UnsetType = UNSET


class Refusal(Struct):
    """A request was refused and nothing has changed: a stable code, and the reason in a sentence."""

    code: str
    why: str
