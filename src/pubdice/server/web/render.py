"""Renders pages to HTML: a template in the reader's language, with the frame of all pages.

Templates hold the English sentences. ``t`` and ``n`` translate them, and also a kit's texts, such as its tagline or the
meaning of a house rule. Views and rows of tables are in the reader's language already. All values are escaped. A page
has no script, style or picture but our own files.
"""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from stat import S_ISREG
from typing import Any, Protocol, TypeVar

import jinja2
from jinja2 import BytecodeCache, Environment, FileSystemBytecodeCache, FunctionLoader, StrictUndefined, pass_context
from jinja2.bccache import Bucket
from jinja2.runtime import Context
from markupsafe import Markup

from pubdice.cache_folder import cache_folder, is_own, own_folder
from pubdice.core.frozen import quick
from pubdice.kit import PERFECT
from pubdice.match.header import LONGEST
from pubdice.room.setup import CLOCK_S, GRACE_S, PACE_MS
from pubdice.server.garbage import collect_pages
from pubdice.server.web.static_files import link
from pubdice.server.wire import Told
from pubdice.text.catalogues import has_part, language, native_names
from pubdice.text.language import BOTS, OPENERS, Language, isolate, sentence

SERVER = files("pubdice.server")
TEMPLATES = (SERVER / "pages", SERVER / "web" / "templates")
"""The folders of templates. A page's own template is beside its module, shared ones are in ``web``."""
COMPILED = str(SERVER / "web" / "compiled")
"""The folder of templates compiled to bytecode before shipping, if there is one."""

SHAPES = "●■▲◆★▼○□△◇☆▽"
"""The symbols that tell seats apart, besides their colours."""
GRACES_S = (30, 60, 120, 300, 600, 3600)
CLOCKS_S = (0, 15, 30, 60, 120, 300)
LESSONS = (0, 1, 2, 5, 10)
LEFT_TO_RIGHT = Markup(' dir="ltr"')
"""The attribute of a row of dice or a code on a page from right to left. Templates call it ``ltr``."""
LONGEST_TYPED = 2 * LONGEST
"""The length of a name's field in units of UTF-16, which browsers count. A character of an emoji has two units."""

Shown = TypeVar("Shown", contravariant=True)  # noqa: PLC0105


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of all pages. ``code`` is the language's code, such as "en". ``wanted`` is the code that the reader
    chose. It differs from ``code`` if that language lacks this page.

    ``languages`` are pairs of code and own name. ``games`` are pairs of name and title, of the games with a page of
    rules. ``here`` is this page's path, for the way back. ``theme`` is "light", "dark", or "" for the system's.
    ``pocket``: the house runs on this device alone, so no page mentions other devices. ``near``: the house is on a
    phone, and the page around this one lets other phones in.
    """

    language: Language
    code: str = "en"
    wanted: str = ""
    languages: tuple[tuple[str, str], ...] = field(default_factory=native_names)
    games: tuple[tuple[str, str], ...] = ()
    here: str = "/"
    theme: str = ""
    pocket: bool = False
    near: bool = False

    @property
    def chosen(self) -> str:
        """The name of the reader's language in that language."""
        return dict(self.languages)[self.wanted or self.code]

    def speaks(self, part: str) -> bool:
        """True if the reader's language has the sentences of this part (``catalogues.PARTS``)."""
        return has_part(self.code, part)

    @property
    def in_english(self) -> str:
        """The line that says, in the reader's language, that this page is in English. "" if it is in their language."""
        if self.wanted in ("", self.code):
            return ""
        return language(self.wanted).say("This page is in English.")


@quick
@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a link in a chat: a title, a line, and a picture. It names players only if their match is over.
    ``origin`` is the house's address for others. ``image`` is the picture's address, "" for the house's own, and
    ``shown`` its description.
    """

    title: str
    text: str
    origin: str
    image: str = ""
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A missing page or a refused request. ``go`` is the address of the table concerned, or ""."""

    status: int
    why: str
    code: str = ""
    go: str = ""


def _template(name: str) -> str:
    for folder in TEMPLATES:
        with suppress(FileNotFoundError):
            return (folder / name).read_text(encoding="utf-8")
    raise jinja2.TemplateNotFound(name)


def templates() -> tuple[str, ...]:
    """Return the names of all templates."""
    return tuple(sorted(file.name for folder in TEMPLATES for file in folder.iterdir() if file.name.endswith(".html")))


def load(name: str) -> None:
    """Load a template before a page needs it. If it was never compiled, that takes up to 40 ms."""
    _house().get_template(name)


def _at_once(path: str, flags: int) -> int:
    """Open a file. Do not wait, even if it is a named pipe, and do not follow a link."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))


class _Kept(BytecodeCache):
    """Compiled templates in a folder, one file each: a digest, then Jinja's bytecode.

    Jinja compares the template's source and Python's version. ``made_by`` names Jinja's version and options. The
    template is compiled again if its file is damaged or missing, was made by another Jinja, or belongs to another user.
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
                with open(beside, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                    file.write(self._digest(code) + code)
                beside.replace(self._folder / f"{bucket.key}.bin")
            finally:
                beside.unlink(missing_ok=True)


def _kept(made_by: str) -> BytecodeCache | None:
    """Return the cache of compiled templates: the shipped ones, or else the ones in the cache folder.

    To compile all 53 templates takes 0.6 s of processor time and 4 MB.
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
        usual_grace=GRACE_S, usual_clock=CLOCK_S, usual_pace=PACE_MS, longest_name=LONGEST_TYPED, perfect=PERFECT
    )
    env.globals.update(static=link, shapes=SHAPES, graces=GRACES_S, clocks=CLOCKS_S, lessons=LESSONS)
    env.globals.update(english=english, bot_meanings=BOTS, opener_meanings=OPENERS)
    env.filters["sentence"] = sentence
    env.filters["isolate"] = isolate
    env.filters["told"] = line_text
    return env


def line_text(line: Told, seat: int | None) -> str:
    """Return a line as the player in ``seat`` reads it, in the second person if the line is about that seat."""
    return line.text if seat is None else line.own.get(seat, line.text)


@pass_context
def english(context: Context, words: str) -> Markup:
    """Return the ``lang="en"`` attribute for English words on a page in another language, so they are read out as
    English.
    """
    frame = context.get("frame")
    is_left = frame is not None and frame.code != "en" and words.isalpha() and context["t"](words) == words
    return Markup(' lang="en"') if is_left else Markup()


def render(name: str, frame: Frame, **facts: Any) -> str:
    """Render a page from its template. ``facts`` are the template's values besides the frame."""
    return render_part(name, frame.language, frame=frame, n=frame.language.count, **facts)


def render_part(name: str, language: Language, **facts: Any) -> str:
    """Render a part of a page. A script puts it in place."""
    # The only place that renders, so no page leaves its reference cycles behind.
    ltr = LEFT_TO_RIGHT if language.direction else ""
    html = _house().get_template(name).render(t=language.say, ltr=ltr, **facts)
    collect_pages()
    return html


class Html(Protocol[Shown]):
    """Makes a page's HTML from its content."""

    def __call__(self, frame: Frame, page: Shown, /) -> str:
        """Return the HTML."""


def template(name: str) -> Html[object]:
    """Return the function that renders a page whose template needs no value but ``page``."""
    return lambda frame, page: render(name, frame, page=page)


trouble = template("trouble.html")
"""The page of a ``Trouble``: the fault in a sentence, and a link to go on."""
