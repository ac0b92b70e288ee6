"""The nodes (processes) of a house: which ones live, which one leads each table, and which one takes over the tables of
a dead node.

The node that wrote the last line of a table's log leads that table: it acts when a timer of the table fires. If the
leader does nothing, the other nodes act in its place, so the game goes on. A leader only saves work. If several nodes
act at once, the log accepts only the first append. This module depends on no database and on no table.
"""

from collections.abc import Sequence
from hashlib import blake2b

from pubdice_cluster.nodes import Node

GONE_MS = 1_200
"""A node that has sent no beat (heartbeat) for this long counts as gone. Nodes send a beat every 0.4 s
(``BEAT_EVERY_S``). If a node is only late, the other nodes load its tables for nothing. But no move happens twice."""
ADOPTED_MS = 60_000
"""If a node has sent no beat for this long, its tables have been taken over by the nodes that knew it while it
lived."""
STEP_IN_MS = 6_000
"""If the leader lives but has not acted, the other nodes act this long after the timer was due."""
APART_MS = 200
"""If the leader is gone, the other nodes act one after another, with this much time between two of them."""


class Neighbours:
    """The nodes of a house, as this process last saw them. ``me`` is the number of this process."""

    def __init__(self, me: int) -> None:
        self.me = me
        self.living: frozenset[int] = frozenset([me])
        self._left: dict[int, frozenset[int]] = {}
        self._met: frozenset[int] = frozenset()

    def look(self, nodes: Sequence[Node], *, steady: bool = True) -> bool:
        """Take in the list of nodes. Return True if the set of living nodes has changed.

        ``steady`` is True if this node has sent its beats regularly for ``GONE_MS``. If it is False, the database may
        have been away for all nodes. Then only a node that says it is leaving counts as gone.
        """
        before = self.living
        fresh = frozenset([self.me, *(node.id for node in nodes if node.age_ms < GONE_MS and not node.leaving)])
        leaving = frozenset([node.id for node in nodes if node.leaving])
        # The intersection drops nodes that are no longer on the list. Otherwise the set would keep their numbers
        # forever.
        self._met = (self._met | fresh) & frozenset([node.id for node in nodes])
        self.living = fresh if steady else (fresh | before) - leaving
        return self.living != before

    def left_behind(self, nodes: Sequence[Node]) -> list[tuple[int, int]]:
        """Return the tables that this node takes over from gone or leaving nodes, each with the number of its former
        node. A table is returned only once for a former node.
        """
        known = {node.id: node for node in nodes if node.id not in self.living}
        self._left = {node: told for node, told in self._left.items() if node in known}
        found = []
        for number, node in known.items():
            # After an outage, a new process finds rows of nodes that have been gone for long. Other nodes lived then,
            # and they have taken over those tables.
            if node.age_ms > ADOPTED_MS and number not in self._met:
                continue
            told = self._left.get(number, frozenset())
            # Only the node of rank 0 takes a table over. If that node dies too, the list has the table under that node,
            # and the next ``look`` finds it there.
            mine = [table for table in node.acting if table not in told and self.rank(table) == 0]
            self._left[number] = told | frozenset(mine)
            found += [(table, number) for table in mine]
        return found

    def rank(self, table: int) -> int:
        """Return this node's rank for a table among the living nodes: 0 for the node that acts first when the leader is
        gone.
        """
        mine = _weight(table, self.me)
        # Rendezvous hashing: each node computes the same order without messages. If a node is lost, only the tables of
        # that node move.
        return sum(_weight(table, node) > mine for node in self.living if node != self.me)

    def wait_ms(self, table: int, leader: int) -> int:
        """Return how many milliseconds after a timer is due this node acts, if ``leader`` wrote the last line of the
        table's log.
        """
        if leader == self.me:
            return 0
        # A living leader gets 6 s: it may only be slow, and if two nodes act at once, one append is refused for
        # nothing. Without a leader the nodes act 200 ms apart, so the hint of the first node reaches the next one in
        # time.
        return STEP_IN_MS if leader in self.living else APART_MS * self.rank(table)


def _weight(table: int, node: int) -> bytes:
    return blake2b(b"%d %d" % (table, node), digest_size=8).digest()
