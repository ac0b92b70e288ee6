"""Compares this revision with another. Builds both, and measures each figure of the two in turn, in one run.

Prints a line for each figure: the ratio of this revision's processor time to the other's with its 95 % interval, the
same by the clock, and the verdict (better, same or worse). The verdict goes by processor time, which other work on the
machine disturbs least. Each pair of measurements gives one ratio, so drifts during the run (load, temperature) cancel
in each pair. The interval is Student's for the mean of the ratios' logarithms. Less than 1 % counts as the same.

- *help*: ``pubdice --help``, and *import*: ``import pubdice``, each in a fresh process.
- *engine*: random matches through engine and record, by the revision's own ``benchmarks.play``.
- *moves*: durable moves over HTTP by a house of the revision. Each of 60 tables of four sends its next command as soon
  as the last is answered, without watchers and with all four watching. Processor time is the house's for one move.

Each revision gets its own environment, with the same versions of all other packages. This revision is the folder as it
is, with changes that are not committed. The exit status is 1 if a figure is worse.

    .venv/bin/python -m benchmarks.compare 5ee20ed [--pairs 7] [--only engine]
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import exp, log, sqrt
from pathlib import Path
from statistics import mean, stdev
from time import perf_counter

import uvloop

from benchmarks.load.playing import Watch, closed, opened, settled
from benchmarks.load.process import Running, load_average, running
from benchmarks.load.tables import Times

HERE = Path(__file__).parents[1]
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10)
"""The 97.5th percentile of Student's t for 1, 2, 3 … degrees of freedom."""
LEAST_PAIRS, MOST_PAIRS = 5, 1 + len(STUDENT)
SAME = 0.01
"""The least difference that counts, even if the interval is narrow."""
TABLES, PEOPLE, WARM_S, SECONDS = 60, 4, 1.0, 4.0
STARTS = 10
"""The number of processes started for one measurement."""
PLAYED = """
import json, sys
from random import Random
from time import perf_counter, process_time
from benchmarks import play
from pubdice.games import GAMES
kit = GAMES[sys.argv[1]]
raw = getattr(play, "RawHeader", None) or play.Header
header = (getattr(kit, "normalize", None) or kit.settle)(raw({"game": sys.argv[1], "seats": ", ".join(kit.names)}))
match = kit.match(header)
def batch(number):
    rng = Random(420)
    for _ in range(number):
        play.play(match, header, rng)
batch(50)
began, wall = process_time(), perf_counter()
batch(int(sys.argv[2]))
print(json.dumps([process_time() - began, perf_counter() - wall]))
"""
STARTED = """
import json, resource, subprocess, sys
from time import perf_counter
wall = perf_counter()
for _ in range(int(sys.argv[1])):
    subprocess.run(sys.argv[2:], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
wall, used = perf_counter() - wall, resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, wall]))
"""


@dataclass(frozen=True)
class Revision:
    """A built revision: its folder, and the Python of its environment."""

    name: str
    folder: Path
    python: Path


@dataclass(frozen=True)
class Seconds:
    """One measurement: seconds of the processor, and by the clock."""

    processor: float
    clock: float


Measure = Callable[[Revision], Seconds]


@dataclass(frozen=True)
class Ratio:
    """The ratio of this revision's time to the other's: the mean ``likely``, and its 95 % interval ``least`` to
    ``most``.
    """

    least: float
    likely: float
    most: float

    @property
    def verdict(self) -> str:
        """The verdict for this revision: better, same or worse."""
        if self.most < 1 and self.likely < 1 - SAME:
            return "better"
        return "worse" if self.least > 1 and self.likely > 1 + SAME else "same"

    def __str__(self) -> str:
        return f"{self.likely:.2f} ({self.least:.2f} to {self.most:.2f})"


def ratio(pairs: Sequence[tuple[float, float]]) -> Ratio:
    """Return the ratio of pairs of measurements, each with this revision's first.

    Raises ValueError if there are fewer pairs than ``LEAST_PAIRS``, or more than ``MOST_PAIRS``.
    """
    if not LEAST_PAIRS <= len(pairs) <= MOST_PAIRS:
        raise ValueError(f"{LEAST_PAIRS} to {MOST_PAIRS} pairs say something, not {len(pairs)}")
    logs = [log(ours / theirs) for ours, theirs in pairs]
    likely, spread = mean(logs), STUDENT[len(logs) - 2] * stdev(logs) / sqrt(len(logs))
    return Ratio(exp(likely - spread), exp(likely), exp(likely + spread))


def alternate(measure: Measure, ours: Revision, theirs: Revision, pairs: int) -> list[tuple[Seconds, Seconds]]:
    """Measure pairs. The other revision goes first in every second pair. One pair before does not count."""
    measure(ours), measure(theirs)
    found = []
    for number in range(pairs):
        if number % 2:
            second = measure(theirs)
            found.append((measure(ours), second))
        else:
            first = measure(ours)
            found.append((first, measure(theirs)))
    return found


def line(name: str, pairs: Sequence[tuple[Seconds, Seconds]]) -> tuple[str, Ratio]:
    """Return the line to print for a figure, and its ratio by processor time."""
    processor = ratio([(ours.processor, theirs.processor) for ours, theirs in pairs])
    clock = ratio([(ours.clock, theirs.clock) for ours, theirs in pairs])
    return f"{name:<30} {processor.verdict:<7} processor {processor}, clock {clock}", processor


# the figures


def in_process(code: str, *arguments: str, then: Callable[[Revision], Sequence[str]] = lambda _: ()) -> Measure:
    """Return a measurement by code that runs in a revision's environment and folder, and prints its seconds."""

    def measure(revision: Revision) -> Seconds:
        command = [str(revision.python), "-c", code, *arguments, *then(revision)]
        done = subprocess.run(command, cwd=revision.folder, check=True, capture_output=True, text=True)
        return Seconds(*json.loads(done.stdout))

    return measure


def moves(revision: Revision, *, looking: bool) -> Seconds:
    """Measure a durable move over HTTP. With ``looking`` all phones watch."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), python=revision.python, cwd=revision.folder) as house,
    ):
        return uvloop.run(_moved(house, looking=looking))


async def _moved(house: Running, *, looking: bool) -> Seconds:
    times = Times()
    tables = await opened(house, TABLES, PEOPLE, times)
    if not looking:
        for phone in (phone for table in tables for phone in table.phones):
            phone.deafen()
    await closed(tables, WARM_S)
    await settled(tables)
    times.clear(on=True)
    watch, began = Watch(house), perf_counter()
    await closed(tables, SECONDS)
    times.on = False
    took, number = perf_counter() - began, max(1, len(times.acks))
    return Seconds((house.cpu_s - watch.house_s) / number, took / number)


FIGURES: Mapping[str, Measure] = {
    "help: pubdice --help": in_process(
        STARTED, str(STARTS), then=lambda revision: [str(revision.python.with_name("pubdice")), "--help"]
    ),
    "import: import pubdice": in_process(
        STARTED, str(STARTS), then=lambda revision: [str(revision.python), "-c", "import pubdice"]
    ),
    "engine: midnight": in_process(PLAYED, "midnight", "800"),
    "engine: 420": in_process(PLAYED, "420", "1600"),
    "moves: nobody watching": partial(moves, looking=False),
    "moves: four watching": partial(moves, looking=True),
}


def compare(figures: Mapping[str, Measure], ours: Revision, theirs: Revision, pairs: int) -> bool:
    """Print a line for each figure. Return True if none is worse."""
    none_worse = True
    for name, measure in figures.items():
        said, found = line(name, alternate(measure, ours, theirs, pairs))
        print(said, flush=True)
        none_worse = none_worse and found.verdict != "worse"
    return none_worse


# the revisions


@contextmanager
def checked_out(repository: Path, revision: str, folder: Path) -> Iterator[Path]:
    """Check a revision out into a new folder, which is deleted at the end. Raises CalledProcessError if there is no
    such revision.
    """
    git = partial(subprocess.run, cwd=repository, check=True, capture_output=True)
    git(["git", "worktree", "add", "--detach", str(folder), revision])
    try:
        yield folder
    finally:
        git(["git", "worktree", "remove", "--force", str(folder)])


def build(name: str, folder: Path, place: Path, versions: Path) -> Revision:
    """Build an environment for the revision in ``folder``. ``versions`` is a file of pip's constraints for all other
    packages.
    """
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    python = place / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--constraint", str(versions), "--editable", f"{folder}[web]"], check=True)
    return Revision(name, folder, python)


def kept_versions() -> str:
    """Return the versions of all packages installed here except pubdice, as pip's constraints."""
    command = [sys.executable, "-m", "pip", "freeze", "--exclude-editable", "--disable-pip-version-check"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> int:
    """Compare the revisions. Return exit status 1 if a figure is worse."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", help="to compare with, by any name that git knows")
    parser.add_argument("--pairs", type=int, default=7, choices=range(LEAST_PAIRS, 1 + MOST_PAIRS), metavar="PAIRS")
    parser.add_argument("--only", default="", help="figures whose names begin so")
    chosen = parser.parse_args()
    figures = {name: measure for name, measure in FIGURES.items() if name.startswith(chosen.only)}
    with tempfile.TemporaryDirectory(prefix="pubdice-compare-") as made:
        place = Path(made)
        (place / "versions").write_text(kept_versions(), encoding="utf-8")
        with checked_out(HERE, chosen.revision, place / "theirs") as folder:
            print("Building both, once: a minute or two.", flush=True)
            ours = build("this revision", HERE, place / "here", place / "versions")
            theirs = build(chosen.revision, folder, place / "there", place / "versions")
            none_worse = compare(figures, ours, theirs, chosen.pairs)
    print(f"times as long as {chosen.revision}; {chosen.pairs} pairs; load average {load_average()}")
    return 0 if none_worse else 1


if __name__ == "__main__":
    sys.exit(main())
