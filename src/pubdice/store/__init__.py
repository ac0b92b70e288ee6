"""Where tables are kept: logs of lines, only ever added to."""

from pubdice.store.files import FileStore
from pubdice.store.group import Entry, Facts, Outcome, Repeated, Stored
from pubdice.store.log import NotStored, Store
from pubdice.store.memory import MemoryStore
from pubdice.store.reader import Listed, SqliteReader
from pubdice.store.sqlite import SqliteStore, copy

__all__ = [
    "Entry", "Facts", "FileStore", "Listed", "MemoryStore", "NotStored", "Outcome", "Repeated", "SqliteReader",
    "SqliteStore", "Store", "Stored", "copy",
]  # fmt: skip
