"""Idempotency keys: a request counts once under its key, and the same key for something else is refused."""

from hashlib import blake2b
from typing import NamedTuple

import msgspec

from pubdice.server.wire import Order, Request

BYTES = 16
"""Of the hash that is kept: nobody finds two bodies of one key by chance that have the same one."""


class Key(NamedTuple):
    """A person's key as the store has it, and a hash of what was asked under it; empty: not to be compared."""

    key: str
    body: bytes = b""

    def step(self, number: int) -> "Key":
        """The key of one step of what was asked."""
        return Key(f"{self.key} {number}", self.body)


def body_of(asked: Request | Order) -> bytes:
    """A hash of what is asked: the same for a form and for JSON that ask the same."""
    return blake2b(msgspec.json.encode(asked), digest_size=BYTES).digest()
