"""Words and names of the project: few, each with one meaning, found in the module that has what they mean."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from sentences import ANNEXES, SOURCE, modules

ROOT = Path(__file__).parents[1]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs/contribute/glossary.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| word |"))
]
"""The word or words of a row, their meaning, and what else they are called, which may be empty."""
WORDS = [word for row in ROWS for word in row[0].split(", ")]
MOST = 60


def test_every_row_has_words_and_a_meaning_and_there_are_few() -> None:
    assert 40 < len(ROWS) <= MOST
    assert [row for row in ROWS if len(row) != 3 or not (row[0] and row[1])] == []


def test_no_word_is_told_twice() -> None:
    assert len(set(map(str.lower, WORDS))) == len(WORDS)


def test_every_word_is_used_in_the_source_or_the_pages() -> None:
    sources = [path for kind in ("py", "html", "md") for path in sorted((ROOT / "src/pubdice").rglob(f"*.{kind}"))]
    used = " ".join(path.read_text(encoding="utf-8") for path in sources)
    assert [word for word in WORDS if not re.search(rf"\b{re.escape(word)}", used, re.IGNORECASE)] == []


WHERE = {
    "idempotency": "server/table/commit.py",
    "rate limit": "server/web/limits.py",
    "GCRA": "server/web/limits.py",
    "token bucket": "server/web/limits.py",
    "snapshot": "server/replay.py",
    "heartbeat": "server/table/house.py",
    "CSRF": "server/web/trusted_hosts.py",
    "forged or foreign origin": "server/web/guard.py",
    "garbage collection": "server/garbage.py",
    "GIL": "store/sqlite/store.py",
    "middleware": "server/web/guard.py",
    "migration": "store/sqlite/schema.py",
    "reconnect": "server/replay.py",
    "spectator": "server/table/stream.py",
    "repeated command": "server/table/commit.py",
    "bot's move": "server/table/bot_moves.py",
    "after a crash": "server/table/house.py",
    "slate in words": "match/formats/format.py",
    "crash recovery": "server/table/house.py",
    "replay of the log": "server/replay.py",
    "event sourcing": "room/events.py",
    "optimistic concurrency": "store/log_store.py",
    "slowloris": "server/uvicorn_protocol.py",
    "request smuggling": "server/uvicorn_protocol.py",
}


@pytest.mark.parametrize(("term", "module"), WHERE.items())
def test_a_search_for_a_mechanism_finds_its_module(term: str, module: str) -> None:
    text = " ".join((SOURCE / module).read_text(encoding="utf-8").split())
    assert re.search(rf"\b{term}", text, re.IGNORECASE), f"{module} has it, and doesn't say so"


IN_EVERY_GAME = {"RoundState", "CardLines"}
"""What each game has under the same name, as each has the same files: the same thing of another game."""


def _alias(node: ast.AST) -> str:
    """The name of a type's alias that is defined here; empty if none is. Type variables are local to their module."""
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return ""
    name = node.targets[0].id
    is_variable = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "TypeVar"
    return name if name[0].isupper() and not name.isupper() and not is_variable else ""


def test_no_class_and_no_alias_is_defined_twice() -> None:
    defined = defaultdict(list)
    for path in [path for folder in (SOURCE, *ANNEXES.values()) for path in modules(folder)]:
        where = path.relative_to(SOURCE if path.is_relative_to(SOURCE) else ROOT)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.name if isinstance(node, ast.ClassDef) else _alias(node)
            if name:
                in_a_game = where.parts[0] == "games" and name in IN_EVERY_GAME
                defined[name, where.parts[1] if in_a_game else ""].append(str(where))
    assert len(defined) > 200
    assert {name: files for (name, _), files in defined.items() if len(files) > 1} == {}
    assert {name for name, game in defined if game} == IN_EVERY_GAME
