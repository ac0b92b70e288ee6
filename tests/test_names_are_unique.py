"""One name, one meaning in the core and its annexes: a search for a class or a type's alias finds one."""

import ast
from collections import defaultdict
from pathlib import Path

from sentences import ANNEXES, SOURCE, modules

ROOT = Path(__file__).parents[1]
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
