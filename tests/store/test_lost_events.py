"""The losses of a house compared with another copy of it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from databases.every_event import spend
from pubdice.store import SqliteReader, SqliteStore
from pubdice.store.house_store import HouseReads
from pubdice.store.lost_events import LostEvents, lost_events

CHANGES = (
    "DELETE FROM log WHERE table_id = 1 AND seq = (SELECT max(seq) FROM log WHERE table_id = 1)",
    "DELETE FROM log WHERE table_id = 2",
    "DELETE FROM tables WHERE id = 2",
    "UPDATE log SET lines = 'another' WHERE table_id = 3 AND seq = 2",
    "UPDATE log SET answer = 'another' WHERE table_id = 4 AND key IS NOT NULL AND seq = ("
    "SELECT max(seq) FROM log WHERE table_id = 4 AND key IS NOT NULL)",
    "UPDATE tables SET code = 'OTHERS' WHERE id = 5",
    "INSERT INTO log (table_id, seq, lines) SELECT 6, 1 + max(seq), '5 more' FROM log WHERE table_id = 6",
)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A house after an evening."""
    spend(tmp_path / "house.db")
    return tmp_path / "house.db"


def changed(old: Path, *changes: str) -> Path:
    """Another copy of it, after these statements."""
    new = Path(shutil.copy(old, old.with_name("new.db")))
    with closing(sqlite3.connect(new)) as db, db:
        for change in changes:
            db.execute(change)
    return new


def losses(old: Path, new: Path) -> list[LostEvents]:
    with closing(SqliteReader(old)) as before, closing(SqliteReader(new)) as now:
        return list(lost_events(before, now))


def test_what_a_copy_has_lost_is_found(old: Path) -> None:
    assert losses(old, changed(old)) == []
    new = changed(old, *CHANGES)
    found = losses(old, new)
    assert [(each.table, each.kind) for each in found] == [
        (1, "shorter"),
        (2, "missing"),
        (3, "different"),
        (4, "answers"),
        (5, "missing"),
    ]
    with closing(SqliteStore(old)) as store:
        logs = {number: store.read(number) for number in range(1, 7)}
    short, gone, other, *_ = found
    assert (short.line + short.events, gone.events, other.line + other.events) == tuple(
        len(logs[at]) for at in (1, 2, 3)
    )
    assert short.since == int(logs[1][short.line].split()[0])
    assert short.until == gone.until or gone.until == int(logs[2][-1].split()[0])
    assert (short.answers, found[3].answers, found[3].events) == (1, 1, 0)
    assert gone.answers > 10
    only = losses(new, old)
    assert [(each.table, each.kind, each.events) for each in only[-1:]] == [(6, "shorter", 1)]


@pytest.mark.parametrize("most", [1, 3, 500])
def test_a_damaged_log_ends_where_it_is_damaged(old: Path, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice.store.lost_events.LINES_AT_ONCE", most)
    new = changed(old, "UPDATE log SET lines = x'ff' WHERE table_id = 1 AND seq = 9")
    (lost,) = losses(old, new)
    with closing(SqliteReader(old)) as reader:
        length = reader.length(1)
    assert (lost.kind, lost.line, lost.events) == ("shorter", 8, length - 8)
    assert losses(new, old) == [], "what can't be read there can't be missed"


def test_a_store_that_is_away_is_no_loss(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(reads: HouseReads, table: int, start: int, most: int) -> list[str]:
        from pubdice.core.errors import NotStored  # noqa: PLC0415

        raise NotStored("store-unreadable")

    new = changed(old)
    monkeypatch.setattr(SqliteReader, "part", away)
    with pytest.raises(Exception, match="store-unreadable"):
        losses(old, new)
