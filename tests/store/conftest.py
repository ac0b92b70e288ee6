"""A house's file, and the store on it; a house after an evening, and its bundle."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from databases.every_event import spend
from pubdice.store import SqliteStore
from pubdice.store.bundle import BOOK
from pubdice.store.house_files import beside
from pubdice.store.players import PlayersFile
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
    book = PlayersFile(beside(data, BOOK))
    book.join("person", "Queen of Diamonds", b"hash", 5)
    book.close()
    for name, text in GIVEN.items():
        beside(data, name).write_text(text)
    return data


@pytest.fixture(scope="module")
def packed(house: Path) -> bytes:
    return zip_of(house)
