"""The collector tuned for a running house, and put back afterwards."""

import gc
import subprocess
import sys
from weakref import ref

from pubdice.server.garbage import THRESHOLDS, tune


def test_the_collector_is_as_it_was_once_the_house_is_closed() -> None:
    before = gc.get_threshold(), gc.get_freeze_count()
    restore = tune()
    try:
        assert gc.get_threshold() == THRESHOLDS
        assert gc.get_freeze_count() > before[1]
        assert gc.isenabled(), "cycles are still found"
    finally:
        restore()
    assert gc.get_threshold() == before[0]


def test_what_another_froze_stays_frozen() -> None:
    """Unfrozen, it would be gone through again in each later collection: 0.15 s of each house that ends."""
    gc.freeze()
    before = gc.get_freeze_count()
    tune()()
    assert gc.get_freeze_count() >= before


def test_where_nothing_was_frozen_nothing_is_afterwards() -> None:
    code = "import gc; from pubdice.server.garbage import tune; tune()(); print(gc.get_freeze_count())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.split() == [b"0"]


def test_cycles_that_a_burst_leaves_are_found_without_being_asked() -> None:
    class Left:
        def __init__(self) -> None:
            self.own = self

    restore = tune()
    try:
        left = ref(Left())
        kept: list[list[int]] = []
        while left() is not None and len(kept) < 2 * THRESHOLDS[0]:
            kept.append([len(kept)])
        assert left() is None
    finally:
        restore()
