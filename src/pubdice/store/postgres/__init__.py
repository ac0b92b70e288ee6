"""A house's store in PostgreSQL: several processes serve the tables of one database."""

from pubdice.store.postgres.opened_seals import OpenedSealsTables
from pubdice.store.postgres.players import PlayersTables
from pubdice.store.postgres.reaching import reach
from pubdice.store.postgres.reader import PostgresReader
from pubdice.store.postgres.shared_secret import read_secret as read_shared_secret
from pubdice.store.postgres.store import PostgresStore
from pubdice.store.postgres.wakeups import PostgresWakeups

__all__ = [
    "OpenedSealsTables",
    "PlayersTables",
    "PostgresReader",
    "PostgresStore",
    "PostgresWakeups",
    "reach",
    "read_shared_secret",
]
