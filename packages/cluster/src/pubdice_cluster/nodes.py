"""The list of nodes in the database: the processes that serve the house, and the presence of people that each node
reports.

Only the log decides which moves are stored, so a late or empty list costs no more than work. The SQL tables of this
list are unlogged. So they are empty after a crash of the database server, and each node writes its rows again with its
next beat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pubdice_cluster.primary import Primary
from pubdice_cluster.reader import PostgresReader


@dataclass(frozen=True, slots=True)
class Node:
    """A process that serves the house.

    ``age_ms`` is the time since its last beat. ``acting`` has the tables whose timers the node keeps. ``acting`` may be
    empty for a node that sent a beat within the last second, because it is not read then.
    """

    id: int
    age_ms: int
    leaving: bool
    acting: tuple[int, ...] = ()


FORGOTTEN_S = 600
"""A node that has sent no beat for this many seconds is removed from the list."""
BEAT = (
    "WITH mine AS (INSERT INTO nodes AS n (id, acting, leaving) VALUES (?, coalesce(?::bigint[], '{}'), ?)"
    " ON CONFLICT (id) DO UPDATE SET beat = clock_timestamp(), acting = coalesce(?::bigint[], n.acting),"
    " leaving = excluded.leaving RETURNING id, leaving)"
    " SELECT id, 0::bigint, leaving, '{}'::bigint[] FROM mine UNION ALL"
    " SELECT id, (1000 * extract(epoch FROM clock_timestamp() - beat))::bigint, leaving,"
    " CASE WHEN leaving OR beat < clock_timestamp() - interval '1 s' THEN acting ELSE '{}' END"
    " FROM nodes WHERE id <> ? ORDER BY 1"
)
"""One statement that writes this node's beat and returns all nodes. It does not wait for the disk, since the tables are
unlogged."""
FORGET = "DELETE FROM nodes WHERE beat < clock_timestamp() - make_interval(secs => ?) RETURNING id"


class PostgresNodes:
    """The list of nodes as one process uses it, with that process's own entry."""

    def __init__(self, reader: PostgresReader, primary: Primary) -> None:
        """Take a node number. ``reader`` must have connections of its own, so a beat does not wait for other reads."""
        self._reader, self._primary = reader, primary
        self.id = int(reader.rows("SELECT nextval('node_ids')")[0][0])

    @property
    def server(self) -> str:
        """The database server in use, with its timeline."""
        return self._primary.server

    @property
    def has_others(self) -> bool:
        """True if the database address names several servers."""
        return self._primary.has_others

    def look_further(self) -> None:
        """Try the other database servers, since one of them may be the primary now."""
        self._primary.look_further()

    def beat(self, acting: Sequence[int] | None, *, leaving: bool = False) -> Sequence[Node]:
        """Write a beat, and return all nodes, this one included. ``acting`` has the tables whose timers this process
        keeps. If it is None, the list of the last beat stays.
        """
        told = None if acting is None else list(acting)
        found = self._reader.rows(BEAT, (self.id, told, leaving, told, self.id))
        nodes = [Node(node, age, gone, tuple(tables)) for node, age, gone, tables in found]
        if any(node.age_ms > 1000 * FORGOTTEN_S for node in nodes) and self._reader.rows(FORGET, (FORGOTTEN_S,)):
            self._reader.rows("DELETE FROM here WHERE node NOT IN (SELECT id FROM nodes) RETURNING node")
        return nodes

    def leave(self) -> None:
        """Remove this process and its presence from the list."""
        self._reader.rows("DELETE FROM here WHERE node = ? RETURNING node", (self.id,))
        self._reader.rows("DELETE FROM nodes WHERE id = ? RETURNING id", (self.id,))

    def now_ms(self) -> int:
        """Return the database server's time, in milliseconds since 1970."""
        return int(self._reader.rows("SELECT (1000 * extract(epoch FROM clock_timestamp()))::bigint")[0][0])

    def heads(self, tables: Sequence[int]) -> Mapping[int, tuple[int, int]]:
        """Return, for each table, the length of its log and the node that wrote the last line. The node is 0 if no node
        wrote it.
        """
        found = self._reader.rows("SELECT id, seq, node FROM heads WHERE id = ANY (?)", (list(tables),))
        return {table: (length, node) for table, length, node in found}

    def codes_of(self, tables: Sequence[int]) -> Sequence[str]:
        """Return the codes of these tables. Tables without a code are left out."""
        query = "SELECT code FROM tables WHERE id = ANY (?) AND code IS NOT NULL"
        return [code for (code,) in self._reader.rows(query, (list(tables),))]

    def show(self, people: Mapping[int, str]) -> None:
        """Report the presence of people, as a text for each table. An empty text removes the report."""
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
        """Return the presence texts that other nodes have reported for these tables, each as (table, node, text)."""
        query = "SELECT table_id, node, people FROM here WHERE table_id = ANY (?) AND node <> ?"
        return [(table, node, text) for table, node, text in self._reader.rows(query, (list(tables), self.id))]
