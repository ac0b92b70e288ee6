"""The groups of costs, each measured in a process of its own, and held against what is written down."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pubdice
from costs.contract import WRITE, load, versions, write_down
from costs.measured import Cost, read
from support.paths import LAWS, ROOT, TESTS

MEASURED = Path(pubdice.__file__).parents[1]
"""What these tests import, also where another checkout is installed."""
GROUPS = {
    "start": "The start of the program, in a fresh process.",
    "deeds": "Deeds of people at a table, by HTTP: cold is the first in its process, warm a later one.",
    "idle": "A minute in which nobody moves: 1,000 tables, a page at every tenth; and 16 with a match; over SQLite.",
    "idle_postgres": "A minute of 1,000 tables over PostgreSQL, as the only process of its house; a roll; three logs.",
    "pocket": "Requests of a pocket's own page and of a guest's, in ordinary Python; pages not for the first time.",
    "solving": "The usual match of each game for two, solved, nothing compiled or kept.",
    "server": "A house opened; and a minute in which nobody speaks: uvicorn wakes up ten times a second.",
}
"""The groups, in the order of the file, and their titles."""


def measured(group: str, folder: Path, *arguments: str) -> dict[str, Cost]:
    """The costs of a group, counted in a process with fixed hashes and an empty folder. arguments: for the group."""
    beside = [file.parents[1] for file in ROOT.glob(f"packages/*/tests/costs/{group}.py")]
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PUBDICE", "PYTHON"))}
    environ |= {
        "PYTHONPATH": os.pathsep.join(map(str, [MEASURED, TESTS, LAWS, *beside])),
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "TZ": "UTC",
        "PUBDICE_CACHE": str(folder / "cache"),
        "PUBDICE_DATA": str(folder),
        "LC_ALL": "C.UTF-8",
        "COMPILED_TEMPLATES": os.environ["PUBDICE_CACHE"],
    }
    command = [sys.executable, "-m", "costs.measure", group, *arguments]
    done = subprocess.run(command, env=environ, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return read(done.stdout)


def hold(group: str, costs: dict[str, Cost], config: pytest.Config) -> None:
    """Hold costs against what is written down. With ``--write-costs``, lower that first, and write new deeds."""
    __tracebackhide__ = True
    if config.getoption("--write-costs"):
        assert "PYTEST_XDIST_WORKER" not in os.environ, f"one process writes the file: {WRITE}"
        write_down(group, costs, GROUPS)
    problems = load().problems(group, costs, versions())
    assert not problems, "\n\n" + "\n\n".join(problems)
