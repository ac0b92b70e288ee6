"""The house's pages: what each shows, as frozen data, and one function a page that gives its HTML. Knows no request.

Templates hold the English sentences; ``t`` and ``n`` say them in the reader's language. What comes from a kit (its
tagline, what a house rule does) is English too and said the same way; views and rows of tables are in the reader's
language already. Everything is escaped on its way in, and no page has a script, a style or a picture but our own files.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import count
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from pubdice.server.company import PHRASES
from pubdice.server.wire import DieView, Told, View
from pubdice.words import Language, sentence

WEB = files(__package__ or "pubdice.server") / "web"

SHAPES = "●■▲◆★▼○□△◇☆▽"
"""What the seats are told apart by, besides their colours."""
GRACES_S = (30, 60, 120, 300, 600, 3600)
CLOCKS_S = (0, 15, 30, 60, 120, 300)
MOST_ROUNDS = 20
REFRESH_S = 10
"""A page without scripts loads itself anew so often while one waits; ``presence.SEEN_MS`` is longer."""
MODULES = ("line", "view", "keys", "page", "speech", "sound", "motion", "pad", "awake", "share")
"""Scripts that table.js loads."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What all pages have round them.

    code: the language's, such as "en". languages: all there are, as (code, own name). games: those with a page of
    rules, as (name, title). here: this page's path, to come back to. theme: "light", "dark", or empty for the system's.
    """

    language: Language
    code: str = "en"
    languages: tuple[tuple[str, str], ...] = (("en", "English"), ("de", "Deutsch"))
    games: tuple[tuple[str, str], ...] = (("midnight", "Midnight"), ("420", "420"))
    here: str = "/"
    theme: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose: the value a form sends, and in English what it means."""

    value: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A house rule of a game: its key, what it does, in English, and the choices, the default first."""

    key: str
    meaning: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game that can be set up.

    formats: its kinds, such as "rounds", the default first. openers: as formats with several rounds have them.
    draws_from: from so many seats on Player 1 is drawn; 0 for never.
    """

    name: str
    title: str
    tagline: str
    rules: tuple[Rule, ...]
    formats: tuple[Choice, ...]
    openers: tuple[Choice, ...]
    bots: tuple[Choice, ...]
    most_seats: int
    draws_from: int = 0


@dataclass(frozen=True, slots=True)
class Preview:
    """What a link to a page looks like in a chat: a title, a line, and where its picture is. Names nobody."""

    title: str
    text: str
    origin: str


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
class Front:
    """The front page.

    key: a fresh one, so that a table opened twice is opened once. name: what this person was called last. values: a
    refused form, to be shown again (fields left out show defaults). refusal: why, in a sentence, and ``field`` the
    field it is about ("code": the form to enter a code). origin: where others find the house, such as "http://house".
    """

    games: tuple[GameCard, ...]
    mine: tuple[TableRow, ...] = ()
    lobby: tuple[TableRow, ...] = ()
    key: str = ""
    name: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    refusal: str = ""
    field: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class TablePage:
    """A table, as the person sees it who asks.

    address: in full, to be shared. game: the kit's name. title: the game's. rules: those in force, in a line. seat: the
    one this browser acts for, the mover's where several (``seats``) are; held: the one whose hands the phone is in.
    queued: wants to play in the next match. host: may run the table, and remove those at ``removable`` seats (None: at
    any). words: the four words of one's seat. story: lines, oldest first. key: a fresh one. name: what this person was
    called last. bots: that may play for people, the usual one first. barred: was removed, and cannot sit here again.
    real: the dice are the people's own. refusal: why ``refused`` (a deed, such as "sit") was not done. said: the answer
    to a typed line; typed: one that was refused. unreachable: why no phone can come to ``address``, and how to mend it;
    "" where phones can. origin: where others find the house. card: the game, where the host may still change its rules;
    values: those in force, as fields of a form; field: which of them was refused; change: the form is to stand open.
    here: its link in this house. shut: nobody new may sit down. full: the match cannot go on, as its log is full.
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
    pace_ms: int = 1200
    bots: tuple[str, ...] = ()
    barred: bool = False
    shut: bool = False
    full: bool = False
    real: bool = False
    refusal: str = ""
    refused: str = ""
    said: str | None = None
    typed: str = ""
    unreachable: str = ""
    origin: str = ""
    card: GameCard | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    field: str = ""
    change: bool = False
    here: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A page that is not there, or a request that was refused: the status, why in a sentence, and the code of that."""

    status: int
    why: str
    code: str = ""


@cache
def read_static(name: str) -> bytes:
    """A file of the house's own. Raises FileNotFoundError."""
    return (WEB / "static" / name).read_bytes()


@cache
def edition() -> str:
    """A hash of all static files together, so that scripts that name each other by relative paths stay together."""
    mine = sorted((file.name, file.read_bytes()) for file in (WEB / "static").iterdir() if file.is_file())
    return sha256(b"".join(name.encode() + b"\0" + content for name, content in mine)).hexdigest()[:12]


def static(name: str) -> str:
    """Where a static file is, under the hash of them all: it can be kept for ever."""
    return f"/static/{edition()}/{name}"


def _template(name: str) -> str:
    return (WEB / "templates" / name).read_text(encoding="utf-8")


def templates() -> tuple[str, ...]:
    """The names of all templates."""
    return tuple(sorted(file.name for file in (WEB / "templates").iterdir() if file.name.endswith(".html")))


def load(name: str) -> None:
    """Compile a template, which takes up to 40 ms, so that no page has to wait for it."""
    _house().get_template(name)


@cache
def _house() -> Environment:
    env = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    env.globals.update(static=static, shapes=SHAPES, graces=GRACES_S, clocks=CLOCKS_S, most_rounds=MOST_ROUNDS)
    env.filters["sentence"] = sentence
    env.filters["told"] = told
    return env


def told(line: Told, seat: int | None) -> str:
    """A line as a seat is told it, in the second person where it is about that seat."""
    return line.text if seat is None else line.own.get(seat, line.text)


def _page(name: str, frame: Frame, **facts: Any) -> str:
    language = frame.language
    return _house().get_template(name).render(frame=frame, t=language.say, n=language.count, **facts)


def front(frame: Frame, page: Front) -> str:
    """The front page: one's tables, a new game, a code to join with, public games."""
    chosen = page.values.get("game", page.games[0].name)
    say = frame.language.say
    text = say("Start a game, let your friends scan the code, and roll. No sign-up.")
    preview = Preview(say("Pub dice for your table"), text, page.origin)
    return _page(
        "front.html",
        frame,
        page=page,
        cards=page.games,
        changing=False,
        chosen=chosen,
        given=page.values.get,
        preview=preview,
    )


def table(frame: Frame, page: TablePage) -> str:
    """A table's page: gathering, playing and over, watching and sitting."""
    return _table("table.html", frame, page)


def big(frame: Frame, page: TablePage) -> str:
    """A table for a big screen: everybody's dice and the way in, and nothing to press."""
    return _table("big.html", frame, replace(page, seat=None, seats=(), host=False, words=""))


def _table(template: str, frame: Frame, page: TablePage) -> str:
    view, numbers, say = page.view, count(1), frame.language.say
    seats = page.seats or (() if page.seat is None else (page.seat,))
    page = replace(page, seats=seats)
    dice: dict[int, DieView] = {die.place: die for die in view.dice}
    own = seats[0] if len(seats) == 1 else None
    acts = page.seat is not None and (view.ask == "draw" or view.mover in seats)
    holder = page.held if page.held in seats else next(iter(seats), None)
    passing = len(seats) > 1 and view.mover in seats and view.mover != holder
    sitting = sum(seat.kind != "empty" for seat in view.seats)
    waits = not acts and view.stage != "over" and page.seat is not None
    return _page(
        template,
        frame,
        page=page,
        view=view,
        dice=dice,
        loose=sum(not view.rail or die.status != "locked" for die in view.dice),
        chosen=any(die.status == "marked" for die in view.dice),
        mine=view.seats[page.seat] if page.seat is not None else None,
        acts=acts,
        passing=passing,
        holder=holder,
        turn=_turn(frame.language, view, own, acts=acts),
        sitting=sitting,
        waits=waits and not page.refusal,
        others=[at for at, seat in enumerate(view.seats) if seat.kind in ("person", "standin") and _goes(page, at)],
        empty=[at for at, seat in enumerate(view.seats) if seat.kind == "empty"],
        bots=[at for at, seat in enumerate(view.seats) if seat.kind == "bot"],
        fresh=lambda: f"{page.key}-{next(numbers)}",
        told=lambda line: told(line, own),
        called=lambda seat: view.seats[seat].name or say("Seat {number}", number=seat + 1),
        own=own,
        modules=MODULES,
        refresh_s=REFRESH_S,
        phrases=[say(phrase) for phrase in PHRASES],
        spoken=spoken(frame.language, page.title),
        preview=_invitation(frame.language, page),
        cards=[page.card] if page.card else [],
        changing=True,
        given={**page.values, "pace": str(page.pace_ms)}.get,
    )


def _invitation(language: Language, page: TablePage) -> Preview:
    """What a link to a table looks like: the game and its rules, and nobody's name."""
    text = language.say("Enter your name and roll. No sign-up. {rules}", rules=page.rules)
    return Preview(language.say("Join us for {game}", game=page.title), text, page.origin)


def _turn(language: Language, view: View, own: int | None, *, acts: bool) -> str:
    """What the title says: whose turn it is, or how it ended."""
    if view.stage == "gathering":
        return language.say("Join this table")
    if view.stage == "over" and view.result:
        return told(view.result[0], own).rstrip(".!")
    return language.say("Your turn") if acts else told(view.heading, own)


def spoken(language: Language, title: str) -> dict[str, str]:
    """The sentences a table's scripts say and show, by name; {facts} in them are theirs to fill in."""
    say = language.say
    blank = {name: f"{{{name}}}" for name in ("number", "time", "die", "word", "name", "face", "dice")}

    def gap(text: str, *names: str) -> str:
        return say(text, **{name: blank[name] for name in names})

    return {
        "game": title,
        "your_turn": say("Your turn"),
        "lost": say("The connection is lost. Your seat waits; trying again."),
        "no_line": say("Waiting for the connection"),
        "back": say("Connected again."),
        "sending": say("Still being sent."),
        "unsent": say("No answer yet; trying again."),
        "clock": gap("{time} left", "time"),
        "left": gap("{number} seconds left.", "number"),
        "away": gap("{name} is away. In {time} you can vote for a bot.", "name", "time"),
        "failed": say("That did not work. Try again."),
        "nothing": say("Nothing to tell just now."),
        "no_dice": say("No dice on the table."),
        "no_place": gap("No die lies in place {number}.", "number"),
        "no_face": gap("There is no {number} to choose.", "number"),
        "locked": say("That die is locked."),
        "locked_word": say("locked"),
        "die": gap("{die}: {word}.", "die", "word"),
        "kept": say("kept"),
        "keep": say("keep"),
        "reroll": say("reroll"),
        "free": say("free"),
        "undo": say("Undo"),
        "undo_by": gap("{name}: undo", "name"),
        "rolling": say("rolling"),
        "nudge": gap("Nudge {name}", "name"),
        "pass": gap("Pass to {name}", "name"),
        "take": gap("I'm {name}", "name"),
        "more": gap("{number} more to tap", "number"),
        "confirm": gap("Confirm {dice}", "dice"),
        "to_go": gap("{face}; {number} to go.", "face", "number"),
        "all_in": gap("{dice}. Confirm, or tap a die to change it.", "dice"),
        "deleted": gap("Deleted; {number} to go.", "number"),
        "slot_full": gap("Die {number}: {face}. Change it", "number", "face"),
        "slot_empty": gap("Die {number}: still empty", "number"),
        "copied": say("Copied."),
        "key_taken": say("That key is taken."),
        "key_set": say("Key changed."),
    }


def _goes(page: TablePage, seat: int) -> bool:
    """Whether one may ask this seat's people to leave."""
    return seat not in page.seats and (page.removable is None or seat in page.removable)


def rules(frame: Frame, game: str, text: str) -> str:
    """A game's page of rules, from its Markdown."""
    return _page("rules.html", frame, game=game, blocks=tuple(read_blocks(text)))


def help_page(frame: Frame) -> str:
    """How to play here: by touch, by keys, by ear."""
    return _page("help.html", frame)


def privacy(frame: Frame) -> str:
    """What the house keeps of people, and what it does not."""
    return _page("privacy.html", frame)


def trouble(frame: Frame, page: Trouble) -> str:
    """What went wrong, in a sentence, and a way on."""
    return _page("trouble.html", frame, page=page)


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page of text: h1, h2, p, ol or ul, with its lines, each as plain and bold parts in turn."""

    kind: str
    lines: tuple[tuple[str, ...], ...]


def read_blocks(text: str) -> Iterator[Block]:
    r"""The little Markdown that pages of rules are written in: headings, paragraphs, lists, bold. All else is text.

    >>> [block.kind for block in read_blocks("# A\n\nb **c**\nd\n\n- e\n  f\n- g")]
    ['h1', 'p', 'ul']
    """
    for piece in text.replace("\r\n", "\n").split("\n\n"):
        kind, items = "p", [""]
        for line in piece.strip().splitlines():
            mark, _, rest = line.strip().partition(" ")
            marked = {"#": "h1", "##": "h2", "-": "ul"}.get(
                mark, "ol" if mark[:-1].isdigit() and mark[-1] == "." else ""
            )
            if marked:
                kind = marked
                items.append(rest)
            else:
                items[-1] = f"{items[-1]} {line.strip()}".strip()
        if filled := [item for item in items if item]:
            yield Block(kind, tuple(tuple(item.split("**")) for item in filled))
