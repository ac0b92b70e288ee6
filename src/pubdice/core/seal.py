"""Sealed dice: the house and the seats commit themselves to seeds, and every roll follows from all of them.

A commitment scheme. The seal is the SHA-256 of the house's seed. Then each phone tells the SHA-256 of its own seed.
Once all digests are told, what is played and by whom is fixed as the header of the match, and the seeds are opened.
Roll *i* comes from

    HMAC-SHA256(house's seed, "pubdice sealed dice 2|DIGEST|i|block")

where DIGEST is the SHA-256 of the header, which holds the seal, the seats' digests and their seeds. So nobody can
choose a die as long as one phone is honest. Bytes become dice as in every cup (``core.cup``). ``docs/fair-dice.md``
says what this proves and what it does not. Version 1 had no digests: its message holds the table and the seeds.

The house's seeds of one evening are a hash chain: each is the SHA-256 of the next, so a match that the house left out
shows.
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
"""Begins each message, so that no other use of a seed gives the same bytes."""
VERSION = 2
"""Of seals that are made now; matches of version 1 go on as they began."""
MOST_LINKS = 64
"""Matches of one chain; then a new one begins. Opening the first seed of a chain costs 64 hashes, about 30 us."""
MOST_SEEDS = 2_048
"""Seals and seeds kept in memory, as each roll needs its match's: 1 MB. Without it a roll takes 30 us more."""
LONGEST_SEED = 32
NO_SEED = "-"
"""Stands for a seat without a seed of its own, such as a bot's."""
_SEAL = re.compile(r"(2 )?([0-9a-f]{16})/([1-9][0-9]?) ([0-9a-f]{64})")
_SEAT_SEED = re.compile(f"[A-Za-z0-9]{{1,{LONGEST_SEED}}}")
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Seal:
    """The commitment to one match's seed. chain: 16 hex digits; number: of the match in it, from 1; digest: 64."""

    chain: str
    number: int
    digest: str
    version: int = VERSION

    @property
    def table(self) -> str:
        """The chain and number, which stand for the table."""
        return f"{self.chain}/{self.number}"

    @property
    def public_digest(self) -> str:
        """The digest that people see, as words and in hex; since version 2 it covers chain and number too."""
        return (
            self.digest if self.version == 1 else sha256(f"{DOMAIN} 2|{self.table}|{self.digest}".encode()).hexdigest()
        )

    def write(self) -> str:
        """The seal as logs and records have it."""
        return f"{'' if self.version == 1 else '2 '}{self.table} {self.digest}"


@lru_cache(MOST_SEEDS)
def read_seal(text: str) -> Seal:
    """The seal in a text that ``Seal.write`` made. Raises BadNotation("seal")."""
    found = _SEAL.fullmatch(text)
    # The expression lets 65 to 99 pass. ``range`` of a negative number is empty, so they would get the seed of match
    # 64.
    if found is None or int(found[3]) > MOST_LINKS:
        raise BadNotation("seal", found=text)
    return Seal(found[2], int(found[3]), found[4], 2 if found[1] else 1)


def bound_by_seeds(table: str, seeds: Sequence[str]) -> str:
    """The match's part of each message of version 1: its chain and number, and the seats' seeds in their order."""
    return f"1|{table}|{','.join(seeds)}"


def bound_by_header(header: str) -> str:
    """The match's part of each message of version 2: the digest of its header, from "pubdice 1" to the seeds."""
    return f"2|{sha256(header.encode()).hexdigest()}"


def read_seat_seed(text: str) -> str:
    """A seat's own seed: up to 32 letters and digits; spaces between them are dropped. Raises BadNotation("seat-seed").

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
    """The SHA-256 of a seat's seed, in hex: its phone publishes it before any seed is opened."""
    return sha256(seed.encode()).hexdigest()


def is_digest(text: str) -> bool:
    """True for a digest, or a house's seed: 64 hex digits."""
    return bool(_DIGEST.fullmatch(text))


@lru_cache(MOST_SEEDS)
def digest_of(seed: str) -> str:
    """The seal's digest of a seed, both in hex. Raises ValueError for a seed that is not hex."""
    return sha256(bytes.fromhex(seed)).hexdigest()


@dataclass(frozen=True, slots=True)
class SealedCup:
    """The dice of a sealed match. seed: the house's, in hex. bound: the fixed part of each message of the match.

    number: the next roll of the match, from 1; a draw of Player 1 is 0. ``roll`` ignores its arguments about the place
    in the log: strangers count rolls, and not moves.
    """

    seed: str
    bound: str
    number: int

    def _stream(self, number: int) -> Iterator[int]:
        key = bytes.fromhex(self.seed)
        # A block is 32 bytes, of which 252 in 256 give a die, so a second one is hardly ever read.
        for block in count():
            yield from hmac.digest(key, f"{DOMAIN} {self.bound}|{number}|{block}".encode(), "sha256")

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        """Roll ``self.number`` of the match."""
        return fair_roll(self._stream(self.number), number, sides)

    def draw(self, number: int, index: int) -> int:
        """A number below ``number``: the seat that is Player 1."""
        # 0 is the draw's own number, so no roll has its bytes.
        return next(fair_draw(self._stream(0), number))


class OpenedSeals(Protocol):
    """Remembers which seals were opened, apart from the tables: an older copy of those may be put back."""

    def is_opened(self, seal: Seal) -> bool:
        """True if this seal, or a later one of its chain, was opened."""

    def note(self, seal: Seal) -> None:
        """Note that a seal was opened and is public."""


class NoneOpened:
    """Remembers nothing: for games that no copy is made of, and for tests."""

    def is_opened(self, seal: Seal) -> bool:
        """False: nothing is remembered here."""
        return False

    def note(self, seal: Seal) -> None:
        """Nothing is remembered here."""


NONE_OPENED = NoneOpened()


class Seals(Protocol):
    """Makes seals, and opens them: the only one that knows a seed before its time."""

    def first(self) -> Seal:
        """The first seal of a new chain."""

    def following(self, seal: Seal) -> Seal:
        """The seal of the match after this one."""

    def cup(self, seal: Seal, bound: str, number: int) -> Cup:
        """The dice under this seal. bound: the fixed part of the messages of the match. number: of the next roll, from
        1.

        Raises Refused("seal-lost"), or Refused("seal-opened") if people know the seed already.
        """

    def can_roll(self, seal: Seal) -> bool:
        """True if ``cup`` gives dice: the match under this seal is not void."""

    def open(self, seal: Seal) -> str:
        """The house's seed under this seal, in hex. Raises Refused("seal-lost")."""

    def note_opened(self, seal: Seal) -> None:
        """Remember that this seal's seed is public, once that is stored."""

    def night(self, code: str) -> NightMark:
        """The mark of the duplicate night of this code. Raises Refused("no-seals")."""

    def night_cup(self, night: NightMark, slot: DiceSlot) -> Cup:
        """The dice of a duplicate night at a slot. Raises Refused("night-lost")."""


@lru_cache(MOST_SEEDS)
def _seed_of(key: bytes, chain: str, number: int) -> str:
    """The seed of a match in hex: the last of its chain follows from the key, each other one from the next."""
    seed = hmac.digest(key, f"{DOMAIN} 1|chain|{chain}".encode(), "sha256")
    # Backwards: each seed is the hash of the next one's, so an opened seed proves all before it and tells nothing of
    # those after.
    for _ in range(MOST_LINKS - number):
        seed = sha256(seed).digest()
    return seed.hex()


@dataclass(frozen=True, slots=True)
class KeyedSeals:
    """Seals made with one secret key of at least 32 bytes, which is not kept where tables are.

    source: returns that many random bytes, for the names of chains. opened: remembers the seals that were opened.
    """

    key: bytes
    source: Callable[[int], bytes]
    opened: OpenedSeals = NONE_OPENED

    def _seed(self, chain: str, number: int) -> str:
        return _seed_of(self.key, chain, number)

    def first(self) -> Seal:
        """The first seal of a new chain."""
        # 64 random bits: two houses with one key, as after a copy, must not make the same chain.
        chain = self.source(8).hex()
        return Seal(chain, 1, digest_of(self._seed(chain, 1)))

    def following(self, seal: Seal) -> Seal:
        """The next seal of the chain, or the first of a new one after the last, or where this house lacks the key."""
        number = seal.number + 1
        # A house that was moved without its key goes on with a chain of its own; the match under way is void.
        if number > MOST_LINKS or not self._is_own(seal):
            return self.first()
        return Seal(seal.chain, number, digest_of(self._seed(seal.chain, number)))

    def cup(self, seal: Seal, bound: str, number: int) -> Cup:
        """The dice under this seal. Raises Refused("seal-lost") or Refused("seal-opened")."""
        if self.opened.is_opened(seal):
            raise Refused("seal-opened")
        return SealedCup(self.open(seal), bound, number)

    def can_roll(self, seal: Seal) -> bool:
        """True if this house has the key of the seal, and has not opened it."""
        return self._is_own(seal) and not self.opened.is_opened(seal)

    def note_opened(self, seal: Seal) -> None:
        """Remember that this seal's seed is public."""
        self.opened.note(seal)

    def open(self, seal: Seal) -> str:
        """The house's seed under this seal, in hex. Raises Refused("seal-lost") if it was made with another key."""
        seed = self._seed(seal.chain, seal.number)
        # The only way to see that the key is another one: the key itself is stored nowhere else.
        if digest_of(seed) != seal.digest:
            raise Refused("seal-lost")
        return seed

    def night(self, code: str) -> NightMark:
        """The mark of the duplicate night of this code."""
        return mark_of(self.key, code)

    def night_cup(self, night: NightMark, slot: DiceSlot) -> Cup:
        """The dice of a night at a slot. Raises Refused("night-lost") if it was begun with another key."""
        if self.night(night.code) != night:
            raise Refused("night-lost")
        return SlotCup(secret_of(self.key, night.code), slot)

    def _is_own(self, seal: Seal) -> bool:
        return digest_of(self._seed(seal.chain, seal.number)) == seal.digest


class NoSeals:
    """The seals of a house at which nobody can seal dice."""

    def first(self) -> Seal:
        """Nobody seals dice here: raises Refused("no-seals")."""
        raise Refused("no-seals")

    def following(self, seal: Seal) -> Seal:
        """Nobody seals dice here: raises Refused("no-seals")."""
        raise Refused("no-seals")

    def cup(self, seal: Seal, bound: str, number: int) -> Cup:
        """Nobody opens a seal here: raises Refused("seal-lost")."""
        raise Refused("seal-lost")

    def can_roll(self, seal: Seal) -> bool:
        """False: nobody rolls sealed dice here."""
        return False

    def note_opened(self, seal: Seal) -> None:
        """Nothing is remembered here."""

    def open(self, seal: Seal) -> str:
        """Nobody opens a seal here: raises Refused("seal-lost")."""
        raise Refused("seal-lost")

    def night(self, code: str) -> NightMark:
        """Nobody begins a night here: raises Refused("no-seals")."""
        raise Refused("no-seals")

    def night_cup(self, night: NightMark, slot: DiceSlot) -> Cup:
        """Nobody has the dice of a night here: raises Refused("night-lost")."""
        raise Refused("night-lost")
