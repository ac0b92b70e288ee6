"""Sealed dice, a commitment scheme: the house and the seats commit to seeds, and every roll follows from all the seeds.

First the house publishes the seal, the SHA-256 of its seed. Then each phone sends the SHA-256 of its own seed, and the
header of the match fixes these digests, the game and its players. Only then are the phones' seeds opened. The house
opens its seed after the match. Roll *i* comes from

    HMAC-SHA256(house's seed, "pubdice sealed dice 2|DIGEST|i|block")

DIGEST is the SHA-256 of the header, which holds the seal, the seats' digests and the seats' seeds. So if one phone is
honest, no participant can choose a die. Bytes become dice as in every cup (``core.cup``). ``docs/solve/fair-dice.md``
states the limits of this proof. Version 1 had no digests. Its message holds the table and the seeds.

The house's seeds of one evening form a hash chain: each seed is the SHA-256 of the next one. So if the house leaves out
a match, the gap shows.
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
"""The start of each message that is hashed. It keeps the bytes apart from all other uses of the same seed."""
VERSION = 2  # the version of new seals; matches that began with version 1 go on with it
MOST_LINKS = 64
"""The most matches of one chain. To open the first seed of a chain takes 64 hashes, about 30 µs."""
MOST_SEEDS = 2_048
"""The size of the caches of seals and seeds, about 1 MB. Without them each roll would take 30 µs more."""
LONGEST_SEED = 32
NO_SEED = "-"  # stands for the seed of a seat that has none, such as a bot's
_SEAL = re.compile(r"(2 )?([0-9a-f]{16})/([1-9][0-9]?) ([0-9a-f]{64})")
_SEAT_SEED = re.compile(f"[A-Za-z0-9]{{1,{LONGEST_SEED}}}")
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Seal:
    """The house's commitment to its seed for one match."""

    chain: str  # the name of the chain, 16 hex digits
    number: int  # the number of the match in the chain, from 1
    digest: str  # the SHA-256 of the house's seed, 64 hex digits
    version: int = VERSION

    @property
    def table(self) -> str:
        """The chain and the number, as "chain/number". Together they identify the match in place of a table."""
        return f"{self.chain}/{self.number}"

    @property
    def public_digest(self) -> str:
        """The digest that people see, in words and in hex. Since version 2 it covers the chain and the number too."""
        return (
            self.digest if self.version == 1 else sha256(f"{DOMAIN} 2|{self.table}|{self.digest}".encode()).hexdigest()
        )

    def write(self) -> str:
        """Return the seal as logs and records hold it."""
        return f"{'' if self.version == 1 else '2 '}{self.table} {self.digest}"


@lru_cache(MOST_SEEDS)
def read_seal(text: str) -> Seal:
    """Parse a seal that ``Seal.write`` made. Raises BadNotation("seal")."""
    found = _SEAL.fullmatch(text)
    # The pattern accepts numbers from 65 to 99. ``_seed_of`` would give them all the seed of match 64, because its
    # range is then empty.
    if found is None or int(found[3]) > MOST_LINKS:
        raise BadNotation("seal", found=text)
    return Seal(found[2], int(found[3]), found[4], 2 if found[1] else 1)


def bound_by_seeds(table: str, seeds: Sequence[str]) -> str:
    """Return the fixed part of each message in version 1: the chain, the number, and the seats' seeds in order."""
    return f"1|{table}|{','.join(seeds)}"


def bound_by_header(header: str) -> str:
    """Return the fixed part of each message in version 2: the digest of the header, from "pubdice 1" to the seeds."""
    return f"2|{sha256(header.encode()).hexdigest()}"


def read_seat_seed(text: str) -> str:
    """Read a seat's seed as typed: up to 32 letters and digits. Spaces are removed. Raises BadNotation("seat-seed").

    >>> read_seat_seed("heads or tails 7")
    'headsortails7'
    """
    seed = "".join(text.split())
    if not is_seat_seed(seed):
        raise BadNotation("seat-seed", found=text[:LONGEST_SEED], longest=LONGEST_SEED)
    return seed


def is_seat_seed(text: str) -> bool:
    """Return True if the text can be a seat's seed: 1 to 32 letters and digits."""
    return bool(_SEAT_SEED.fullmatch(text))


def digest_of_seat(seed: str) -> str:
    """Return the SHA-256 of a seat's seed, in hex. The phone publishes it before any seed is opened."""
    return sha256(seed.encode()).hexdigest()


def is_digest(text: str) -> bool:
    """Return True if the text has the form of a digest or of a house's seed: 64 hex digits."""
    return bool(_DIGEST.fullmatch(text))


@lru_cache(MOST_SEEDS)
def digest_of(seed: str) -> str:
    """Return the SHA-256 of a house's seed, both in hex, as the seal holds it. Raises ValueError if the seed is not
    hex.
    """
    return sha256(bytes.fromhex(seed)).hexdigest()


@dataclass(frozen=True, slots=True)
class SealedCup:
    """A cup with the dice of a sealed match. ``roll`` and ``draw`` ignore the index in the log.

    So a person who checks the dice only has to count the rolls.
    """

    seed: str  # the house's seed, in hex
    bound: str  # the fixed part of all messages of this match
    number: int  # the number of the next roll in the match, from 1; the draw of Player 1 uses 0

    def _stream(self, number: int) -> Iterator[int]:
        key = bytes.fromhex(self.seed)
        # A block has 32 bytes, and 252 of 256 bytes give a die. So a roll almost never needs a second block.
        for block in count():
            yield from hmac.digest(key, f"{DOMAIN} {self.bound}|{number}|{block}".encode(), "sha256")

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """Return roll number ``self.number`` of the match, with ``number`` dice."""
        return fair_roll(self._stream(self.number), number, sides)

    def draw(self, number: int, index: int) -> int:
        """Return the seat that becomes Player 1, from 0 to ``number`` - 1."""
        # Rolls count from 1. So no roll shares the bytes of the draw, which is number 0.
        return next(fair_draw(self._stream(0), number))


class OpenedSeals(Protocol):
    """A memory of the seals that were opened. It is stored apart from the tables.

    If an older copy of the tables is restored, this memory still knows that a seed is public.
    """

    def is_opened(self, seal: Seal) -> bool:
        """Return True if this seal, or a later seal of its chain, was opened."""

    def note(self, seal: Seal) -> None:
        """Remember that the seed of a seal is public."""


class NoneOpened:
    """A memory of opened seals that remembers nothing, for games whose files are never copied, and for tests."""

    def is_opened(self, seal: Seal) -> bool:
        """Return False."""
        return False

    def note(self, seal: Seal) -> None:
        """Do nothing."""


NONE_OPENED = NoneOpened()


class Seals(Protocol):
    """The service that makes and opens seals. No other object knows a seed before it is opened."""

    def first(self) -> Seal:
        """Return the first seal of a new chain."""

    def following(self, seal: Seal) -> Seal:
        """Return the seal of the match that comes after the match of this seal."""

    def cup(self, seal: Seal, bound: str, number: int) -> Cup:
        """Return the cup of the match with this seal.

        ``bound`` is the fixed part of the match's messages. ``number`` is the number of the next roll, from 1. Raises
        Refused("seal-lost") if this house cannot know the seed, and Refused("seal-opened") if the seed is public.
        """

    def can_roll(self, seal: Seal) -> bool:
        """Return True if ``cup`` can give a cup for this seal. If not, the match with this seal is void."""

    def open(self, seal: Seal) -> str:
        """Return the house's seed of this seal, in hex. Raises Refused("seal-lost")."""

    def note_opened(self, seal: Seal) -> None:
        """Remember that the seed of this seal is public. Call it after the log has stored the seed."""

    def night(self, code: str) -> NightMark:
        """Return the mark of the duplicate night with this code. Raises Refused("no-seals")."""

    def night_cup(self, night: NightMark, slot: DiceSlot) -> Cup:
        """Return the cup for one slot (one roll) of a duplicate night. Raises Refused("night-lost")."""


@lru_cache(MOST_SEEDS)
def _seed_of(key: bytes, chain: str, number: int) -> str:
    """Return the house's seed for a match, in hex.

    The last seed of a chain is computed from the key. Every other seed is the SHA-256 of the seed after it.
    """
    seed = hmac.digest(key, f"{DOMAIN} 1|chain|{chain}".encode(), "sha256")
    # Backwards, because then an opened seed proves all earlier seeds and reveals no later one.
    for _ in range(MOST_LINKS - number):
        seed = sha256(seed).digest()
    return seed.hex()


@dataclass(frozen=True, slots=True)
class KeyedSeals:
    """Seals that follow from one secret key of at least 32 bytes. The key is stored apart from the tables."""

    key: bytes
    source: Callable[[int], bytes]  # ``source(n)`` returns n random bytes, for the names of chains
    opened: OpenedSeals = NONE_OPENED

    def _seed(self, chain: str, number: int) -> str:
        return _seed_of(self.key, chain, number)

    def first(self) -> Seal:
        """Return the first seal of a new chain."""
        # The name has 64 random bits. If a house was copied, two houses have one key, and they must not make the same
        # chain.
        chain = self.source(8).hex()
        return Seal(chain, 1, digest_of(self._seed(chain, 1)))

    def following(self, seal: Seal) -> Seal:
        """Return the next seal of the chain. After the last seal of a chain, return the first seal of a new chain.

        A new chain begins too if another key made this seal.
        """
        number = seal.number + 1
        # If the house was moved without its key, it begins a chain of its own, and the match under way is void.
        if number > MOST_LINKS or not self._is_own(seal):
            return self.first()
        return Seal(seal.chain, number, digest_of(self._seed(seal.chain, number)))

    def cup(self, seal: Seal, bound: str, number: int) -> Cup:
        """Return the cup of the match with this seal. Raises Refused("seal-lost") or Refused("seal-opened")."""
        if self.opened.is_opened(seal):
            raise Refused("seal-opened")
        return SealedCup(self.open(seal), bound, number)

    def can_roll(self, seal: Seal) -> bool:
        """Return True if this house's key made the seal, and the seal was not opened."""
        return self._is_own(seal) and not self.opened.is_opened(seal)

    def note_opened(self, seal: Seal) -> None:
        """Remember that the seed of this seal is public."""
        self.opened.note(seal)

    def open(self, seal: Seal) -> str:
        """Return the house's seed of this seal, in hex. Raises Refused("seal-lost") if another key made the seal."""
        seed = self._seed(seal.chain, seal.number)
        # The seal does not say which key made it. A wrong key shows only in a different digest.
        if digest_of(seed) != seal.digest:
            raise Refused("seal-lost")
        return seed

    def night(self, code: str) -> NightMark:
        """Return the mark of the duplicate night with this code."""
        return mark_of(self.key, code)

    def night_cup(self, night: NightMark, slot: DiceSlot) -> Cup:
        """Return the cup for one slot of a duplicate night. Raises Refused("night-lost") if another key made the
        night's mark.
        """
        if self.night(night.code) != night:
            raise Refused("night-lost")
        return SlotCup(secret_of(self.key, night.code), slot)

    def _is_own(self, seal: Seal) -> bool:
        return digest_of(self._seed(seal.chain, seal.number)) == seal.digest


class NoSeals:
    """The seals of a house that cannot seal dice."""

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
        """Return False."""
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
