"""Where tables are kept: logs of lines, only ever added to."""

from pubdice.store.files import FileStore
from pubdice.store.log import NotStored, Store
from pubdice.store.memory import MemoryStore

__all__ = ["FileStore", "MemoryStore", "NotStored", "Store"]
