"""A house's store in PostgreSQL: several processes serve the tables of one database."""

from pubdice_cluster.players import PlayersTables
from pubdice_cluster.primary import Primary
from pubdice_cluster.schema import reach
from pubdice_cluster.store import PostgresReader, PostgresStore
from pubdice_cluster.wakeups import OpenedSealsTables, PostgresWakeups
from pubdice_cluster.wakeups import read_secret as read_shared_secret

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
