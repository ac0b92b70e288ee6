"""The groups of costs, each measured in a process of its own, and held against what is written down."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import pubdice
from costs.before import NotKnown, output_of, packages_of, revision_of, unpack
from costs.contract import COSTS, FOLDER, WRITE, Before, load, versions, write_down
from costs.measured import Cost, read
from support.paths import LAWS, ROOT, TESTS

MEASURED = Path(pubdice.__file__).parents[1]
"""What these tests import, also where another checkout is installed."""
GROUPS = {
    "start": "The start of the program, in a fresh process.",
    "games": "A match of each game through the engine and into its record, not the first; dice and choices are fixed.",
    "deeds": "Deeds of people at a table, by HTTP: cold is the first in its process, warm a later one.",
    "pages": "Every GET route: cold is the first request in its process, warm the same once more.",
    "memory": "Memory that is kept, by tracemalloc; the mean of 32.",
    "idle": "A minute in which nobody moves: 1,000 tables, a page at every tenth; and 16 with a match; over SQLite.",
    "idle_postgres": "A minute of 1,000 tables over PostgreSQL, as the only process of its house; a roll; three logs.",
    "terminal": "A whole match of Midnight in a terminal, kept in a file; not the first.",
    "pocket": "Requests of a pocket's own page and of a guest's, in ordinary Python; pages not for the first time.",
    "solving": "The usual match of each game for two, solved, nothing compiled or kept.",
    "jobs": "What a worker does for a page; once more in another language. The match's solver is made before.",
    "server": "A house opened; a request; and a minute in which nobody speaks: uvicorn wakes up ten times a second.",
}
"""The groups, in the order of the file, and what they are."""


MOST_S = 240
"""What counting a group as it was may take: pages, the longest, take 17 s, on a busy machine a minute."""


def measured(group: str, folder: Path, *arguments: str) -> dict[str, Cost]:
    """The costs of a group, counted in a process with fixed hashes and an empty folder. arguments: for the group."""
    environ = _environment(folder, [MEASURED, TESTS, LAWS, *_beside(group)])
    environ["COMPILED_TEMPLATES"] = os.environ["PUBDICE_CACHE"]
    command = _command(group, arguments)
    done = subprocess.run(command, env=environ, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return read(done.stdout)


def _beside(group: str) -> list[Path]:
    """The tests of the annex that the group is of; none for one of the core."""
    return [file.parents[1] for file in ROOT.glob(f"packages/*/tests/costs/{group}.py")]


def _command(group: str, arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "costs.measure", group, *arguments]


def _environment(folder: Path, packages: Sequence[Path]) -> dict[str, str]:
    """The environment of a process that measures what is in these packages, and keeps its data in a folder."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PUBDICE", "PYTHON"))}
    return environ | {
        "PYTHONPATH": os.pathsep.join(map(str, packages)),
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "TZ": "UTC",
        # Where both are set, as readline does for child processes, a match in a terminal takes 42 library calls more.
        "COLUMNS": "80",
        "LINES": "24",
        "PUBDICE_CACHE": str(folder / "cache"),
        "PUBDICE_DATA": str(folder),
        "LC_ALL": "C.UTF-8",
    }


def measured_before(group: str, *arguments: str, file: Path = FOLDER / COSTS, most_s: float = MOST_S) -> Before:
    """The costs of a group at the revision that wrote the file, by today's Python and libraries."""
    try:
        revision = revision_of(file)
        with TemporaryDirectory(prefix="pubdice-costs-") as place:
            there, folder = Path(place, "revision"), Path(place, "data")
            folder.mkdir()
            unpack(file.parent, revision, there)
            environ = _environment(folder, packages_of(there))
            printed = output_of(_command(group, arguments), environ, folder, most_s)
        return Before(revision, read(printed))
    except NotKnown as why:
        return Before(unknown=str(why))
    except (TypeError, ValueError) as error:
        return Before(unknown=f"it was counted in another way: {error}")


def hold(group: str, costs: dict[str, Cost], config: pytest.Config, *arguments: str) -> None:
    """Hold costs against what is written down; or write them down. arguments: for the group as it was, if it grew."""
    __tracebackhide__ = True
    if config.getoption("--write-costs"):
        assert "PYTEST_XDIST_WORKER" not in os.environ, f"one process writes the file: {WRITE}"
        write_down(group, costs, GROUPS)
        return
    problems = load().problems(group, costs, versions(), lambda: measured_before(group, *arguments))
    assert not problems, "\n\n" + "\n\n".join(problems)
