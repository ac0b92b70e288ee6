"""Moves a house to an empty place. The copy counts only after each row is compared and each log is replayed."""

from collections.abc import Mapping
from contextlib import AbstractContextManager

from pubdice.core.errors import NotStored
from pubdice.kit import Kit
from pubdice.server.checks import COPY_GONE, MOST_TOLD
from pubdice.server.file_place import FilePlace
from pubdice.server.house_place import HousePlace
from pubdice.server.log_check import verify
from pubdice.server.teller import Teller
from pubdice.store.bundle import BOOK, KEY, OPENED
from pubdice.text.language import Sentence
from pubdice_cluster.copying import HouseRows, HouseTarget, copy_rows, logs
from pubdice_cluster.place import PostgresPlace
from pubdice_cluster.postgres_copy import postgres_rows, postgres_target
from pubdice_cluster.sqlite_copy import sqlite_rows, sqlite_target

LEFT: dict[str, Sentence] = {
    BOOK: "The players' book stays in {file}.",
    KEY: "The key of sealed dice stays in {file}.",
    OPENED: "The list of opened seals stays in {file}.",
}
"""The sentences about files that were not copied, because the target database has no SQL table for them."""


def open_rows(place: HousePlace, *, alone: bool = False) -> AbstractContextManager[HouseRows]:
    """Open a house for reading, in one transaction. If ``alone``, refuse a house that is being served. Raises NotStored
    like the place's ``reader``, or NotStored("bad-address") if the place is neither a file nor a PostgreSQL database.
    """
    if isinstance(place, FilePlace):
        return sqlite_rows(place.path, alone=alone)
    if isinstance(place, PostgresPlace):
        return postgres_rows(place.address, alone=alone)
    raise NotStored("bad-address")


def open_target(place: HousePlace) -> AbstractContextManager[HouseTarget]:
    """Open an empty place for a house. Raises NotStored("place-taken") or ("store-in-use"), or like ``open_rows``."""
    if isinstance(place, FilePlace):
        return sqlite_target(place.path)
    if isinstance(place, PostgresPlace):
        return postgres_target(place.address)
    raise NotStored("bad-address")


def move_house(
    source: HousePlace, target: HousePlace, games: Mapping[str, Kit], teller: Teller, *, damaged: bool
) -> int:
    """Copy a house to an empty place, compare each row, and replay each log there. Return the exit status. If
    ``damaged``, also copy logs that cannot be replayed. If this raises NotStored, nothing has changed.
    """
    tongue = teller.tongue
    with open_rows(source, alone=True) as rows, open_target(target) as made:
        copied = copy_rows(rows, made)
        wrong, events = 0, 0
        for number, lines in logs(made):
            try:
                events += verify(lines, games)
            except NotStored as error:
                if error.code == "game-gone":
                    teller.say(teller.unsound(number, error))
                    continue
                if error.code in COPY_GONE:
                    raise
                wrong += 1
                if wrong <= MOST_TOLD:
                    teller.say(teller.unsound(number, error))
        if wrong > MOST_TOLD:
            teller.say(teller.more(wrong - MOST_TOLD))
        if wrong and not damaged:
            raise NotStored("unsound")
        made.commit()
    for name in copied.left:
        teller.say(tongue.tell(LEFT[name], {"file": str(source)}))
    tables = tongue.count("{number} table", "{number} tables", copied.tables)
    said = "{tables} moved to {file}: the same in both, {events} events replayed."
    teller.say(tongue.say(said, tables=tables, file=str(target), events=events))
    return 0
