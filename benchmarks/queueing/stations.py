"""Simulated time, servers with a queue, and how long they were used."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

Do = Callable[..., None]


class Clock:
    """Simulated time: what is to happen, in order."""

    def __init__(self) -> None:
        self.now = 0.0
        self._number = 0
        self._events: list[tuple[float, int, Do, tuple[Any, ...]]] = []

    def at(self, when: float, do: Do, *values: Any) -> None:
        """Have something done at a time. What is due at one time happens in the order it was asked for."""
        self._number += 1
        heappush(self._events, (when, self._number, do, values))

    def run(self) -> None:
        """Do everything."""
        events = self._events
        while events:
            self.now, _, do, values = heappop(events)
            do(*values)


@dataclass(slots=True)
class Busy:
    """How long some servers were used, within the time that counts, by what."""

    since: float
    until: float
    servers: int = 1
    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, what: str, begun: float, seconds: float) -> None:
        """Count what lies within."""
        within = min(begun + seconds, self.until) - max(begun, self.since)
        if within > 0:
            self.seconds[what] = self.seconds.get(what, 0.0) + within

    def utilisation(self, what: str = "") -> float:
        """The share of the servers' time, used by one thing or by all."""
        used = self.seconds.get(what, 0.0) if what else sum(self.seconds.values())
        return used / self.servers / (self.until - self.since)


class Station:
    """Servers with one queue, first come, first served: the cores of a shard."""

    def __init__(self, clock: Clock, busy: Busy) -> None:
        self._clock, self.busy = clock, busy
        self._free = busy.servers
        self._queue: deque[tuple[str, float, float, Do, tuple[Any, ...]]] = deque()

    def serve(self, what: str, service_s: float, after_s: float, done: Do, *values: Any) -> None:
        """Take a server for some time, and call ``done`` so long after it is free again."""
        if self._free:
            self._free -= 1
            self._begin(what, service_s, after_s, done, values)
        else:
            self._queue.append((what, service_s, after_s, done, values))

    def _begin(self, what: str, service_s: float, after_s: float, done: Do, values: tuple[Any, ...]) -> None:
        now = self._clock.now
        self.busy.add(what, now, service_s)
        self._clock.at(now + service_s, self._ended)
        self._clock.at(now + service_s + after_s, done, *values)

    def _ended(self) -> None:
        if self._queue:
            self._begin(*self._queue.popleft())
        else:
            self._free += 1
