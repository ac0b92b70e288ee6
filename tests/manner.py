"""Measures the manner of prose, room by room: docstrings, comments, documents, and the sentences on screens.

    python tests/manner.py           fail if a room is above a bound (make lint)
    python tests/manner.py ROOM      also print the sentences of a room that raise its rates

A rate counts a habit that makes sentences hard to read, per 1,000 words. It is a thermometer: read the sentence aloud,
and rewrite the thought. docs/contribute/style.md shows how.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Habit(NamedTuple):
    """A habit of prose: the pattern that counts it, the bound per 1,000 words, and what to write instead."""

    pattern: re.Pattern[str]
    bound: float
    instead: str


def _habit(pattern: str, bound: float, instead: str) -> Habit:
    return Habit(re.compile(pattern, re.IGNORECASE), bound, instead)


HABITS = {
    "nobody, somebody": _habit(r"\b(?:any|no|some)body\b|\bwhoever\b", 0.3, "Name the player, the client, the host."),
    "clauses": _habit(
        r"(?:^|[,;:.] )(?:how|what|where|whether|which|who)\b(?![^.;]*\?)", 2, "Use a noun, or a sentence of its own."
    ),
    "that of": _habit(
        r"\bth(?:at|ose) (?:in|of|that|which|who|whose|with)\b|\bthe one (?:of|that)\b|\bof before\b",
        0.5,
        "Say the noun again.",
    ),
    "semicolons": _habit(";", 3, "Make two sentences."),
    "where, so that": _habit(r"\b(?:as long as|as yet|but for|so that|where)\b", 3, "Begin with If."),
}
"""Per 1,000 words datasette, python-chess and starlette have 0.1, 1.7, 0.1, 0.8 and 3 at most."""
SENTENCES = "sentences"
"""The room of all English sentences that pubdice says: the msgids of every catalogue, and the words of the pocket."""
BOUNDS = {SENTENCES: {"clauses": 2.5, "semicolons": 0.5, "where, so that": 0.5}}
"""Bounds of a room that differ from the habit's. Labels such as "Which bot" are clauses and stay. A sentence on a
screen needs no semicolon."""
SPARE = 3
"""Hits that any room may have beyond its share. In a room of 300 words one semicolon is already a rate of 3.3."""


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each docstring, also below a name. Examples and code in backquotes are left out."""
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        for part in body if isinstance(body, list) else ():
            if (
                isinstance(part, ast.Expr)
                and isinstance(part.value, ast.Constant)
                and isinstance(part.value.value, str)
            ):
                yield part.lineno, _plain(re.split(r"\n\s*>>>", part.value.value)[0])


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each string of several words that is no docstring: refusals, help, templates, assertions."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and id(node) not in told
            and isinstance(node.value, str)
            and " " in node.value
        ):
            yield node.lineno, _plain(node.value)


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each block of comments."""
    lines: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not re.match(r"#\s*(?:noqa|type:|pragma|fmt:|!)", token.string):
            lines[token.start[0]] = token.string.lstrip("# ")
    begins = [line for line in lines if line - 1 not in lines]
    for begin in begins:
        end = begin
        while end in lines:
            end += 1
        yield begin, _plain(" ".join(lines[line] for line in range(begin, end)))


def paragraphs(page: str) -> Iterator[tuple[int, str]]:
    """Line and text of each paragraph of Markdown, without code, tables and headings."""
    page = re.sub(r"^ *```.*?^ *```", lambda code: "\n" * code[0].count("\n"), page, flags=re.DOTALL | re.MULTILINE)
    line = 1
    for part in re.split(r"(\n\s*\n)", page):
        if part.strip() and not part.lstrip().startswith(("|", "#", "    ", "!", "<")):
            yield line, _plain(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", part))
        line += part.count("\n")


def sentences(catalogue: str) -> Iterator[tuple[int, str]]:
    """Line and text of each English sentence of a .po or .json catalogue, plurals too. Facts in braces are left out."""
    for line, text in enumerate(catalogue.splitlines(), 1):
        if found := re.match(r'(?:msgid(?:_plural)?|\s+"\w+":) "(.+)",?$', text):
            yield line, re.sub(r"\{[^}]*\}", "X", found[1].replace("\\n", " ").replace('\\"', '"'))


def _plain(text: str) -> str:
    return " ".join(re.sub(r"``[^`]*``|`[^`]*`", "X", text).split())


def said(path: Path) -> list[tuple[int, str]]:
    """Line and text of all prose of a file."""
    text = path.read_text("utf-8")
    if path.suffix in (".po", ".json"):
        return [*sentences(text)]
    return [*paragraphs(text)] if path.suffix == ".md" else [*docstrings(text), *comments(text)]


UNNAMED = re.compile(rf"{HABITS['nobody, somebody'].pattern.pattern}|\bthe one (?:that|who)\b", re.IGNORECASE)
"""A subject without its noun. No string of the code has it."""


def rooms(root: Path = ROOT) -> dict[str, list[Path]]:
    """The files of each room: a folder of the core, an annex, a door of the documents, the top, the sentences."""
    catalogues = (
        "src/pubdice/locale/de/*.po",
        "src/pubdice/games/*/de.po",
        "packages/*/src/**/de.po",
        "packages/*/src/**/words/en.json",
    )
    found = {SENTENCES: sorted(path for pattern in catalogues for path in root.glob(pattern))}
    for pattern in ("src/**/*.py", "src/**/*.md", "packages/**/*.py", "packages/**/*.md", "docs/**/*.md", "*.md"):
        for path in sorted(root.glob(pattern)):
            parts = path.relative_to(root).parts
            if path.name == "CHANGELOG.md" or re.search(r"\.[a-z]{2}\.md$", path.name):
                continue
            depth = {"src": 3, "packages": 3, "docs": 2}.get(parts[0], 1)
            found.setdefault("/".join(parts[:-1][:depth]) or "the top", []).append(path)
    return found


def rates(texts: Iterable[str]) -> tuple[int, dict[str, int]]:
    """The number of words, and the hits of each habit."""
    words, hits = 0, Counter[str]()
    for text in texts:
        words += len(re.findall(r"[A-Za-z']+", text))
        hits.update({name: len(habit.pattern.findall(text)) for name, habit in HABITS.items()})
    return words, dict(hits)


def problems(found: Mapping[str, Iterable[str]]) -> list[str]:
    """A sentence for each habit of a room that is above its bound."""
    told = []
    for room, texts in found.items():
        words, hits = rates(texts)
        for name, habit in HABITS.items():
            bound = BOUNDS.get(room, {}).get(name, habit.bound)
            if hits.get(name, 0) > bound * words / 1000 + SPARE:
                rate = 1000 * hits[name] / words
                told.append(f"{room}: {name} {rate:.1f} per 1,000 words, {bound} at most. {habit.instead}")
    return told


def main(arguments: list[str]) -> int:
    """Print what is above a bound, and the sentences of the rooms asked for; the exit status."""
    files = rooms()
    told = problems({room: [text for path in paths for _, text in said(path)] for room, paths in files.items()})
    for room in arguments:
        for path in files.get(room, ()):
            for line, text in said(path):
                for sentence in re.split(r"(?<=[.!?]) ", text):
                    names = [name for name, habit in HABITS.items() if habit.pattern.search(sentence)]
                    if names:
                        print(f"{path.relative_to(ROOT)}:{line}: {', '.join(names)}: {sentence[:160]}")
    for sentence in told:
        print(sentence)
    if told:
        print("Rewrite what you would not say aloud: python tests/manner.py ROOM shows the sentences.")
    return bool(told)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
