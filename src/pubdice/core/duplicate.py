"""Duplicate dice: tables of one night throw the same dice at the same place of their matches, as in duplicate bridge.

A *slot* is the round, the seat, which turn of that seat in the round, and which roll of that turn. Its dice come from

    HMAC-SHA256(secret of the night, "pubdice duplicate night 1|round|seat|turn|roll|block")

and bytes become dice as in every cup (``core.cup``). Who throws n dice at a slot gets the first n of its dice, whatever
happened before. So two tables of a night differ in what people choose, and in nothing else.
"""

import hmac
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import count

from pubdice.core.cup import fair_draw, fair_roll
from pubdice.core.dice import Roll
from pubdice.core.errors import BadNotation

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
    """What a night's tables and records bear: its code, and a digest of its secret, which tells houses apart."""

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
    """The dice of one slot of a night. What ``roll`` is told of the place in the log does not matter."""

    secret: bytes
    slot: DiceSlot

    def _stream(self) -> Iterator[int]:
        at = self.slot
        for block in count():
            message = f"{DOMAIN}|{at.round}|{at.seat}|{at.turn}|{at.roll}|{block}"
            yield from hmac.digest(self.secret, message.encode(), "sha256")

    def roll(self, number: int, index: int) -> Roll:
        """The first so many dice of the slot."""
        return fair_roll(self._stream(), number)

    def draw(self, number: int, index: int) -> int:
        """One of 0 … number - 1: who is Player 1."""
        return next(fair_draw(self._stream(), number))
