"""The house's file copied: whole, while the house is open, over nothing."""

import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

from pubdice.store import Outcome, SqliteReader, SqliteStore, Stored
from store.connections import code, entry, table


def test_a_copy_made_under_load_is_whole_and_a_prefix(store: SqliteStore, path: Path) -> None:
    tables = [table(store, letter * 6) for letter in "ABCD"]
    copied, told = path.with_name("copy.db"), list[Outcome]()
    well_under_way, stop = threading.Event(), threading.Event()

    def load() -> None:
        at = 0
        while not stop.is_set():
            at += 1
            for of in tables[:-1]:
                store.submit([(entry(of, at, f"line {at}", key=f"{at}"), told.append)])
            store.write(entry(tables[-1], at, f"line {at}", key=f"{at}"))
            if at == 200:
                well_under_way.set()

    thread = threading.Thread(target=load)
    thread.start()
    assert well_under_way.wait(10)
    before = [store.read(of) for of in tables]
    store.backup(copied)
    stop.set()
    thread.join()
    assert not (path.parent / "copy.db-wal").exists()
    assert not (path.parent / "copy.db.part").exists()
    with closing(SqliteStore(copied)) as other:
        assert other.damage() == []
        for of, earlier in zip(tables, before, strict=True):
            log = other.read(of)
            assert log[: len(earlier)] == earlier
            assert log == store.read(of)[: len(log)]
            assert other.answer(of, f"{len(log) - 1}") == f"answer to {len(log) - 1}".encode()
            assert other.write(entry(of, len(log), "goes on")) == Stored(len(log) + 1)


def test_a_copy_writes_over_nothing(store: SqliteStore, path: Path) -> None:
    mine = path.with_name("mine")
    mine.write_text("mine")
    assert code(lambda: store.backup(mine)) == "backup-exists"
    assert mine.read_text() == "mine"
    assert code(lambda: store.backup(path.with_name("not there") / "copy.db")) == "store-unwritable"
    assert code(lambda: store.backup(path)) == "backup-exists"


def test_a_running_house_is_copied_from_another_process(store: SqliteStore, path: Path) -> None:
    of, copied = table(store), path.with_name("copy.db")
    script = "import sys; from pathlib import Path; from pubdice.store import copy; copy(*map(Path, sys.argv[1:]))"
    subprocess.run([sys.executable, "-c", script, str(path), str(copied)], check=True)
    assert store.write(entry(of, 1, "a")) == Stored(2)
    with closing(SqliteReader(copied)) as reader:
        assert reader.read(of) == ["setup"]
    assert stat.S_IMODE(copied.stat().st_mode) == 0o600
