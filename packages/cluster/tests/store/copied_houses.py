"""A house with odd texts, and how the tests copy houses and read all of them."""

from contextlib import closing
from queue import SimpleQueue
from typing import Any

from store.places_there import open_store

from pubdice.store import Entry, TableSummary
from pubdice.store.house_store import HouseStore
from pubdice_cluster.copying import HOUSE, DatabaseAddress, HousePlace, SqlRow, copy_rows, open_rows, open_target

TRICKY = ("", " ", "a\nb", "\r\n", "\u2028", '"\\', "\\n", "Zoë 🎲", "[]", "\0", "x\0y", "x" * 100_000)
PLAYING = TableSummary("playing", listed=True, updated=1_000, people=("ann", "bob"), game="midnight", names=("Zoë", ""))


def odd(store: HouseStore) -> None:
    """Tables that no house makes, but that a store keeps."""
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


def move(source: HousePlace, target: HousePlace) -> tuple[str, ...]:
    """Copy a house; what was left behind."""
    with open_rows(source, alone=True) as rows, open_target(target) as made:
        copied = copy_rows(rows, made)
        made.commit()
    return copied.left


def address_of(place: HousePlace) -> str:
    assert isinstance(place, DatabaseAddress)
    return place.address


def everything(place: HousePlace) -> dict[str, list[SqlRow]]:
    with open_rows(place) as rows:
        return {table.name: list(rows.rows(table)) for table in HOUSE if rows.has(table)}


def reads(place: HousePlace) -> dict[str, Any]:
    """What a house reads of its store."""
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
