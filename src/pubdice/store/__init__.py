"""Stores of tables. For each table, a store has a log of lines to which it only appends."""

from pubdice.store.file_store import FileStore
from pubdice.store.house_store import Listed
from pubdice.store.log_store import Store
from pubdice.store.memory_store import MemoryStore
from pubdice.store.sqlite.store import SqliteReader, SqliteStore, copy
from pubdice.store.writer import Entry, Outcome, Repeated, Stored, TableSummary

__all__ = [
    "Entry", "FileStore", "Listed", "MemoryStore", "Outcome", "Repeated", "SqliteReader", "SqliteStore", "Store",
    "Stored", "TableSummary", "copy",
]  # fmt: skip
