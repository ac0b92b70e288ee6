"""The house's pages: one function a page, which gives the HTML of what ``page_data`` says of it. Knows no request.

Templates hold the English sentences; ``t`` and ``n`` say them in the reader's language. What comes from a kit (its
tagline, what a house rule does) is English too and said the same way; views and rows of tables are in the reader's
language already. Everything is escaped on its way in, and no page has a script, a style or a picture but our own files.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import count
from pathlib import Path
from stat import S_ISREG
from typing import Any

import jinja2
from jinja2 import BytecodeCache, Environment, FileSystemBytecodeCache, FunctionLoader, StrictUndefined
from jinja2.bccache import Bucket

from pubdice.advice.daily import FIRST_DAY
from pubdice.cache_folder import cache_folder, is_own, own_folder
from pubdice.kit import PERFECT
from pubdice.match.notation import LONGEST
from pubdice.room.setup import CLOCK_S, GRACE_S, PACE_MS
from pubdice.server.show.ask_page import SHOWN, AskPage
from pubdice.server.show.best_play_page import BestPlayPage
from pubdice.server.show.best_play_page import spoken as spoken_figure
from pubdice.server.show.book_page import BookPage
from pubdice.server.show.chance_panel import ChancePanel
from pubdice.server.show.daily_page import DailyPage
from pubdice.server.show.drill_page import DrilledGame, DrillPage
from pubdice.server.show.evening_page import EveningPage
from pubdice.server.show.line_chart import HIGH, WIDE
from pubdice.server.show.page_data import MOST_BOTS, OTHERS, Frame, FrontPage, Preview, TablePage, Trouble
from pubdice.server.show.price_page import PricePage
from pubdice.server.show.receipt_page import ReceiptPage
from pubdice.server.show.script_words import spoken
from pubdice.server.show.verify_page import VerifyPage
from pubdice.server.wire import PHRASES, DieView, Told, View
from pubdice.text.language import Language, sentence
from pubdice.text.markdown import read_blocks

WEB = files("pubdice.server") / "web"
COMPILED = str(WEB / "compiled")
"""Templates as bytecode, which a pocket house is given (``pocket.build.in_engine``)."""

SHAPES = "●■▲◆★▼○□△◇☆▽"
"""What the seats are told apart by, besides their colours."""
GRACES_S = (30, 60, 120, 300, 600, 3600)
CLOCKS_S = (0, 15, 30, 60, 120, 300)
LESSONS = (0, 1, 2, 5, 10)
REFRESH_S = 10
"""A page without scripts reloads so often while one waits; ``presence.SEEN_MS`` is longer."""
MODULES = ("line", "view", "keys", "forms", "page", "speech", "sound", "motion", "pad", "awake", "share")
"""Scripts that table.js loads."""


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
    """Where a static file is, under the hash of them all: browsers may cache it permanently."""
    return f"/static/{edition()}/{name}"


def _template(name: str) -> str:
    return (WEB / "templates" / name).read_text(encoding="utf-8")


def templates() -> tuple[str, ...]:
    """The names of all templates."""
    return tuple(sorted(file.name for file in (WEB / "templates").iterdir() if file.name.endswith(".html")))


def load(name: str) -> None:
    """Load a template, and compile it if no start before this has, which takes up to 40 ms: no page waits for it."""
    _house().get_template(name)


def _at_once(path: str, flags: int) -> int:
    """Open what a name stands for without waiting for it, as a named pipe would have one do, nor following a link."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))


def _for_one(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


class _Kept(BytecodeCache):
    """Compiled templates in a folder, a file each: a digest, and the bytecode as Jinja writes it.

    Jinja compares the template's source and Python's version. A file that is damaged, was made by another Jinja or with
    other options (made_by), can't be written, or can have been by others, only means that its template is compiled.
    """

    def __init__(self, folder: Path, made_by: str) -> None:
        self._folder, self._made_by = folder, made_by

    def _digest(self, code: bytes) -> bytes:
        return sha256(f"{self._made_by}\n".encode() + code).digest()

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            with open(self._folder / f"{bucket.key}.bin", "rb", opener=_at_once) as file:
                found = os.fstat(file.fileno())
                kept = file.read() if S_ISREG(found.st_mode) and is_own(found) else b""
            if kept[:32] == self._digest(kept[32:]):
                bucket.bytecode_from_string(kept[32:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        code, beside = bucket.bytecode_to_string(), self._folder / f"{bucket.key}.{os.getpid()}"
        with suppress(OSError):
            try:
                with open(beside, "wb", opener=_for_one) as file:
                    file.write(self._digest(code) + code)
                beside.replace(self._folder / f"{bucket.key}.bin")
            finally:
                beside.unlink(missing_ok=True)


def _kept(made_by: str) -> BytecodeCache | None:
    """The compiled templates: those of a pocket house; else those in the cache folder, from an earlier start.

    To compile all 53 takes 0.6 s of processor time and 4 MB.
    """
    if Path(COMPILED).is_dir():
        return FileSystemBytecodeCache(COMPILED, "%s.bin")
    folder = cache_folder()
    with suppress(OSError):
        if folder is not None and own_folder(folder / "templates"):
            return _Kept(folder / "templates", made_by)
    return None


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
    env.bytecode_cache = _kept(f"{jinja2.__version__} {env.autoescape} {env.trim_blocks} {env.lstrip_blocks}")
    env.globals.update(
        usual_grace=GRACE_S, usual_clock=CLOCK_S, usual_pace=PACE_MS, longest_name=LONGEST, perfect=PERFECT
    )
    env.globals.update(static=static, shapes=SHAPES, graces=GRACES_S, clocks=CLOCKS_S, lessons=LESSONS)
    env.filters["sentence"] = sentence
    env.filters["told"] = told
    return env


def told(line: Told, seat: int | None) -> str:
    """A line as a seat is told it, in the second person where it is about that seat."""
    return line.text if seat is None else line.own.get(seat, line.text)


def render(name: str, frame: Frame, **facts: Any) -> str:
    """A page from its template; modules with a page of their own call it, too."""
    language = frame.language
    return _house().get_template(name).render(frame=frame, t=language.say, n=language.count, **facts)


def front(frame: Frame, page: FrontPage) -> str:
    """The front page: one's tables, a new game, a code to join with, public games."""
    chosen = page.values.get("game", page.games[0].name)
    say, given = frame.language.say, page.values.get
    text = say("Start a game, let your friends scan the code, and roll. No sign-up.")
    if frame.pocket:
        text = say("One phone for all of you. Pass it round, or play the bots. It needs no network.")
    preview = Preview(say("Pub dice for your table"), text, page.origin)
    return render(
        "front.html",
        frame,
        page=page,
        cards=page.games,
        most_priced=max(card.most_seats for card in page.games),
        changing=False,
        chosen=chosen,
        given=given,
        preview=preview,
        text=text,
        others=OTHERS,
        most_bots=MOST_BOTS,
        known=dict(zip(("name", *OTHERS), (page.name, *page.others), strict=False)),
        unfolded=len(page.others) > 3 or any(name == page.field or given(name, "").strip() for name in OTHERS[3:]),
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
    played = view.mover is not None and view.seats[view.mover].kind != "person"
    enters = view.ask == "enter" and (acts or (page.seat is not None and played))
    waits = not acts and not enters and view.stage != "over" and page.seat is not None
    return render(
        template,
        frame,
        page=page,
        view=view,
        panel=page.chances,
        wide=WIDE,
        high=HIGH,
        dice=dice,
        loose=sum(not view.rail or die.status != "locked" for die in view.dice),
        chosen=any(die.status == "marked" for die in view.dice),
        big=template == "big.html",
        mine=view.seats[page.seat] if page.seat is not None else None,
        acts=acts,
        enters=enters,
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
        spoken=spoken(frame.language, page.title, pocket=frame.pocket),
        preview=_invitation(frame.language, page),
        cards=[page.card] if page.card else [],
        changing=True,
        most_priced=page.card.most_seats if page.card and page.prices else 0,
        given={**page.values, "pace": str(page.pace_ms), "players": str(max(2, len(view.seats)))}.get,
    )


def chances(language: Language, panel: ChancePanel) -> str:
    """The panel of a table that shows chances, as a part of its page."""
    return _house().get_template("chances.html").render(panel=panel, big=False, t=language.say, wide=WIDE, high=HIGH)


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


def _goes(page: TablePage, seat: int) -> bool:
    """Whether one may ask this seat's people to leave."""
    return seat not in page.seats and (page.removable is None or seat in page.removable)


def rules(frame: Frame, game: str, text: str, best_play: str = "") -> str:
    """A game's page of rules, from its Markdown. best_play: the game's name, if it has a page of best play."""
    return render("rules.html", frame, game=game, blocks=read_blocks(text), best_play=best_play)


def ask(frame: Frame, page: AskPage, titles: Sequence[tuple[str, str]], origin: str) -> str:
    """A position, every keep of it ranked, and the form to set up another. titles: the games it can be asked of."""
    preview = None
    if page.rows:
        preview = Preview(page.rows[0].line, " ".join([*page.before, page.utility]), origin)
    example = f"pubdice 1\ngame: {page.game or titles[0][0]}\nseats: Ann, Bob\n\nround 1\nAnn: ..."
    return render(
        "ask.html",
        frame,
        page=page,
        titles=titles,
        shown=SHOWN,
        example=example,
        **({"preview": preview} if preview else {}),
    )


def receipt(frame: Frame, page: ReceiptPage, origin: str) -> str:
    """What decided a match, its moves one by one, and its costly keeps as questions."""
    say, preview = frame.language.say, {}
    if page.asked:
        preview = {"preview": Preview(say("Play it again"), say("What would you keep?"), origin)}
    elif page.receipt:
        preview = {"preview": Preview(say("What decided it"), page.receipt.share, origin)}
    return render("receipt.html", frame, page=page, found=page.receipt, wide=WIDE, high=HIGH, **preview)


def evening(frame: Frame, page: EveningPage, origin: str) -> str:
    """An evening: its tally, who buys, its matches and its highlights."""
    preview = {"preview": Preview(frame.language.say("The evening"), page.share, origin)} if page.share else {}
    return render("evening.html", frame, page=page, **preview)


def verify(frame: Frame, page: VerifyPage) -> str:
    """The check of sealed dice."""
    return render("verify.html", frame, page=page)


def verify_alone(frame: Frame, page: VerifyPage, styles: str, script: str) -> str:
    """The check of sealed dice as one file, with its styles and its script inside."""
    return render("verify_alone.html", frame, page=page, styles=styles, script=script)


def daily(frame: Frame, page: DailyPage, origin: str) -> str:
    """A day of Last orders: the position to answer, or its answer."""
    say = frame.language.say
    preview = Preview(say("Last orders"), say("One position a day, the same for everybody. What would you do?"), origin)
    return render("daily.html", frame, page=page, preview=preview, first_day=FIRST_DAY)


def drill(frame: Frame, page: DrillPage) -> str:
    """A position of the drill: to answer, or graded."""
    return render("drill.html", frame, page=page)


def drill_games(frame: Frame, page: tuple[DrilledGame, ...]) -> str:
    """The games that can be drilled."""
    return render("drill_games.html", frame, page=page)


def book(frame: Frame, page: BookPage) -> str:
    """The players' book: a player's own page, or the forms by which one comes in."""
    return render("book.html", frame, page=page)


def best_play(frame: Frame, page: BestPlayPage, titles: Sequence[tuple[str, str]]) -> str:
    """Best play of a game in figures. titles: the games that have such a page."""
    return render("best_play.html", frame, page=page, titles=titles, spoken=spoken_figure)


def prices(frame: Frame, page: PricePage, titles: Sequence[tuple[str, str]]) -> str:
    """What each rule of a match does for the player who goes first. titles: the games that have such a page."""
    return render("prices.html", frame, page=page, titles=titles)


def help_page(frame: Frame) -> str:
    """How to play here: by touch, by keys, by ear."""
    return render("help.html", frame)


def privacy(frame: Frame) -> str:
    """What the house keeps of people, and what it does not."""
    return render("privacy.html", frame)


def trouble(frame: Frame, page: Trouble) -> str:
    """What went wrong, in a sentence, and a way on."""
    return render("trouble.html", frame, page=page)
