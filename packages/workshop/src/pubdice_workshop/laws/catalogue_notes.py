"""The parts of a language's catalogues, and the notes that a translator reads beside a sentence.

A sentence belongs to the first part whose files hold it (``PART_FILES``). Its notes are made from the source: the files
in which it stands, what it is there (a button, a refusal, a spoken line), and what its facts may be (``facts.toml``).
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from textwrap import wrap

from pubdice.text.catalogues import PARTS
from pubdice.text.language import CONTEXT
from sentences import HOUSE, SOURCE, WEB, Key, of_template, sentences

PART_FILES = {
    "table": (
        "cli.py",
        "text/language.py",
        "text/*_words.py",
        "text/turn_advice.py",
        "typed*.py",
        "match/narrate.py",
        "match/formats/*.py",
        "room/*.py",
        "advice/spoken_advice.py",
        "advice/seat_chances.py",
        "advice/turning.py",
        "server/finished_match.py",
        "server/table/*.py",
        "server/wire.py",
        "server/web/browser.py",
        "server/web/refusals.py",
        "server/web/render.py",
        "server/web/templates/*.html",
        *(
            f"server/pages/{name}.*"
            for name in ("front", "rules", "table", "help", "big", "trial", "about", "language")
        ),
    ),
    "pages": (
        "text/notation.py",
        "server/web/refused_pages.py",
        "failures.py",
        "advice/**/*.py",
        "server/pages/*",
        "server/jobs.py",
    ),
    "house": ("server/*.py", "server/web/*.py"),
    "terminal": (*HOUSE,),
}
"""The files of each part, relative to the folder of ``pubdice``."""
SHORT = 3
"""A sentence of so many words or fewer gets notes, as does each one with facts."""
LONGEST_NOTE = 110
"""Characters. A longer note is wrapped."""

ELEMENTS = {
    "a": "a link",
    "button": "a button",
    "caption": "a table's caption",
    "dd": "beside a term",
    "dt": "a term",
    "figcaption": "below a picture",
    "h1": "a page's heading",
    "h2": "a heading",
    "h3": "a heading",
    "label": "a field's label",
    "legend": "a group's heading",
    "li": "an entry of a list",
    "option": "a choice in a menu",
    "p": "a line of text",
    "small": "a small line",
    "span": "a line of text",
    "strong": "a line of text",
    "summary": "a heading that opens",
    "td": "in a table",
    "th": "a table's heading",
    "title": "the page's title",
}
"""What a sentence is in a template, by the element around it."""
LABELS = {"aria": "heard, not seen", "data": "said or shown by the page later"}
"""What a sentence in an attribute is, by the first part of the attribute's name."""
ROLES = {
    "advice/*.py": "an answer about a game",
    "annexes.py": "a line in the terminal",
    "cli.py": "a line in the terminal",
    "command_line.py": "a line in the terminal",
    "failures.py": "a refusal",
    "games/**/*.py": "a line of a game",
    "match/formats/*.py": "about the rules or the score of a match",
    "match/*.py": "a spoken line about a match",
    "room/*.py": "a refusal at a table",
    "server/doctor.py": "to the host, in the terminal",
    "server/pages/*.py": "on a page",
    "server/table/announce.py": "a spoken line at a table",
    "server/table/*.py": "at a table, seen and spoken",
    "server/web/*.py": "a refusal on a page",
    "server/*.py": "to the host",
    "terminal/*.py": "a line in the terminal",
    "text/language.py": "a refusal, or a part of a sentence",
    "text/notation.py": "a refusal of a text",
    "text/*_words.py": "a spoken line about a turn",
    "text/turn_advice.py": "advice about a turn",
    "typed*.py": "about what a player types",
}
"""What a sentence is in a module, by the first pattern that fits."""
_TAG = re.compile(
    r"<(?P<tag>[a-z][a-z0-9]*)\b|(?P<label>aria-label|title|placeholder|alt|aria-description|data-[a-z-]+)=\""
)


@cache
def facts() -> dict[str, str]:
    """Return what each fact of a sentence may be, with an example."""
    file = Path(__file__).with_name("facts.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def _texts(path: Path) -> dict[str, int]:
    """Return all strings in a file's source, or all sentences of a template, with the place where each first stands."""
    text, found = path.read_text(encoding="utf-8"), dict[str, int]()
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found[node.value] = min(found.get(node.value, node.lineno), node.lineno)
        return found
    said = (each for key in of_template(path) for each in ((key,) if isinstance(key, str) else key))
    return {each: text.find(quoted(each)) for each in said}


def quoted(text: str) -> str:
    """Return a string as catalogues and templates write it."""
    return '"{}"'.format(text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n"))


def named(text: str) -> list[str]:
    """Return the lines of a catalogue that name a sentence: its context, if it has one, and the sentence."""
    context, _, plain = text.rpartition(CONTEXT)
    return [*([f"msgctxt {quoted(context)}"] if context else []), f"msgid {quoted(plain)}"]


def _holds(path: Path, key: Key) -> bool:
    return key in _texts(path) if isinstance(key, str) else set(key) <= _texts(path).keys()


@cache
def _scanned() -> dict[str, tuple[Path, ...]]:
    every = {path for pattern in (*HOUSE, *WEB) for path in SOURCE.glob(pattern)}
    return {
        part: tuple(sorted({path for pattern in patterns for path in SOURCE.glob(pattern)} & every))
        for part, patterns in PART_FILES.items()
    }


def part_of(key: Key) -> str:
    """Return the part of the house's catalogues that a sentence belongs to."""
    return next((part for part in PARTS if any(_holds(path, key) for path in _scanned()[part])), PARTS[-1])


@cache
def by_part() -> dict[str, frozenset[Key]]:
    """Return the house's sentences by part."""
    found: dict[str, set[Key]] = {part: set() for part in PARTS}
    for key in sentences(*HOUSE, *WEB):
        found[part_of(key)].add(key)
    return {part: frozenset(keys) for part, keys in found.items()}


def places(key: Key, folder: Path | None = None) -> list[Path]:
    """Return the files in which a sentence stands: those of the house, or of a game's or annex's folder."""
    found = (
        sorted(folder.rglob("*.py")) if folder else sorted({path for paths in _scanned().values() for path in paths})
    )
    return [path for path in found if path.is_file() and _holds(path, key)]


def _role(path: Path, text: str) -> Iterator[str]:
    """Yield what a sentence is in one file."""
    if path.suffix == ".html":
        yield from _elements(path.read_text(encoding="utf-8"), text)
        return
    inside = path.relative_to(SOURCE) if path.is_relative_to(SOURCE) else Path("games/one/", path.name)
    yield next((role for pattern, role in ROLES.items() if _fits(inside, pattern)), "a line")


def _fits(path: Path, pattern: str) -> bool:
    return (
        path.match(pattern.replace("/**/", "/*/")) and path.parts[0] == Path(pattern).parts[0].partition("*")[0]
    ) or (path.match(pattern) and "/" not in pattern)


def _elements(template: str, text: str) -> Iterator[str]:
    """Yield the element or attribute around each place where a template says a sentence."""
    for found in re.finditer(re.escape(quoted(text)), template):
        before = template[: found.start()]
        tags = list(_TAG.finditer(before))
        if not tags:
            continue
        last = tags[-1]
        if last["label"] and before.count('"', last.end()) % 2 == 0:
            yield LABELS.get(last["label"].partition("-")[0], "a hint")
        else:
            tag = next((each["tag"] for each in reversed(tags) if each["tag"] in ELEMENTS), "")
            yield ELEMENTS.get(tag, "a line of text")


def notes(key: Key, where: list[Path]) -> Iterator[str]:
    """Yield the notes on a sentence, if it is short or has facts."""
    text = key if isinstance(key, str) else key[-1]
    names = list(dict.fromkeys(name for _, name, _, _ in Formatter().parse(text) if name))
    if names or len(text.split()) <= SHORT:
        roles = list(dict.fromkeys(role for path in where for role in _role(path, text)))[:3]
        told = "; ".join(roles)
        if re.match(r"You\b|Your\b", text):
            told += ". To the player"
        yield f"{told[:1].upper()}{told[1:]}." if told else "A line."
        yield from (f"{{{name}}}: {facts()[name]}" for name in names if name in facts())


def entry(
    key: Key, where: list[Path], told: str | tuple[str, ...], forms: int, before: list[str] | None = None
) -> list[str]:
    """Return the lines of a catalogue's entry: notes, source references, the sentence and its translation.

    ``forms``: the number of plural forms. Without a translation, ``told`` is empty. ``before``: of a fuzzy entry the
    lines with the sentence that was translated.
    """
    top = SOURCE.parents[1]
    files = [path.relative_to(top).as_posix() if path.is_relative_to(top) else path.name for path in where[:3]]
    lines = [f"#. {line}" for note in notes(key, where) for line in wrap(note, LONGEST_NOTE)]
    lines += [f"#: {' '.join(files)}"] if files else []
    text = key if isinstance(key, str) else key[0]
    flags = ["fuzzy"] * (before is not None) + ["python-brace-format"] * ("{" in text)
    lines += [f"#, {', '.join(flags)}"] if flags else []
    return [*lines, *(before or ()), *pair(key, told, forms)]


def pair(key: Key, told: str | tuple[str, ...], forms: int) -> list[str]:
    """Return the lines of a catalogue that hold a sentence and its translation, as ``entry`` without notes."""
    if isinstance(key, str):
        return [*named(key), f"msgstr {quoted(str(told or ''))}"]
    given = [*told, *[""] * forms][:forms]
    said = [f"msgstr[{at}] {quoted(form)}" for at, form in enumerate(given)]
    return [*named(key[0]), f"msgid_plural {quoted(key[1])}", *said]


@cache
def in_order(keys: frozenset[Key], folder: Path | None = None) -> list[tuple[Key, list[Path]]]:
    """Return sentences with their files, in the order in which they stand in the source."""
    found = [(key, places(key, folder)) for key in keys]

    def place(one: tuple[Key, list[Path]]) -> tuple[str, int, str]:
        key, where = one
        first = key if isinstance(key, str) else key[0]
        return (where[0].as_posix(), _texts(where[0])[first], str(key)) if where else ("", 0, str(key))

    return sorted(found, key=place)
