"""The tool that seeds faults: every fault is one that a program can have, and a test that looks finds it."""

import subprocess
import sys
from pathlib import Path

import pytest

from seeded_faults import faults_of, found_by, probed

SOURCE = '''
"""A module."""


def limit(number, most):
    """At most most."""
    if number > most and most >= 0:
        note("ä über", number)
        return most
    return number


class Counter:
    def add(self, by):
        self.total += by

        @wraps
        def again():
            return 1

        return again
'''


def test_each_kind_of_fault_is_seeded_where_it_can_be() -> None:
    faults = list(faults_of("src/pubdice/x.py", SOURCE))
    seen = {(fault.function, fault.kind, SOURCE[fault.begin : fault.end], fault.instead) for fault in faults}
    assert seen == {
        ("limit", "negated", "number > most and most >= 0", "(not (number > most and most >= 0))"),
        ("limit", "and for or", "number > most and most >= 0", "(number > most or most >= 0)"),
        ("limit", "off by one", "number > most", "(number >= most)"),
        ("limit", "off by one", "most >= 0", "(most > 0)"),
        ("limit", "off by one", "0", "1"),
        ("limit", "swapped", 'note("ä über", number)', "note(number, 'ä über')"),
        ("limit", "dropped", 'note("ä über", number)', "pass"),
        ("Counter.add", "dropped", "self.total += by", "pass"),
        ("Counter.add.again", "off by one", "1", "2"),
    }


def test_a_probe_says_that_a_function_is_entered_and_changes_nothing_else() -> None:
    faults = dict(enumerate(faults_of("src/pubdice/x.py", SOURCE)))
    last = {fault.function: number for number, fault in faults.items()}
    calls: list[int] = []
    text = probed(SOURCE, faults)
    named: dict[str, object] = {"note": lambda *_: None, "wraps": lambda function: function}
    for number in last.values():
        call = f"__import__('pubdice.faults_reached', fromlist='_').reached({number})"
        assert text.count(call) == 1
        text = text.replace(call, f"entered({number})")
    namespace = named | {"entered": calls.append}
    exec(text, namespace)
    limit, counter = namespace["limit"], namespace["Counter"]
    assert callable(limit)
    assert callable(counter)
    assert limit(5, 3) == 3
    one = counter()
    one.total = 0
    assert one.add(2)() == 1
    assert calls == [last["limit"], last["Counter.add"], last["Counter.add.again"]]


def _clone(folder: Path, expected: int) -> Path:
    """A checkout that has one function, `one.more`, and one test of it, with this environment as its own."""
    (folder / "src/pubdice").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / "src/pubdice/one.py").write_text("def more(n):\n    return n + 1\n")
    (folder / "tests/test_one.py").write_text(
        "import sys\nsys.path.insert(0, 'src/pubdice')\nfrom one import more\n\n\n"
        f"def test_more():\n    assert more(3) == {expected}\n"
    )
    for command in (
        ["init"],
        ["add", "src", "tests"],
        ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-m", "."],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.mark.nightly
def test_a_fault_is_found_again_and_again_and_leaves_nothing_behind(tmp_path: Path) -> None:
    clone = _clone(tmp_path / "clone", 4)
    (fault,) = faults_of("src/pubdice/one.py", (clone / "src/pubdice/one.py").read_text())
    tests = {"tests/test_one.py::test_more": 0.1}
    for _ in range(3):  # a text of the same size, often within the same second: Python takes compiled code for its own
        assert found_by(fault, tests, clone, 1.0, whole=False) == "tests.test_one::test_more"


@pytest.mark.nightly
def test_a_test_that_fails_without_a_fault_ends_the_run(tmp_path: Path) -> None:
    clone = _clone(tmp_path / "clone", 9)
    (fault,) = faults_of("src/pubdice/one.py", (clone / "src/pubdice/one.py").read_text())
    with pytest.raises(SystemExit, match="without a fault"):
        found_by(fault, {"tests/test_one.py::test_more": 0.1}, clone, 1.0, whole=False)
