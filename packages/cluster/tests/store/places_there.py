"""A store in a place, opened for a test."""

from pathlib import Path

from pubdice.store.house_store import HouseStore
from pubdice.store.sqlite.store import SqliteStore
from pubdice_cluster.copying import HousePlace


def open_store(place: HousePlace) -> HouseStore:
    """The store in a place, which is made if there is none. NotStored as ``SqliteStore``, or as ``reach``."""
    if isinstance(place, Path):
        return SqliteStore(place)
    from pubdice_cluster import PostgresStore  # noqa: PLC0415 - the driver is an extra
    from pubdice_cluster.schema import reach  # noqa: PLC0415 - as above

    reach(place.address)
    return PostgresStore(place.address)
