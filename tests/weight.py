"""Weighs the repository, room by room, and fails where one has grown and nobody wrote the new weight down.

    python tests/weight.py           compare with weight.toml (make lint)
    python tests/weight.py --write   write down what is weighed now (make weight)

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
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = ROOT / "weight.toml"
GROWING = "CHANGELOG.md"
"""The document that is there to grow."""
MORE = 0.01
"""The share by which a room may grow unseen, so that a mended line is no decision."""
LAWS = "packages/workshop/src/pubdice_workshop/laws"
"""Tests that lie where modules do, as people try their own games with them."""
ROOMS_OF_THE_SERVER = ("pages", "table", "web")
"""Rooms of the server that are weighed by themselves: each is as heavy as any other room."""
HEAD = """\
# The weight of each room of the repository (tests/weight.py says how). `make lint` fails where one has grown by more
# than one per cent. If it must, run `make weight`, and say in the commit what weighs more, and why.
"""
SKIPPED = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip
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
    for name, folder in (("core", root / "tests"), *((annex.name, annex / "tests") for annex in annexes)):
        for _, text in _files(folder, ".py", ".js", ".mjs"):
            _add(found["tests"], name, lines(text))
    for annex in annexes:
        for path, text in _files(annex / "src", ".py"):
            if path.is_relative_to(root / LAWS):
                _add(found["tests"], annex.name, lines(text))
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


def problems(now: Mapping[str, Mapping[str, int]], known: Mapping[str, Mapping[str, int]]) -> list[str]:
    """A sentence for each room that has grown or is new. One that is gone, as an annex may be, weighs nothing."""
    told = []
    for kind, rooms in now.items():
        for room, weight in sorted(rooms.items()):
            before = known.get(kind, {}).get(room)
            if before is None:
                told.append(f"{kind} of {room}: {weight:,} now, nothing is written down.")
            elif weight > before * (1 + MORE):
                grown = 100 * (weight - before) / before
                told.append(f"{kind} of {room}: {weight:,} now, {before:,} is written down ({grown:.1f} % more).")
    return told


def written(weights: Mapping[str, Mapping[str, int]]) -> str:
    """The file's text."""
    text = HEAD
    for kind, rooms in weights.items():
        text += f"\n[{kind}]\n" + "".join(f'"{room}" = {weight}\n' for room, weight in sorted(rooms.items()))
    return text


def main(arguments: Iterable[str]) -> int:
    """Compare, or write down; the exit status."""
    now = weigh()
    if "--write" in arguments:
        FILE.write_text(written(now), encoding="utf-8")
        return 0
    found = problems(now, tomllib.loads(FILE.read_text(encoding="utf-8")))
    for line in found:
        print(line)
    if found:
        print("If that is meant, run make weight, and say in the commit what weighs more, and why.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
