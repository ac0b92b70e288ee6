"""What a house has lost compared with another copy of it."""

from contextlib import closing
from pathlib import Path

import psycopg
from store.copied_houses import address_of, move

from pubdice.store import SqliteStore
from pubdice_cluster.copying import HousePlace, LostEvents, lost_events, open_rows
from store.connections import code


def losses(old: HousePlace, new: HousePlace) -> list[LostEvents]:
    with open_rows(old) as before, open_rows(new) as now:
        return list(lost_events(before, now))


def test_what_a_copy_has_lost_is_found(file: Path, database: HousePlace, tmp_path: Path) -> None:
    move(file, database)
    assert losses(file, database) == losses(database, file) == []
    with psycopg.connect(address_of(database)) as db:
        length = db.execute("SELECT max(seq) FROM log WHERE table_id = 1").fetchall()[0][0]
        db.execute("DELETE FROM log WHERE table_id = 1 AND seq = %s", (length,))
        db.execute("DELETE FROM log WHERE table_id = 2")
        db.execute("DELETE FROM tables WHERE id = 2")
        db.execute("UPDATE log SET lines = 'another' WHERE table_id = 3 AND seq = 2")
        db.execute(
            "UPDATE log SET answer = 'another' WHERE table_id = 4 AND key IS NOT NULL AND seq = ("
            "SELECT max(seq) FROM log WHERE table_id = 4 AND key IS NOT NULL)"
        )
        db.execute("UPDATE tables SET code = 'OTHERS' WHERE id = 5")
        db.execute(
            "INSERT INTO log (table_id, seq, lines) SELECT 6, 1 + max(seq), '5 more' FROM log WHERE table_id = 6"
        )
    found = losses(file, database)
    assert [(each.table, each.kind) for each in found] == [
        (1, "shorter"),
        (2, "missing"),
        (3, "different"),
        (4, "answers"),
        (5, "missing"),
    ]
    with closing(SqliteStore(file)) as store:
        logs = {number: store.read(number) for number in range(1, 7)}
    short, gone, other, *_ = found
    assert (short.line + short.events, gone.events, other.line + other.events) == tuple(
        len(logs[at]) for at in (1, 2, 3)
    )
    assert short.since == int(logs[1][short.line].split()[0])
    assert short.until == gone.until or gone.until == int(logs[2][-1].split()[0])
    assert (short.answers, found[3].answers, found[3].events) == (1, 1, 0)
    assert gone.answers > 10
    only = losses(database, file)
    assert [(each.table, each.kind, each.events) for each in only[-1:]] == [(6, "shorter", 1)]


def test_copies_of_two_houses_are_not_compared(tmp_path: Path) -> None:
    for name in ("one.db", "two.db"):
        with closing(SqliteStore(tmp_path / name)) as store:
            store.settle("secret", name.encode())
    assert code(lambda: losses(tmp_path / "one.db", tmp_path / "two.db")) == "other-house"
