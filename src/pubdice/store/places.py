"""Where a house is kept, as people type it: the path of a SQLite file, or the address of a PostgreSQL database.

PostgreSQL's driver is an extra, so it is imported only once somebody names such an address.
"""

from dataclasses import dataclass, field
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice.store.house_store import HouseReads, HouseStore
from pubdice.store.sqlite.store import SqliteReader, SqliteStore

SCHEMES = ("postgresql://", "postgres://")


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """A database of PostgreSQL. address: with the password, for the driver; shown: without it, for people."""

    address: str = field(repr=False)
    shown: str

    def __str__(self) -> str:
        return self.shown


HousePlace = Path | DatabaseAddress


def read_place(word: str) -> HousePlace:
    """A path, or an address, which begins with postgresql://. NotStored("no-driver"), ("bad-address").

    Only a word that names another kind of server is no path: nobody has a folder called ``mysql:``.
    """
    if word.lower().startswith(SCHEMES):
        try:
            from pubdice.store.postgres.schema import check_address  # noqa: PLC0415 - the driver is an extra
        except ImportError:
            raise NotStored("no-driver") from None
        return DatabaseAddress(word, check_address(word))
    if "://" in word:
        raise NotStored("bad-address")
    return Path(word)


def open_store(place: HousePlace) -> HouseStore:
    """The store in a place, which is made if there is none. NotStored as ``SqliteStore``, or as ``reach``."""
    if isinstance(place, Path):
        return SqliteStore(place)
    from pubdice.store.postgres import PostgresStore  # noqa: PLC0415 - as above
    from pubdice.store.postgres.schema import reach  # noqa: PLC0415 - as above

    reach(place.address)
    return PostgresStore(place.address)


def open_reader(place: HousePlace) -> HouseReads:
    """Reads what is committed in a place. NotStored as ``SqliteReader``, or as ``reach``; ("no-house")."""
    if isinstance(place, Path):
        return SqliteReader(place)
    from pubdice.store.postgres.schema import reach  # noqa: PLC0415 - as above
    from pubdice.store.postgres.store import PostgresReader  # noqa: PLC0415 - as above

    if not reach(place.address):
        raise NotStored("no-house", file=place.shown)
    return PostgresReader(place.address)
