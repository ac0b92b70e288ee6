"""A house's file, and the store on it; a house after an evening, and its bundle."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from store.copied_houses import odd

from databases.every_event import spend
from pubdice.store import SqliteStore
from pubdice.store.bundle import BOOK, KEY, OPENED, TABLES
from pubdice.store.sqlite.house_files import bundle_path
from pubdice.store.sqlite.players import PlayersFile
from pubdice_cluster.copying import HousePlace, read_place
from store.bundles import GIVEN, zip_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path)) as made:
        yield made


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house after an evening, with all that can lie beside it."""
    data = tmp_path_factory.mktemp("house") / "house.db"
    spend(data)
    book = PlayersFile(bundle_path(data, BOOK))
    book.begin("the Queen of Diamonds' phone", 5)
    book.close()
    for name, text in GIVEN.items():
        bundle_path(data, name).write_text(text)
    return data


@pytest.fixture(scope="module")
def packed(house: Path) -> bytes:
    return zip_of(house)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house after an evening, with odd texts, and with all that can lie beside it."""
    data = tmp_path_factory.mktemp("evening") / "house.db"
    spend(data)
    with closing(SqliteStore(data)) as store:
        odd(store)
    with closing(PlayersFile(bundle_path(data, BOOK))) as book:
        book.begin("the Queen of Diamonds' phone", 5)
        book.begin("Zoë 🎲", 6)
        with book._transaction() as work:  # of an earlier version
            work.execute("UPDATE players SET words = ? WHERE id = 2", (b"hash",))
    for name, text in GIVEN.items():
        if name in (KEY, OPENED):
            bundle_path(data, name).write_text(text)
    return data


@pytest.fixture
def file(evening: Path, tmp_path: Path) -> Path:
    """That house, for one test."""
    for name in (TABLES, BOOK, KEY, OPENED):
        shutil.copy(bundle_path(evening, name), tmp_path)
    return tmp_path / "house.db"


@pytest.fixture
def database(empty_database: str) -> HousePlace:
    """A database with the SQL tables of every part of a house."""
    from store.every_table import with_every_table  # noqa: PLC0415 - the driver is an extra

    with_every_table(empty_database)
    return read_place(empty_database)
