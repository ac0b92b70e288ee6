"""Stores of tables: an append-only log of lines for each."""

from pubdice.store.files import FileStore, MemoryStore, Store
from pubdice.store.house_store import Listed
from pubdice.store.sqlite.store import SqliteReader, SqliteStore, copy
from pubdice.store.writer import Entry, Outcome, Repeated, Stored, TableSummary

__all__ = [
    "Entry", "FileStore", "Listed", "MemoryStore", "Outcome", "Repeated", "SqliteReader", "SqliteStore", "Store",
    "Stored", "TableSummary", "copy",
]  # fmt: skip
