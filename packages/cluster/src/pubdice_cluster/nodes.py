"""The list of nodes in the database: the processes that serve the house, and the presence that each reports.

The log alone decides what is stored. A late or empty list only costs work. The SQL tables are unlogged, so they are
empty after a crash of the server. Each node then writes its rows again with its next beat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pubdice_cluster.primary import Primary
from pubdice_cluster.reader import PostgresReader


@dataclass(frozen=True, slots=True)
class Node:
    """A process that serves the house. ``age_ms`` is the time since its last beat. ``acting`` has the tables whose
    timers the node keeps. It may be empty for a node that beat within the last second.
    """

    id: int
    age_ms: int
    leaving: bool
    acting: tuple[int, ...] = ()


FORGOTTEN_S = 600
"""A node without a beat for this long is removed from the list."""
BEAT = (
    "WITH mine AS (INSERT INTO nodes AS n (id, acting, leaving) VALUES (?, coalesce(?::bigint[], '{}'), ?)"
    " ON CONFLICT (id) DO UPDATE SET beat = clock_timestamp(), acting = coalesce(?::bigint[], n.acting),"
    " leaving = excluded.leaving RETURNING id, leaving)"
    " SELECT id, 0::bigint, leaving, '{}'::bigint[] FROM mine UNION ALL"
    " SELECT id, (1000 * extract(epoch FROM clock_timestamp() - beat))::bigint, leaving,"
    " CASE WHEN leaving OR beat < clock_timestamp() - interval '1 s' THEN acting ELSE '{}' END"
    " FROM nodes WHERE id <> ? ORDER BY 1"
)
"""One statement that writes this node's beat and returns all nodes. It syncs nothing, since the tables are unlogged."""
FORGET = "DELETE FROM nodes WHERE beat < clock_timestamp() - make_interval(secs => ?) RETURNING id"


class PostgresNodes:
    """A process's own view of the list of nodes, and its entry there."""

    def __init__(self, reader: PostgresReader, primary: Primary) -> None:
        """Take a node number. ``reader`` has connections of its own, so a beat waits for no other read."""
        self._reader, self._primary = reader, primary
        self.id = int(reader.rows("SELECT nextval('node_ids')")[0][0])

    @property
    def server(self) -> str:
        """The server in use, with its timeline."""
        return self._primary.server

    @property
    def has_others(self) -> bool:
        """True if the address names several servers."""
        return self._primary.has_others

    def look_further(self) -> None:
        """Try the other servers, since one of them may be the primary now."""
        self._primary.look_further()

    def beat(self, acting: Sequence[int] | None, *, leaving: bool = False) -> Sequence[Node]:
        """Write a beat, and return all nodes, this one included. ``acting`` has the tables whose timers this process
        keeps. None repeats the last ones.
        """
        told = None if acting is None else list(acting)
        found = self._reader.rows(BEAT, (self.id, told, leaving, told, self.id))
        nodes = [Node(node, age, gone, tuple(tables)) for node, age, gone, tables in found]
        if any(node.age_ms > 1000 * FORGOTTEN_S for node in nodes) and self._reader.rows(FORGET, (FORGOTTEN_S,)):
            self._reader.rows("DELETE FROM here WHERE node NOT IN (SELECT id FROM nodes) RETURNING node")
        return nodes

    def leave(self) -> None:
        """Remove this process from the list."""
        self._reader.rows("DELETE FROM here WHERE node = ? RETURNING node", (self.id,))
        self._reader.rows("DELETE FROM nodes WHERE id = ? RETURNING id", (self.id,))

    def now_ms(self) -> int:
        """The server's time, in milliseconds since 1970."""
        return int(self._reader.rows("SELECT (1000 * extract(epoch FROM clock_timestamp()))::bigint")[0][0])

    def heads(self, tables: Sequence[int]) -> Mapping[int, tuple[int, int]]:
        """Each table's log length and the node that wrote its last line, or 0 for no node."""
        found = self._reader.rows("SELECT id, seq, node FROM heads WHERE id = ANY (?)", (list(tables),))
        return {table: (length, node) for table, length, node in found}

    def codes_of(self, tables: Sequence[int]) -> Sequence[str]:
        """The codes of those tables that have one."""
        query = "SELECT code FROM tables WHERE id = ANY (?) AND code IS NOT NULL"
        return [code for (code,) in self._reader.rows(query, (list(tables),))]

    def show(self, people: Mapping[int, str]) -> None:
        """Report presence at these tables, as text by table. "" removes the row."""
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
