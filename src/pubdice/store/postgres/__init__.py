"""A house's store in PostgreSQL: several processes serve the tables of one database."""

from pubdice.store.postgres.players import PlayersTables
from pubdice.store.postgres.primary import Primary
from pubdice.store.postgres.schema import reach
from pubdice.store.postgres.shared import OpenedSealsTables, PostgresWakeups
from pubdice.store.postgres.shared import read_secret as read_shared_secret
from pubdice.store.postgres.store import PostgresReader, PostgresStore

__all__ = [
    "OpenedSealsTables",
    "PlayersTables",
    "PostgresReader",
    "PostgresStore",
    "PostgresWakeups",
    "Primary",
    "reach",
    "read_shared_secret",
]
