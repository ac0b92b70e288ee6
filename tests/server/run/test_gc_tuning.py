"""The collector tuned for a running house, its work behind pages, and its return to normal."""

import gc
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import ref

import pytest

from pubdice.server import garbage
from pubdice.server.garbage import OF_PAGES, THRESHOLDS, tune
from pubdice.server.pages import front
from server.samples.front import FRONT
from server.samples.tables import ENGLISH

PAGES = 60
A_PAGE = 2_000
"""More objects than any page leaves in cycles. The front page leaves some 300."""


@contextmanager
def collections() -> Iterator[list[tuple[int, int]]]:
    """The collections in a house meanwhile: their generations and numbers of objects."""
    found: list[tuple[int, int]] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            found.append((info["generation"], info["collected"]))

    restore = tune()
    gc.callbacks.append(note)
    try:
        yield found
    finally:
        gc.callbacks.remove(note)
        restore()


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


def test_cycles_of_a_burst_are_found_without_being_asked() -> None:
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


def test_pages_never_leave_much_to_be_freed_at_once() -> None:
    """100,000 objects at once held the loop for 60 to 160 ms, and all moves with it."""
    front.html(ENGLISH, FRONT)
    with collections() as found:
        for _ in range(PAGES):
            front.html(ENGLISH, FRONT)
        by_itself = len(found)
        gc.collect()
    assert by_itself > 1, "pages leave cycles, or this shows nothing"
    assert max(count for _, count in found) < OF_PAGES[0] + A_PAGE
    assert sum(count for _, count in found[by_itself:]) < OF_PAGES[0] + A_PAGE, "nothing passes to older generations"


def test_older_generations_are_collected_between_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "OF_PAGES", (1, 2, 2))
    with collections() as found:
        for _ in range(PAGES):
            front.html(ENGLISH, FRONT)
    assert [generation for generation, _ in found[:10]] == [0, 0, 1, 0, 0, 1, 0, 0, 2, 0]
