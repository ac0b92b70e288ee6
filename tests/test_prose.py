"""No riddles in what people read: documents, pages, help, rules, sentences, docstrings, comments, names of tests.

``docs/style.md`` says how we write. These words are a short list of what nobody would say aloud.
"""

import ast
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from pubdice.cli import COMMANDS, HELP, HOUSE, POCKET
from pubdice.games import GAMES
from sentences import SCANNED, SOURCE, sentences

ROOT = Path(__file__).parents[1]
COMMAND = Path(sys.executable).with_name("pubdice")
RIDDLES = re.compile(
    r"\b(whoever|anew|of itself|of themselves|for ever|is not to be|are not to be|are to be|is to be"
    r"|out of the date|hang(?:s|ing)? on|look(?:s|ing)? on(?! the))\b",
    re.IGNORECASE,
)
"""What names no subject, turns a verb round, or nobody says. ``docs/style.md`` quotes them, so it is left out."""
MUDDLED = re.compile(r"\b(whosever|that is none|what is no)\b", re.IGNORECASE)
"""What makes a docstring a puzzle, besides; on a page such words may stand in a plain sentence."""
STIFF = re.compile(
    r"\b(Wartefrist|Tafel|qualifizier\w*|Qualifikation|Überwerfen|überworfen|abwesend|Anwesend"
    r"|(?:ist|sind) zu \w+en|werden (?:muss|müssen|kann|können)|obig\w*|selbige\w*|Sie haben|Ihnen)\b"
)
"""German that nobody says at a table: see "In German" in ``docs/style.md``."""
PAGES = sorted(
    page
    for pattern in ("*.md", "docs/**/*.md", "benchmarks/*.md", "tests/*/*.md", "src/pubdice/games/*/RULES.md")
    for page in ROOT.glob(pattern)
    if page.name != "style.md"
)


def _found(text: str, pattern: re.Pattern[str] = RIDDLES) -> list[str]:
    return [f"{text[max(0, hit.start() - 40) : hit.end() + 20]!r}" for hit in pattern.finditer(" ".join(text.split()))]


def test_the_lists_find_what_nobody_says_and_let_pass_what_one_does() -> None:
    assert _found("It plays of itself, anew, for ever.")[0]
    assert _found("Dice are to be rolled.")
    assert not _found("You can't roll now. It works itself out forever; the mover rolls again.")
    assert _found("Nach der Wartefrist ist zu werfen.", STIFF)
    assert not _found("Du bist dran: Wirf 6 Würfel. Sie sind deine Hand.", STIFF)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_speaks_in_riddles(page: Path) -> None:
    assert _found(page.read_text(encoding="utf-8")) == []


def test_no_sentence_that_is_said_is_a_riddle() -> None:
    keys = sentences(*SCANNED) | sentences("terminal/*.py")
    said = sorted(text for key in keys for text in ((key,) if isinstance(key, str) else key))
    assert len(said) > 500
    assert [text for text in said if _found(text)] == []


def _explained(path: Path) -> Iterator[tuple[int, str]]:
    """Every string of several words, comment and function's name of a module, with its line.

    Docstrings are strings. Code in double backquotes is left out.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, re.sub(r"``[^`]*``", "", node.value)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name.replace("_", " ")
    with path.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def test_no_string_comment_or_name_of_the_code_is_a_riddle() -> None:
    explained = [(path, *each) for path in sorted(SOURCE.rglob("*.py")) for each in _explained(path)]
    assert len(explained) > 2_000
    assert [
        (str(path.relative_to(SOURCE)), line, *found)
        for path, line, text in explained
        if (found := _found(text) + _found(text, MUDDLED))
    ] == []


@pytest.mark.parametrize("folder", ["tests", "benchmarks", "release", "examples"])
def test_no_string_comment_or_name_beside_the_code_is_a_riddle(folder: str) -> None:
    paths = sorted(path for path in (ROOT / folder).rglob("*.py") if path != Path(__file__))
    assert paths
    assert [
        (str(path.relative_to(ROOT)), line, *found)
        for path in paths
        for line, text in _explained(path)
        if (found := _found(text))
    ] == []


WEB_COMMENT = re.compile(r"/\*.*?\*/|(?<!\S)//[^\n]*|\{#.*?#\}|<!--.*?-->", re.DOTALL)
"""A comment in a script, a style sheet or a template; the // of an address follows a colon."""


def test_no_comment_of_the_pages_scripts_styles_and_templates_is_a_riddle() -> None:
    folders = ("server/web/*", "server/pages", "pocket/static")
    kinds = [f"{folder}/*.{suffix}" for folder in folders for suffix in ("js", "css", "html")]
    sources = sorted(path for kind in kinds for path in SOURCE.glob(kind))
    comments = [(path.name, text) for path in sources for text in WEB_COMMENT.findall(path.read_text(encoding="utf-8"))]
    assert len(comments) > 120
    assert [
        (name, *found)
        for name, text in comments
        if (found := [*_found(" ".join(text.replace("*", " ").split())), *_found(text, MUDDLED)])
    ] == []


def _helped() -> Iterator[tuple[str, str]]:
    """Every text of a flag or a command, wherever an argument parser is given one."""
    for path in sorted(SOURCE.glob("**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg in ("help", "description", "epilog"):
                for part in ast.walk(node.value):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield path.name, part.value


def test_no_help_on_the_command_line_is_a_riddle() -> None:
    helped = [*_helped(), ("cli.py", HELP)]
    assert len(helped) > 40
    assert [(name, text) for name, text in helped if _found(text)] == []


def test_help_fits_a_terminal_and_names_every_command() -> None:
    assert max(map(len, HELP.splitlines())) < 80
    assert all(f"\n  {name} " in HELP for name in (*COMMANDS, *HOUSE, POCKET))
    done = subprocess.run([COMMAND, "--help"], capture_output=True, text=True, check=True)
    assert done.stdout == HELP


def test_german_is_what_one_says_at_a_table() -> None:
    told = [path.read_text(encoding="utf-8") for path in SOURCE.glob("**/de.po")]
    lines = [line for text in told for line in text.splitlines() if line.startswith(("msgstr", '"'))]
    rules = [page.read_text(encoding="utf-8") for page in SOURCE.glob("games/*/RULES.de.md")]
    assert len(lines) > 600
    assert len(rules) == len(GAMES)
    assert len(told) == len(GAMES) + 1
    assert [found for text in (*lines, *rules) for found in _found(text, STIFF)] == []
