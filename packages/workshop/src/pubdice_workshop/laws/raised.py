"""The errors that a source raises, found by parsing it, and sample facts (values in a sentence) for their sentences."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

MADE = re.compile(r"(IllegalAction|BadNotation)\(")
FACTS: dict[str, object] = {
    "moves": ("s93",),
    "dice": (1,),
    "free": (1, 2, 3, 4),
    "names": ("Ann", "Bob"),
    "seats": ("Ann", "Bob"),
    "choices": ("1 4", "2 4"),
    "formats": ("race", "drinks"),
    "games": ("midnight", "420"),
    "keys": ("game", "seats"),
    "openers": ("rotate",),
}
"""Sample values by the name of the fact, for facts that are not a single word or number."""


def raised(folder: Path) -> Iterator[tuple[str, str, str, frozenset[str]]]:
    """Yield every IllegalAction and BadNotation in the source of a folder: the class, the place, the code and the names
    of the facts.
    """
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        named = [number for number, line in enumerate(text.splitlines(), 1) if MADE.search(line)]
        for node in _nodes(ast.parse(text), named) if named else ():
            match node:
                case ast.Call(func=ast.Name(id="IllegalAction" | "BadNotation" as kind), args=[code, *_]):
                    facts = frozenset(key.arg for key in node.keywords if key.arg not in (None, "state", "action"))
                    where = f"{path.relative_to(folder).as_posix()}:{node.lineno}"
                    for part in _codes(code):
                        yield kind, where, part, frozenset(map(str, facts))


def _nodes(node: ast.AST, lines: list[int]) -> Iterator[ast.AST]:
    """Yield the nodes on these lines and their parents. They are a hundredth of all nodes."""
    yield node
    for child in ast.iter_child_nodes(node):
        first, last = getattr(child, "lineno", 0), getattr(child, "end_lineno", 0)
        if not isinstance(child, ast.stmt) or any(first <= line <= last for line in lines):
            yield from _nodes(child, lines)


def _codes(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from _codes(node.body)
        yield from _codes(node.orelse)


def facts_of(names: frozenset[str]) -> dict[str, object]:
    """Return a sample value for each of these facts."""
    return {name: FACTS.get(name, 1) for name in names}


def said(sentence: str) -> None:
    assert sentence.endswith((".", ":", "?"))
    assert sentence[0].isupper() or not sentence[0].isalpha()
    assert "{" not in sentence
    assert "None" not in sentence
