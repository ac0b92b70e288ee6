"""The errors that a source makes, found by reading it, and facts to tell them with."""

import ast
from collections.abc import Iterator
from pathlib import Path

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
"""Facts of the shape each name has in the source; any other is a word."""


def raised(folder: Path) -> Iterator[tuple[str, str, str, frozenset[str]]]:
    """Every error of two kinds that a source makes: its kind; where, which code and which facts."""
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "IllegalAction(" in text or "BadNotation(" in text else ():
            match node:
                case ast.Call(func=ast.Name(id="IllegalAction" | "BadNotation" as kind), args=[code, *_]):
                    facts = frozenset(key.arg for key in node.keywords if key.arg not in (None, "state", "action"))
                    where = f"{path.relative_to(folder).as_posix()}:{node.lineno}"
                    for part in _codes(code):
                        yield kind, where, part, frozenset(map(str, facts))


def _codes(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from _codes(node.body)
        yield from _codes(node.orelse)


def facts_of(names: frozenset[str]) -> dict[str, object]:
    """Facts with these names, each of its shape."""
    return {name: FACTS.get(name, 1) for name in names}


def said(sentence: str) -> None:
    """Assert that this is a whole sentence."""
    assert sentence.endswith((".", ":", "?"))
    assert sentence[0].isupper() or not sentence[0].isalpha()
    assert "{" not in sentence
    assert "None" not in sentence
