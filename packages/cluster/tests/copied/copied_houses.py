"""A house with odd texts, and functions that copy a house or read all of it."""

from contextlib import AbstractContextManager, closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from pubdice.server.file_place import FilePlace
from pubdice.store import Entry, TableSummary
from pubdice.store.house_store import HouseStore
from pubdice.store.sqlite.store import SqliteStore
from pubdice_cluster import move_house
from pubdice_cluster.copying import HouseRows, HouseTarget, copy_rows
from pubdice_cluster.house_tables import HOUSE, SqlRow
from pubdice_cluster.place import PostgresPlace
from pubdice_cluster.schema import reach
from pubdice_cluster.store import PostgresStore

Spot = Path | PostgresPlace
"""The place of a house: a file or a database."""
TRICKY = ("", " ", "a\nb", "\r\n", "\u2028", '"\\', "\\n", "Zoë 🎲", "[]", "\0", "x\0y", "x" * 100_000)
PLAYING = TableSummary("playing", listed=True, updated=1_000, people=("ann", "bob"), game="midnight", names=("Zoë", ""))


def odd(store: HouseStore) -> None:
    """Write tables that no house would make, but that a store accepts."""
    table = store.open_table("ODDODD", TRICKY[-1], PLAYING)
    seen = 1
    for at, text in enumerate(TRICKY):
        store.write(Entry(table, seen, (text, *TRICKY), f"ann\0 {at}", text.encode(), body=bytes([at])))
        seen += 1 + len(TRICKY)
    store.write(Entry(table, seen, (), "ann lone", b"nothing new"))
    store.write(Entry(table, seen, (), "ann lone and empty", b""))
    store.write(Entry(table, seen, (), "", b"no key at all"))
    store.write(Entry(table, seen, ("without a key",)))
    store.create("no code")
    told: SimpleQueue[object] = SimpleQueue()
    store.submit_table("NYGHT7", ["setup"], PLAYING, told.put, key="night:X ann", body=b"\0\1")
    assert told.get(timeout=10) == "NYGHT7"


def place_of(spot: Spot) -> FilePlace | PostgresPlace:
    return FilePlace(spot) if isinstance(spot, Path) else spot


def open_rows(spot: Spot, *, alone: bool = False) -> AbstractContextManager[HouseRows]:
    return move_house.open_rows(place_of(spot), alone=alone)


def open_target(spot: Spot) -> AbstractContextManager[HouseTarget]:
    return move_house.open_target(place_of(spot))


def open_store(spot: Spot) -> HouseStore:
    """Open or make the store in a place. Raises NotStored like ``SqliteStore`` or ``reach``."""
    if isinstance(spot, Path):
        return SqliteStore(spot)
    reach(spot.address)
    return PostgresStore(spot.address)


def move(source: Spot, target: Spot) -> tuple[str, ...]:
    """Copy a house, and return the names of the files left behind."""
    with open_rows(source, alone=True) as rows, open_target(target) as made:
        copied = copy_rows(rows, made)
        made.commit()
    return copied.left


def address_of(place: Spot) -> str:
    assert isinstance(place, PostgresPlace)
    return place.address


def everything(place: Spot) -> dict[str, list[SqlRow]]:
    with open_rows(place) as rows:
        return {table.name: list(rows.rows(table)) for table in HOUSE if rows.has(table)}


def reads(place: Spot) -> dict[str, Any]:
    """Return everything that a house reads from its store."""
    with closing(open_store(place)) as store:
        logs = {number: store.read(number) for number in store.tables()}
        keys = {
            key: store.answer(store.find("ODDODD") or 0, key)
            for key in ("ann\0 3", "ann lone", "ann lone and empty", "")
        }
        return {
            "logs": logs,
            "keys": keys,
            "codes": store.codes(),
            "lobby": store.lobby(99),
            "sat": store.tables_of("ann", 99),
            "night": store.opened_under("night:X ", 9),
            "secret": store.setting("secret"),
        }
