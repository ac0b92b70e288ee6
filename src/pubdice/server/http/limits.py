"""The house's rate limits, and how long a client must wait beyond them. Knows no clock and no requests.

Each limit is a token bucket (``rate_limit``). All phones of a pub may share one address, so the defaults leave room for
sixty.
"""

import hmac
import json
from dataclasses import dataclass, field

from pubdice.server.rate_limit import Buckets, Rate, block_of


@dataclass(frozen=True, slots=True)
class Limits:
    """The house's limits; ``docs/security.md`` names every one, its value and what it is for."""

    requests: Rate = Rate(60, 600)
    commands: Rate = Rate(5, 30)
    misses: Rate = Rate(1 / 60, 20)
    house_misses: Rate = Rate(3 / 60, 60)
    wrong_words: Rate = Rate(10 / 60, 20)
    house_wrong_words: Rate = Rate(1, 300)
    openings: Rate = Rate(10 / 60, 30)
    records: Rate = Rate(1, 20)
    questions: Rate = Rate(1, 60)
    comings: Rate = Rate(4 / 60, 80)
    streams: int = 400
    remembered: int = 20_000


@dataclass(slots=True)
class Limiter:
    """All limits of one house. Methods return the seconds to wait (for Retry-After), 0 for none.

    secret: the house's own. Addresses that guessed are stored through a restart, hashed with it (HMAC).
    """

    limits: Limits = field(default_factory=Limits)
    secret: bytes = b""
    _changed: bool = field(init=False, default=False)
    _requests: Buckets = field(init=False)
    _commands: Buckets = field(init=False)
    _misses: Buckets = field(init=False)
    _house: Buckets = field(init=False)
    _words: Buckets = field(init=False)
    _house_words: Buckets = field(init=False)
    _openings: Buckets = field(init=False)
    _records: Buckets = field(init=False)
    _questions: Buckets = field(init=False)
    _comings: Buckets = field(init=False)
    _streams: dict[str, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        most = self.limits.remembered
        self._requests = Buckets(self.limits.requests, most)
        self._commands = Buckets(self.limits.commands, most)
        self._misses = Buckets(self.limits.misses, most)
        self._house = Buckets(self.limits.house_misses, 1)
        self._words = Buckets(self.limits.wrong_words, most)
        self._house_words = Buckets(self.limits.house_wrong_words, 1)
        self._openings = Buckets(self.limits.openings, most)
        self._records = Buckets(self.limits.records, most)
        self._questions = Buckets(self.limits.questions, most)
        self._comings = Buckets(self.limits.comings, most)

    def request(self, address: str, now_s: float) -> float:
        """Count a request from an address."""
        return self._requests.take(block_of(address), now_s)

    def command(self, person: str, now_s: float) -> float:
        """Count a command by a person, even if it is refused."""
        return self._commands.take(person, now_s)

    def opening(self, address: str, now_s: float) -> float:
        """Count a request for a new table from an address."""
        return self._openings.take(block_of(address), now_s)

    def record(self, address: str, now_s: float) -> float:
        """Count a request for a record from an address: each reads a whole log."""
        return self._records.take(block_of(address), now_s)

    def asking(self, address: str, now_s: float) -> float:
        """Count a question about a position from an address: one may take the solver's process seconds."""
        return self._questions.take(block_of(address), now_s)

    def coming(self, table: str, address: str, now_s: float) -> float:
        """Count a request for a seat at a table from an address."""
        return self._comings.take(f"{table} {block_of(address)}", now_s)

    def guess(self, address: str, now_s: float) -> float:
        """Whether an address may try a code. Call it before the table is looked up, and for strangers only.

        Counts nothing: ``missed`` counts the wrong codes.
        """
        return max(self._misses.wait(self._who(address), now_s), self._house.wait("", now_s))

    def missed(self, address: str, now_s: float) -> None:
        """Count a wrong code, for the address and for the house."""
        self._changed = True
        self._misses.charge(self._who(address), now_s)
        self._house.charge("", now_s)

    def guess_words(self, address: str, now_s: float) -> float:
        """Whether an address may try the words of a seat."""
        return max(self._words.wait(self._who(address), now_s), self._house_words.wait("", now_s))

    def missed_words(self, address: str, now_s: float) -> None:
        """Count wrong words, for the address and for the house."""
        self._changed = True
        self._words.charge(self._who(address), now_s)
        self._house_words.charge("", now_s)

    def guess_book_words(self, address: str, now_s: float) -> float:
        """Whether an address may try the words of a player of the book.

        By its own bucket alone: each try costs the house a hash, so all addresses together have 20 a second, and a few
        could hold a bucket of all empty.
        """
        return self._words.wait(self._who(address), now_s)

    def missed_book_words(self, address: str, now_s: float) -> None:
        """Count wrong words of a player of the book, for the address."""
        self._changed = True
        self._words.charge(self._who(address), now_s)

    def _who(self, address: str) -> str:
        return hmac.digest(self.secret, block_of(address).encode(), "sha256")[:9].hex()

    @property
    def _guesses(self) -> tuple[Buckets, ...]:
        return self._misses, self._house, self._words, self._house_words

    def changed_guesses(self, now_s: float) -> bytes | None:
        """The buckets of wrong codes and words, to store; None if nothing was counted since the last call."""
        if not self._changed:
            return None
        self._changed = False
        return json.dumps([buckets.kept(now_s) for buckets in self._guesses]).encode()

    def restore_guesses(self, kept: bytes, now_s: float) -> None:
        """Restore the buckets that were stored; ignore anything else."""
        try:
            for buckets, stored in zip(self._guesses, json.loads(kept), strict=True):
                buckets.restore({str(key): float(full_at) for key, full_at in stored.items()}, now_s)
        except (ValueError, TypeError, AttributeError, RecursionError):
            return

    def stream_opens(self, address: str) -> bool:
        """Whether an address may open one more stream; if so it counts until ``stream_closed``."""
        block = block_of(address)
        if self._streams.get(block, 0) >= self.limits.streams:
            return False
        self._streams[block] = self._streams.get(block, 0) + 1
        return True

    def stream_closed(self, address: str) -> None:
        """A stream that was let in has ended."""
        block = block_of(address)
        left = self._streams.get(block, 0) - 1
        if left > 0:
            self._streams[block] = left
        else:
            self._streams.pop(block, None)
