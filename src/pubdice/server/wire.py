"""Messages between a house and its clients, as data: commands, orders, refusals, views of a table, and news of it.

Knows no HTTP. Every text for people is already in their language. All readers of a language get the same view, so it is
made and encoded once per language. The page knows its player's seat.
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
"""The most seats that a message can name. It bounds the size of messages. The game limits the seats of a table."""
ClientKey = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$(?!\n)")]
OrderKey = Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z0-9_-]*$(?!\n)")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_ASKED_SEATS)]
PlaceOnTray = Annotated[
    int, Meta(ge=0, lt=32, description='Where a die lies: from 0, left to right. People count from 1: "Die 3" is at 2.')
]


_FIELD = re.compile(r"field `(\w{1,40})`|`\$\.(\w+)")


def wrong(error: ValidationError, field: str = "") -> Refused:
    """Return the refusal of a message that does not fit its type, with the name of the wrong field.

    msgspec's own text is no use to players: it is in English, and for programmers.

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
"""The fields of requests, with their bounds. They are hashed in this order (``commit.key_of``): new ones come last."""


class Asked(Struct, kw_only=True, tag_field="do"):
    """A person's request at a table: a tagged union. The tag ``do`` names the command.

    - key: the idempotency key. A request counts once under it.
    - seen: the last event (``View.seq``) that the player had seen. If dice have changed since, a command about dice is
      refused as ``seen-late``, and nothing changes. Always send it. Without it, or with a number above the last event,
      the player counts as having seen all that the process knew when it read the request. Over PostgreSQL that is
      everything.

    An omitted field has no value in the message.
    """

    do: ClassVar[str]
    makes: ClassVar[type[RoomCommand]]
    own: ClassVar[tuple[str, ...]]
    key: ClientKey
    seen: EventNumber | UnsetType = UNSET


class JoinByWords(Asked, tag="join"):
    """Join a seat from another phone, by the seat's four words."""

    words: LongText | UnsetType = UNSET


class AskRematch(Asked, tag="rematch"):
    """Come to the next table.

    - change: I am not ready yet.
    - decider: the next match is one more round, for the players who share this match.
    """

    change: bool | UnsetType = UNSET
    decider: bool | UnsetType = UNSET


class CallOut(Asked, tag="react"):
    """Call one of ``PHRASES`` across the table, by its number."""

    phrase: PhraseNumber | UnsetType = UNSET


class Forget(Asked, tag="forget"):
    """Take a table off my list, if I have left it or its match is over."""


class TypeLine(Asked, tag="type"):
    """Do or answer a typed line. Dice are typed by face: ``1 6 r``."""

    text: LongText | UnsetType = UNSET


class AskHint(Asked, tag="hint"):
    """Ask for the coach's hint, at a table with lessons."""


def _wired(command: type[RoomCommand]) -> type[Asked]:
    """Make the message class for a command of the room. It has the command's fields, all optional."""
    own = [(field.name, FIELDS[field.name] | UnsetType, UNSET) for field in fields(cast(Any, command))]
    names = tuple([name for name, *_ in own])
    named = {"__doc__": command.__doc__, "do": command.do, "makes": command, "own": names}
    made = defstruct(command.__name__, own, bases=(Asked,), tag=command.do, namespace=named)
    return cast(type[Asked], made)


OTHERS: tuple[type[Asked], ...] = (JoinByWords, AskRematch, CallOut, Forget, TypeLine, AskHint)
"""The requests that are no command of the room, because they need other tables, the store or a secret."""
for _kind in OTHERS:
    _kind.do = str(_kind.__struct_config__.tag)
REQUESTS: dict[str, type[Asked]] = {kind.do: kind for kind in (*map(_wired, ASKED), *OTHERS)}
"""Every request at a table, by its tag."""


class Order(Struct, forbid_unknown_fields=True):
    """A table to set up, once for each ``key``.

    - rules: the game's options by key, and ``format`` ("rounds 5"), ``opener``, ``first`` ("draw"). Omitted ones are
      usual.
    - people: seats for people, the first for the sender, called ``name``. If None, each person who comes gets a new
      seat, and the match begins when the host starts it or all are ready.
    - others: names of people who share the sender's phone, a seat each.
    - bots: policies, a seat each.
    - start: begin the match at once.
    - listed: show the table in the lobby.
    - dice: "house", "real", or "sealed", for which the match waits for the seats' seeds.
    - grace_s: the time that a lost seat waits before the other players may vote.
    - clock_s: the time of a turn, 0 for none.
    - pace_ms: the pause of a bot.
    - lessons: every player gets hints, and a warning before a choice that loses this many percent of the prize. 0 for
      none.
    - chances: show each seat's chances to all.
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
    """A table was set up: its code and its address."""

    code: str
    go: str


class Done(Struct):
    """A command was done and is stored.

    - seq: the number of the table's events so far.
    - go: the address to go to next, None to stay.
    - said: the answer to a typed line.
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

    - place: its place from 0, as in marks. People read and type a number one higher.
    - status: free, marked (to be kept), reroll (other dice are kept, so this one is rolled again), idle (no legal keep
      holds it), locked, or lying (there is nothing to choose until the next roll).
    - fresh: fell with the last roll.
    - label: "Die 3, five" for the die at place 2.
    - word: its status in a word, "" if idle or lying.
    - marks: the marks after it is pressed, places from 0 separated by spaces. Dice that can only be kept together are
      marked and freed together. None if it can't be pressed.
    """

    place: PlaceOnTray
    face: int
    status: str
    fresh: bool
    label: str
    word: str
    marks: str | None


class Told(Struct):
    """A line for all readers. ``own`` has it in the second person by seat ("You rolled 6 5 2 3."), if it differs."""

    text: str
    own: dict[int, str] = {}


class RailView(Struct):
    """The dice that a turn has won so far, slot by slot. The needed slots come first.

    - label: the heading of the needed slots ("You need").
    - total_label, total: the score so far ("Your score", "6").
    - said: all this in a line.
    """

    slots: tuple[Slot, ...]
    label: Told
    total_label: Told
    total: str
    said: Told


class BeamView(Struct):
    """A sum against a target, on a scale to ``most``. ``label``: the target's label ("20 wins"). ``said``: the whole in
    a line.
    """

    value: int
    target: int
    most: int
    label: str
    said: Told


class SeatView(Struct):
    """A seat.

    - kind: empty, person, bot, or standin (a bot plays for a person).
    - here: False while all the person's connections are lost.
    - out: it has left the match as a winner.
    - note: a few words, such as "away" or "Tip plays".
    - score: its score of this round, or a word for it, such as "missed".
    - points: its points of the match.
    - dice: the faces of its dice on the table.
    - hand: its dice read out, with its name.
    - own_hand: its dice read out to its own players.
    - own_keys: the same with the keys that choose the dice, "" if they are 1, 2, 3 and so on.
    - votable: the other players may vote a bot in.
    - voted: the seats that have voted, while a majority is missing.
    - vote_at: the time from which the other players may vote, in the house's time. 0 if the table waits for no player
      of the seat.
    - side: its name in the game for this number of seats, such as "Red".
    - awaited: it is empty, and kept for its player at the table before.
    - ready: its players are ready for the match.
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
    """A button for the mover. One that is not ready says what is missing.

    - do: its deed.
    - gold: it is the only thing to do, or the player's own choice. If several choices are open, no button stands out.
    """

    do: str
    label: str
    ready: bool = True
    gold: bool = False


class Sure(Struct):
    """A second, quiet action of the mover. It asks before it is done.

    - do: its deed.
    - label: "Reroll all four…".
    - question: "Throw away 17?".
    - yes, no: the labels of the answers.
    """

    do: str
    label: str
    question: str
    yes: str
    no: str


class Standing(Struct):
    """A player's tally in an evening.

    - seat: the player's seat at this table, None without a seat.
    - wins: matches won.
    - takings: amounts by unit, such as chips won or lost. The unit that occurred first comes first.
    - told: the takings that pages show beside the wins, in words, such as "3 pints".
    - buys: the player pays, or shares the bill.
    """

    name: str
    seat: int | None
    wins: int
    takings: dict[str, int]
    told: list[str]
    buys: bool = False


class Evening(Struct):
    """The tally of a chain of tables with ``games`` finished matches, by wins. ``lead``: the leader, in a line.
    ``buys``: the buyer.
    """

    games: int
    rows: list[Standing]
    lead: str
    buys: list[str] = []


class SealView(Struct):
    """The seal of sealed dice.

    - words: eight words that stand for the digest.
    - digest: the digest, in hex.
    - seal: the seal, as records have it.
    - unseeded: the seats whose players have yet to add a seed.
    - opened: the match is over, and the record has the house's seed.
    - digests: by seat, the digest of the phone's seed. "-" for a seat that adds no seed, "" while no digest has come.
    - unopened: the seats whose phones have yet to open their seeds.
    - header: the text from which the dice follow, from the time it is fixed until the first roll. At last it has all
      seeds.
    - line: a sentence about seats without a seed of their own, or still awaited. "" in a match.
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
    """A table after ``seq`` events.

    The page:

    - shape: the number of the last event that changed the seats or the stage, and the lost seats while people gather
      without their host. A page of another shape reloads.
    - stage: gathering, playing, over.
    - grows: while people gather, each person who comes gets a new seat, if there is ``room``.
    - missing: the players still needed to begin.
    - now: the house's time in ms since 1970. ``clock`` is the deadline of the turn.
    - paused: the reason why play stands still.
    - asked: the open question to take a choice back. ``answers`` has the seats that must still answer it.

    The turn:

    - mover: the seat whose turn it is.
    - by_bot: a bot plays the turn, perhaps for a person, so no page is asked for a move.
    - ask: the mover's task: roll, keep, move, draw, enter (real dice) or none.
    - dice: the mover's. For a moment after a turn that ended with a roll, all readers but the next mover get that
      turn's dice. ``left`` then names their player.
    - dice_version: the number of the last event that changed the dice. A mark does not count.
    - rolls: rolls of the match so far.
    - places: the most dice of a seat.
    - due: dice to roll next.
    - red: the faces with red pips: the faces that the turn still needs, or else the faces that the game always draws
      so.
    - heading: the player to move, and the task. ``status`` is the one line under it.
    - main: the main button. ``sure`` is a second action that asks first. ``bank`` ends the turn, if ``main`` does not.
    - back: takes back typed dice, or asks for the last choice. ``back_by`` is the only seat that can do so.
    - moves: the open moves, in a game without keeps. ``things`` has everything on the table besides dice.
    - rail, beam, ladder: pictures of the turn that the game may show.
    - beat: the score to beat.
    - whose: the player to move, or the reason for waiting, and the players who are here.
    - faces: the names drawn on unusual dice.
    - verbs: words to type for a roll and a move, each with its effect, in a game without keeps.
    - example: a line that the mover can type now, and its effect.

    The match:

    - scores, standing: sentences about the round and about the match.
    - counter: "Round 2 of 5".
    - last: the latest lines said.
    - rounds: rounds won by seat, if the format counts them.
    - seal: the seal of sealed dice.

    The end:

    - result: sentences, the winner's first.
    - won: the winning seats. ``pays`` has the seats that pay.
    - won_dice: the best hand of the winners in a round that they won, empty if they won no round. If a seat pays, its
      last hand. ``won_red`` has the places among them with red pips.
    - won_with: the hand's score, and its round if there were several.
    - tied: no seat won alone, and one more round can decide it.
    - rematch: the next table's address.
    - evening: the tally of this chain's matches.
    - planned: the next game of the line-up, in a line.
    - queue: the names of spectators who want to play in the next match.
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
    asked: Told | None = None
    answers: list[int] = []
    back_by: int | None = None


class Say(Struct):
    """An announcement. ``own`` has it in the second person by seat, if it differs. ``urgent``: say it at once.

    - level 0: always said, and written into the story.
    - level -1: always said, but not written, as the next line will tell it.
    - level 1: only in full wording.
    - level 2: only in full wording, and only to the mover.
    - level 3: as 2, and only if number keys choose dice by their places.
    """

    text: str
    level: int = 0
    urgent: bool = False
    own: dict[int, str] = {}


PHRASES = ("Cheers!", "Ouch", "Lucky!", "Come on", "Nice!", "Oh no")
"""The phrases that players may call across the table."""


class React(Struct):
    """A player called across the table: the seat, the phrase's number, and its text."""

    seat: int
    phrase: int
    text: str


class Update(Struct):
    """A message of a stream: the events up to ``seq`` (none if only the view changed), the announcements, the view.

    ``react`` is a phrase called just now. It is not stored.
    """

    seq: int
    log: list[str]
    say: list[Say]
    view: View
    react: React | None = None


class ChanceNews(Struct):
    """Every seat's chances after ``seq`` events, at a table that shows them.

    - html: the panel of the table's page.
    - say: all chances in a line after each turn, "" within a turn.
    - line: all chances, for a player who asks. "" if no chances are known.
    """

    seq: int
    html: str
    say: str
    line: Told


class State(Update):
    """A table as it stands, in one message. ``game`` is its title in the client's language.

    ``seats`` has all seats of the client. ``seat`` is the seat for which the client acts: the mover's seat, if the
    client has it.
    """

    seat: int | None = None
    seats: list[int] = []
    game: str = ""
