"""Cups: the sources of rolls. A cup turns random bytes into fair dice. The source of bytes is an argument.

Each roll has an index, the number of its event in the table's log. So a cup needs no state, and a seeded table that was
killed and resumed rolls the same dice.

To avoid modulo bias, a die of six faces uses only bytes below 252 = 42·6 and skips all others. A die of n faces, or a
draw among n, uses only bytes below the greatest multiple of n that is at most 256.
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

FAIR = range(252)  # the bytes that a die of six faces uses; it skips 252 to 255


class Cup(Protocol):
    """A source of dice and draws. ``pubdice.cup`` makes one. Any object with these two methods can be a cup."""

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
    """Yield draws from ``range(number)``, all equally likely, until the bytes end. Raises ValueError unless 1 ≤ number
    ≤ 256.
    """
    if not 1 <= number <= 256:
        raise ValueError(f"a draw is among 1 to 256, not {number}")
    limit = 256 - 256 % number
    return (byte % number for byte in stream if byte < limit)


def fair_roll(stream: Iterator[int], number: int, sides: int = 6) -> Roll:
    """Read a roll of ``number`` dice from a stream of random bytes."""
    if sides != 6:
        return tuple([1 + drawn for drawn in islice(fair_draw(stream, sides), number)])
    return tuple([1 + byte % 6 for byte in islice(filter(FAIR.__contains__, stream), number)])


class Pool:
    """A buffer over a source of random bytes. One system call then serves many rolls. Each byte is used once."""

    def __init__(self, source: Callable[[int], bytes], size: int = 1024) -> None:
        self._source, self._size = source, size
        self._left = b""

    def __call__(self, number: int) -> bytes:
        """Return ``number`` bytes from the buffer. Refill the buffer first if it has fewer."""
        if len(self._left) < number:
            self._left += self._source(max(self._size, number))
        given, self._left = self._left[:number], self._left[number:]
        return given


@dataclass(frozen=True, slots=True)
class SystemCup:
    """A cup with random bytes from ``source``, such as ``secrets.token_bytes``. ``source(n)`` returns n bytes."""

    source: Callable[[int], bytes]

    def _stream(self) -> Iterator[int]:
        while True:
            yield from self.source(16)

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """Roll fresh dice at each call. The index is ignored."""
        return fair_roll(self._stream(), number, sides)

    def draw(self, number: int, index: int) -> int:
        """Make a fresh draw at each call. The index is ignored."""
        return next(fair_draw(self._stream(), number))


@dataclass(frozen=True, slots=True)
class SeededCup:
    """A cup that rolls the same dice for the same seed, purpose and index.

    The bytes are HMAC-SHA256 with the seed as key, over the purpose, the index and the number of a block of 32 bytes.
    """

    seed: str
    purpose: str = "dice"

    def _stream(self, index: int) -> Iterator[int]:
        key = self.seed.encode()
        for block in count():
            yield from hmac.digest(key, f"pubdice|{self.purpose}|{index}|{block}".encode(), "sha256")

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """Return the dice of this seed for the event at ``index``."""
        return fair_roll(self._stream(index), number, sides)

    def draw(self, number: int, index: int) -> int:
        """Return the draw of this seed for the event at ``index``."""
        return next(fair_draw(self._stream(index), number))


DOMAIN = "pubdice duplicate night 1"
"""The start of each message that is hashed. It keeps the bytes apart from all other uses of the same key."""
MOST_SECRETS = 256  # the size of the two caches below, because each roll of a night asks for the night's secret
DIGITS = 16
"""The number of hex digits in a night's mark. With 16, two houses with a night of the same code share the digits once
in 2^64."""
_NIGHT = re.compile(f"([A-Z]{{6,12}}) ([0-9a-f]{{{DIGITS}}})")


@dataclass(frozen=True, slots=True)
class DiceSlot:
    """The place of a roll in a match. The draw of Player 1 has 0 in all four fields."""

    round: int = 0  # the round of the match, from 1
    seat: int = 0  # the seat at the table, from 0
    turn: int = 0  # the turn of this seat in the round, from 1
    roll: int = 0  # the roll of this turn, from 1


DRAW = DiceSlot()  # the slot of the draw of Player 1


@dataclass(frozen=True, slots=True)
class NightMark:
    """The mark of a duplicate night: its code, and the start of a digest of its secret.

    A duplicate night is several tables that play the same match with the same dice. Each table and record of the night
    has the mark. Two houses may have a night of the same code. The digest tells them apart.
    """

    code: str
    digest: str

    def write(self) -> str:
        """Return the mark as logs and records hold it."""
        return f"{self.code} {self.digest}"


def read_night(text: str) -> NightMark:
    """Parse a mark that ``NightMark.write`` made. Raises BadNotation("night")."""
    found = _NIGHT.fullmatch(text)
    if found is None:
        raise BadNotation("night", found=text[:99])
    return NightMark(found[1], found[2])


@lru_cache(MOST_SECRETS)
def secret_of(key: bytes, code: str) -> bytes:
    """Return the secret of a night, 32 bytes, from the house's key and the night's code.

    The house stores its key apart from its tables, so a copy of the tables does not reveal dice to come.
    """
    return hmac.digest(key, f"{DOMAIN}|secret|{code}".encode(), "sha256")


@lru_cache(MOST_SECRETS)
def mark_of(key: bytes, code: str) -> NightMark:
    """Return the mark of the night with this code, in the house with this key."""
    return NightMark(code, sha256(secret_of(key, code)).hexdigest()[:DIGITS])


@dataclass(frozen=True, slots=True)
class SlotCup:
    """A cup with the dice of one slot (one roll) of a duplicate night. ``roll`` and ``draw`` ignore the index in the
    log.

    The bytes are

        HMAC-SHA256(secret of the night, "pubdice duplicate night 1|round|seat|turn|roll|block")

    and become dice as in every cup. A roll of n dice takes the first n dice of the slot, whatever happened before. So
    two tables of a night differ only in the choices of their players.
    """

    secret: bytes
    slot: DiceSlot

    def _stream(self) -> Iterator[int]:
        at = self.slot
        for block in count():
            message = f"{DOMAIN}|{at.round}|{at.seat}|{at.turn}|{at.roll}|{block}"
            yield from hmac.digest(self.secret, message.encode(), "sha256")

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """Return the first ``number`` dice of the slot. The index is ignored."""
        return fair_roll(self._stream(), number, sides)

    def draw(self, number: int, index: int) -> int:
        """Return the seat that becomes Player 1, from 0 to ``number`` - 1."""
        return next(fair_draw(self._stream(), number))
