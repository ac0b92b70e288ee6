"""Tests of a house's shared clock, on machines whose own clocks are wrong or change."""

import asyncio
from collections.abc import Callable

from pubdice.server.table.services import LoopClock
from pubdice_cluster.shared_clock import QUICK_MS, SharedClock

NOW_MS = 1_763_640_000_000
HOUR_MS = 3_600_000
NEAR_MS = 1_000
"""The tolerance in milliseconds, because the event loop's own time goes on."""


class Machine:
    """A clock that a test sets."""

    def __init__(self, ms: int) -> None:
        self.ms = ms

    def time_ns(self) -> int:
        """Return the time in nanoseconds since 1970."""
        return self.ms * 1_000_000


def with_clock(check: Callable[[SharedClock, Machine], None], ms: int = NOW_MS) -> None:
    async def checked() -> None:
        machine = Machine(ms)
        check(SharedClock(LoopClock(machine.time_ns)), machine)

    asyncio.run(checked())


def test_a_machine_s_clock_may_jump_and_the_house_s_does_not() -> None:
    def check(clock: SharedClock, machine: Machine) -> None:
        before = clock.now()
        for jump in (HOUR_MS, -5 * HOUR_MS):
            machine.ms += jump
            assert 0 <= clock.now() - before < NEAR_MS

    with_clock(check)


def test_a_wrong_clock_follows_the_shared_time() -> None:
    def check(clock: SharedClock, _: Machine) -> None:
        clock.follow(NOW_MS, clock.now())
        assert 0 <= clock.now() - NOW_MS < NEAR_MS

    with_clock(check, NOW_MS + HOUR_MS)


def test_a_time_that_took_long_to_come_changes_nothing() -> None:
    def check(clock: SharedClock, _: Machine) -> None:
        clock.follow(NOW_MS + HOUR_MS, clock.now() - QUICK_MS - 1)
        assert 0 <= clock.now() - NOW_MS < NEAR_MS

    with_clock(check)


def test_what_the_way_may_explain_changes_nothing() -> None:
    """Otherwise the clock would jump back and forth with each look."""

    def check(clock: SharedClock, _: Machine) -> None:
        stands = clock._monotonic_ms()
        clock._monotonic_ms = lambda: stands  # type: ignore[method-assign]
        before = clock.now()
        for _look in range(10):
            # half the time of the answer is 50 ms, so the shared time seems 10 ms off
            clock.follow(before - 60, before - 100)
        assert clock.now() == before

    with_clock(check)


def test_a_clock_begins_by_the_quickest_answer() -> None:
    """If the clock were set by the first answer, it would be late by the time that this answer took."""

    async def checked() -> None:
        loop_s, took_s = [1_000.0], [0.9, 0.5, 0.7, 0.8, 0.6]
        clock = SharedClock(LoopClock(Machine(NOW_MS + HOUR_MS).time_ns))
        clock._monotonic_ms = lambda: int(1000 * loop_s[0])  # type: ignore[method-assign]
        clock._zero_ms = NOW_MS + HOUR_MS - clock._monotonic_ms()
        shared = NOW_MS - 1000 * loop_s[0]

        def ask() -> int:
            took = took_s.pop(0)
            loop_s[0] += took / 2
            answer = round(shared + 1000 * loop_s[0])
            loop_s[0] += took / 2
            return answer

        clock.begin(ask)
        assert abs(clock.now() - (shared + 1000 * loop_s[0])) <= 1
        assert took_s == [], "none was quick"
        took_s[:] = [0.01, 0.5]
        clock.begin(ask)
        assert took_s == [0.5], "a quick answer is enough"

    asyncio.run(checked())
