"""Riddles: words that nobody would say aloud, and where people read words in code (``docs/style.md``)."""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
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

CODE = re.compile(r"``[^`]*``")
JOINTS = re.compile(r"""(?:[\s"'_#]|\\[\s\S]|(?<=["'\s(])[rRfFbBuU]{1,2}(?=["']))+""")
"""What may stand between two words of one sentence in source: also where it goes on in a string on the next line."""


def riddles(text: str, pattern: re.Pattern[str] = RIDDLES) -> list[str]:
    """Each place in a text that has such words, with what stands round it."""
    text = " ".join(text.split())
    return [f"{text[max(0, hit.start() - 40) : hit.end() + 20]!r}" for hit in pattern.finditer(text)]


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node of a tree but binary operators and how a name is used, in any order: half the time of ``ast.walk``."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for part in vars(node).values():
            if isinstance(part, list):
                waiting += [each for each in part if isinstance(each, ast.AST)]
            elif isinstance(part, ast.AST) and not isinstance(part, ast.expr_context | ast.operator):
                waiting.append(part)


def muddles(path: Path, *patterns: re.Pattern[str]) -> list[tuple[int, str]]:
    """Riddles in a module's strings of several words, docstrings among them, comments and names of functions, by line.

    Code in double backquotes is left out. Most modules have none in all of their text, quotes and underscores aside;
    only others are parsed, which takes twenty times as long.
    """
    source = path.read_text(encoding="utf-8")
    joined = JOINTS.sub(" ", CODE.sub("", source))
    if not any(pattern.search(joined) for pattern in patterns):
        return []
    return [(line, found) for line, text in _said(source) for pattern in patterns for found in riddles(text, pattern)]


def _said(source: str) -> Iterator[tuple[int, str]]:
    for node in nodes(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, CODE.sub("", node.value)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name.replace("_", " ")
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


def clauses(found: Iterable[tuple[ast.AST, int, str]]) -> list[tuple[int, str]]:
    """Docstrings that begin with a clause in place of a noun or a verb, and heads of modules with one after a colon."""
    return [
        (line, text[:60])
        for node, line, text in found
        if CLAUSE.match(text) or (isinstance(node, ast.Module) and AFTER_COLON.search(text))
    ]
