"""Every cup is fair: ten million dice of each at night, a hundred thousand by default."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from pubdice.core.cup import Cup, DiceSlot, SeededCup, SlotCup, SystemCup
from pubdice.core.dice import Roll
from pubdice.core.seal import SealedCup

LONG, SHORT = 10_000_000, 100_000
AT_ONCE = 50
"""Dice of one roll."""
DAY = pytest.mark.parametrize("number", [SHORT, pytest.param(LONG, marks=pytest.mark.nightly)])


def _source() -> Callable[[int], bytes]:
    """Bytes as good as the system's, the same each time: SHA-256 of a counter."""
    at = iter(range(10**9))
    return lambda size: b"".join(hashlib.sha256(b"%d" % next(at)).digest() for _ in range(-(-size // 32)))[:size]


def _cups(name: str) -> Iterator[Cup]:
    """A cup for each roll."""
    system = SystemCup(_source())
    for roll in range(10**9):
        match name:
            case "system":
                yield system
            case "seeded":
                yield SeededCup("fair")
            case "duplicate":
                slot = DiceSlot(1 + roll // 400, roll % 4, 1 + roll // 4 % 10, 1 + roll // 40 % 10)
                yield SlotCup(hashlib.sha256(b"fair").digest(), slot)
            case _:
                yield SealedCup(hashlib.sha256(b"fair").hexdigest(), "2|fair", roll)


@DAY
@pytest.mark.parametrize("name", ["system", "seeded", "sealed", "duplicate"])
def test_every_cup_is_fair(name: str, number: int) -> None:
    """Chi-square with 5 degrees of freedom for faces, 25 for two dice that follow each other.

    Above 45 and 90 by chance once in 10^8 and 10^9: the seeds are fixed, so the test gives the same each time.
    """
    faces, pairs = Counter[int](), Counter[tuple[int, int]]()
    for at, cup in zip(range(number // AT_ONCE), _cups(name), strict=False):
        roll: Roll = cup.roll(AT_ONCE, at)
        faces.update(roll)
        pairs.update(zip(roll[::2], roll[1::2], strict=True))
    assert _chi_square(faces, 6) < 45
    assert _chi_square(pairs, 36) < 90


def _chi_square(counts: Counter[int] | Counter[tuple[int, int]], kinds: int) -> float:
    mean = counts.total() / kinds
    return sum((count - mean) ** 2 / mean for count in counts.values()) + (kinds - len(counts)) * mean
