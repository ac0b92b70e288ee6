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
OF_PAGES = (2_000, 2_500, 100)
"""The same three after a page: the older generations have their turns after as many allocations."""


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


def collect_pages() -> None:
    """Free the reference cycles of pages that are finished, if at least ``OF_PAGES[0]`` objects have gathered.

    Jinja leaves a page's macros and context in cycles, 150 to 300 objects. To free the 100,000 that a house lets gather
    held its loop for 60 to 160 ms: while one address asked for pages, the p99 of others' moves was 7 to 25 times what
    it is without. 2,000 take 3 ms. A lower threshold alone would collect in the midst of a page, and what that page has
    made by then would pass to the older generations for good.
    """
    young, middle, oldest = gc.get_count()
    if young >= OF_PAGES[0]:
        gc.collect(0 if middle < OF_PAGES[1] else 1 if oldest < OF_PAGES[2] else 2)
