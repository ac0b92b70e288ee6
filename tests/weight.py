"""Weighs the repository, room by room, and fails if a room is heavier than its ceiling in weight.toml.

    python tests/weight.py           compare with the ceilings (make lint)
    python tests/weight.py --lower   lower the ceilings of rooms that have become lighter (make weight)

No command raises a ceiling. A person does, in a commit of its own that names the issue.

Code of Python is counted in lines that hold a token other than a comment, a docstring or an import; scripts, styles and
templates in lines that hold anything but a comment; tests in lines of any kind; documents in words.
"""

import ast
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from math import ceil
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = ROOT / "weight.toml"
GROWING = "CHANGELOG.md"
"""The document that is there to grow."""
AIR = 0.01
"""The share of a room's least weight ever that its ceiling leaves free, so that a mended line is no decision."""
LAWS = "packages/workshop/src/pubdice_workshop/laws"
"""Tests that lie where modules do, as people try their own games with them."""
TESTS = (".py", ".js", ".mjs")
ROOMS_OF_THE_SERVER = ("pages", "table", "web")
"""Rooms of the server that are weighed by themselves: each is as heavy as any other room."""
HEAD = """\
# The most that each room of the repository may weigh (tests/weight.py says how). `make lint` fails above it.
# `make weight` lowers what has become lighter, and nothing raises it. If a room must grow, raise its line by hand, in a
# commit of its own that says which issue asked for it.
"""
SKIPPED = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip
Weights = Mapping[str, Mapping[str, int]]
"""Numbers by kind and room."""
COMMENTS = {
    ".js": re.compile(r"/\*.*?\*/|(?<![:'\"`\w])//[^\n]*", re.DOTALL),
    ".css": re.compile(r"/\*.*?\*/", re.DOTALL),
    ".html": re.compile(r"<!--.*?-->|\{#.*?#\}", re.DOTALL),
}


def code_lines(text: str) -> int:
    """The lines of a module that hold code: no blank, comment, docstring or import."""
    prose = set[int]()
    for node in ast.walk(ast.parse(text)):
        value = node.value if isinstance(node, ast.Expr) else None
        is_prose = isinstance(value, ast.Constant) and isinstance(value.value, str)
        if isinstance(node, ast.stmt) and (is_prose or isinstance(node, ast.Import | ast.ImportFrom)):
            prose.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    held = set[int]()
    for token in tokenize.generate_tokens(StringIO(text).readline):
        if token.type not in SKIPPED:
            held.update(range(token.start[0], token.end[0] + 1))
    return len(held - prose)


def script_lines(text: str, suffix: str) -> int:
    """The lines of a script, a style sheet or a template that hold anything but a comment."""
    return sum(1 for line in COMMENTS[suffix].sub("", text).splitlines() if line.strip())


def lines(text: str) -> int:
    """All lines of a text."""
    return len(text.splitlines())


def words(text: str) -> int:
    """The words of a document."""
    return len(text.split())


def room_of(path: Path, package: Path) -> str:
    """The room of a core's module: its folder, or "root"; of the server its own rooms."""
    parts = path.relative_to(package).parts
    if len(parts) == 1:
        return "root"
    if parts[0] == "server" and parts[1] in ROOMS_OF_THE_SERVER:
        return f"server/{parts[1]}"
    return parts[0]


def _files(folder: Path, *suffixes: str) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in suffixes and path.is_file():
            yield path, path.read_text(encoding="utf-8")


def _add(to: dict[str, int], room: str, weight: int) -> None:
    to[room] = to.get(room, 0) + weight


def weigh(root: Path = ROOT) -> dict[str, dict[str, int]]:
    """The weights by kind and room."""
    core, annexes = root / "src/pubdice", sorted(root.glob("packages/*"))
    found: dict[str, dict[str, int]] = {kind: {} for kind in ("code", "scripts", "tests", "documents")}
    for path, text in _files(core, ".py"):
        _add(found["code"], room_of(path, core), code_lines(text))
    for path, text in _files(core, *COMMENTS):
        _add(found["scripts"], room_of(path, core), script_lines(text, path.suffix))
    for path, text in _files(root / "tests", *TESTS):
        inside = path.relative_to(root / "tests").parts[:-1]
        _add(found["tests"], inside[0] if inside else "the top", lines(text))
    for annex in annexes:
        for _, text in _files(annex / "tests", *TESTS):
            _add(found["tests"], f"packages/{annex.name}", lines(text))
        for path, text in _files(annex / "src", ".py"):
            if path.is_relative_to(root / LAWS):
                _add(found["tests"], f"packages/{annex.name}", lines(text))
            else:
                _add(found["code"], f"packages/{annex.name}", code_lines(text))
        for path, text in _files(annex / "src", *COMMENTS):
            _add(found["scripts"], f"packages/{annex.name}", script_lines(text, path.suffix))
    for pattern in ("*.md", "docs/**/*.md", "packages/*/*.md"):
        for file in sorted(root.glob(pattern)):
            if file.name != GROWING:
                room = "the top" if file.parent == root else file.parent.relative_to(root).as_posix()
                _add(found["documents"], room, words(file.read_text(encoding="utf-8")))
    return found


def problems(now: Weights, ceilings: Weights) -> list[str]:
    """A sentence for each room above its ceiling. A new room has none, and so weighs too much until it is written."""
    told = []
    for kind, rooms in now.items():
        for room, weight in sorted(rooms.items()):
            if weight > (most := ceilings.get(kind, {}).get(room, 0)):
                told.append(f"{kind} of {room}: {weight:,} of {most:,} at most.")
    return told


def lowered(now: Weights, ceilings: Weights) -> dict[str, dict[str, int]]:
    """The ceilings, each at its room's weight and some air if that is less. Rooms without a file are gone."""
    return {
        kind: {
            room: min(most, ceil(weight * (1 + AIR)))
            for room, most in rooms.items()
            if (weight := now.get(kind, {}).get(room, 0))
        }
        for kind, rooms in ceilings.items()
    }


def written(ceilings: Weights) -> str:
    """The file's text."""
    text = HEAD
    for kind, rooms in ceilings.items():
        text += f"\n[{kind}]\n" + "".join(f'"{room}" = {most}\n' for room, most in sorted(rooms.items()))
    return text


def main(arguments: Iterable[str]) -> int:
    """Compare, or lower the ceilings; the exit status."""
    now, ceilings = weigh(), tomllib.loads(FILE.read_text(encoding="utf-8"))
    if "--lower" in arguments:
        FILE.write_text(written(lowered(now, ceilings)), encoding="utf-8")
    found = problems(now, ceilings)
    for line in found:
        print(line)
    if found:
        print('Take something out. CONTRIBUTING.md, "Costs", says how a ceiling is raised.')
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
