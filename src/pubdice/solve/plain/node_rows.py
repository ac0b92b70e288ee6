"""The merge of positions that are built alike: equal rows of numbers are found and get the same number.

A *row* describes a position by its steps. A step is (after, paid, ways): the node that follows, the payment of the
step, and its number of ways. For a roll, neither the order nor a common factor of the ways matters. For a choice the
order of the actions matters, because the first of equally good actions is taken. If an action has the same follower and
payment as an earlier action, it is dropped.

Rows are compared by two sums of 64-bit hashes. Then each row is compared number by number with the row that it matched,
so a collision cannot go unnoticed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pubdice.solve.plain.cycles import Numbers, rows

Hashes = NDArray[np.uint64]
_SALTS = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)


@dataclass(frozen=True, eq=False)
class NodeRows:
    """Rows laid end to end.

    Row i is ``after[starts[i] : starts[i + 1]]`` with the same slice of ``paid`` and ``ways``.
    """

    starts: Numbers
    after: Numbers
    paid: Numbers
    ways: Numbers

    def __len__(self) -> int:
        return len(self.starts) - 1

    def taken(self, chosen: Numbers) -> "NodeRows":
        """Return the chosen rows, in the order of ``chosen``."""
        places = rows(self.starts, chosen)
        lengths = self.starts[chosen + 1] - self.starts[chosen]
        return NodeRows(_laid(lengths), self.after[places], self.paid[places], self.ways[places])


def _laid(lengths: Numbers) -> Numbers:
    return np.concatenate(([0], np.cumsum(lengths)))


def _of_row(found: NodeRows) -> Numbers:
    return np.repeat(np.arange(len(found)), np.diff(found.starts))


def _changes(*keys: Numbers) -> NDArray[np.bool_]:
    """Return [places] True at the first place, and where one of the sorted keys differs from the place before."""
    changed = np.ones(len(keys[0]), dtype=np.bool_)
    changed[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    return changed


def _by_step(found: NodeRows, row: Numbers) -> Numbers:
    """Return the indices of all steps, sorted by row, then follower, then payment. The sort is stable."""
    if found.paid.any() or not len(row):
        return np.lexsort((found.paid, found.after, row))
    return np.argsort(row * (int(found.after.max()) + 1) + found.after, kind="stable")


def roll_rows(found: NodeRows) -> NodeRows:
    """Return the rows of rolls in a normal form: sorted, with equal steps joined.

    The ways of equal steps are added up. Then a row's ways are divided by their greatest common divisor.
    """
    row = _of_row(found)
    order = _by_step(found, row)
    row, after, paid = row[order], found.after[order], found.paid[order]
    first = np.flatnonzero(_changes(row, after, paid))
    ways = np.add.reduceat(found.ways[order], first)
    row = row[first]
    starts = _laid(np.bincount(row, minlength=len(found)))
    ways = ways // np.gcd.reduceat(ways, starts[:-1])[row]
    return NodeRows(starts, after[first], paid[first], ways)


def choice_rows(found: NodeRows) -> NodeRows:
    """Return the rows of choices without repeated steps. A step stays at its first place."""
    row = _of_row(found)
    order = _by_step(found, row)
    kept = np.sort(order[_changes(row[order], found.after[order], found.paid[order])])
    starts = _laid(np.bincount(row[kept], minlength=len(found)))
    return NodeRows(starts, found.after[kept], found.paid[kept], found.ways[kept])


def alike(found: NodeRows) -> tuple[Numbers, Numbers]:
    """Find equal rows: ([kinds] the first row of each kind, in ascending order, [rows] the kind of every row)."""
    lengths = np.diff(found.starts)
    place = np.arange(len(found.after)) - np.repeat(found.starts[:-1], lengths)
    sums = [_row_hashes(found, place, salt) for salt in _SALTS]
    order = np.lexsort((sums[1], sums[0], lengths))
    changed = _changes(lengths[order], *[each[order] for each in sums])
    firsts = order[changed]  # lexsort is stable, so each is the first row of its kind
    kind = np.empty(len(found), dtype=np.int64)
    kind[order] = np.cumsum(changed) - 1
    ranked = np.argsort(firsts)
    firsts, kind = firsts[ranked], np.argsort(ranked)[kind]
    other = rows(found.starts, firsts[kind])
    for each in (found.after, found.paid, found.ways):
        if not np.array_equal(each, each[other]):  # a collision of 64-bit sums, never seen so far
            raise ArithmeticError("rows that differ have the same hashes")
    return firsts, kind


def _row_hashes(found: NodeRows, place: Numbers, salt: int) -> Any:
    mixed = _mixed(found.after.astype(np.uint64) + np.uint64(salt))
    for each in (found.paid, found.ways, place):
        mixed = _mixed(mixed ^ each.astype(np.uint64))
    return np.add.reduceat(mixed, found.starts[:-1])


def _mixed(numbers: Hashes) -> Hashes:
    """Mix bits: Stafford's variant 13 of the finalizer of MurmurHash3, as splitmix64 uses it."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Hashes = numbers ^ (numbers >> np.uint64(31))
    return mixed
