"""Idempotency keys: a request counts once under its key, and the same key for something else is refused.

The store recognises a repeated command (``store.entries``: the outcome ``Repeated``); the hub recognises what is stored
nowhere, a repeated reaction, by ``check_same``.
"""

from hashlib import blake2b
from typing import NamedTuple

import msgspec

from pubdice.core.errors import NotStored
from pubdice.server.requests import Order, Request
from pubdice.store.entries import is_same

HASH_BYTES = 16
"""Length of a body's hash: with 128 bits two bodies under one key don't have the same one by chance."""


class Key(NamedTuple):
    """A person's key as the store has it, and a hash of the body that came under it; empty if it is not compared."""

    key: str
    body: bytes = b""

    def step(self, number: int) -> "Key":
        """The key of one of the commands that the request leads to."""
        return Key(f"{self.key} {number}", self.body)


def key_of(person: str, request: Request | Order) -> Key:
    """A person's key with the hash of a request: the same for a form and for JSON that ask the same."""
    return Key(f"{person} {request.key}", blake2b(msgspec.json.encode(request), digest_size=HASH_BYTES).digest())


def check_same(known: Key, key: Key, table: int) -> bool:
    """Whether two keys are the same. Raises NotStored("key-used") if they are, but came with different bodies."""
    if known.key != key.key:
        return False
    if not is_same(known.body, key.body):
        raise NotStored("key-used", table=table)
    return True
