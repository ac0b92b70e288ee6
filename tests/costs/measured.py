"""One measured cost: its numbers, and the functions that make them up. Written as JSON by the process that measures."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from costs.counting import Calls

NUMBERS = {
    "calls": "calls of pubdice's own Python functions and templates",
    "library_calls": "calls of Python functions in libraries, made for those",
    "compiled_calls": "calls of C functions, of re, json and copy, by pubdice's own; methods of built-in types aside; "
    "and fields that frozen dataclasses set",
    "waits": "sleeps, timers of a second at most, syncs, files opened, processes and names of hosts, in any thread",
    "modules": "modules of pubdice that were entered",
    "loaded": "modules that are loaded, Python's own and those of libraries too",
    "statements": "SQL statements",
    "bytes_stored": "bytes of the values that were written to the database",
    "bytes_sent": "bytes sent to browsers, heads of answers included",
    "wake_ups": "times the event loop woke up",
    "bytes_peak": "bytes of memory needed at a time",
    "lines": "lines of pubdice's own functions that were run",
    "scans": "SQL statements that read a table of SQLite's from one end to the other",
    "database_steps": "steps of SQLite's virtual machine",
}
"""The meaning of each number of the file."""
OF_LIBRARIES = ("library_calls", "compiled_calls", "waits", "loaded")
"""Numbers that differ from one Python to another, or from one version of a library to another."""


@dataclass(frozen=True)
class Cost:
    """Numbers by name (``NUMBERS``). functions: the calls of each, those of libraries for it included."""

    numbers: Mapping[str, int]
    functions: Mapping[str, int] = field(default_factory=dict)


def cost_of(calls: Calls, **more: int) -> Cost:
    """The cost of some counted calls, with other numbers that were counted meanwhile."""
    numbers = {"calls": sum(calls.own.values()), "library_calls": sum(calls.served.values())}
    numbers |= {"compiled_calls": sum(calls.compiled.values()), "waits": sum(calls.waits.values())}
    numbers |= {"modules": len(calls.modules), **more}
    return Cost(numbers, dict(calls.by_function))


def written(costs: Mapping[str, Cost]) -> str:
    """Costs as JSON."""
    return json.dumps({name: vars(cost) for name, cost in costs.items()})


def read(text: str) -> dict[str, Cost]:
    """Costs from JSON."""
    found: dict[str, Any] = json.loads(text)
    return {name: Cost(**fields) for name, fields in found.items()}
