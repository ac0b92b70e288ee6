"""The costs that are written down, in ``costs.toml``, and how what was measured is held against them.

``functions.toml`` beside it has the functions behind each cost, so that a cost that grows names what made it grow. It
lists those with a hundredth of a cost's calls or more: a function that is not listed counts as having just less, so
what it has grown by is never said to be more than it is.
"""

import json
import sqlite3
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from math import ceil
from pathlib import Path
from typing import Any

from costs.counting import COMPILED, MODULES, PLANS, STATEMENTS, WAKE_UPS
from costs.measured import NUMBERS, OF_LIBRARIES, Cost

FOLDER = Path(__file__).parent
COSTS, FUNCTIONS = "costs.toml", "functions.toml"
MORE, LESS, FEW = 0.03, 0.05, 3
"""The share by which a cost may be more, or less, than is written down; and calls that are too few to be worth a word
where they are less.
"""
MEMORY = 0.08
"""The same for memory, in place of both: of ten runs a move kept 789 to 847 bytes, and a table on a busy machine a
sixteenth less than on a quiet one.
"""
MORE_ELSEWHERE, FEW_ELSEWHERE = 0.25, 10
"""The same for what depends on libraries (``OF_LIBRARIES``), where Python or a library is another; and so many more."""
MORE_OF_ONE = 0.1
"""The same for each thing that may take long, and for waits: a page that looks for 57 files may look for 62."""
LISTED = 0.01
MOST_NAMED, MOST_WAYS, MOST_MODULES = 10, 4, 5
CALLS = ("calls", "library_calls", "compiled_calls")
DONE = ("modules", "statements", "bytes_stored", "bytes_sent")
"""What is less where something is done no more, or later than anybody waits for it."""
MOST_IN_THE_LOOP = 20_000
"""Python calls in the event loop's thread, those of libraries included: some 5 ms, in which every table waits."""
LIBRARIES = ("jinja2", "msgspec", "psycopg", "segno", "starlette", "uvicorn")
WRITE = "make costs"
HEAD = """# Costs that a test counts; tests/costs/contract.py holds what is measured against them. CONTRIBUTING.md says
# how to read a failure. `make costs` writes this file: read the difference before it is committed.
#
"""

Known = dict[str, dict[str, int]]
"""Numbers of each cost of a group, or its functions."""


def versions() -> dict[str, str]:
    """Python's version, SQLite's, and those of the libraries whose calls are counted."""
    found = {"python": "{}.{}".format(*sys.version_info), "sqlite": sqlite3.sqlite_version.rpartition(".")[0]}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    return found


@dataclass(frozen=True)
class Contract:
    """All costs that are written down, by group. measured_with: the versions they were measured with."""

    measured_with: Mapping[str, str]
    costs: Mapping[str, Known]
    functions: Mapping[str, Known]

    def problems(self, group: str, measured: Mapping[str, Cost], found_with: Mapping[str, str]) -> list[str]:
        """A text for each cost of a group that was measured and is not as it is written down."""
        known, functions = self.costs.get(group, {}), self.functions.get(group, {})
        problems = [f"{name} is not written down. Write it down: {WRITE}" for name in measured if name not in known]
        problems += [f"{name} is written down, but there is no such cost. {WRITE}" for name in known.keys() - measured]
        for name in known.keys() & measured.keys():
            alike = dict(found_with) == dict(self.measured_with)
            problems += _differences(name, known[name], functions.get(name, {}), measured[name], alike=alike)
        return sorted(problems)


def _differences(
    name: str, known: Mapping[str, int], functions: Mapping[str, int], cost: Cost, *, alike: bool
) -> list[str]:
    """The differences in one cost. alike: it was measured with the versions that the file names."""
    if known.keys() != cost.numbers.keys():
        return [f"{name}: other numbers are measured than are written down. {WRITE}"]
    grown, shrunk = [], []
    for what, now in cost.numbers.items():
        before, strict = known[what], alike or what not in OF_LIBRARIES
        more = {"waits": MORE_OF_ONE, "bytes_kept": MEMORY}.get(what, MORE)
        less = MEMORY if what == "bytes_kept" else LESS
        if now > (before * (1 + more) if strict else before * (1 + MORE_ELSEWHERE) + FEW_ELSEWHERE):
            grown.append(f"{now:,} {NUMBERS[what]}, {before:,} are written down{_percent(now, before)}")
            if what == "modules":
                grown.append(f"the modules with the fewest calls are {', '.join(cost.rarest[:MOST_MODULES])}")
        elif strict and now < before * (1 - less) and (what not in CALLS or now <= before - FEW):
            shrunk.append((what, f"{now:,} {NUMBERS[what]}, {before:,} are written down"))
    heavy = {name: number for name, number in cost.functions.items() if is_always_listed(name)}
    often = sorted(name for name, number in heavy.items() if number > functions.get(name, 0) * (1 + MORE_OF_ONE))
    if alike and often:
        grown.append(f"new, or more often, and each may take long: {', '.join(often[:MOST_NAMED])}")
    if grown:
        named = "".join(f"\n    {line}" for line in _grown_most(functions, cost))
        return [f"{name} costs more:\n  " + "\n  ".join(grown) + (f"\n  Grown most:{named}" if named else "")]
    if not shrunk:
        return []
    late = [what for what, _ in shrunk if what in DONE]
    why = "Something is done no more, or later. If that is meant, write it down" if late else "Write it down"
    return [f"{name} costs less:\n  " + "\n  ".join(text for _, text in shrunk) + f"\n  {why}: {WRITE}"]


def _percent(now: int, before: int) -> str:
    return f" ({100 * (now - before) / before:.0f} % more)" if before else ""


def listed(functions: Mapping[str, int]) -> dict[str, int]:
    """The functions of a cost that are written down: those with a hundredth of it, and ``is_always_listed``."""
    least = _least(functions)
    return {name: number for name, number in functions.items() if number >= least or is_always_listed(name)}


def is_always_listed(name: str) -> bool:
    """Whether a cost has this written down however little it is: one call of it may be long."""
    return COMPILED in name or name.startswith((MODULES, STATEMENTS, PLANS, WAKE_UPS))


def _least(functions: Mapping[str, int]) -> int:
    return max(2, ceil(LISTED * sum(functions.values())))


def _grown_most(before: Mapping[str, int], cost: Cost) -> list[str]:
    """The functions that grew most, a line each; a function that is not listed had just less than the least."""
    unlisted = min((number for name, number in before.items() if not is_always_listed(name)), default=1) - 1
    grown = {
        name: now - before.get(name, 0 if is_always_listed(name) else min(unlisted, now))
        for name, now in cost.functions.items()
    }
    lines = []
    first = [name for name in sorted(grown, key=lambda name: -grown[name])[:MOST_NAMED] if grown[name] > 0]
    for name in first:
        callee = f"; in libraries most for {cost.callees[name]} times" if name in cost.callees else ""
        was = before.get(name, f"at most {unlisted}" if before and not is_always_listed(name) else "none")
        lines.append(f"+{grown[name]:,} {name} (now {cost.functions[name]:,}, before {was}{callee})")
    return lines + _ways(cost.callers, first[:1])


def _ways(callers: Mapping[str, str], names: Sequence[str]) -> list[str]:
    """A line each, by which functions one is called: what calls it most, what calls that most, and so on."""
    lines = []
    for name in names:
        way, at = list[str](), name
        while (at := callers.get(at, "")) and at not in way and len(way) < MOST_WAYS:
            way.append(at)
        lines += [f"the first by way of {' ← '.join(way)}"] if way else []
    return lines


def too_long(measured: Mapping[str, Cost], most: int = MOST_IN_THE_LOOP) -> list[str]:
    """The costs that hold the event loop for more than so many Python calls, and what calls most."""
    found = []
    for name, cost in measured.items():
        calls = cost.numbers["calls"] + cost.numbers["library_calls"]
        if calls > most:
            first = sorted(cost.functions, key=lambda function: -cost.functions[function])[:MOST_NAMED]
            lines = [f"{cost.functions[function]:,} {function}" for function in first]
            named = "".join(f"\n    {line}" for line in lines + _ways(cost.callers, first[:1]))
            found.append(f"{name} holds the event loop for {calls:,} Python calls, {most:,} at most:{named}")
    return found


# the files


def load(folder: Path = FOLDER) -> Contract:
    """The contract that is written down in a folder; an empty one if none is."""
    costs, functions = (_loaded(folder / name) for name in (COSTS, FUNCTIONS))
    return Contract(costs.pop("measured_with", {}), costs, functions)


def _loaded(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def write_down(group: str, measured: Mapping[str, Cost], titles: Mapping[str, str], folder: Path = FOLDER) -> None:
    """Write down what a group costs now, and leave the others. titles: what each group is, in the order of the file."""
    contract = load(folder)
    costs = {**contract.costs, group: {name: dict(cost.numbers) for name, cost in measured.items()}}
    functions = {**contract.functions, group: {name: listed(cost.functions) for name, cost in measured.items()}}
    lines = [HEAD, *[f"# {what}: {said}\n" for what, said in NUMBERS.items()]]
    lines.append("\n# Calls of libraries, and memory, may be a quarter more where Python or a library is another.\n")
    lines.append("[measured_with]\n" + "".join(f"{name} = {json.dumps(each)}\n" for name, each in versions().items()))
    for each in [title for title in titles if title in costs]:
        lines.append(f"\n# {titles[each]}\n[{each}]\n")
        lines += [f"{json.dumps(name)} = {{ {_inline(numbers)} }}\n" for name, numbers in costs[each].items()]
    (folder / COSTS).write_text("".join(lines), encoding="utf-8")
    lines = [f"# The functions behind each cost of {COSTS}, with the calls that libraries make for them.\n"]
    for each in [title for title in titles if title in functions]:
        for name, found in functions[each].items():
            lines.append(f"\n[{each}.{json.dumps(name)}]\n")
            lines += [f"{json.dumps(function)} = {number}\n" for function, number in _by_number(found)]
    (folder / FUNCTIONS).write_text("".join(lines), encoding="utf-8")


def _inline(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{what} = {number}" for what, number in numbers.items())


def _by_number(functions: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(functions.items(), key=lambda each: (-each[1], each[0]))
