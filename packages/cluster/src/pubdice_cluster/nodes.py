"""The nodes of a house in its database: the processes that serve it, and who is at which table by which of them.

All of it is a help. What is stored is decided by the log alone, so a list that is late or empty makes nothing wrong.
The tables are unlogged: after a crash of the server they are empty, and every node writes its rows again with its next
beat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pubdice_cluster.primary import Primary
from pubdice_cluster.reader import PostgresReader


@dataclass(frozen=True, slots=True)
class Node:
    """A process that serves the house. age_ms: since its last beat. acting: the tables whose timers it kept, if it
    leaves or has not beaten for a second; of others they may be left out.
    """

    id: int
    age_ms: int
    leaving: bool
    acting: tuple[int, ...] = ()


FORGOTTEN_S = 600
"""A node without a beat for so long is taken off the list."""
BEAT = (
    "WITH mine AS (INSERT INTO nodes AS n (id, acting, leaving) VALUES (?, coalesce(?::bigint[], '{}'), ?)"
    " ON CONFLICT (id) DO UPDATE SET beat = clock_timestamp(), acting = coalesce(?::bigint[], n.acting),"
    " leaving = excluded.leaving RETURNING id, leaving)"
    " SELECT id, 0::bigint, leaving, '{}'::bigint[] FROM mine UNION ALL"
    " SELECT id, (1000 * extract(epoch FROM clock_timestamp() - beat))::bigint, leaving,"
    " CASE WHEN leaving OR beat < clock_timestamp() - interval '1 s' THEN acting ELSE '{}' END"
    " FROM nodes WHERE id <> ? ORDER BY 1"
)
"""One statement: a process says that it lives and hears who else does. Nothing of it is synced (unlogged tables)."""
FORGET = "DELETE FROM nodes WHERE beat < clock_timestamp() - make_interval(secs => ?) RETURNING id"


class PostgresNodes:
    """A process among the nodes of its house."""

    def __init__(self, reader: PostgresReader, primary: Primary) -> None:
        """reader: with connections of its own, so that a beat waits for no other read."""
        self._reader, self._primary = reader, primary
        self.id = int(reader.rows("SELECT nextval('node_ids')")[0][0])

    @property
    def server(self) -> str:
        """The server that answers, with its timeline."""
        return self._primary.server

    @property
    def has_others(self) -> bool:
        """True if the address names several servers."""
        return self._primary.has_others

    def look_further(self) -> None:
        """Try the servers that are not the primary: one of them may have become it."""
        self._primary.look_further()

    def beat(self, acting: Sequence[int] | None, *, leaving: bool = False) -> Sequence[Node]:
        """Say that this process lives; all nodes, this one too. acting: the tables whose timers it keeps; None: those
        that it has told of last.
        """
        told = None if acting is None else list(acting)
        found = self._reader.rows(BEAT, (self.id, told, leaving, told, self.id))
        nodes = [Node(node, age, gone, tuple(tables)) for node, age, gone, tables in found]
        if any(node.age_ms > 1000 * FORGOTTEN_S for node in nodes) and self._reader.rows(FORGET, (FORGOTTEN_S,)):
            self._reader.rows("DELETE FROM here WHERE node NOT IN (SELECT id FROM nodes) RETURNING node")
        return nodes

    def leave(self) -> None:
        """Take this process off the list."""
        self._reader.rows("DELETE FROM here WHERE node = ? RETURNING node", (self.id,))
        self._reader.rows("DELETE FROM nodes WHERE id = ? RETURNING id", (self.id,))

    def now_ms(self) -> int:
        """The server's time in ms since 1970."""
        return int(self._reader.rows("SELECT (1000 * extract(epoch FROM clock_timestamp()))::bigint")[0][0])

    def heads(self, tables: Sequence[int]) -> Mapping[int, tuple[int, int]]:
        """The number of lines of these tables' logs, and the node that wrote last; 0 if none did."""
        found = self._reader.rows("SELECT id, seq, node FROM heads WHERE id = ANY (?)", (list(tables),))
        return {table: (length, node) for table, length, node in found}

    def codes_of(self, tables: Sequence[int]) -> Sequence[str]:
        """The codes of these tables, of those that have one."""
        query = "SELECT code FROM tables WHERE id = ANY (?) AND code IS NOT NULL"
        return [code for (code,) in self._reader.rows(query, (list(tables),))]

    def show(self, people: Mapping[int, str]) -> None:
        """Tell who is at these tables by this process, in its own words; "" if nobody is."""
        told = {table: text for table, text in people.items() if text}
        if told:
            self._reader.rows(
                "INSERT INTO here (table_id, node, people) SELECT given.table_id, ?, given.people"
                " FROM unnest(?::bigint[], ?::text[]) AS given (table_id, people)"
                " ON CONFLICT (table_id, node) DO UPDATE SET people = excluded.people RETURNING node",
                (self.id, list(told), list(told.values())),
            )
        if len(told) < len(people):
            left = [table for table, text in people.items() if not text]
            self._reader.rows("DELETE FROM here WHERE node = ? AND table_id = ANY (?) RETURNING node", (self.id, left))

    def presence_texts(self, tables: Sequence[int]) -> Sequence[tuple[int, int, str]]:
        """The presence texts of other nodes on these tables: table, node, text."""
        query = "SELECT table_id, node, people FROM here WHERE table_id = ANY (?) AND node <> ?"
        return [(table, node, text) for table, node, text in self._reader.rows(query, (list(tables), self.id))]
