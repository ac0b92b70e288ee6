"""What a table sends to its pages, as data: its view, what has happened, what is said. Knows no HTTP.

Everything a person reads in here is already in their language. A view is the same for all who read that language, so it
is made and encoded once; which seat is one's own, the page knows.
"""

from msgspec import Struct

from pubdice.server.requests import PlaceOnTray


class DieView(Struct):
    """A die on the table.

    place: from 0, as in marks; people read and type one more. status: free, marked (to be kept), reroll (others are
    kept, so this one is rolled again), idle (no legal keep holds it beside those marked), locked, or lying (nobody is
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


class SlotView(Struct):
    """A slot of the rail: the die that lies in it, and the face engraved in it; 0 for none of either.

    preview: the die is chosen now, and not locked yet.
    """

    face: int = 0
    want: int = 0
    preview: bool = False


class RailView(Struct):
    """The dice a turn has won so far, slot by slot: first those a turn needs.

    label: over the needed slots ("You need"). total_label, total: what counts so far ("Your score", "6"). said: the
    same in a line.
    """

    slots: list[SlotView]
    label: Told
    total_label: Told
    total: str
    said: Told


class BeamView(Struct):
    """A sum against a target, on a scale up to ``most``. label: what stands there ("20 wins"). said: in a line."""

    value: int
    target: int
    most: int
    label: str
    said: Told


class SeatView(Struct):
    """A seat.

    kind: empty, person, bot, standin (a bot plays for a person). here: False while a person's connections are lost.
    note: a few words, such as "away" or "Tip plays". dice: the faces of those on the table. score: of this round, or a
    word for it, such as "missed"; points: of the match. hand: its dice read out by name; own_hand: to those who
    sit there. votable: the others may vote a bot in; voted: the seats that have, and whose votes are not enough yet.
    out: it has left the match as a winner. side: what the game calls it where just so many play, such as "Red".
    awaited: it is empty, and kept for who had it at the table before. ready: its people are ready for the match.
    vote_at: when the others may vote, in the house's time; 0 if nobody is waited for.
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
    awaited: bool = False
    ready: bool = False
    vote_at: int = 0


class Button(Struct):
    """A button of the mover's: what it asks for, and its label. One that is not ready says what is missing."""

    do: str
    label: str
    ready: bool = True


class Sure(Struct):
    """A second, quiet action of the mover's that asks before it is done.

    do: what it asks for. label: "Reroll all four…". question: "Throw away 17?". yes, no: the answers' labels.
    """

    do: str
    label: str
    question: str
    yes: str
    no: str


class Standing(Struct):
    """What somebody has come to in an evening, and their seat here, if they have one.

    takings: amounts by unit, such as chips won or lost, each unit that occurred, the first to occur first. told: those
    of them that pages show beside the matches won, in words, such as "3 pints".
    """

    name: str
    seat: int | None
    wins: int
    takings: dict[str, int]
    told: list[str]


class Evening(Struct):
    """What a chain of ``games`` matches has come to, by matches won; and who leads, in a line."""

    games: int
    rows: list[Standing]
    lead: str


class SealView(Struct):
    """The seal of sealed dice: eight words, the digest in hex that they stand for, and the seal as records have it.

    unseeded: the seats whose people have still to add a seed. opened: the match is over, and the record holds the seed.
    digests: by seat, of the seeds that phones keep, "-" for a seat without one, "" before. unopened: the seats whose
    phones have still to open them. header: what the dice follow from, from when it is fixed to the first roll, at last
    with all seeds. line: who adds no seed of their own, or is waited for, in a line; empty in a match.
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
    """A table as it stands after ``seq`` events. ``dice`` are the mover's.

    shape: seq of the last event that changed who sits here or the stage, and, while people gather whose host is lost,
    all seats that are lost; a page of another shape reloads.
    stage: gathering, playing, over. mover: whose turn it is. ask: what the mover is to do: roll, keep, draw, enter
    (real dice), none. rolls: rolls so far in the match. places: dice a seat has at most. due: dice to be rolled next.
    heading: whose turn it is, and what to do; status: the one line under it. main: the one main button; sure:
    a second action that asks first; bank: the one that ends a turn, where that is something else. rail, beam: what
    the game shows of a turn. red: faces with red pips, those a turn needs. beat: what must be beaten; scores,
    standing: the round and the match; whose: whose turn, or what is waited for, and who is here; counter: "Round 2 of
    5"; last: what was said last. clock, now: the turn's deadline and the house's time, ms since 1970. result: how it
    ended, who won first. won: the seats that won; won_dice: what the winner ended with. rematch: the next table's
    address. seal: of sealed dice. paused: why nobody plays now. evening: what the matches of this chain have
    come to. planned: what the line-up has next, in a line. queue: who watches and wants to play in the next match.
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
    seal: SealView | None = None


class Say(Struct):
    """A line to be said. urgent: said at once. own: by seat, in the second person; only where it differs.

    level: 0 always, and written into the story; -1 always, but not written, as the next line will tell; 1 only in full
    wording; 2 only in full wording, and to the mover alone.
    """

    text: str
    level: int = 0
    urgent: bool = False
    own: dict[int, str] = {}


PHRASES = ("Cheers!", "Ouch", "Lucky!", "Come on", "Nice!", "Oh no")
"""What may be called across the table."""


class React(Struct):
    """Somebody has called across the table: from which seat, which phrase, and its text."""

    seat: int
    phrase: int
    text: str


class Update(Struct):
    """What a stream carries: events ``log`` up to ``seq`` (none if only the view changed), what to say, the view.

    react: what somebody has called just now; it is kept nowhere.
    """

    seq: int
    log: list[str]
    say: list[Say]
    view: View
    react: React | None = None


class ChanceNews(Struct):
    """Every seat's chances after ``seq`` events, at a table that shows them.

    html: the panel of the table's page. say: all chances in a line after each turn; "" within one.
    """

    seq: int
    html: str
    say: str


class State(Update):
    """A table as it stands, in one message. ``seat`` is the asker's own, the mover's if several are; ``seats`` all."""

    seat: int | None = None
    seats: list[int] = []
