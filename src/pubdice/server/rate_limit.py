"""A rate limit per key: the generic cell rate algorithm (GCRA), which is a token bucket kept as one number.

A bucket holds ``burst`` tokens and refills by ``per_s``. Of a bucket only the second at which it will be full again is
kept, and full ones are forgotten. Knows no clock and no requests. An address is an IPv4 address or the /56 block of an
IPv6 one, as providers delegate so much to one household (RIPE-690, section 4.2).
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

_SLACK_S = 1e-6
"""Rounding of seconds that are added up must not turn anybody away."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A bucket's size and how fast it refills."""

    per_s: float
    burst: int


class Buckets:
    """One bucket for every key, the least lately used ones forgotten when there are too many."""

    def __init__(self, rate: Rate, most: int) -> None:
        self._cost_s = 1 / rate.per_s
        self._depth_s = rate.burst / rate.per_s + _SLACK_S
        self._most = most
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: str, now_s: float) -> float:
        """Seconds until one more may be taken; 0 if it may now. Takes nothing."""
        over = max(self._due(key, now_s), now_s) + self._cost_s - now_s - self._depth_s
        return over if over > 0 else 0

    def _due(self, key: str, now_s: float) -> float:
        """When a bucket is full again; one that would owe more than two is full, as the clock was set back."""
        due = self._full_at.get(key, now_s)
        return due if due <= now_s + 2 * self._depth_s else now_s

    def kept(self, now_s: float) -> dict[str, float]:
        """What is not full, as it could be kept: the second at which each will be."""
        return {key: full_at for key, full_at in self._full_at.items() if full_at > now_s}

    def restore(self, kept: Mapping[str, float], now_s: float) -> None:
        """Take up what was kept: nobody owes more than one bucket by it."""
        for key, full_at in list(kept.items())[-self._most :]:
            if now_s < full_at <= now_s + 2 * self._depth_s:
                self._full_at[key] = full_at

    def take(self, key: str, now_s: float) -> float:
        """Take one, or nothing and the seconds to wait."""
        due = self._full_at.get(key, now_s)
        if not now_s < due <= now_s + 2 * self._depth_s:  # as ``_due`` says
            due = now_s
        due += self._cost_s
        over = due - now_s - self._depth_s
        if over > 0:
            return over
        self._keep(key, due, now_s)
        return 0

    def charge(self, key: str, now_s: float) -> None:
        """Take one, even if there is none: it has happened. Nobody owes more than one bucket."""
        due = max(self._due(key, now_s), now_s) + self._cost_s
        self._keep(key, min(due, now_s + 2 * self._depth_s), now_s)

    def _keep(self, key: str, due: float, now_s: float) -> None:
        self._full_at[key] = due
        self._full_at.move_to_end(key)
        for _ in range(2):  # two looked at for one that is added, so that forgetting keeps pace
            oldest, full_at = next(iter(self._full_at.items()))
            if full_at > now_s and len(self._full_at) <= self._most:
                return
            if oldest == key:
                return
            del self._full_at[oldest]


def retry_after(wait_s: float) -> str:
    """The Retry-After header for a wait: whole seconds, never too few.

    >>> retry_after(0.2), retry_after(3.0)
    ('1', '3')
    """
    return str(max(1, -int(-wait_s // 1)))


@lru_cache(maxsize=4096)
def block_of(address: str) -> str:
    """What counts as one address: an IPv4 address, also when written as IPv6, or an IPv6 /56.

    A household of a /56 would count as 256 addresses by /64, one of a /64 as one either way. Who has a /48, as firms
    do, counts as 256: by /48 many households would be one.

    >>> block_of("192.0.2.7"), block_of("::ffff:192.0.2.7"), block_of("2001:db8:1:2ff:3::4"), block_of("nonsense")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:200::', 'unknown')
    """
    try:
        found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is None:
            return str(IPv6Address(int(found) >> 72 << 72))
        found = found.ipv4_mapped
    return str(found)
