"""Where rolls come from. Knows how bytes become fair dice; the bytes themselves come in as an argument.

Every throw names its index in the table's log, so a cup needs no memory: a seeded table that was killed and resumed
throws what it would have thrown. A byte serves a die only below 252 = 42·6 (and a draw among n below the greatest
multiple of n), so every face is equally likely: no modulo bias.
"""

import hmac
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import Protocol

from pubdice.core.dice import Roll

FAIR = range(252)
"""The bytes that serve a die."""


class Cup(Protocol):
    """Anything that rolls dice and draws lots."""

    def roll(self, number: int, index: int) -> Roll:
        """``number`` dice as they fell, for event ``index``."""

    def draw(self, number: int, index: int) -> int:
        """One of 0 … number - 1, all equally likely, for event ``index``."""


def fair_draw(stream: Iterator[int], number: int) -> Iterator[int]:
    """Draws among so many, as many as are taken."""
    if not 1 <= number <= 256:
        raise ValueError(f"a draw is among 1 to 256, not {number}")
    limit = 256 - 256 % number
    return (byte % number for byte in stream if byte < limit)


def fair_roll(stream: Iterator[int], number: int) -> Roll:
    """So many dice from a stream of bytes."""
    return tuple([1 + byte % 6 for byte in islice(filter(FAIR.__contains__, stream), number)])


class Pool:
    """Bytes of a source, fetched many at a time, as a fetch may cost a call to the system; each is given out once."""

    def __init__(self, source: Callable[[int], bytes], size: int = 1024) -> None:
        self._source, self._size = source, size
        self._left = b""

    def __call__(self, number: int) -> bytes:
        """So many bytes of the pool, refilled from the source when it runs short."""
        if len(self._left) < number:
            self._left += self._source(max(self._size, number))
        given, self._left = self._left[:number], self._left[number:]
        return given


@dataclass(frozen=True, slots=True)
class SystemCup:
    """Dice from a source of random bytes, such as ``secrets.token_bytes``: ``source(n)`` gives n of them."""

    source: Callable[[int], bytes]

    def _stream(self) -> Iterator[int]:
        while True:
            yield from self.source(16)

    def roll(self, number: int, index: int) -> Roll:
        """Fresh dice each time; the index does not matter."""
        return fair_roll(self._stream(), number)

    def draw(self, number: int, index: int) -> int:
        """A fresh draw each time; the index does not matter."""
        return next(fair_draw(self._stream(), number))


@dataclass(frozen=True, slots=True)
class SeededCup:
    """The same dice for the same seed, purpose and index.

    The bytes are HMAC-SHA256, keyed by the seed, over purpose, index and block.
    """

    seed: str
    purpose: str = "dice"

    def _stream(self, index: int) -> Iterator[int]:
        key = self.seed.encode()
        for block in count():
            yield from hmac.digest(key, f"pubdice|{self.purpose}|{index}|{block}".encode(), "sha256")

    def roll(self, number: int, index: int) -> Roll:
        """The dice of this seed for event ``index``."""
        return fair_roll(self._stream(index), number)

    def draw(self, number: int, index: int) -> int:
        """The draw of this seed for event ``index``."""
        return next(fair_draw(self._stream(index), number))
