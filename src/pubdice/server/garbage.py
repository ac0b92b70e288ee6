"""Garbage collection in a house that runs for months. Knows nothing of what is in memory.

Moves leave no reference cycles, but each replaces objects, and Python's defaults make it search the young ones
every 700 allocations and all of them often: a quarter of the processor time of a move, and pauses of up to 100 ms.
With what was loaded at the start frozen and longer intervals, collection costs nothing that can be measured
(``benchmarks.tricks``), and cycles that a burst of requests leaves are still found. The oldest objects are hardly
ever searched, so what a house forgets, a table or a connection, leaves no cycle
(``tests/server/table/test_freed.py``).
"""

import gc
from collections.abc import Callable

THRESHOLDS = (100_000, 50, 100)
"""Allocations between two collections of the youngest objects; such collections until the next generation's turn; and
those until the oldest's."""


def tune() -> Callable[[], None]:
    """Tune the collector for a running house; the answer puts everything back.

    Where something was frozen before, all stays frozen, as Python thaws everything or nothing.
    """
    thresholds, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)

    def restore() -> None:
        gc.set_threshold(*thresholds)
        if not frozen:
            gc.unfreeze()

    return restore
