"""What may grow with a log or with the number of tables, and by how much for each: counted, not timed."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pubdice
from costs.contract import MORE
from costs.groups import measured
from costs.growth import SCENES
from costs.measured import NUMBERS, Cost

MOST = {
    "A move, by lines of the log": {"bytes_peak": 4},
    "A page that comes back, by lines of the log": {"calls": 1, "lines": 5, "bytes_peak": 4},
    "The page of a table, by lines of its log": {"calls": 4, "lines": 13, "bytes_sent": 1, "bytes_peak": 16},
    "A move, by tables in memory": {"bytes_peak": 8},
    "A new table, by tables in memory": {"bytes_peak": 32, "database_steps": 7},  # 100 short codes at most are counted
    "The front page, by tables on it": {
        "calls": 20, "library_calls": 32, "bytes_sent": 280, "bytes_peak": 1100, "database_steps": 14, "lines": 116,
        "compiled_calls": 15,  # one is the field of a row by which an evening's tables are forgotten at once
    },
    "A heartbeat, by tables": {"bytes_peak": 8},
    "The start of a house, by tables": {},
}  # fmt: skip
"""What each one more may add; nothing else may grow, but for ``MORE`` of what it is in the small house.

A page tells what was said last: of that it replays up to 32 events more at one time than at another, as a state is kept
after every 32nd.
"""


def grown(costs: dict[str, Cost]) -> Iterator[str]:
    """A line for each number that grows too much."""
    for name, (_, few, many) in SCENES.items():
        small, large = costs[f"{name}: {few}"].numbers, costs[f"{name}: {many}"].numbers
        for what, number in small.items():
            most = int(number * (1 + MORE) + MOST[name].get(what, 0) * (many - few))
            if large[what] > most:
                yield f"{name}: {number:,} {NUMBERS[what]} at {few}, {large[what]:,} at {many}, where {most:,} may be"


def test_what_is_done_for_one_does_not_grow_with_all(tmp_path: Path) -> None:
    problems = list(grown(measured("growth", tmp_path)))
    assert not problems, "\n\n" + "\n".join(problems)


# Sequences that are lengthened by a copy: n of them are n² / 2 items, which no count of calls shows.


FEW = {"games/threes/rules.py: kept", "typed_dice.py: marks"}
"""Sequences of a turn's dice, which are few."""


def lengthened(module: ast.Module) -> Iterator[ast.expr]:
    """The names in loops, and all attributes, to which a longer copy is bound."""
    in_loops = {
        node
        for loop in ast.walk(module)
        if isinstance(loop, ast.For | ast.AsyncFor | ast.While)
        for node in ast.walk(loop)
    }
    for node in ast.walk(module):
        if not isinstance(node, ast.Assign):
            continue
        target, value = node.targets[0], node.value
        items = getattr(value, "elts", ())
        copied = [each.value for each in items if isinstance(each, ast.Starred)]
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            copied = [value.left] if isinstance(value.right, ast.List | ast.Tuple | ast.ListComp) else []
        copies = ast.unparse(target) in map(ast.unparse, copied)
        if copies and (isinstance(target, ast.Attribute) or node in in_loops):
            yield target


def test_nothing_is_lengthened_by_a_copy_of_it() -> None:
    folder, found = Path(pubdice.__file__).parent, set()
    for file in folder.rglob("*.py"):
        for target in lengthened(ast.parse(file.read_bytes())):
            found.add(f"{file.relative_to(folder).as_posix()}: {ast.unparse(target)}")
    assert found == FEW, "append to it, or say that there are few"
