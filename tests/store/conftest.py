"""A house's file, and the store on it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pubdice.store import SqliteStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path)) as made:
        yield made
