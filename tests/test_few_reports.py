"""A run that tells one report a test says the same of it in the end."""

import os
import subprocess
import sys
from pathlib import Path

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

COUNTING = """
told = []

def pytest_runtest_logreport(report):
    told.append(report.when)

def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"told: {sorted(told)}")
"""


def test_what_fails_is_told_wherever_it_fails_and_everything_is_counted(tmp_path: Path) -> None:
    (tmp_path / "test_of_each_kind.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text(COUNTING)
    words = ["-c", os.devnull, "--rootdir=.", "-n1", "-rA", "-psupport.few_reports", "-pno:cacheprovider"]
    run = [sys.executable, "-m", "pytest", *words, "test_of_each_kind.py"]
    done = subprocess.run(
        run, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(HERE)}, capture_output=True, text=True, check=False
    )
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
