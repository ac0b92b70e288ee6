"""The list of tests that are left to the night names tests that are there, each once."""

import re
from pathlib import Path

HERE = Path(__file__).parent
LINES = [line for line in (HERE / "at_night.txt").read_text().splitlines() if not line.startswith("#")]


def test_it_is_in_order_and_names_each_once() -> None:
    assert sorted(set(LINES)) == LINES
    assert [line for line in LINES if line.partition("[")[0] in LINES and "[" in line] == []


def test_it_names_tests_that_are_there() -> None:
    gone = []
    for line in LINES:
        file, _, name = line.partition("[")[0].partition("::")
        annex = HERE.parent.joinpath(*file.split("/")[:2]) if file.startswith("packages/") else None
        if annex is not None and not annex.exists():
            continue  # it was taken out, with its tests
        path = (HERE.parent if annex is not None else HERE) / file
        if not path.exists() or not re.search(rf"\b{name.rpartition('::')[2]}\b", path.read_text()):
            gone.append(line)
    assert gone == []
