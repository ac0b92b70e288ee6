"""Compiled code is kept apart by what it was compiled from, and numba is left as it was found."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pubdice.solve.acceleration import code_folder, compile_all, numba_there


def double(number: float) -> float:
    return 2 * number


def test_a_file_or_a_constant_that_changes_is_another_folder(tmp_path: Path) -> None:
    source = tmp_path / "loops.py"
    source.write_text("LANES = 16\n")
    first = code_folder(tmp_path, source, "1e-12")
    assert code_folder(tmp_path, source, "1e-12") == first
    assert code_folder(tmp_path, source, "1e-13") != first
    source.write_text("LANES = 32\n")
    assert code_folder(tmp_path, source, "1e-12") != first


@pytest.mark.skipif(not numba_there(), reason="needs the extra fast: pip install 'pubdice[fast]'")
def test_code_is_cached_in_the_folder_and_numbas_own_stays_as_it_was(tmp_path: Path) -> None:
    config: Any = import_module("numba").config
    before = config.CACHE_DIR
    (found,) = compile_all(tmp_path / "kept", double)
    assert before == config.CACHE_DIR
    assert found(21.0) == 42.0
    assert [path.suffix for path in (tmp_path / "kept").rglob("*.nb?")]


@pytest.mark.skipif(not numba_there(), reason="needs the extra fast: pip install 'pubdice[fast]'")
def test_code_is_neither_cached_nor_taken_where_others_may_write(tmp_path: Path) -> None:
    (kept := tmp_path / "kept").mkdir()
    kept.chmod(0o770)
    (found,) = compile_all(kept, double)
    assert found(21.0) == 42.0
    assert list(kept.iterdir()) == []
