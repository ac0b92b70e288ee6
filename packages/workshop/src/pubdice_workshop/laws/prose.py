"""A search of Python sources for words that are hard to read (here called riddles). ``docs/contribute/style.md`` lists
them.
"""

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
"""A pattern for phrases that are never heard in speech. The search skips ``style.md``, which quotes these words."""
MUDDLED = re.compile(r"\b(whosever|that is none|what is no)\b", re.IGNORECASE)
"""Words that make a docstring hard to understand. They are allowed on a page of the manual, in a plain sentence."""
CLAUSE = re.compile(r"(What|Who|Whom|Whose|Whoever|Whatever|How|Whether|Where|When|Which)\b")
AFTER_COLON = re.compile(r": (what|who|how|whatever|whether)\b")
"""Patterns for a clause at the head of a docstring ("What a cup is" for "A cup"), and for a clause after a colon in the
docstring of a module."""

CODE = re.compile(r"``[^`]*``")
JOINTS = re.compile(r"""(?:[\s"'_#]|\\[\s\S]|(?<=["'\s(])[rRfFbBuU]{1,2}(?=["']))+""")
"""A pattern for the characters that may separate two words of a sentence in source, for example if a string continues
on the next line."""


def riddles(text: str, pattern: re.Pattern[str] = RIDDLES) -> list[str]:
    """Return each match in a text, with the words round it."""
    text = " ".join(text.split())
    return [f"{text[max(0, hit.start() - 40) : hit.end() + 20]!r}" for hit in pattern.finditer(text)]


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield every node of a tree except operators and name contexts, in any order. This takes half the time of
    ``ast.walk``.
    """
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
    """Return the riddles in a module, with their lines. They are searched in comments, function names, docstrings and
    other strings of several words.

    Code in double backquotes is left out. Most modules match nothing in their raw text. Only the other modules are
    parsed, because that takes twenty times as long.
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
    """Yield every docstring of a module: the node that it documents, its line and its text. This includes docstrings of
    constants, which stand below them.
    """
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
    """Return the docstrings that begin with a clause, and those of modules with a clause after a colon."""
    return [
        (line, text[:60])
        for node, line, text in found
        if CLAUSE.match(text) or (isinstance(node, ast.Module) and AFTER_COLON.search(text))
    ]
