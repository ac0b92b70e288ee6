"""Garbage collection for a house that runs for months.

Moves leave no reference cycles, but each replaces objects. By default Python searches the young objects every 700
allocations, and often all of them. That takes a quarter of a move's processor time, with pauses of up to 100 ms. Here
the objects of the start are frozen and the intervals are longer. Collection then costs too little to measure
(``benchmarks.tricks``), and still finds the cycles that a burst of requests leaves. The oldest objects are hardly ever
searched, so a closed table or connection must leave no cycle (``tests/server/table/test_freed.py``).
"""

import gc
from collections.abc import Callable

THRESHOLDS = (100_000, 50, 100)
"""The arguments of ``gc.set_threshold``: allocations before a collection of the young generation, such collections
before one of the middle generation, and collections of the middle generation before one of the oldest.
"""
OF_PAGES = (2_000, 2_500, 100)
"""The thresholds of ``collect_pages``. It collects the young generation 50 times as often as ``THRESHOLDS``, so the
second number is 50 times as large. The older generations then have their turns after as many allocations.
"""


def tune() -> Callable[[], None]:
    """Tune the collector for a running house. Return a function that undoes it.

    If objects were frozen before, that function thaws none, because Python can only thaw all objects at once.
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
    """Free the reference cycles of finished pages, if at least ``OF_PAGES[0]`` objects have gathered.

    Jinja leaves a page's macros and context in cycles of 150 to 300 objects. Freeing 100,000 objects at once held the
    loop for 60 to 160 ms: the p99 of moves rose to 7 to 25 times its value while one address asked for pages. Freeing
    2,000 takes 3 ms. A lower threshold alone would also collect in the middle of a page, and promote that page's
    objects for good.
    """
    young, middle, oldest = gc.get_count()
    if young >= OF_PAGES[0]:
        gc.collect(0 if middle < OF_PAGES[1] else 1 if oldest < OF_PAGES[2] else 2)
