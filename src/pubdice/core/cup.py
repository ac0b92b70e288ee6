"""Cups: the sources of rolls. This module turns bytes into fair dice. The bytes come in as an argument.

Every throw names its index in the table's log, so a cup keeps no state. A seeded table that is killed and resumed
throws the same dice. To avoid modulo bias, a die of six faces uses only bytes below 252 = 42·6, and a die of n faces,
or a draw among n, only bytes below the greatest multiple of n. Other bytes are skipped.
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

FAIR = range(252)  # the bytes that a die of six faces uses


class Cup(Protocol):
    """A source of dice and draws. ``pubdice.cup`` makes one, and any class with these two methods is one."""

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """Roll dice.

        Args:
            number: The number of dice.
            index: The number of the event in the table's log. Seeded cups depend on it, others ignore it.
            sides: The number of faces of a die.

        Returns:
            The faces, from 1, in the order the dice fall.

        """

    def draw(self, number: int, index: int) -> int:
        """Draw one of 0 … number - 1, all equally likely.

        Args:
            number: The number of lots.
            index: The number of the event in the table's log. Seeded cups depend on it, others ignore it.

        Returns:
            The lot drawn.

        """


def fair_draw(stream: Iterator[int], number: int) -> Iterator[int]:
    """Yield draws from ``range(number)`` until the stream ends. Raises ValueError unless 1 ≤ number ≤ 256."""
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
    """A buffer over a source of bytes, so one system call serves many rolls. Each byte is given out once."""

    def __init__(self, source: Callable[[int], bytes], size: int = 1024) -> None:
        self._source, self._size = source, size
        self._left = b""

    def __call__(self, number: int) -> bytes:
        """Take bytes from the buffer, and refill it if it runs short."""
        if len(self._left) < number:
            self._left += self._source(max(self._size, number))
        given, self._left = self._left[:number], self._left[number:]
        return given


@dataclass(frozen=True, slots=True)
class SystemCup:
    """Dice from a source of random bytes such as ``secrets.token_bytes``. ``source(n)`` returns n bytes."""

    source: Callable[[int], bytes]

    def _stream(self) -> Iterator[int]:
        while True:
            yield from self.source(16)

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """Fresh dice each time. The index is ignored."""
        return fair_roll(self._stream(), number, sides)

    def draw(self, number: int, index: int) -> int:
        """A fresh draw each time. The index is ignored."""
        return next(fair_draw(self._stream(), number))


@dataclass(frozen=True, slots=True)
class SeededCup:
    """A cup that gives the same dice for the same seed, purpose and index.

    The bytes are HMAC-SHA256, keyed by the seed, over purpose, index and block.
    """

    seed: str
    purpose: str = "dice"

    def _stream(self, index: int) -> Iterator[int]:
        key = self.seed.encode()
        for block in count():
            yield from hmac.digest(key, f"pubdice|{self.purpose}|{index}|{block}".encode(), "sha256")

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """The dice of this seed for the event at ``index``."""
        return fair_roll(self._stream(index), number, sides)

    def draw(self, number: int, index: int) -> int:
        """The draw of this seed for the event at ``index``."""
        return next(fair_draw(self._stream(index), number))


DOMAIN = "pubdice duplicate night 1"
"""Prefix of each message, so no other use of a key gives the same bytes."""
MOST_SECRETS = 256  # the size of the caches below, as each roll needs its night's secret
DIGITS = 16
"""Hex digits of the secret's digest in a mark. Two houses with a night of the same code get the same digits once in
2^64."""
_NIGHT = re.compile(f"([A-Z]{{6,12}}) ([0-9a-f]{{{DIGITS}}})")


@dataclass(frozen=True, slots=True)
class DiceSlot:
    """The place of a roll in a match. All four numbers are 0 for the draw of Player 1."""

    round: int = 0  # of the match, from 1
    seat: int = 0  # at the table, from 0
    turn: int = 0  # of this seat in the round, from 1
    roll: int = 0  # of this turn, from 1


DRAW = DiceSlot()  # of Player 1


@dataclass(frozen=True, slots=True)
class NightMark:
    """The mark of a night in its tables and records: its code, and a digest of its secret. The digest tells houses
    apart.
    """

    code: str
    digest: str

    def write(self) -> str:
        """The mark as logs and records hold it."""
        return f"{self.code} {self.digest}"


def read_night(text: str) -> NightMark:
    """Parse a mark that ``NightMark.write`` made. Raises BadNotation("night")."""
    found = _NIGHT.fullmatch(text)
    if found is None:
        raise BadNotation("night", found=text[:99])
    return NightMark(found[1], found[2])


@lru_cache(MOST_SECRETS)
def secret_of(key: bytes, code: str) -> bytes:
    """The secret of a night, 32 bytes. The house stores its key apart from its tables."""
    return hmac.digest(key, f"{DOMAIN}|secret|{code}".encode(), "sha256")


@lru_cache(MOST_SECRETS)
def mark_of(key: bytes, code: str) -> NightMark:
    """The mark of the night with this code, in the house with this key."""
    return NightMark(code, sha256(secret_of(key, code)).hexdigest()[:DIGITS])


@dataclass(frozen=True, slots=True)
class SlotCup:
    """The dice of one slot of a night. ``roll`` and ``draw`` ignore the index in the log.

    The dice come from

        HMAC-SHA256(secret of the night, "pubdice duplicate night 1|round|seat|turn|roll|block")

    and bytes become dice as in every cup. A throw of n dice at a slot takes the first n of its dice, whatever happened
    before. So two tables of a night differ only in the choices of their players.
    """

    secret: bytes
    slot: DiceSlot

    def _stream(self) -> Iterator[int]:
        at = self.slot
        for block in count():
            message = f"{DOMAIN}|{at.round}|{at.seat}|{at.turn}|{at.roll}|{block}"
            yield from hmac.digest(self.secret, message.encode(), "sha256")

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """The first ``number`` dice of the slot."""
        return fair_roll(self._stream(), number, sides)

    def draw(self, number: int, index: int) -> int:
        """The seat that becomes Player 1, below ``number``."""
        return next(fair_draw(self._stream(), number))
