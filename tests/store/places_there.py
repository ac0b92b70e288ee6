"""A store in a place, opened for a test."""

from pathlib import Path

from pubdice.store.copying import HousePlace
from pubdice.store.house_store import HouseStore
from pubdice.store.sqlite.store import SqliteStore


def open_store(place: HousePlace) -> HouseStore:
    """The store in a place, which is made if there is none. NotStored as ``SqliteStore``, or as ``reach``."""
    if isinstance(place, Path):
        return SqliteStore(place)
    from pubdice.store.postgres import PostgresStore  # noqa: PLC0415 - the driver is an extra
    from pubdice.store.postgres.schema import reach  # noqa: PLC0415 - as above

    reach(place.address)
    return PostgresStore(place.address)
