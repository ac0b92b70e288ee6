"""The other nodes of a house: the living ones, the leader of each table, and the takeover of a dead node's tables.

The node that wrote a table's last line leads that table: it acts when something is due. If it does nothing, the others
step in, so the table goes on. Leading only saves work. If several nodes act at once, the log takes the first append.
The module depends on no database and no table.
"""

from collections.abc import Sequence
from hashlib import blake2b

from pubdice_cluster.nodes import Node

GONE_MS = 1_200
"""A node without a beat for this long counts as gone. Nodes beat every 0.4 s (``BEAT_EVERY_S``). If a late node counts
as gone, the others load its tables, which costs work. Nothing happens twice."""
ADOPTED_MS = 60_000
"""The nodes that met a node without a beat for this long have taken over its tables."""
STEP_IN_MS = 6_000
"""The others act this long after something was due, if the leader lives but has not acted."""
APART_MS = 200
"""The time between two nodes that step in, if the leader is gone."""


class Neighbours:
    """The nodes of a house at the last look. ``me`` is this process's number."""

    def __init__(self, me: int) -> None:
        self.me = me
        self.living: frozenset[int] = frozenset([me])
        self._left: dict[int, frozenset[int]] = {}
        self._met: frozenset[int] = frozenset()

    def look(self, nodes: Sequence[Node], *, steady: bool = True) -> bool:
        """Take in the list of nodes. Returns True if the set of living nodes has changed.

        ``steady`` is True if this node has beaten regularly for ``GONE_MS``. Otherwise the database may have been away
        for all nodes, so only nodes that leave count as gone.
        """
        before = self.living
        fresh = frozenset([self.me, *(node.id for node in nodes if node.age_ms < GONE_MS and not node.leaving)])
        leaving = frozenset([node.id for node in nodes if node.leaving])
        # The intersection drops nodes that are off the list. Otherwise their numbers would stay permanently.
        self._met = (self._met | fresh) & frozenset([node.id for node in nodes])
        self.living = fresh if steady else (fresh | before) - leaving
        return self.living != before

    def left_behind(self, nodes: Sequence[Node]) -> list[tuple[int, int]]:
        """The tables of gone or leaving nodes that this node takes first, each once, with its former node."""
        known = {node.id: node for node in nodes if node.id not in self.living}
        self._left = {node: told for node, told in self._left.items() if node in known}
        found = []
        for number, node in known.items():
            # After an outage, a new process sees rows of nodes that have been gone for long. Nodes that lived then have
            # taken over their tables.
            if node.age_ms > ADOPTED_MS and number not in self._met:
                continue
            told = self._left.get(number, frozenset())
            # Only rank 0 takes a table. If that node dies too, the table stands in its own row, and the next look finds
            # it.
            mine = [table for table in node.acting if table not in told and self.rank(table) == 0]
            self._left[number] = told | frozenset(mine)
            found += [(table, number) for table in mine]
        return found

    def rank(self, table: int) -> int:
        """The rank of this node among the living nodes that step in at a table."""
        mine = _weight(table, self.me)
        # Rendezvous hashing: each node computes the same order without messages. The loss of a node moves only its own
        # tables.
        return sum(_weight(table, node) > mine for node in self.living if node != self.me)

    def wait_ms(self, table: int, leader: int) -> int:
        """The delay of this node after something was due, if ``leader`` wrote the table's last line."""
        if leader == self.me:
            return 0
        # A living leader gets 6 s: it may only be slow, and two nodes that act at once cost a refused append. Without a
        # leader the nodes step in 200 ms apart, so the first one's hint reaches the next.
        return STEP_IN_MS if leader in self.living else APART_MS * self.rank(table)


def _weight(table: int, node: int) -> bytes:
    return blake2b(b"%d %d" % (table, node), digest_size=8).digest()
