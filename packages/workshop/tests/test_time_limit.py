"""Test the time limits of the laws."""

import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from laws.time_limit import TooSlow, within

BURNS = """
import time
until = time.process_time() + {seconds}
while time.process_time() < until:
    pass
"""
"""Code that uses processor time."""


def test_an_import_under_way_ends_before_the_limit_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package whose import is interrupted lacks its parts when it is imported again. So every later use fails.

    A law imports numba with its first large match.
    """
    package = tmp_path / "comes_slowly"
    package.mkdir()
    (package / "__init__.py").write_text("import comes_slowly.part\n" + BURNS.format(seconds=0.3))
    (package / "part.py").write_text("whole = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    began = time.process_time()
    code = "import comes_slowly\n" + BURNS.format(seconds=60)
    with pytest.raises(TooSlow, match=r"^it: not solved within 0\.05 s"), within(0.05, "it"):
        exec(code)
    assert time.process_time() - began < 30
    assert import_module("comes_slowly").part.whole
    for name in ("comes_slowly", "comes_slowly.part"):
        monkeypatch.delitem(sys.modules, name)


def test_a_match_that_takes_too_long_is_told() -> None:
    with pytest.raises(TooSlow), within(0.05, "it"):
        exec(BURNS.format(seconds=60))
