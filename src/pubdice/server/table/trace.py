"""Traces each command in the event log, from the request to the commit and the answer. Off by default.

A command has the same id in every process and at each retry: an HMAC of its table and key with the house's secret. So
the lines of several processes can be joined, and they do not show which person sent the command.
"""

import hmac
import logging

from pubdice.core.errors import Failure
from pubdice.server.observe import EventLog
from pubdice.server.table.commit import Key
from pubdice.store.writer import Outcome, Repeated, Stored

ID_BYTES = 8


class Trace:
    """Writes a line for each step of a command. ``node`` is the number of this process in the house."""

    def __init__(self, event_log: EventLog, secret: bytes) -> None:
        self._event_log, self._secret, self.node = event_log, secret, 0

    def asked(self, table: int, key: Key | None, command: object) -> None:
        """Log that a command entered its table's queue."""
        self._note("command-asked", table, key, do=type(command).__name__)

    def stored(self, table: int, key: Key | None, outcome: Outcome) -> None:
        """Log that the store has the command's outcome."""
        if isinstance(outcome, Stored):
            self._note("command-stored", table, key, seq=outcome.seq)
        elif isinstance(outcome, Repeated):
            self._note("command-repeated", table, key)
        else:
            self._note("command-not-stored", table, key, refusal=outcome.code)

    def answered(self, table: int, key: Key | None, outcome: bytes | Exception) -> None:
        """Log that the sender gets the answer, or the error."""
        if isinstance(outcome, bytes):
            self._note("command-answered", table, key)
        else:
            refusal = outcome.code if isinstance(outcome, Failure) else type(outcome).__name__
            self._note("command-answered", table, key, refusal=refusal)

    def _note(self, event: str, table: int, key: Key | None, **facts: object) -> None:
        if key is not None:
            found = hmac.digest(self._secret, f"{table} {key.key}".encode(), "sha256")[:ID_BYTES].hex()
            self._event_log.write(event, logging.INFO, command=found, node=self.node, **facts)
