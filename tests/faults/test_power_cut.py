"""The power is cut, and what was not synced may be gone: of what people were told nothing is."""

import random
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from faults.powercut import Disk
from pubdice.core.errors import NotStored
from pubdice.store import Entry, SqliteStore, Stored, TableSummary
from support.profiles import NIGHTLY

CUTS = 1_000 if NIGHTLY else 50
CUTS_OF_A_LIFE = 10
CODES = ("AAAAAA", "BBBBBB", "CCCCCC")

Told = str | tuple[Entry, Stored]
"""A table's code, once it is open, or an entry and its outcome."""


def _entry(table: int, seen: int) -> Entry:
    lines = tuple(f"line {seen + at} of {table}" + " and on" * (seen % 97) for at in range(1 + seen % 4))
    summary = TableSummary("playing", listed=True, updated=seen) if seen % 3 else None  # with one it is BEGIN … COMMIT
    return Entry(table, seen, lines, f"key-{seen}", b"answer %d" % seen, summary)


def _live(folder: Path, disk: Disk, rng: random.Random, entries: int, synchronous: str) -> None:
    """A life of the house. Its news is noted as it is told."""
    with closing(SqliteStore(folder / "house.db", connect=disk.connect(synchronous))) as store:
        tables = [_table(store, disk, code) for code in CODES]
        lengths = {table: len(store.read(table)) for table in tables}
        for _ in range(entries):
            table = rng.choice(tables)
            entry = _entry(table, lengths[table])
            lengths[table] += len(entry.lines)
            if rng.random() < 0.6:
                store.submit([(entry, lambda outcome, entry=entry: disk.tell((entry, outcome)))])  # type: ignore[misc]
            else:
                disk.tell((entry, store.write(entry)))


def _table(store: SqliteStore, disk: Disk, code: str) -> int:
    found = store.find(code)
    if found is None:
        found = store.open_table(code, f"setup {code}", TableSummary("gathering", listed=True, updated=0))
        disk.tell(code)
    return found


def _put(image: dict[str, bytes], folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in image.items():
        (folder / name).write_bytes(data)


@dataclass(frozen=True, slots=True)
class Found:
    """The state when the power is back: the news lost, and other damage."""

    lost: int
    wrong: tuple[str, ...] = ()


def _found(folder: Path, told: Sequence[Told]) -> Found:
    """A file that cannot be read loses everything. The house must also go on from there."""
    try:
        with closing(SqliteStore(folder / "house.db")) as store:
            wrong = store.damage()
            codes, logs = store.codes(), {table: store.read(table) for table in store.tables()}
            wrong += [f"table {table}" for table, log in logs.items() if not _whole(store, table, log)]
    except NotStored as refused:
        return Found(len(told), (str(refused),))
    lost = sum(
        what not in codes if isinstance(what, str) else len(logs.get(what[0].table, ())) < what[1].seq for what in told
    )
    return Found(lost, tuple(wrong))


def _whole(store: SqliteStore, table: int, log: list[str]) -> bool:
    """The log is its first line and whole entries, each with its answer, and another can be added."""
    seen, good = 1, True
    while seen < len(log):
        entry = _entry(table, seen)
        good &= log[seen : seen + len(entry.lines)] == list(entry.lines)
        good &= store.answer(table, f"key-{seen}") == entry.answer
        seen += len(entry.lines)
    entry = _entry(table, seen)
    return good and store.write(entry) == Stored(seen + len(entry.lines))


def _cut(tmp_path: Path, cuts: int, synchronous: str) -> tuple[int, Found]:
    """Several lives of one house, each cut at random moments. Return the news told and the state found."""
    rng, folder = random.Random(cuts), tmp_path / "house"
    folder.mkdir()
    known: list[Told] = []
    count, lost, wrong = 0, 0, list[str]()
    for _ in range(cuts // CUTS_OF_A_LIFE):
        disk = Disk(folder)
        _live(folder, disk, rng, 60, synchronous)
        moments = [rng.randrange(len(disk.notes) // rng.choice([1, 3, 20])) for _ in range(CUTS_OF_A_LIFE)]
        for moment in moments:
            _put(disk.image(moment, rng), tmp_path / "cut")
            told = [*known, *disk.told_before(moment)]
            found = _found(tmp_path / "cut", told)
            count, lost, wrong = count + len(told), lost + found.lost, [*wrong, *found.wrong]
        if lost or wrong:
            break
        known += disk.told_before(moments[-1])
        _put(disk.image(moments[-1], rng), folder)
    return count, Found(lost, tuple(wrong))


def test_what_was_told_outlives_the_power(tmp_path: Path) -> None:
    told, found = _cut(tmp_path, CUTS, "FULL")
    assert told > 20 * CUTS
    assert found == Found(lost=0)


@pytest.mark.parametrize("synchronous", ["OFF", "NORMAL"])
def test_a_house_that_does_not_sync_loses_what_it_told(synchronous: str, tmp_path: Path) -> None:
    assert _cut(tmp_path, CUTS, synchronous)[1].lost > 0


def test_a_commit_whose_sync_failed_is_not_found_after_a_cut(tmp_path: Path) -> None:
    rng, folder = random.Random(420), tmp_path / "house"
    folder.mkdir()
    disk = Disk(folder)
    with closing(SqliteStore(folder / "house.db", connect=disk.connect())) as store:
        table = _table(store, disk, CODES[0])
        first = _entry(table, 1)
        disk.tell((first, store.write(first)))
        disk.failing_syncs = 1
        with pytest.raises(NotStored, match="store-unwritable"):
            store.write(Entry(table, 1 + len(first.lines), ("never",) * 3, "never", b"never"))
        refused = len(disk.notes)
        assert "never" not in store.read(table)
        second = _entry(table, 1 + len(first.lines))
        disk.tell((second, store.write(second)))
    for moment in range(refused, len(disk.notes) + 1):
        for _ in range(4):
            _put(disk.image(moment, rng), tmp_path / "cut")
            assert _found(tmp_path / "cut", disk.told_before(moment)) == Found(lost=0)
