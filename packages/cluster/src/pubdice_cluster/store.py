"""The store of a house in PostgreSQL. Several processes may open it, and each may write to any table."""

from collections.abc import Callable
from contextlib import ExitStack, closing, suppress

import psycopg

from pubdice.core.errors import NotStored
from pubdice.store.deadline import Deadline
from pubdice.store.house_store import HouseStore
from pubdice.store.writer import LoopCall, OnOutcome, ThreadWriter, Transactions, Writer
from pubdice_cluster.connecting import not_stored
from pubdice_cluster.nodes import PostgresNodes
from pubdice_cluster.primary import Primary
from pubdice_cluster.reader import PostgresReader
from pubdice_cluster.schema import migrate
from pubdice_cluster.transactions import PostgresTransactions, confirm, probing


class PostgresStore(PostgresReader, HouseStore):
    """The store of a house in a database. ``nodes`` lists the processes that serve the house. The address has the form
    postgresql://user:password@host:port/name. Raises NotStored("store-newer") or ("store-unreadable").
    """

    def __init__(
        self,
        address: str,
        *,
        writer: Callable[[Transactions], Writer] = ThreadWriter,
        ending: Deadline | None = None,
        primary: Primary | None = None,
    ) -> None:
        """Open the store. ``ending`` is the deadline of the process. ``primary`` keeps the process's other
        connections.
        """
        migrate(address)
        primary = primary or Primary(address)
        with ExitStack() as stack:
            super().__init__(address, ending=ending, primary=primary)
            stack.callback(super().close)
            # connections of their own, so a beat never waits for another read
            beats = stack.enter_context(closing(PostgresReader(address, 2, ending, primary=primary)))
            self.nodes = PostgresNodes(beats, primary)
            try:
                transactions = PostgresTransactions(primary, node=self.nodes.id)
            except psycopg.Error as error:
                raise not_stored("store-unwritable", address, error) from None
            stack.callback(self._leave)
            self._writer = writer(transactions)
            stack.callback(self._writer.close)
            self._open = stack.pop_all()

    def submit_confirming(self, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue an empty write. When ``done`` is called, all rows that were read before this call are on every
        synchronous replica.
        """
        self.submit_task(confirm, done, loop_call)

    def probe(self, done: OnOutcome, loop_call: LoopCall | None = None) -> None:
        """Queue a write as large as one or two moves, without a row lock. ``done`` gets the outcome."""
        self.submit_task(probing, done, loop_call)

    def close(self) -> None:
        """Write all that is queued, and close the connections."""
        self._open.close()

    def _leave(self) -> None:
        with suppress(NotStored):  # if it fails, the other processes notice that the beats have ended
            self.nodes.leave()
