"""What was measured, each figure with its unit and where it comes from; and the service times made of them.

``figures.json`` has the defaults. ``benchmarks.scale --measure FILE`` measures some of them again and writes all to a
file, which ``--figures FILE`` reads.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

DEFAULTS = Path(__file__).with_name("figures.json")


class Figure(NamedTuple):
    """A figure. source: where it was measured or seen, or "assumed" with a reason."""

    value: float
    unit: str
    source: str


Figures = Mapping[str, Figure]


def read_figures(path: Path = DEFAULTS, given: Mapping[str, float] | None = None) -> Figures:
    """The figures of a file, with some of them given. Raises ValueError for a name that nobody knows."""
    found = {name: Figure(**one) for name, one in json.loads(path.read_text(encoding="utf-8")).items()}
    for name, value in (given or {}).items():
        if name not in found:
            raise ValueError(f"There is no figure {name}. There are: {', '.join(found)}.")
        found[name] = found[name]._replace(value=value, source="given on the command line")
    return found


def write_figures(figures: Figures, path: Path) -> None:
    """Write a file that ``read_figures`` reads."""
    rows = {name: one._asdict() for name, one in figures.items()}
    path.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Costs:
    """Service times in seconds. Fields are named as the figures that are in µs.

    Of a process: a turn of its loop, a command, an answer, one delivery to one phone, a message with hints, a hint, a
    log that is read on and told because of a hint, a stream that is opened. Of the database: a group, an append in it,
    the flush that follows (no core works meanwhile), a message with hints, each listener that it wakes, a read.
    How long a hint takes by subject; and the window, the least time between the beginnings of two groups of a process.
    """

    turn: float = 0.0
    command: float = 0.0
    answer: float = 0.0
    delivery: float = 0.0
    message: float = 0.0
    hint: float = 0.0
    follow: float = 0.0
    join: float = 0.0
    group: float = 0.0
    append: float = 0.0
    flush: float = 0.0
    notify: float = 0.0
    signal: float = 0.0
    read: float = 0.0
    subject: float = 0.0
    window: float = 0.0


def costs_of(figures: Figures) -> Costs:
    """The service times among the figures."""
    return Costs(**{each.name: figures[each.name].value / 1e6 for each in fields(Costs)})
