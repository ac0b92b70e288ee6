"""The costs that are written down in ``costs.toml``, and the comparison of measured costs with them."""

import json
import sqlite3
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from costs.measured import NUMBERS, OF_LIBRARIES, Cost

FOLDER = Path(__file__).parent
COSTS = "costs.toml"
MORE, LESS, FEW = 0.03, 0.05, 3
"""The share by which a cost may be more, or less, than is written down; and calls that are too few to be worth a word
where they are less.
"""
MORE_ELSEWHERE, FEW_ELSEWHERE = 0.25, 10
"""The same for what depends on libraries (``OF_LIBRARIES``), where Python or a library is another; and so many more."""
MORE_WAITS = 0.1
MOST_NAMED = 10
CALLS = ("calls", "library_calls", "compiled_calls")
DONE = ("modules", "statements", "bytes_stored", "bytes_sent")
"""The numbers that fall when something is done no more, or done later."""
MOST_IN_THE_LOOP = 20_000
"""Python calls in the event loop's thread, those of libraries included: some 5 ms, in which every table waits."""
LIBRARIES = ("jinja2", "msgspec", "psycopg", "segno", "starlette", "uvicorn")
WRITE = "make costs"
BY_HAND = (
    "If it is worth it, write the higher number by hand, in a commit of its own that names the issue that asks for it"
)
HEAD = """# Costs that a test counts; tests/costs/contract.py holds what is measured against them. CONTRIBUTING.md says
# how to read a failure. The numbers are ceilings: `make costs` writes new deeds and lowers numbers, and never raises
# one. A higher number is written by hand, in a commit of its own that names the issue that asks for it.
#
"""

Known = Mapping[str, Mapping[str, int]]
"""The numbers of each cost of a group."""


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

    def problems(self, group: str, measured: Mapping[str, Cost], found_with: Mapping[str, str]) -> list[str]:
        """A text for each measured cost of a group that differs from what is written down."""
        known = self.costs.get(group, {})
        problems = [f"{name} is not written down. Write it down: {WRITE}" for name in measured if name not in known]
        problems += [f"{name} is written down, but there is no such cost. {WRITE}" for name in known.keys() - measured]
        alike = dict(found_with) == dict(self.measured_with)
        for name in known.keys() & measured.keys():
            problems += _differences(name, known[name], measured[name], alike=alike)
        return sorted(problems)


def _differences(name: str, known: Mapping[str, int], cost: Cost, *, alike: bool) -> list[str]:
    """The differences in one cost. alike: it was measured with the versions that the file names."""
    if known.keys() != cost.numbers.keys():
        return [f"{name}: other numbers are measured than are written down. {WRITE}"]
    grown, shrunk = [], []
    for what, now in cost.numbers.items():
        was, strict = known[what], alike or what not in OF_LIBRARIES
        more = MORE_WAITS if what == "waits" else MORE
        if now > (was * (1 + more) if strict else was * (1 + MORE_ELSEWHERE) + FEW_ELSEWHERE):
            grown.append(f"{now:,} {NUMBERS[what]}, {was:,} are written down{_percent(now, was)}")
        elif strict and now < was * (1 - LESS) and (what not in CALLS or now <= was - FEW):
            shrunk.append((what, f"{now:,} {NUMBERS[what]}, {was:,} are written down"))
    if grown:
        return [f"{name} costs more:\n  " + "\n  ".join([*grown, *_called_most(cost), f"{BY_HAND}."])]
    if not shrunk:
        return []
    late = [what for what, _ in shrunk if what in DONE]
    why = "Something is done no more, or later. If that is meant, write it down" if late else "Write it down"
    return [f"{name} costs less:\n  " + "\n  ".join(text for _, text in shrunk) + f"\n  {why}: {WRITE}"]


def _percent(now: int, before: int) -> str:
    return f" ({100 * (now - before) / before:.0f} % more)" if before else ""


def _called_most(cost: Cost) -> list[str]:
    """The functions that are called most, a line each."""
    first = sorted(cost.functions, key=lambda name: -cost.functions[name])[:MOST_NAMED]
    return [f"called most: {cost.functions[name]:,} {name}" for name in first]


def too_long(measured: Mapping[str, Cost], most: int = MOST_IN_THE_LOOP) -> list[str]:
    """The costs that hold the event loop for more than so many Python calls, and the functions called most."""
    found = []
    for name, cost in measured.items():
        calls = cost.numbers["calls"] + cost.numbers["library_calls"]
        if calls > most:
            named = "".join(f"\n    {line}" for line in _called_most(cost))
            found.append(f"{name} holds the event loop for {calls:,} Python calls, {most:,} at most:{named}")
    return found


# the file


def load(folder: Path = FOLDER) -> Contract:
    """The contract that is written down in a folder; an empty one if none is."""
    file = folder / COSTS
    groups = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return Contract(groups.pop("measured_with", {}), groups)


def lowered(known: Mapping[str, int], now: Mapping[str, int]) -> Mapping[str, int]:
    """The numbers of a deed, each the lower of the written one and the measured one; a new number as measured."""
    return {what: min(number, known.get(what, number)) for what, number in now.items()}


def write_down(group: str, measured: Mapping[str, Cost], titles: Mapping[str, str], folder: Path = FOLDER) -> None:
    """Write new deeds of a group and lower old numbers. titles: the title of each group, in the file's order."""
    contract = load(folder)
    known = contract.costs.get(group, {})
    costs = {**contract.costs, group: {name: lowered(known.get(name, {}), measured[name].numbers) for name in measured}}
    lines = [HEAD, *[f"# {what}: {said}\n" for what, said in NUMBERS.items()]]
    lines.append("\n# Calls of libraries may be a quarter more where Python or a library is another.\n")
    lines.append("[measured_with]\n" + "".join(f"{name} = {json.dumps(each)}\n" for name, each in versions().items()))
    for each in [title for title in titles if title in costs]:
        lines.append(f"\n# {titles[each]}\n[{each}]\n")
        for name, numbers in costs[each].items():
            fields = ", ".join(f"{what} = {number}" for what, number in numbers.items())
            lines.append(f"{json.dumps(name)} = {{ {fields} }}\n")
    (folder / COSTS).write_text("".join(lines), encoding="utf-8")
