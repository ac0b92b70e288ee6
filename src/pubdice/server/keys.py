"""Idempotency keys: a request counts once under its key, and the same key for something else is refused."""

from hashlib import sha256
from typing import NamedTuple

import msgspec

from pubdice.server.wire import Order, Request

BYTES = 12
"""Of the hash that is kept: two bodies of one person's key that have the same one are not to be found by chance."""


class Key(NamedTuple):
    """A person's key as the store has it, and a hash of what was asked under it; empty: not to be compared."""

    key: str
    body: bytes = b""

    def step(self, number: int) -> "Key":
        """The key of one step of what was asked."""
        return Key(f"{self.key} {number}", self.body)


def body_of(asked: Request | Order) -> bytes:
    """A hash of what is asked: the same for a form and for JSON that ask the same."""
    return sha256(msgspec.json.encode(asked)).digest()[:BYTES]
