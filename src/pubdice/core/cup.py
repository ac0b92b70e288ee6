"""Cups: the sources of rolls. Knows how bytes become fair dice; the bytes themselves come in as an argument.

Every throw names its index in the table's log, so a cup needs no memory: a seeded table that was killed and resumed
throws what it would have thrown. A byte serves a die of six faces only below 252 = 42·6 (and a die of n faces, or a
draw among n, below the greatest multiple of n), so every face is equally likely: no modulo bias.
"""

import hmac
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import count, islice
from typing import Protocol

from pubdice.core.dice import Roll
from pubdice.core.errors import BadNotation

FAIR = range(252)
"""The bytes that serve a die."""


class Cup(Protocol):
    """Anything that rolls dice and draws lots."""

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """``number`` dice of so many sides as they fell, for event ``index``."""

    def draw(self, number: int, index: int) -> int:
        """One of 0 … number - 1, all equally likely, for event ``index``."""


def fair_draw(stream: Iterator[int], number: int) -> Iterator[int]:
    """Draws from ``range(number)``, as many as the caller takes."""
    if not 1 <= number <= 256:
        raise ValueError(f"a draw is among 1 to 256, not {number}")
    limit = 256 - 256 % number
    return (byte % number for byte in stream if byte < limit)


def fair_roll(stream: Iterator[int], number: int, sides: int = 6) -> Roll:
    """Read a roll from a stream of bytes."""
    if sides != 6:
        return tuple([1 + drawn for drawn in islice(fair_draw(stream, sides), number)])
    return tuple([1 + byte % 6 for byte in islice(filter(FAIR.__contains__, stream), number)])


class Pool:
    """Bytes of a source, fetched many at a time, as a fetch may cost a call to the system; each is given out once."""

    def __init__(self, source: Callable[[int], bytes], size: int = 1024) -> None:
        self._source, self._size = source, size
        self._left = b""

    def __call__(self, number: int) -> bytes:
        """Take bytes from the pool, refilled from the source when it runs short."""
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

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """Fresh dice each time; the index does not matter."""
        return fair_roll(self._stream(), number, sides)

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

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """The dice of this seed for event ``index``."""
        return fair_roll(self._stream(index), number, sides)

    def draw(self, number: int, index: int) -> int:
        """The draw of this seed for event ``index``."""
        return next(fair_draw(self._stream(index), number))


DOMAIN = "pubdice duplicate night 1"
"""Begins each message, so that no other use of a key gives the same bytes."""
MOST_SECRETS = 256
"""Secrets kept in memory, as each roll needs its night's."""
DIGITS = 16
"""Hex digits of a secret's digest that a night shows: another house's night of the same code has the same ones once in
2^64."""
_NIGHT = re.compile(f"([A-Z]{{6,12}}) ([0-9a-f]{{{DIGITS}}})")


@dataclass(frozen=True, slots=True)
class DiceSlot:
    """A roll's place in a match. round: from 1; seat: of the table, from 0; turn: of that seat in the round, from 1;
    roll: of that turn, from 1. All 0 for the draw of Player 1.
    """

    round: int = 0
    seat: int = 0
    turn: int = 0
    roll: int = 0


DRAW = DiceSlot()
"""The slot of the draw of Player 1."""


@dataclass(frozen=True, slots=True)
class NightMark:
    """The mark of a night in its tables and records: its code, and a digest of its secret, which tells houses apart."""

    code: str
    digest: str

    def write(self) -> str:
        """The mark as logs and records have it."""
        return f"{self.code} {self.digest}"


def read_night(text: str) -> NightMark:
    """The mark in a text that ``NightMark.write`` made. Raises BadNotation("night")."""
    found = _NIGHT.fullmatch(text)
    if found is None:
        raise BadNotation("night", found=text[:99])
    return NightMark(found[1], found[2])


@lru_cache(MOST_SECRETS)
def secret_of(key: bytes, code: str) -> bytes:
    """The secret of a night, 32 bytes. key: the house's, which is kept apart from its tables."""
    return hmac.digest(key, f"{DOMAIN}|secret|{code}".encode(), "sha256")


@lru_cache(MOST_SECRETS)
def mark_of(key: bytes, code: str) -> NightMark:
    """The mark of the night of this code in the house of this key."""
    return NightMark(code, sha256(secret_of(key, code)).hexdigest()[:DIGITS])


@dataclass(frozen=True, slots=True)
class SlotCup:
    """The dice of one slot of a night. ``roll`` ignores its arguments about the place in the log.

    A *slot* is the round, the seat, which turn of that seat in the round, and which roll of that turn. Its dice come
    from

        HMAC-SHA256(secret of the night, "pubdice duplicate night 1|round|seat|turn|roll|block")

    and bytes become dice as in every cup. Who throws n dice at a slot gets the first n of its dice, whatever happened
    before. So two tables of a night differ in what people choose, and in nothing else.
    """

    secret: bytes
    slot: DiceSlot

    def _stream(self) -> Iterator[int]:
        at = self.slot
        for block in count():
            message = f"{DOMAIN}|{at.round}|{at.seat}|{at.turn}|{at.roll}|{block}"
            yield from hmac.digest(self.secret, message.encode(), "sha256")

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """The first dice of the slot."""
        return fair_roll(self._stream(), number, sides)

    def draw(self, number: int, index: int) -> int:
        """A number below ``number``: the seat that is Player 1."""
        return next(fair_draw(self._stream(), number))
