"""What each of the house's pages shows, as frozen data. Knows no templates and no request.

What comes from a kit (its tagline, what a house rule does) is English, and said in the reader's language by the
templates; views and rows of tables are in the reader's language already.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pubdice.match.formats import FormatKind
from pubdice.room.setup import PACE_MS
from pubdice.server.show.chance_panel import ChancePanel
from pubdice.server.wire import View

OTHERS = tuple(f"player{number}" for number in range(2, 9))
"""Fields of the pocket's form of a new table for those who share the phone; more people are added at the table."""
MOST_BOTS = 4
"""Bots that the same form seats."""


@dataclass(frozen=True, slots=True)
class FormOption:
    """Something to choose: the value a form sends, and in English what it means."""

    value: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A house rule of a game: its key, what it does, in English, and the choices, the default first."""

    key: str
    meaning: str
    choices: tuple[FormOption, ...]


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game that can be set up.

    formats: its kinds, the default first. openers: as formats with several rounds have them.
    draws_from: from so many seats on Player 1 is drawn; 0 for never.
    """

    name: str
    title: str
    tagline: str
    rules: tuple[Rule, ...]
    formats: tuple[FormatKind, ...]
    openers: tuple[FormOption, ...]
    bots: tuple[FormOption, ...]
    most_seats: int
    draws_from: int = 0


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table in a list: where it is, what is played with whom, how it stands, and what its button says.

    turn: the one who looks is to play. forget: a key under which this person can have it listed no more.
    href: where it is.
    """

    code: str
    title: str
    line: str
    go: str
    turn: bool = False
    forget: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The front page.

    key: a fresh one, so that a table opened twice is opened once. name: what this person was called last;
    others: those who shared the phone then. values: a refused form, to be shown again (fields left out show defaults).
    refusal: why, in a sentence, and ``field`` the field it is about ("code": the form to enter a code). origin: where
    others find the house, such as "http://house".
    """

    games: tuple[GameCard, ...]
    mine: tuple[TableRow, ...] = ()
    lobby: tuple[TableRow, ...] = ()
    key: str = ""
    name: str = ""
    others: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    refusal: str = ""
    field: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class PlanForm:
    """What the host may plan: games as (value, label), how many matches likewise, how many of this game there are now
    (a value), and the games planned, by name and in words.
    """

    plays: tuple[tuple[str, str], ...]
    times: tuple[tuple[str, str], ...]
    matches: str
    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table, as the person sees it who asks.

    address: in full, to be shared. game: the kit's name. title: the game's. rules: those in force, in a line. seat: the
    one this browser acts for, the mover's where several (``seats``) are; held: the one whose hands the phone is in.
    queued: wants to play in the next match. host: may run the table, and remove those at ``removable`` seats (None: at
    any). words: the four words of one's seat. story: lines, oldest first. key: a fresh one. name: what this person was
    called last. bots: that may play for people, the usual one first. banned: was removed, and cannot sit here again.
    real: the dice are the people's own. refusal: why ``refused`` (a deed, such as "sit") was not done. said: the answer
    to a typed line; typed: one that was refused. unreachable: why no phone can come to ``address``, and how to mend it;
    "" where phones can. origin: where others find the house. card: the game, where the host may still change its rules;
    values: those in force, as fields of a form; field: which of them was refused; change: the form is to stand open.
    here: its link in this house. prices: the page that says what its rules do; "" without one.
    shut: nobody new may sit down. full: the match cannot go on, as its log is full.
    keeps_dice: dice can be chosen in this game. lessons: as in ``Setup``; hinted: ``said`` is a hint. chances: every
    seat's, at a table that shows them. plan: what the host may plan now; None where there is nothing to.
    more: the line-up has another match. night: the link of the table's duplicate night; "" for none.
    """

    code: str
    address: str
    game: str
    title: str
    rules: str
    view: View
    key: str
    seat: int | None = None
    seats: tuple[int, ...] = ()
    held: int | None = None
    queued: bool = False
    host: bool = False
    removable: frozenset[int] | None = None
    words: str = ""
    story: tuple[str, ...] = ()
    name: str = ""
    pace_ms: int = PACE_MS
    bots: tuple[str, ...] = ()
    banned: bool = False
    shut: bool = False
    full: bool = False
    real: bool = False
    refusal: str = ""
    refused: str = ""
    said: str | None = None
    hinted: bool = False
    lessons: int = 0
    chances: ChancePanel | None = None
    typed: str = ""
    unreachable: str = ""
    origin: str = ""
    card: GameCard | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    field: str = ""
    change: bool = False
    here: str = ""
    prices: str = ""
    keeps_dice: bool = True
    plan: PlanForm | None = None
    more: bool = False
    night: str = ""
