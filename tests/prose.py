"""Riddles: words that nobody would say aloud, and where people read words in code (``docs/style.md``)."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

RIDDLES = re.compile(
    r"\b(whoever|anew|of itself|of themselves|for ever|is not to be|are not to be|are to be|is to be"
    r"|out of the date|hang(?:s|ing)? on|look(?:s|ing)? on(?! the))\b",
    re.IGNORECASE,
)
"""What names no subject, turns a verb round, or nobody says. ``docs/style.md`` quotes them, so it is left out."""
MUDDLED = re.compile(r"\b(whosever|that is none|what is no)\b", re.IGNORECASE)
"""What makes a docstring a puzzle, besides; on a page such words may stand in a plain sentence."""
CLAUSE = re.compile(r"(What|Who|Whom|Whose|Whoever|Whatever|How|Whether|Where|When|Which)\b")
AFTER_COLON = re.compile(r": (what|who|how|whatever|whether)\b")
"""Beginnings of docstrings that name no thing: "What a cup is", not "A cup"; and after a colon in a module's head."""


def riddles(text: str, pattern: re.Pattern[str] = RIDDLES) -> list[str]:
    """Each place in a text that has such words, with what stands round it."""
    text = " ".join(text.split())
    return [f"{text[max(0, hit.start() - 40) : hit.end() + 20]!r}" for hit in pattern.finditer(text)]


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node of a tree, in any order: what ``ast.walk`` gives, in half the time."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for part in vars(node).values():
            if isinstance(part, list):
                waiting += [each for each in part if isinstance(each, ast.AST)]
            elif isinstance(part, ast.AST):
                waiting.append(part)


def explained(path: Path, tree: ast.Module | None = None) -> Iterator[tuple[int, str]]:
    """Every string of several words, comment and function's name of a module, with its line.

    Docstrings are strings. Code in double backquotes is left out. A file whose lines have no riddle has none in a
    comment: only others are taken apart into comments, which takes longest. tree: of the module, if it is there.
    """
    source = path.read_text(encoding="utf-8")
    for node in nodes(tree or ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, re.sub(r"``[^`]*``", "", node.value)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name.replace("_", " ")
    if riddles(source) or riddles(source, MUDDLED):
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def docstrings(tree: ast.Module) -> Iterator[tuple[ast.AST, int, str]]:
    """Every docstring of a module, also those below a name, with the node it explains and its line."""
    for node in nodes(tree):
        found = getattr(node, "body", None)
        body: list[ast.stmt] = found if isinstance(found, list) else []
        for at, part in enumerate(body):
            if (
                isinstance(part, ast.Expr)
                and isinstance(part.value, ast.Constant)
                and isinstance(part.value.value, str)
            ):
                yield body[at - 1] if at else node, part.lineno, " ".join(part.value.value.split())


def clauses(tree: ast.Module) -> list[tuple[int, str]]:
    """Docstrings that begin with a clause in place of a noun or a verb, and heads of modules with one after a colon."""
    return [
        (line, text[:60])
        for node, line, text in docstrings(tree)
        if CLAUSE.match(text) or (isinstance(node, ast.Module) and AFTER_COLON.search(text))
    ]
