"""Sealed dice, a commitment scheme: the house and the seats commit to seeds, and every roll follows from all of them.

The seal is the SHA-256 of the house's seed. Then each phone sends the SHA-256 of its own seed. Once all digests are
known, the header of the match fixes the game and its players, and the seeds are opened. Roll *i* comes from

    HMAC-SHA256(house's seed, "pubdice sealed dice 2|DIGEST|i|block")

DIGEST is the SHA-256 of the header. The header holds the seal, the seats' digests and their seeds. So no participant
can choose a die if one phone is honest. Bytes become dice as in every cup (``core.cup``). ``docs/solve/fair-dice.md``
states the limits of this proof. Version 1 had no digests, and its message holds the table and the seeds.

The house's seeds of one evening form a hash chain: each is the SHA-256 of the next. So a match that the house left out
is visible.
"""

import hmac
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import count
from typing import Protocol

from pubdice.core.cup import Cup, DiceSlot, NightMark, SlotCup, fair_draw, fair_roll, mark_of, secret_of
from pubdice.core.dice import Roll
from pubdice.core.errors import BadNotation, Refused

DOMAIN = "pubdice sealed dice"
"""Prefix of each message, so no other use of a seed gives the same bytes."""
VERSION = 2  # of new seals; matches of version 1 go on as they began
MOST_LINKS = 64
"""Matches of one chain. Opening the first seed of a chain costs 64 hashes, about 30 µs."""
MOST_SEEDS = 2_048
"""Size of the caches of seals and seeds, 1 MB. Without them each roll takes 30 µs more."""
LONGEST_SEED = 32
NO_SEED = "-"  # of a seat without a seed of its own, such as a bot's
_SEAL = re.compile(r"(2 )?([0-9a-f]{16})/([1-9][0-9]?) ([0-9a-f]{64})")
_SEAT_SEED = re.compile(f"[A-Za-z0-9]{{1,{LONGEST_SEED}}}")
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Seal:
    """The commitment to the seed of one match."""

    chain: str  # 16 hex digits
    number: int  # of the match in the chain, from 1
    digest: str  # of the seed, SHA-256, 64 hex digits
    version: int = VERSION

    @property
    def table(self) -> str:
        """The chain and number. They stand for the table."""
        return f"{self.chain}/{self.number}"

    @property
    def public_digest(self) -> str:
        """The digest shown to people, in words and in hex. Since version 2 it covers chain and number too."""
        return (
            self.digest if self.version == 1 else sha256(f"{DOMAIN} 2|{self.table}|{self.digest}".encode()).hexdigest()
        )

    def write(self) -> str:
        """The seal as logs and records hold it."""
        return f"{'' if self.version == 1 else '2 '}{self.table} {self.digest}"


@lru_cache(MOST_SEEDS)
def read_seal(text: str) -> Seal:
    """Parse a seal that ``Seal.write`` made. Raises BadNotation("seal")."""
    found = _SEAL.fullmatch(text)
    # The expression accepts 65 to 99. ``_seed_of`` would give them all the seed of match 64, as its range is empty.
    if found is None or int(found[3]) > MOST_LINKS:
        raise BadNotation("seal", found=text)
    return Seal(found[2], int(found[3]), found[4], 2 if found[1] else 1)


def bound_by_seeds(table: str, seeds: Sequence[str]) -> str:
    """The fixed part of each message of version 1: chain, number, and the seats' seeds in order."""
    return f"1|{table}|{','.join(seeds)}"


def bound_by_header(header: str) -> str:
    """The fixed part of each message of version 2: the digest of the header, from "pubdice 1" to the seeds."""
    return f"2|{sha256(header.encode()).hexdigest()}"


def read_seat_seed(text: str) -> str:
    """Read a seat's seed: up to 32 letters and digits, without spaces. Raises BadNotation("seat-seed").

    >>> read_seat_seed("heads or tails 7")
    'headsortails7'
    """
    seed = "".join(text.split())
    if not is_seat_seed(seed):
        raise BadNotation("seat-seed", found=text[:LONGEST_SEED], longest=LONGEST_SEED)
    return seed


def is_seat_seed(text: str) -> bool:
    """True for a seat's seed: 1 to 32 letters and digits."""
    return bool(_SEAT_SEED.fullmatch(text))


def digest_of_seat(seed: str) -> str:
    """The SHA-256 of a seat's seed, in hex. The phone publishes it before any seed is opened."""
    return sha256(seed.encode()).hexdigest()


def is_digest(text: str) -> bool:
    """True for a digest or a house's seed: 64 hex digits."""
    return bool(_DIGEST.fullmatch(text))


@lru_cache(MOST_SEEDS)
def digest_of(seed: str) -> str:
    """The seal's digest of a seed, both in hex. Raises ValueError if the seed is not hex."""
    return sha256(bytes.fromhex(seed)).hexdigest()


@dataclass(frozen=True, slots=True)
class SealedCup:
    """The dice of a sealed match. ``roll`` and ``draw`` ignore the index in the log, so an outsider need only count
    rolls.
    """

    seed: str  # the house's, in hex
    bound: str  # the fixed part of each message of the match
    number: int  # of the next roll of the match, from 1; the draw of Player 1 uses 0

    def _stream(self, number: int) -> Iterator[int]:
        key = bytes.fromhex(self.seed)
        # A block is 32 bytes, and 252 of 256 bytes give a die, so a roll hardly ever reads a second block.
        for block in count():
            yield from hmac.digest(key, f"{DOMAIN} {self.bound}|{number}|{block}".encode(), "sha256")

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """Roll ``self.number`` of the match."""
        return fair_roll(self._stream(self.number), number, sides)

    def draw(self, number: int, index: int) -> int:
        """The seat that becomes Player 1, below ``number``."""
        # Rolls count from 1, so none shares the bytes of the draw.
        return next(fair_draw(self._stream(0), number))


class OpenedSeals(Protocol):
    """Remembers opened seals, apart from the tables, whose older copy may be restored."""

    def is_opened(self, seal: Seal) -> bool:
        """True if this seal, or a later one of its chain, was opened."""

    def note(self, seal: Seal) -> None:
        """Note that the seed of a seal is public."""


class NoneOpened:
    """Remembers nothing. For games that are never copied, and for tests."""

    def is_opened(self, seal: Seal) -> bool:
        """False."""
        return False

    def note(self, seal: Seal) -> None:
        """Do nothing."""


NONE_OPENED = NoneOpened()


class Seals(Protocol):
    """Makes and opens seals. It alone knows a seed before it is opened."""

    def first(self) -> Seal:
        """The first seal of a new chain."""

    def following(self, seal: Seal) -> Seal:
        """The seal of the match after this one."""

    def cup(self, seal: Seal, bound: str, number: int) -> Cup:
        """The dice under this seal.

        ``bound`` is the fixed part of the match's messages, ``number`` the number of the next roll, from 1. Raises
        Refused("seal-lost"), or Refused("seal-opened") if the seed is public.
        """

    def can_roll(self, seal: Seal) -> bool:
        """True if ``cup`` gives dice. Otherwise the match under this seal is void."""

    def open(self, seal: Seal) -> str:
        """The house's seed under this seal, in hex. Raises Refused("seal-lost")."""

    def note_opened(self, seal: Seal) -> None:
        """Remember that this seal's seed is public. Call it after that is stored."""

    def night(self, code: str) -> NightMark:
        """The mark of the duplicate night with this code. Raises Refused("no-seals")."""

    def night_cup(self, night: NightMark, slot: DiceSlot) -> Cup:
        """The dice of a duplicate night at a slot. Raises Refused("night-lost")."""


@lru_cache(MOST_SEEDS)
def _seed_of(key: bytes, chain: str, number: int) -> str:
    """The seed of a match, in hex. The last seed of a chain follows from the key, each other one from the next."""
    seed = hmac.digest(key, f"{DOMAIN} 1|chain|{chain}".encode(), "sha256")
    # Backwards: each seed is the hash of the next, so an opened seed proves all earlier ones and reveals no later one.
    for _ in range(MOST_LINKS - number):
        seed = sha256(seed).digest()
    return seed.hex()


@dataclass(frozen=True, slots=True)
class KeyedSeals:
    """Seals made with one secret key of at least 32 bytes. The key is stored apart from the tables."""

    key: bytes
    source: Callable[[int], bytes]  # returns so many random bytes, for the names of chains
    opened: OpenedSeals = NONE_OPENED

    def _seed(self, chain: str, number: int) -> str:
        return _seed_of(self.key, chain, number)

    def first(self) -> Seal:
        """The first seal of a new chain."""
        # 64 random bits: after a copy two houses have one key, and must not make the same chain.
        chain = self.source(8).hex()
        return Seal(chain, 1, digest_of(self._seed(chain, 1)))

    def following(self, seal: Seal) -> Seal:
        """The next seal of the chain. After the last one, or without the key of this one, the first seal of a new
        chain.
        """
        number = seal.number + 1
        # A house that was moved without its key begins its own chain. The match under way is void.
        if number > MOST_LINKS or not self._is_own(seal):
            return self.first()
        return Seal(seal.chain, number, digest_of(self._seed(seal.chain, number)))

    def cup(self, seal: Seal, bound: str, number: int) -> Cup:
        """The dice under this seal. Raises Refused("seal-lost") or Refused("seal-opened")."""
        if self.opened.is_opened(seal):
            raise Refused("seal-opened")
        return SealedCup(self.open(seal), bound, number)

    def can_roll(self, seal: Seal) -> bool:
        """True if this house has the key of the seal, and has not opened the seal."""
        return self._is_own(seal) and not self.opened.is_opened(seal)

    def note_opened(self, seal: Seal) -> None:
        """Remember that this seal's seed is public."""
        self.opened.note(seal)

    def open(self, seal: Seal) -> str:
        """The house's seed under this seal, in hex. Raises Refused("seal-lost") if another key made the seal."""
        seed = self._seed(seal.chain, seal.number)
        # The key is stored nowhere else, so only the digest shows a wrong key.
        if digest_of(seed) != seal.digest:
            raise Refused("seal-lost")
        return seed

    def night(self, code: str) -> NightMark:
        """The mark of the duplicate night with this code."""
        return mark_of(self.key, code)

    def night_cup(self, night: NightMark, slot: DiceSlot) -> Cup:
        """The dice of a night at a slot. Raises Refused("night-lost") if another key made its mark."""
        if self.night(night.code) != night:
            raise Refused("night-lost")
        return SlotCup(secret_of(self.key, night.code), slot)

    def _is_own(self, seal: Seal) -> bool:
        return digest_of(self._seed(seal.chain, seal.number)) == seal.digest


class NoSeals:
    """The seals of a house without sealed dice."""

    def first(self) -> Seal:
        """Raise Refused("no-seals")."""
        raise Refused("no-seals")

    def following(self, seal: Seal) -> Seal:
        """Raise Refused("no-seals")."""
        raise Refused("no-seals")

    def cup(self, seal: Seal, bound: str, number: int) -> Cup:
        """Raise Refused("seal-lost")."""
        raise Refused("seal-lost")

    def can_roll(self, seal: Seal) -> bool:
        """False."""
        return False

    def note_opened(self, seal: Seal) -> None:
        """Do nothing."""

    def open(self, seal: Seal) -> str:
        """Raise Refused("seal-lost")."""
        raise Refused("seal-lost")

    def night(self, code: str) -> NightMark:
        """Raise Refused("no-seals")."""
        raise Refused("no-seals")

    def night_cup(self, night: NightMark, slot: DiceSlot) -> Cup:
        """Raise Refused("night-lost")."""
        raise Refused("night-lost")
