"""The other nodes of a house: which of them live, who acts at which table, and whose tables nobody keeps.

The node that wrote a table's last line leads that table: it acts when something is due. The others wait, and step in if
it does nothing, so that a table goes on wherever its people are. That only saves work: if several act at once, the log
takes the first. Knows no database and no table.
"""

from collections.abc import Sequence
from hashlib import blake2b

from pubdice_cluster.nodes import Node

GONE_MS = 1_200
"""A node without a beat for so long is gone; nodes beat every 0.4 s (``BEAT_EVERY_S``). One that is taken for
gone and is only late costs work: others load its tables. Nothing is done twice.
"""
ADOPTED_MS = 60_000
"""The tables of a node without a beat for so long have been taken over, by those who have met it."""
STEP_IN_MS = 6_000
"""The others act so long after what was due, where the leading node lives but has not acted."""
APART_MS = 200
"""Between two nodes that step in where the leading one is gone."""


class Neighbours:
    """The nodes of a house as they were at the last look. me: this process's number."""

    def __init__(self, me: int) -> None:
        self.me = me
        self.living: frozenset[int] = frozenset([me])
        self._left: dict[int, frozenset[int]] = {}
        self._met: frozenset[int] = frozenset()

    def look(self, nodes: Sequence[Node], *, steady: bool = True) -> bool:
        """Take in the list of nodes; True if others live now than before.

        steady: this node has beaten regularly for ``GONE_MS``. Else the database may have been away for all of them, so
        nobody is taken for gone but those who leave.
        """
        before = self.living
        fresh = frozenset([self.me, *(node.id for node in nodes if node.age_ms < GONE_MS and not node.leaving)])
        leaving = frozenset([node.id for node in nodes if node.leaving])
        # Intersected with the list, or numbers of nodes that are gone would stay for good.
        self._met = (self._met | fresh) & frozenset([node.id for node in nodes])
        self.living = fresh if steady else (fresh | before) - leaving
        return self.living != before

    def left_behind(self, nodes: Sequence[Node]) -> list[tuple[int, int]]:
        """Tables whose timers nobody keeps, as their node has gone or leaves, and that this node is the first to take.

        Each is named once, with its node.
        """
        known = {node.id: node for node in nodes if node.id not in self.living}
        self._left = {node: told for node, told in self._left.items() if node in known}
        found = []
        for number, node in known.items():
            # A process that starts after an outage sees rows of nodes that are long gone. Those who lived then have
            # taken over their tables.
            if node.age_ms > ADOPTED_MS and number not in self._met:
                continue
            told = self._left.get(number, frozenset())
            # Rank 0 alone takes a table. If it dies with it, the table is in its own row, and the next look finds that.
            mine = [table for table in node.acting if table not in told and self.rank(table) == 0]
            self._left[number] = told | frozenset(mine)
            found += [(table, number) for table in mine]
        return found

    def rank(self, table: int) -> int:
        """The place of this node in the order in which living nodes step in at a table (rendezvous hashing)."""
        mine = _weight(table, self.me)
        # Rendezvous hashing: each node computes the same order without a word, and the loss of one moves only its
        # tables.
        return sum(_weight(table, node) > mine for node in self.living if node != self.me)

    def wait_ms(self, table: int, leader: int) -> int:
        """The delay of this node after something was due, if ``leader`` wrote the table's last line."""
        if leader == self.me:
            return 0
        # 6 s if the leader lives, as it may only be slow, and two that act at once cost a refused append. If it is gone
        # they step in 200 ms apart, so that the hint of the first reaches the next.
        return STEP_IN_MS if leader in self.living else APART_MS * self.rank(table)


def _weight(table: int, node: int) -> bytes:
    return blake2b(b"%d %d" % (table, node), digest_size=8).digest()
