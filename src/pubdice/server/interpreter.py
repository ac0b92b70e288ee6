"""The interpreter of a house that runs for months: how long its threads' turns are, and when it looks for cycles.

Knows how much memory there is in use, and nothing of what is in it.
"""

import asyncio
import ctypes
import gc
import sys
from contextlib import suppress

from pubdice.server.observe import resident_bytes

COLLECT_EVERY_S, COLLECT_AFTER_BYTES, MEASURE_EVERY_S = 600.0, 48 << 20, 2.0
"""How often cycles are looked for, and after how much growth of memory at the latest, which is measured so often.

Moves leave no cycles, but all that changes with a move is new to the interpreter, which would look through it again and
again: a tenth of all time, up to 100 ms at once. Looking through everything takes 0.25 s with 2,000 phones.
"""
AGAIN_AFTER_S = 30.0
"""What made memory grow may be cycles only a little later."""
SWITCH_S = 0.0005
"""How long one thread holds the interpreter while another waits for it: the writer's and the loop's turns are short."""


def settle_down() -> None:
    """Make the interpreter one for a house that runs for months: short turns, and cycles looked for seldom.

    What was loaded to begin with stays for good, and is not looked at any more. Where the system does not tell how much
    memory is in use, cycles are looked for as ever.
    """
    sys.setswitchinterval(SWITCH_S)
    gc.collect()
    gc.freeze()
    if not resident_bytes():
        return
    gc.disable()
    loop = asyncio.get_running_loop()
    _look_later(loop, loop.time() + COLLECT_EVERY_S, resident_bytes())


def give_back() -> None:
    """Give memory that is free to the system, where its C library can: after a burst it would be kept for the next."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _look_later(loop: asyncio.AbstractEventLoop, due_s: float, before: int) -> None:
    """Look for cycles when it is due, or when there is so much more in memory than before."""

    def look() -> None:
        grown = resident_bytes() > before + COLLECT_AFTER_BYTES
        if grown or loop.time() >= due_s:
            gc.collect()
            give_back()
            _look_later(loop, loop.time() + (AGAIN_AFTER_S if grown else COLLECT_EVERY_S), resident_bytes())
        else:
            _look_later(loop, due_s, before)

    loop.call_later(MEASURE_EVERY_S, look)
