"""The clock that all processes of a house share: whatever a machine's own clock says, and however somebody sets it."""

import asyncio
from collections.abc import Callable

from pubdice.server.live.clock import QUICK_MS, SharedClock

NOW_MS = 1_763_640_000_000
HOUR_MS = 3_600_000
NEAR_MS = 1_000
"""The event loop's own time goes on meanwhile."""


class Machine:
    """A clock that somebody sets."""

    def __init__(self, ms: int) -> None:
        self.ms = ms

    def time_ns(self) -> int:
        """In ns since 1970."""
        return self.ms * 1_000_000


def with_clock(check: Callable[[SharedClock, Machine], None], ms: int = NOW_MS) -> None:
    async def checked() -> None:
        machine = Machine(ms)
        check(SharedClock(machine.time_ns), machine)

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
    """Else the clock would go back and forth with every look."""

    def check(clock: SharedClock, _: Machine) -> None:
        before = clock.now()
        clock.follow(before - 60, before - 100)  # between: 50 ms before would be the middle
        assert clock.now() >= before

    with_clock(check)
