"""Messages between a house and its clients, as data: commands, orders and refusals; views of a table, and its news.

Knows no HTTP. Everything a person reads in here is already in their language. A view is the same for all who read that
language, so it is made and encoded once; which seat is one's own, the page knows.
"""

import re
from dataclasses import fields
from typing import Annotated, Any, ClassVar, Literal, cast

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, defstruct

from pubdice.core.errors import Refused
from pubdice.room.commands import ASKED
from pubdice.room.decision import RoomCommand
from pubdice.room.setup import CLOCK_S, GRACE_S, MOST_LESSONS, PACE_MS
from pubdice.text.game_words import Ladder, Offer, Slot, Things

MOST_ASKED_SEATS = 64
"""Seats a message can name: the limit that keeps a message small. The game limits the seats of a table."""
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


ShortText = Annotated[str, Meta(max_length=64)]
LongText = Annotated[str, Meta(max_length=200)]
PhraseNumber = Annotated[int, Meta(ge=0, le=5)]
EventNumber = Annotated[int, Meta(ge=0, le=1 << 53)]
FIELDS: dict[str, Any] = {
    "marks": Annotated[tuple[PlaceOnTray, ...], Meta(max_length=32)],
    "action": ShortText,
    "dice": ShortText,
    "seat": SeatNumber,
    "name": LongText,
    "words": LongText,
    "ms": Annotated[int, Meta(ge=0, le=60_000)],
    "bot": Annotated[str, Meta(max_length=40)],
    "to": SeatNumber,
    "rules": HouseRules,
    "clock_s": ClockSeconds,
    "grace_s": GraceSeconds,
    "pace_ms": PaceMs,
    "lessons": LessonsPercent,
    "chances": bool,
    "phrase": PhraseNumber,
    "text": LongText,
    "digest": ShortText,
    "seed": LongText,
    "seen": EventNumber,
    "play": LongText,
    "times": Annotated[str, Meta(max_length=40)],
    "change": bool,
    "decider": bool,
}
"""The fields of requests, with their bounds. In this order they are hashed (``commit.key_of``); new ones come last."""


class Asked(Struct, kw_only=True, tag_field="do"):
    """A person's request at a table: a tagged union, whose tag ``do`` names the command.

    key: under it the request counts once. seen: the last event (``View.seq``) that the player had seen. If dice have
    changed since then, a command about dice is refused as ``seen-late``, and nothing changes. Send it always: left out,
    or larger than the last event, the player counts as having seen all that the process knew when it read the request;
    over PostgreSQL as having seen everything. Fields that are left out have no value here.
    """

    do: ClassVar[str]
    makes: ClassVar[type[RoomCommand]]
    own: ClassVar[tuple[str, ...]]
    key: ClientKey
    seen: EventNumber | UnsetType = UNSET


class JoinByWords(Asked, tag="join"):
    """Have a seat too, from another phone. words: the four words of the seat."""

    words: LongText | UnsetType = UNSET


class AskRematch(Asked, tag="rematch"):
    """Come to the next table. change: not ready yet. decider: it is one round more, for those who share this match."""

    change: bool | UnsetType = UNSET
    decider: bool | UnsetType = UNSET


class CallOut(Asked, tag="react"):
    """Call one of ``PHRASES`` across the table, by its number."""

    phrase: PhraseNumber | UnsetType = UNSET


class Forget(Asked, tag="forget"):
    """List a table no longer that I have left, or whose match is over."""


class TypeLine(Asked, tag="type"):
    """Do or answer a line as it is typed, dice by face: ``1 6 r``."""

    text: LongText | UnsetType = UNSET


class AskHint(Asked, tag="hint"):
    """The coach's hint, at a table with lessons."""


def _wired(command: type[RoomCommand]) -> type[Asked]:
    """The message that asks for a command of the room: its fields, each of which may be left out."""
    own = [(field.name, FIELDS[field.name] | UnsetType, UNSET) for field in fields(cast(Any, command))]
    names = tuple([name for name, *_ in own])
    named = {"__doc__": command.__doc__, "do": command.do, "makes": command, "own": names}
    made = defstruct(command.__name__, own, bases=(Asked,), tag=command.do, namespace=named)
    return cast(type[Asked], made)


OTHERS: tuple[type[Asked], ...] = (JoinByWords, AskRematch, CallOut, Forget, TypeLine, AskHint)
"""The requests that the room has no command for, as they need other tables, the store or a secret."""
for _kind in OTHERS:
    _kind.do = str(_kind.__struct_config__.tag)
REQUESTS: dict[str, type[Asked]] = {kind.do: kind for kind in (*map(_wired, ASKED), *OTHERS)}
"""Every request at a table, by its tag."""


class Order(Struct, forbid_unknown_fields=True):
    """A table to be set up, once under each ``key``.

    rules: the game's options by key, and ``format`` ("rounds 5"), ``opener``, ``first`` ("draw"); the usual ones where
    left out. people: seats for people; the first is the asker's, called ``name``. Left out, each person who comes gets
    a new seat, and the match begins when the host says so or all are ready. others: names of those who share the
    asker's phone, a seat each. start: it begins at once. bots: policies, a seat each. listed: whether it stands in the
    lobby. dice: house, real or sealed, which wait for the seats' seeds before they start. grace_s: how long a lost seat
    waits before the others may vote; clock_s: a turn's time, 0 for none; pace_ms: a bot's pause. lessons: everybody
    gets hints, and a warning before a choice that loses this many percent of the prize; 0 for none. chances: everybody
    sees each seat's chances.
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

    said: the answer to a typed line, beside the events.
    """

    seq: int
    go: str | None = None
    said: str | UnsetType = UNSET


class Refusal(Struct):
    """A request was refused and nothing has changed: a stable code, and the reason in a sentence."""

    code: str
    why: str


class DieView(Struct):
    """A die on the table.

    place: from 0, as in marks; people read and type one more. status: free, marked (to be kept), reroll (others are
    kept, so this one is rolled again), idle (it may not stay: no legal keep holds it), locked, or lying (nobody is
    choosing from it: dice that must all be rolled again lie so until then, and those of a keep without a choice until
    the next roll). fresh: fell with the last roll. label: "Die 3, five", which is at place 2. word: its status in a
    word, "" if idle or lying. marks: the marks after it is pressed, places from 0 parted by spaces; dice that can only
    be kept together are marked and freed together. None where it cannot be pressed.
    """

    place: PlaceOnTray
    face: int
    status: str
    fresh: bool
    label: str
    word: str
    marks: str | None


class Told(Struct):
    """A line as everybody reads it, and as the seats it is about do.

    own: by seat, the line in the second person ("You rolled 6 5 2 3."); only where it differs from ``text``.
    """

    text: str
    own: dict[int, str] = {}


class RailView(Struct):
    """The dice a turn has won so far, slot by slot: first those a turn needs.

    label: over the needed slots ("You need"). total_label, total: the score so far ("Your score", "6"). said: the same
    in a line.
    """

    slots: tuple[Slot, ...]
    label: Told
    total_label: Told
    total: str
    said: Told


class BeamView(Struct):
    """A sum against a target, on a scale up to ``most``. label: of the target ("20 wins"). said: in a line."""

    value: int
    target: int
    most: int
    label: str
    said: Told


class SeatView(Struct):
    """A seat.

    kind: empty, person, bot, standin (a bot plays for a person). here: False while a person's connections are lost.
    note: a few words, such as "away" or "Tip plays". dice: the faces of those on the table. score: of this round, or a
    word for it, such as "missed"; points: of the match. hand: its dice read out by name; own_hand: to those who sit
    there; own_keys: the same with the keys that choose its dice, "" where they are 1, 2, 3 and so on. votable: the
    others may vote a bot in; voted: the seats that have, and whose votes are not enough yet. out: it has left the match
    as a winner. side: its name in the game for this number of seats, such as "Red". awaited: it is empty, and kept for
    who had it at the table before. ready: its people are ready for the match. vote_at: when the others may vote, in the
    house's time; 0 if nobody is waited for.
    """

    name: str
    kind: str
    here: bool
    turn: bool
    out: bool
    host: bool
    note: str
    score: str
    points: str
    dice: list[int]
    hand: str
    votable: bool
    voted: list[int] = []
    side: str = ""
    own_hand: str = ""
    own_keys: str = ""
    awaited: bool = False
    ready: bool = False
    vote_at: int = 0


class Button(Struct):
    """A button of the mover's: its deed, and its label. One that is not ready says what is missing.

    gold: it is all that can be done, or what the player has chosen; where a choice is open, no button stands out.
    """

    do: str
    label: str
    ready: bool = True
    gold: bool = False


class Sure(Struct):
    """A second, quiet action of the mover's that asks before it is done.

    do: its deed. label: "Reroll all four…". question: "Throw away 17?". yes, no: the answers' labels.
    """

    do: str
    label: str
    question: str
    yes: str
    no: str


class Standing(Struct):
    """Somebody's tally in an evening, and their seat here, if they have one.

    takings: amounts by unit, such as chips won or lost, each unit that occurred, the first to occur first. told: those
    of them that pages show beside the matches won, in words, such as "3 pints". buys: true of who pays, or shares the
    bill.
    """

    name: str
    seat: int | None
    wins: int
    takings: dict[str, int]
    told: list[str]
    buys: bool = False


class Evening(Struct):
    """The tally of a chain of ``games`` matches, by matches won; the leader, in a line; the buyer, in sentences."""

    games: int
    rows: list[Standing]
    lead: str
    buys: list[str] = []


class SealView(Struct):
    """The seal of sealed dice: eight words, the digest in hex that they stand for, and the seal as records have it.

    unseeded: the seats whose people have still to add a seed. opened: the match is over, and the record holds the seed.
    digests: by seat, of the seeds that phones keep, "-" for a seat without one, "" before. unopened: the seats whose
    phones have still to open them. header: the text that the dice follow from, from the time it is fixed to the first
    roll, at last with all seeds. line: the seats without a seed of their own, or still waited for, in a line; empty in
    a match.
    """

    words: list[str]
    digest: str
    seal: str
    unseeded: list[int]
    opened: bool
    digests: list[str]
    unopened: list[int]
    header: str
    line: str


class View(Struct):
    """A table as it stands after ``seq`` events. ``dice`` are the mover's; or else those of a turn that ended with a
    roll, and left says whose: for a moment, and only for those who are not to roll now.

    by_bot: a bot plays that turn, perhaps for a person: no page is asked for a move.
    shape: seq of the last event that changed who sits here or the stage, and, while people gather whose host is lost,
    all seats that are lost; a page of another shape reloads. stage: gathering, playing, over. mover: whose turn it is.
    ask: what the mover is to do: roll, keep, move, draw, enter (real dice), none. moves: those open to the mover where
    actions are no keeps; things: what lies on the table besides dice. rolls: rolls so far in the match. places: dice a
    seat has at most. due: dice to be rolled next. heading: whose turn it is, and what to do; status: the one line under
    it. main: the one main button; sure: a second action that asks first; bank: the one that ends a turn, where that is
    something else. rail, beam: what the game shows of a turn, and ladder of its scores. red: faces with red pips, those
    that the turn still needs. beat: what must be beaten; scores, standing: the round and the match; whose: whose turn,
    or what is waited for, and who is here; counter: "Round 2 of 5"; last: what was said last. clock, now: the turn's
    deadline and the house's time, ms since 1970. result: how it ended, who won first. won: the seats that won;
    won_dice: the best hand with which they won a round, empty where they won none; of a match that somebody pays for
    (pays), the last hand of who does. won_red: the places among them with red pips. won_with: the hand's score, and its
    round where there were several. rounds: those won, by seat, where they are counted. tied: nobody won alone, and one
    more round can decide it. rematch: the next table's address. seal: of sealed dice. paused: why nobody plays now.
    evening: what the matches of this chain have come to. planned: what the line-up has next, in a line. queue: who
    watches and wants to play in the next match.
    faces: of dice that are not the usual ones, the names that are drawn on them. verbs: where actions are no keeps,
    words that can be typed to roll and to move, each with what it does. example: a line that the mover can type now,
    and what it does. dice_version: seq of the last event that changed the dice: a mark is none.
    While people gather: grows: each person who comes gets a new seat, if there is room. missing: so many players short.
    """

    seq: int
    shape: str
    stage: str
    mover: int | None
    ask: str
    rolls: int
    places: int
    dice: list[DieView]
    heading: Told
    status: Told
    main: Button | None
    sure: Sure | None
    bank: Button | None
    back: Button | None
    rail: RailView | None
    beam: BeamView | None
    red: list[int]
    beat: Told
    scores: Told
    standing: Told
    whose: Told
    counter: str
    last: list[Told]
    seats: list[SeatView]
    clock: int | None
    now: int
    result: list[Told]
    won: list[int]
    won_dice: list[int]
    rematch: str | None
    paused: Told | None = None
    evening: Evening | None = None
    planned: str = ""
    queue: list[str] = []
    grows: bool = False
    room: bool = False
    missing: int = 0
    due: int = 0
    won_with: str = ""
    won_red: list[int] = []
    pays: list[int] = []
    rounds: list[int] = []
    tied: bool = False
    seal: SealView | None = None
    ladder: Ladder | None = None
    left: Told | None = None
    moves: tuple[Offer, ...] = ()
    things: Things | None = None
    faces: list[str] | UnsetType = UNSET
    verbs: list[tuple[str, str]] | UnsetType = UNSET
    by_bot: bool = False
    example: str = ""
    dice_version: int = 0


class Say(Struct):
    """A line to be said. urgent: said at once. own: by seat, in the second person; only where it differs.

    level: 0 always, and written into the story; -1 always, but not written, as the next line will tell; 1 only in full
    wording; 2 only in full wording, and to the mover alone; 3 as 2, where number keys choose dice by their places.
    """

    text: str
    level: int = 0
    urgent: bool = False
    own: dict[int, str] = {}


PHRASES = ("Cheers!", "Ouch", "Lucky!", "Come on", "Nice!", "Oh no")
"""The phrases that players may call across the table."""


class React(Struct):
    """Somebody has called across the table: from which seat, which phrase, and its text."""

    seat: int
    phrase: int
    text: str


class Update(Struct):
    """A message of a stream: events ``log`` up to ``seq`` (none if only the view changed), the announcements, the view.

    react: a player's reaction of just now; it is kept nowhere.
    """

    seq: int
    log: list[str]
    say: list[Say]
    view: View
    react: React | None = None


class ChanceNews(Struct):
    """Every seat's chances after ``seq`` events, at a table that shows them.

    html: the panel of the table's page. say: all chances in a line after each turn; "" within one. line: all chances,
    whenever somebody asks; "" where there are none.
    """

    seq: int
    html: str
    say: str
    line: Told


class State(Update):
    """A table as it stands, in one message. ``seat`` is the asker's own, the mover's if several are; ``seats`` all.

    game: its title, in the asker's language.
    """

    seat: int | None = None
    seats: list[int] = []
    game: str = ""
