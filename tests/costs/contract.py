"""The costs that are written down, in ``costs.toml``, and how what was measured is held against them.

The functions behind a cost are not written down: where one grows, its group is counted once more as it was
(``Before``), so that what made it grow is named. Of what may take long by a single call (``may_be_long``) each is
known by a sign, so that one that is new fails however little it is, and in place of another, too.
"""

import json
import sqlite3
import sys
import tomllib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from costs.counting import COMPILED, MODULES, PLANS, STATEMENTS, WAKE_UPS
from costs.measured import NUMBERS, OF_LIBRARIES, Cost

FOLDER = Path(__file__).parent
COSTS = "costs.toml"
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
LONG = "long"
"""In the file, beside the numbers of a cost: what in it may be long, as ``signs`` has it."""
SIGN = 3
"""Characters of a sign, 6 bits each, from the hash of a name. The file has 5,200 signs, 27 a cost: a new name has one
of its cost's by chance once in 10,000 times, and where they are most, 209 at the start of a house, once in 1,250; by
two characters that were once in 150, and in 20. How many names there are, and the sum of their calls in steps of a
tenth, would do with a third of the bytes, but let pass a long statement that comes in place of a short one.
"""
MOST_NAMED, MOST_WAYS, MOST_MODULES = 10, 4, 5
CALLS = ("calls", "library_calls", "compiled_calls")
DONE = ("modules", "statements", "bytes_stored", "bytes_sent")
"""What is less where something is done no more, or later than anybody waits for it."""
MOST_IN_THE_LOOP = 20_000
"""Python calls in the event loop's thread, those of libraries included: some 5 ms, in which every table waits."""
LIBRARIES = ("jinja2", "msgspec", "psycopg", "segno", "starlette", "uvicorn")
SAID_OF_LONG = (
    "what may take long by one call: a number, and all that come so often, each by a sign of three characters; the "
    "test has their names, and tells those that are new, or come more often"
)
WRITE = "make costs"
HEAD = """# Costs that a test counts; tests/costs/contract.py holds what is measured against them. CONTRIBUTING.md says
# how to read a failure. `make costs` writes this file: read the difference before it is committed.
#
"""

Known = Mapping[str, Mapping[str, int]]
"""Numbers of each cost of a group, or how often each sign comes in it."""


@dataclass(frozen=True)
class Before:
    """A group as it was at the revision that wrote it down. unknown: why that is not known, then there are no costs."""

    revision: str = ""
    costs: Mapping[str, Cost] = field(default_factory=dict)
    unknown: str = ""


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
    """All costs that are written down, by group. measured_with: the versions they were measured with. long: what in
    each may be long.
    """

    measured_with: Mapping[str, str]
    costs: Mapping[str, Known]
    long: Mapping[str, Known] = field(default_factory=dict)

    def problems(
        self,
        group: str,
        measured: Mapping[str, Cost],
        found_with: Mapping[str, str],
        before: Callable[[], Before] = lambda: Before(unknown="nobody has counted it"),
    ) -> list[str]:
        """A text for each cost of a group that was measured and is not as it is written down. before: counts the group
        as it was; asked only where a cost has grown.
        """
        known, long = self.costs.get(group, {}), self.long.get(group, {})
        problems = [f"{name} is not written down. Write it down: {WRITE}" for name in measured if name not in known]
        problems += [f"{name} is written down, but there is no such cost. {WRITE}" for name in known.keys() - measured]
        alike, was = dict(found_with) == dict(self.measured_with), cache(before)
        for name in known.keys() & measured.keys():
            problems += _differences(name, known[name], long.get(name, {}), measured[name], was, alike=alike)
        return sorted(problems)


def _differences(
    name: str,
    known: Mapping[str, int],
    long: Mapping[str, int],
    cost: Cost,
    before: Callable[[], Before],
    *,
    alike: bool,
) -> list[str]:
    """The differences in one cost. alike: it was measured with the versions that the file names."""
    if known.keys() != cost.numbers.keys():
        return [f"{name}: other numbers are measured than are written down. {WRITE}"]
    grown, shrunk = [], []
    for what, now in cost.numbers.items():
        was, strict = known[what], alike or what not in OF_LIBRARIES
        more = {"waits": MORE_OF_ONE, "bytes_kept": MEMORY}.get(what, MORE)
        less = MEMORY if what == "bytes_kept" else LESS
        if now > (was * (1 + more) if strict else was * (1 + MORE_ELSEWHERE) + FEW_ELSEWHERE):
            grown.append(f"{now:,} {NUMBERS[what]}, {was:,} are written down{_percent(now, was)}")
            if what == "modules":
                grown.append(f"the modules with the fewest calls are {', '.join(cost.rarest[:MOST_MODULES])}")
        elif strict and now < was * (1 - less) and (what not in CALLS or now <= was - FEW):
            shrunk.append((what, f"{now:,} {NUMBERS[what]}, {was:,} are written down"))
    often = sorted(
        function
        for function, now in cost.functions.items()
        if may_be_long(function) and now > long.get(sign(function), 0) * (1 + MORE_OF_ONE)
    )
    if alike and often:
        grown.append(f"new, or more often, and each may take long: {', '.join(often[:MOST_NAMED])}")
    if grown:
        return [f"{name} costs more:\n  " + "\n  ".join(grown) + _behind(name, cost, before)]
    if not shrunk:
        return []
    late = [what for what, _ in shrunk if what in DONE]
    why = "Something is done no more, or later. If that is meant, write it down" if late else "Write it down"
    return [f"{name} costs less:\n  " + "\n  ".join(text for _, text in shrunk) + f"\n  {why}: {WRITE}"]


def _percent(now: int, before: int) -> str:
    return f" ({100 * (now - before) / before:.0f} % more)" if before else ""


def may_be_long(name: str) -> bool:
    """Whether one call of this may be long, so that each counts, however few they are."""
    return COMPILED in name or name.startswith((MODULES, STATEMENTS, PLANS, WAKE_UPS))


def sign(name: str) -> str:
    """What a name is known by in the file."""
    return urlsafe_b64encode(sha256(name.encode()).digest())[:SIGN].decode()


def signs(functions: Mapping[str, int]) -> dict[str, int]:
    """Of what may be long, how often each comes, by its sign."""
    found = dict[str, int]()
    for name, number in functions.items():
        if may_be_long(name):
            found[sign(name)] = max(number, found.get(sign(name), 0))
    return found


def _behind(name: str, cost: Cost, before: Callable[[], Before]) -> str:
    """Lines about the functions of a cost that grew: those that grew most, where it is known what they were."""
    if not cost.functions:  # as of memory
        return ""
    then = before()
    if name in then.costs:
        lines = _grown_most(then.costs[name].functions, cost)
        head = f"Grown most since {then.revision}, which wrote it down:"
        if not lines:
            head = f"Counted here, nothing is called more often than in {then.revision}, which wrote it down."
    else:
        lines = _called_most(cost)
        why = then.unknown or f"{then.revision} has no such cost"
        head = f"Called most (what has grown is not known, as {why}):"
    return "".join([f"\n  {head}", *[f"\n    {line}" for line in lines]])


def _called_most(cost: Cost) -> list[str]:
    """The functions that are called most, a line each."""
    first = sorted(cost.functions, key=lambda name: -cost.functions[name])[:MOST_NAMED]
    return [f"{cost.functions[name]:,} {name}" for name in first] + _ways(cost.callers, first[:1])


def _grown_most(before: Mapping[str, int], cost: Cost) -> list[str]:
    """The functions that grew most, a line each."""
    grown = {name: now - before.get(name, 0) for name, now in cost.functions.items()}
    lines = []
    first = [name for name in sorted(grown, key=lambda name: -grown[name])[:MOST_NAMED] if grown[name] > 0]
    for name in first:
        callee = f"; in libraries most for {cost.callees[name]} times" if name in cost.callees else ""
        was = f"{before[name]:,}" if name in before else "none"
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
            named = "".join(f"\n    {line}" for line in _called_most(cost))
            found.append(f"{name} holds the event loop for {calls:,} Python calls, {most:,} at most:{named}")
    return found


# the file


def load(folder: Path = FOLDER) -> Contract:
    """The contract that is written down in a folder; an empty one if none is."""
    file, long = folder / COSTS, dict[str, Known]()
    groups = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    measured_with = groups.pop("measured_with", {})
    for group, costs in groups.items():
        long[group] = {name: _signs_in(numbers.pop(LONG, "")) for name, numbers in costs.items()}
    return Contract(measured_with, groups, long)


def write_down(group: str, measured: Mapping[str, Cost], titles: Mapping[str, str], folder: Path = FOLDER) -> None:
    """Write down what a group costs now, and leave the others. titles: what each group is, in the order of the file."""
    contract = load(folder)
    costs = {**contract.costs, group: {name: cost.numbers for name, cost in measured.items()}}
    long = {**contract.long, group: {name: signs(cost.functions) for name, cost in measured.items()}}
    lines = [HEAD, *[f"# {what}: {said}\n" for what, said in NUMBERS.items()], f"# {LONG}: {SAID_OF_LONG}\n"]
    lines.append("\n# Calls of libraries, and memory, may be a quarter more where Python or a library is another.\n")
    lines.append("[measured_with]\n" + "".join(f"{name} = {json.dumps(each)}\n" for name, each in versions().items()))
    for each in [title for title in titles if title in costs]:
        lines.append(f"\n# {titles[each]}\n[{each}]\n")
        for name, numbers in costs[each].items():
            fields = [f"{what} = {number}" for what, number in numbers.items()]
            fields += [f'{LONG} = "{text}"'] if (text := _text_of(long[each][name])) else []
            lines.append(f"{json.dumps(name)} = {{ {', '.join(fields)} }}\n")
    (folder / COSTS).write_text("".join(lines), encoding="utf-8")


def _text_of(long: Mapping[str, int]) -> str:
    """Signs as a text: each number, and behind it all that come so often."""
    return " ".join(
        f"{often} {''.join(sorted(sign for sign, number in long.items() if number == often))}"
        for often in sorted(set(long.values()))
    )


def _signs_in(text: str) -> dict[str, int]:
    """Signs from their text."""
    words = text.split()
    return {
        found[at : at + SIGN]: int(often)
        for often, found in zip(words[::2], words[1::2], strict=True)
        for at in range(0, len(found), SIGN)
    }
