"""No riddles in what people read: documents, pages, help, rules, sentences, docstrings, comments, names of tests.

``docs/contribute/style.md`` says how we write. These words are a short list of what nobody would say aloud.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from prose import MUDDLED, RIDDLES, clauses, docstrings, muddles, nodes, riddles
from pubdice import annexes
from pubdice.cli import COMMANDS, HELP, HOUSE
from pubdice.games import GAMES
from pubdice.text.catalogues import CODES, LANGUAGE_FOLDERS, has_part
from sentences import ANNEXES, SCANNED, SOURCE, homes, modules, sentences, translations, unsaid

ROOT = Path(__file__).parents[1]
COMMAND = Path(sys.executable).with_name("pubdice")
PAGES = sorted(
    page
    for pattern in ("*.md", "docs/**/*.md", "benchmarks/*.md", "tests/*/*.md", "src/pubdice/games/*/RULES.md")
    for page in ROOT.glob(pattern)
    if page.name != "style.md"
)


def _german(text: str) -> list[str]:
    return [found for pattern in unsaid("de") for found in riddles(text, pattern)]


def test_the_lists_find_what_nobody_says_and_let_pass_what_one_does() -> None:
    assert riddles("It plays of itself, anew, for ever.")[0]
    assert riddles("Dice are to be rolled.")
    assert not riddles("You can't roll now. It works itself out forever; the mover rolls again.")
    assert _german("Nach der Wartefrist ist zu werfen.")
    assert not _german("Du bist dran: Wirf 6 Würfel. Sie sind deine Hand.")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_speaks_in_riddles(page: Path) -> None:
    assert riddles(page.read_text(encoding="utf-8")) == []


def test_no_sentence_that_is_said_is_a_riddle() -> None:
    keys = sentences(*SCANNED) | sentences("terminal/*.py")
    said = sorted(text for key in keys for text in ((key,) if isinstance(key, str) else key))
    assert len(said) > 500
    assert [text for text in said if riddles(text)] == []


@dataclass(frozen=True)
class Module:
    """A module of the package, read once for all tests. helped: the texts of flags and commands."""

    path: Path
    docstrings: int
    clauses: list[tuple[int, str]]
    helped: list[str]


@cache
def _modules() -> list[Module]:
    return [_read(path) for folder in (SOURCE, *ANNEXES.values()) for path in modules(folder)]


def _read(path: Path) -> Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [*docstrings(tree)]
    return Module(path, len(found), clauses(found), [*_helped(tree)])


@pytest.mark.parametrize(
    "source",
    [
        '"""It plays of itself."""',
        '"""It plays of\n    itself."""',
        "say = 'Dice are not ' 'to be rolled.'",
        "say = ('Dice are not '\n    \"to be rolled.\")",
        "say = 'It is so:\\nanew it plays.'",
        'say = f"{name} plays anew."',
        "say = 'Dice are not ' f'to be rolled by {name}.'",
        "say = 'Dice are not \\\nto be rolled.'",
        'say = "It is ``not yet`` to be rolled."',
        "x = 1  # for ever",
        "def test_dice_are_to_be_rolled(): ...",
        "async def whoever(): ...",
    ],
)
def test_a_riddle_is_found_wherever_people_read_it(source: str, tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(f"x = 'Plain words.'\n{source}\n", "utf-8")
    [(line, _)] = muddles(module, RIDDLES, MUDDLED)
    assert line >= 2


def test_code_is_no_riddle(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('anew = 1\n"""Call ``anew`` again."""\n', "utf-8")
    assert muddles(module, RIDDLES) == []


def test_no_string_comment_or_name_of_the_code_is_a_riddle() -> None:
    paths = [path for folder in (SOURCE, *ANNEXES.values()) for path in modules(folder)]
    assert len(paths) > 200
    assert [(str(path), *found) for path in paths for found in muddles(path, RIDDLES, MUDDLED)] == []


@pytest.mark.parametrize(
    "source",
    [
        '"""What a game is."""',
        '"""Advice: what each keep is worth."""',
        'def f():\n    """Whether it is over."""',
        'class Deadline:\n    """Who waits."""',
        'MOST = 5\n"""How many there may be."""',
    ],
)
def test_a_clause_at_the_beginning_of_a_docstring_is_found(source: str) -> None:
    assert len(clauses(docstrings(ast.parse(source)))) == 1


def test_every_docstring_begins_with_a_noun_or_a_verb() -> None:
    """It says what the thing is or does: ``docs/contribute/style.md``, "In code"."""
    assert sum(module.docstrings for module in _modules()) > 4_000
    assert [(str(module.path.relative_to(ROOT)), *found) for module in _modules() for found in module.clauses] == []


@pytest.mark.parametrize("folder", ["packages", "tests", "benchmarks", "release", "examples"])
def test_no_string_comment_or_name_beside_the_code_is_a_riddle(folder: str) -> None:
    paths = sorted(path for path in (ROOT / folder).rglob("*.py") if path.name not in (Path(__file__).name, "prose.py"))
    assert paths
    assert [(str(path.relative_to(ROOT)), *found) for path in paths for found in muddles(path, RIDDLES)] == []


WEB_COMMENT = re.compile(r"/\*.*?\*/|(?<!\S)//[^\n]*|\{#.*?#\}|<!--.*?-->", re.DOTALL)
"""A comment in a script, a style sheet or a template; the // of an address follows a colon."""


def test_no_comment_of_the_pages_scripts_styles_and_templates_is_a_riddle() -> None:
    folders = [
        *SOURCE.glob("server/web/*"),
        SOURCE / "server/pages",
        *(folder / "static" for folder in ANNEXES.values()),
    ]
    sources = sorted(
        path for folder in folders for suffix in ("js", "css", "html") for path in folder.glob(f"*.{suffix}")
    )
    comments = [(path.name, text) for path in sources for text in WEB_COMMENT.findall(path.read_text(encoding="utf-8"))]
    assert len(comments) > 120
    assert [
        (name, *found)
        for name, text in comments
        if (found := [*riddles(" ".join(text.replace("*", " ").split())), *riddles(text, MUDDLED)])
    ] == []


def _helped(tree: ast.Module) -> Iterator[str]:
    """Every text of a flag or a command, wherever an argument parser is given one."""
    for node in nodes(tree):
        told: list[ast.expr] = []
        if isinstance(node, ast.keyword) and node.arg in ("help", "description", "epilog"):
            told = [node.value]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("describe", "take", "switch"):
            told = node.args
        for part in [part for each in told for part in nodes(each)]:
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


def test_no_help_on_the_command_line_is_a_riddle() -> None:
    helped = [*[(module.path.name, text) for module in _modules() for text in module.helped], ("cli.py", HELP)]
    assert len(helped) > 40
    assert [(name, text) for name, text in helped if riddles(text)] == []


def test_help_fits_a_terminal_and_names_every_command() -> None:
    assert max(map(len, HELP.splitlines())) < 80
    for code, page in [("en", HELP), *[(code, _help_in(code)) for code in CODES[1:] if has_part(code, "terminal")]]:
        missing = [name for name in (*COMMANDS, *HOUSE, *annexes.names()) if f"\n  {name} " not in page]
        assert missing == [], code
    done = subprocess.run([COMMAND, "--help"], capture_output=True, text=True, check=True)
    assert done.stdout == HELP


def _help_in(code: str) -> str:
    """A language's page of help. "" if it does not speak in the terminal."""
    return (LANGUAGE_FOLDERS / code / "help.txt").read_text(encoding="utf-8") if has_part(code, "terminal") else ""


@pytest.mark.parametrize("code", CODES[1:])
def test_a_language_is_what_one_says_at_a_table(code: str) -> None:
    """Its ``laws.toml`` says how: the words of another way to say "you", and those that nobody says aloud."""
    lines = [text for home in homes(code) for _, text in translations(code, home)]
    rules = [page.read_text(encoding="utf-8") for page in SOURCE.glob(f"games/*/RULES.{code}.md")]
    page = _help_in(code)
    assert len(lines) > 600
    assert len(rules) == len(GAMES)
    assert unsaid(code), "its laws.toml names an address that it does not use"
    assert [
        found for text in (*lines, *rules, page) for pattern in unsaid(code) for found in riddles(text, pattern)
    ] == []
