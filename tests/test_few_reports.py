"""A run that tells one report a test says the same of it in the end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = """
import pytest

@pytest.fixture
def broken():
    assert False, "in its fixture"

@pytest.fixture
def left():
    yield
    assert False, "when it was cleared away"

def test_passes(): pass
def test_fails(): assert False, "in itself"
def test_is_broken(broken): pass
def test_leaves_something(left): pass
@pytest.mark.skip(reason="not today")
def test_is_skipped(): pass
@pytest.mark.xfail(strict=True)
def test_is_known_to_fail(): assert False
"""

CLEARED = """
import os
import pytest

@pytest.fixture(scope="module")
def shared():
    yield
    if "-x" in os.environ["HOW"]: assert False, "when all was cleared away"
    os._exit(3)

def test_fails(shared): assert False, "in itself"
def test_follows(shared): pass
"""
COUNTING = """
told = []

def pytest_runtest_logreport(report):
    told.append(report.when)

def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"told: {sorted(told)}")
"""


def run(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run the tests of a folder in one process that tells few reports."""
    usual = ["-c", os.devnull, "--rootdir=.", "-n1", "-rA", "-psupport.few_reports", "-pno:cacheprovider"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *usual, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(HERE)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_fails_is_told_wherever_it_fails_and_everything_is_counted(tmp_path: Path) -> None:
    (tmp_path / "test_of_each_kind.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text(COUNTING)
    done = run(tmp_path, "test_of_each_kind.py")
    assert done.returncode == 1, done.stderr
    for said in (
        "in its fixture",
        "when it was cleared away",
        "in itself",
        "SKIPPED [1]",
        "XFAIL test_of_each_kind.py",
    ):
        assert said in done.stdout
    assert "== 1 failed, 2 passed, 1 skipped, 1 xfailed, 2 errors in " in done.stdout
    assert f"told: {['call'] * 4 + ['setup'] * 2 + ['teardown']}" in done.stdout


def test_what_failed_is_told_before_anything_is_cleared_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With ``-x`` all is cleared away after it, which may fail as well; and to clear away may end the process."""
    (tmp_path / "test_cleared.py").write_text(CLEARED)
    monkeypatch.setenv("HOW", "-x")
    assert "== 1 failed, 1 error in " in run(tmp_path, "-x", "test_cleared.py").stdout
    monkeypatch.setenv("HOW", "the process ends")
    said = run(tmp_path, "test_cleared.py::test_fails", "--max-worker-restart=0").stdout
    assert "in itself" in said
    assert "crashed" in said
