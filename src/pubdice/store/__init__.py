"""Where tables are kept: an append-only log of lines for each."""

from pubdice.store.entries import Entry, Outcome, Repeated, Stored, TableSummary
from pubdice.store.files import FileStore
from pubdice.store.log import Store
from pubdice.store.memory import MemoryStore
from pubdice.store.reader import SqliteReader
from pubdice.store.reads import Listed
from pubdice.store.sqlite import SqliteStore, copy

__all__ = [
    "Entry", "FileStore", "Listed", "MemoryStore", "Outcome", "Repeated", "SqliteReader", "SqliteStore", "Store",
    "Stored", "TableSummary", "copy",
]  # fmt: skip
