"""A house's file, and the store on it. A house after an evening, and its bundle."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from databases.every_event import spend
from pubdice.store import SqliteStore
from pubdice.store.bundle import BOOK
from pubdice.store.sqlite.house_files import bundle_path
from pubdice.store.sqlite.players import PlayersFile
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
