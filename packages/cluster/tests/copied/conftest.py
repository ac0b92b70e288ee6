"""Fixtures: a house after an evening of play with all of its files, and a database with SQL tables for all of them."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from copied.copied_houses import odd
from copied.every_table import with_every_table
from databases.every_event import spend
from pubdice.store import SqliteStore
from pubdice.store.bundle import BOOK, KEY, OPENED, TABLES
from pubdice.store.sqlite.house_files import bundle_path
from pubdice.store.sqlite.players import PlayersFile
from pubdice_cluster.place import PostgresPlace, read_address
from store.bundles import GIVEN


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house after an evening of play, with odd texts and all of its files."""
    data = tmp_path_factory.mktemp("evening") / "house.db"
    spend(data)
    with closing(SqliteStore(data)) as store:
        odd(store)
    with closing(PlayersFile(bundle_path(data, BOOK))) as book:
        book.begin("the Queen of Diamonds' phone", 5)
        book.begin("Zoë 🎲", 6)
        with book._transaction() as work:  # an earlier version wrote such a row
            work.execute("UPDATE players SET words = ? WHERE id = 2", (b"hash",))
    for name, text in GIVEN.items():
        if name in (KEY, OPENED):
            bundle_path(data, name).write_text(text)
    return data


@pytest.fixture
def file(evening: Path, tmp_path: Path) -> Path:
    """A copy of the evening's house for one test."""
    for name in (TABLES, BOOK, KEY, OPENED):
        shutil.copy(bundle_path(evening, name), tmp_path)
    return tmp_path / "house.db"


@pytest.fixture
def database(empty_database: str) -> PostgresPlace:
    """A database with SQL tables for every part of a house."""
    with_every_table(empty_database)
    return read_address(empty_database)
