"""The house's rate limits, and the time that a client over a limit must wait. Knows no clock and no requests.

Each limit is a token bucket by the generic cell rate algorithm (GCRA). It holds ``burst`` tokens and refills by
``per_s``. Of each bucket only a time is kept: the time in seconds at which the bucket is full again. Full buckets are
forgotten.

An address is an IPv4 address or the /56 block of an IPv6 address: providers delegate that much to one household
(RIPE-690, section 4.2). All phones of a pub may share one address, so the defaults leave room for sixty.
"""

import hmac
import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from pubdice.core.json_depth import shallow

_SLACK_S = 1e-6
"""A tolerance for rounding errors of added seconds, so they refuse no client."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A bucket's size and the speed at which it refills."""

    per_s: float
    burst: int


class Buckets:
    """One bucket for each key. If there are more than ``most``, the least recently used are forgotten."""

    def __init__(self, rate: Rate, most: int) -> None:
        self._cost_s = 1 / rate.per_s
        self._depth_s = rate.burst / rate.per_s + _SLACK_S
        self._most = most
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: str, now_s: float, amount: float = 1.0) -> float:
        """Return seconds until ``amount`` may be taken, or 0. Takes nothing."""
        over = max(self._due(key, now_s), now_s) + amount * self._cost_s - now_s - self._depth_s
        return over if over > 0 else 0

    def _due(self, key: str, now_s: float) -> float:
        """Return the time when a bucket is full again.

        If that is later than two refills of a whole bucket from now, the clock was set back, and the bucket counts as
        full.
        """
        due = self._full_at.get(key, now_s)
        return due if due <= now_s + 2 * self._depth_s else now_s

    def kept(self, now_s: float) -> dict[str, float]:
        """Return the buckets to store: the time in s at which each bucket will be full. Full buckets are left out."""
        return {key: full_at for key, full_at in self._full_at.items() if full_at > now_s}

    def restore(self, kept: Mapping[str, float], now_s: float) -> None:
        """Restore stored buckets. Leave out each that would be full later than ``_due`` allows."""
        for key, full_at in list(kept.items())[-self._most :]:
            if now_s < full_at <= now_s + 2 * self._depth_s:
                self._full_at[key] = full_at

    def take(self, key: str, now_s: float) -> float:
        """Take one token. Returns 0, or the seconds to wait if it took nothing."""
        due = self._full_at.get(key, now_s)
        if not now_s < due <= now_s + 2 * self._depth_s:  # as in ``_due``
            due = now_s
        due += self._cost_s
        # GCRA: the time at which the bucket is full again stands for its content. So a key needs one number, and no
        # timer.
        over = due - now_s - self._depth_s
        if over > 0:
            return over
        self._keep(key, due, now_s)
        return 0

    def charge(self, key: str, now_s: float, amount: float = 1.0) -> None:
        """Take ``amount`` even if the bucket has less, because the work is done. A key owes at most one bucket."""
        due = max(self._due(key, now_s), now_s) + amount * self._cost_s
        # Capped: otherwise a program that goes on guessing through refusals would lock out its household for hours.
        self._keep(key, min(due, now_s + 2 * self._depth_s), now_s)

    def _keep(self, key: str, due: float, now_s: float) -> None:
        self._full_at[key] = due
        # In order of the last use, so the first key is the least recently used. Forgetting needs no search.
        self._full_at.move_to_end(key)
        for _ in range(2):  # looks at two keys for each one added, so forgetting keeps pace
            oldest, full_at = next(iter(self._full_at.items()))
            # A full bucket is the same as none, so it goes at once. Any other goes only for lack of room.
            if full_at > now_s and len(self._full_at) <= self._most:
                return
            if oldest == key:
                return
            del self._full_at[oldest]


def retry_after(wait_s: float) -> str:
    """Return the Retry-After header for a wait: whole seconds, rounded up.

    >>> retry_after(0.2), retry_after(3.0)
    ('1', '3')
    """
    # Rounded up by negation: a client that waits this long must not be refused again.
    return str(max(1, -int(-wait_s // 1)))


@lru_cache(maxsize=4096)
def block_of(address: str) -> str:
    """Return the key of an address: an IPv4 address, also when written as IPv6, or an IPv6 /56.

    By /64, a household with a /56 would count as 256 addresses. By /48, many households would count as one. A firm with
    a /48 counts as 256 addresses.

    >>> block_of("192.0.2.7"), block_of("::ffff:192.0.2.7"), block_of("2001:db8:1:2ff:3::4"), block_of("nonsense")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:200::', 'unknown')
    """
    try:
        # A link-local address has its interface after the %, which differs with each machine.
        found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is None:
            # 128 - 72 = 56 bits stay.
            return str(IPv6Address(int(found) >> 72 << 72))
        found = found.ipv4_mapped
    return str(found)


@dataclass(frozen=True, slots=True)
class Limits:
    """The house's limits. ``docs/host/security.md`` has each value and its reason. ``work`` is in milliseconds of the
    event loop's time.
    """

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
    work: Rate = Rate(250, 500)


@dataclass(slots=True)
class Limiter:
    """All limits of one house. Methods return the seconds to wait, or 0. ``secret`` is the key of address hashes."""

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
        # One key, "", for all addresses together, so a botnet guesses no faster than one house allows.
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
        """Count a question about a position from an address. One question may keep the solver's process busy for
        seconds.
        """
        return self._questions.take(block_of(address), now_s)

    def coming(self, table: str, address: str, now_s: float) -> float:
        """Count a request for a seat at a table from an address."""
        # By table as well: a whole pub may sit down at several tables from one address.
        return self._comings.take(f"{table} {block_of(address)}", now_s)

    def guess(self, address: str, now_s: float) -> float:
        """Return the seconds until an address may try a code, or 0. Counts nothing: ``missed`` counts the wrong codes.

        Call it before the lookup of the table, for strangers only.
        """
        return max(self._misses.wait(self._who(address), now_s), self._house.wait("", now_s))

    def missed(self, address: str, now_s: float) -> None:
        """Count a wrong code, for the address and for the house."""
        self._changed = True
        self._misses.charge(self._who(address), now_s)
        self._house.charge("", now_s)

    def guess_words(self, address: str, now_s: float) -> float:
        """Return the seconds until an address may try the words of a seat, at its table or at the book, or 0."""
        return max(self._words.wait(self._who(address), now_s), self._house_words.wait("", now_s))

    def missed_words(self, address: str, now_s: float) -> None:
        """Count wrong words, for the address and for the house."""
        self._changed = True
        self._words.charge(self._who(address), now_s)
        self._house_words.charge("", now_s)

    def _who(self, address: str) -> str:
        # With the secret: hashes of all 4 billion IPv4 addresses are soon made. With 9 bytes, 20,000 hashes never
        # collide.
        return hmac.digest(self.secret, block_of(address).encode(), "sha256")[:9].hex()

    @property
    def _guesses(self) -> tuple[Buckets, ...]:
        return self._misses, self._house, self._words, self._house_words

    def changed_guesses(self, now_s: float) -> bytes | None:
        """Return the buckets of wrong codes and words as bytes to store. None if nothing was counted since the last
        call.
        """
        if not self._changed:
            return None
        self._changed = False
        return json.dumps([buckets.kept(now_s) for buckets in self._guesses]).encode()

    def restore_guesses(self, kept: bytes, now_s: float) -> None:
        """Restore the buckets that were stored. Any other bytes are ignored."""
        try:
            for buckets, stored in zip(self._guesses, json.loads(shallow(kept)), strict=True):
                buckets.restore({str(key): float(full_at) for key, full_at in stored.items()}, now_s)
        # If the buckets are lost, every address gets fresh tries once. A house that does not start is worse.
        except (ValueError, TypeError, AttributeError):
            return

    def stream_opens(self, address: str) -> bool:
        """Return True if an address may open one more stream. The stream then counts until ``stream_closed``."""
        block = block_of(address)
        if self._streams.get(block, 0) >= self.limits.streams:
            return False
        self._streams[block] = self._streams.get(block, 0) + 1
        return True

    def stream_closed(self, address: str) -> None:
        """Note that a stream that was let in has ended."""
        block = block_of(address)
        left = self._streams.get(block, 0) - 1
        if left > 0:
            self._streams[block] = left
        else:
            # Popped at 0: otherwise every address that ever watched would stay in memory.
            self._streams.pop(block, None)
