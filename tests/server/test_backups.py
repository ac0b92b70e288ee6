"""``backup FILE.zip`` and ``restore`` as a host types them: everything in one file, and a house made of it."""

import io
import json
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from databases.every_event import spend
from pubdice.core.errors import NotStored
from pubdice.games import GAMES
from pubdice.server import backups
from pubdice.store import SqliteReader, SqliteStore
from pubdice.store.bundle import BOOK, COOKIES, KEY, OPENED, TABLES, Bundle
from pubdice.store.sqlite.house_files import bundle_path
from pubdice.store.sqlite.players import PlayersFile
from pubdice.store.sqlite.store import only_house
from pubdice.store.staged_files import StagedFiles
from support.console import Told, one_sentence, pubdice
from support.house_process import House


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A house after an evening."""
    data = tmp_path / "house.db"
    spend(data)
    book = PlayersFile(bundle_path(data, BOOK))
    book.begin("the Queen of Diamonds' phone", 5)
    book.close()
    bundle_path(data, KEY).write_text("00" * 32 + "\n")
    bundle_path(data, OPENED).write_text("0011223344556677/3\n")
    return data


@pytest.fixture(autouse=True)
def _other(tmp_path: Path) -> None:
    """The folder that houses are restored into: restore makes none by itself."""
    (tmp_path / "other").mkdir()


def logs(data: Path) -> dict[str, list[str]]:
    with closing(SqliteReader(data)) as reader:
        return {code: reader.read(number) for code, number in reader.codes().items()}


def names(folder: Path) -> set[str]:
    """The files of a folder, without the lock."""
    return {path.name for path in folder.iterdir() if not path.name.endswith(".lock")}


def refused(told: Told, said: str) -> None:
    assert told.status == 1
    command = told.err.removeprefix("pubdice ").partition(":")[0]
    assert command in ("backup", "restore")
    assert said in one_sentence(told, command), told.err


def test_a_zip_gets_everything_but_the_key_while_the_house_runs(file: Path) -> None:
    with House(file.parent):
        told = pubdice("backup", str(file.parent / "all.zip"), data=file.parent)
        assert (told.status, told.err) == (0, "")
        refused(pubdice("backup", str(file.parent / "all.zip"), data=file.parent), "never overwrites a file")
        key = pubdice("backup", "--with-key", str(file.parent / "KEY.ZIP"), data=file.parent)
        assert (key.status, key.err) == (0, "")
    assert stat.S_IMODE((file.parent / "all.zip").stat().st_mode) == 0o600
    assert set(Bundle(io.BytesIO((file.parent / "all.zip").read_bytes())).files) == {TABLES, BOOK, OPENED}
    assert set(Bundle(io.BytesIO((file.parent / "KEY.ZIP").read_bytes())).files) == {TABLES, BOOK, KEY, OPENED}
    assert not [name for name in names(file.parent) if name.startswith(".pubdice") or name.endswith(".part")]


def test_the_key_goes_only_into_a_zip(file: Path) -> None:
    refused(pubdice("backup", "--with-key", str(file.parent / "all.db"), data=file.parent), "ends in .zip")
    assert not (file.parent / "all.db").exists()


@pytest.mark.parametrize("kind", ["all.zip", "tables.db"])
def test_a_house_is_made_of_a_backup(file: Path, tmp_path: Path, kind: str) -> None:
    assert pubdice("backup", str(tmp_path / kind), data=tmp_path).status == 0
    other = tmp_path / "new folder" / "mine.db"
    other.parent.mkdir()
    told = pubdice("restore", str(tmp_path / kind), "--data", str(other), data=tmp_path)
    assert (told.status, told.err) == (0, "")
    checked, where = told.out.splitlines()
    assert checked == pubdice("check", data=tmp_path).out.strip()
    assert where == f"Everything is in {other} now. Open it with: pubdice serve --data '{other}'"
    assert logs(other) == logs(file)
    assert PlayersFile(bundle_path(other, BOOK)).player_of("the Queen of Diamonds' phone") is not None
    assert names(other.parent) == {"mine.db", "mine.db.players"} | ({"mine.db.opened"} if kind == "all.zip" else set())
    with closing(SqliteStore(other)) as store:
        assert store.setting("secret") == bytes(range(32)), "links and words of seats stay the same"
    refused(pubdice("restore", str(tmp_path / kind), "--data", str(other), data=tmp_path), "never overwrites one")


def test_a_file_of_every_earlier_version_is_taken(tmp_path: Path) -> None:
    for version in (1, 2, 3, 4):
        earlier = tmp_path / f"house-{version}.db"
        with closing(sqlite3.connect(earlier)) as db:
            db.executescript((Path(__file__).parents[1] / f"databases/house-{version}.sql").read_text("utf-8"))
        assert pubdice("backup", str(tmp_path / f"{version}.zip"), "--data", str(earlier), data=tmp_path).status == 0
        for number, kind in enumerate((earlier, tmp_path / f"{version}.zip")):
            other = tmp_path / f"{version}-{number}.db"
            told = pubdice("restore", str(kind), "--data", str(other), data=tmp_path)
            assert (told.status, told.err) == (0, "")
            assert logs(other) == logs(earlier)


def test_nothing_is_ever_overwritten(file: Path, tmp_path: Path) -> None:
    pubdice("backup", "--with-key", str(tmp_path / "all.zip"), data=tmp_path)
    other = tmp_path / "other"
    for name in (TABLES, BOOK):
        (other / name).write_text("precious")
        refused(pubdice("restore", str(tmp_path / "all.zip"), data=other), f"{other / name} already exists.")
        assert (other / name).read_text() == "precious"
        assert names(other) == {name}
        (other / name).unlink()
    (other / "house.db.seals").write_text("11" * 32)
    refused(pubdice("restore", str(tmp_path / "all.zip"), data=other), "another key of sealed dice")
    assert names(other) == {"house.db.seals"}
    (other / "house.db.seals").write_text("00" * 32)
    (other / "house.db.opened").write_text("ffeeddccbbaa9988/2\n")
    assert pubdice("restore", str(tmp_path / "all.zip"), data=other).status == 0
    assert (other / "house.db.opened").read_text() == "0011223344556677/3\nffeeddccbbaa9988/2\n"
    (tmp_path / "running").mkdir()
    with House(tmp_path / "running") as house:
        house.file.unlink()
        refused(pubdice("restore", str(tmp_path / "all.zip"), data=house.folder), "Another pubdice has")


FAULTS = {
    "none.zip": "Couldn't read tables from",
    "folder.zip": "Couldn't read tables from",
    "text.zip": "Couldn't read tables from",
    "cut.zip": "That file is damaged, or Pubdice didn't save it. Nothing changed.",
    "log.zip": "Table 1 in that file is damaged. Nothing changed.",
    "log.db": "Table 1 in that file is damaged. Nothing changed.",
    "newer.db": "newer pubdice",
    "book.db": "That file is damaged, or Pubdice didn't save it. Nothing changed.",
}


@pytest.mark.parametrize("kind", FAULTS)
def test_what_is_wrong_is_one_sentence_and_leaves_nothing(file: Path, tmp_path: Path, kind: str) -> None:
    given, other = tmp_path / kind, tmp_path / "other"
    if kind == "folder.zip":
        given.mkdir()
    elif kind == "text.zip":
        given.write_text("no zip " * 100)
    elif kind != "none.zip":
        if kind.startswith("log"):
            with closing(sqlite3.connect(file)) as db, db:
                db.execute("UPDATE log SET lines = '1763640009000 roll 666666' WHERE table_id = 1 AND seq = 21")
        assert pubdice("backup", str(given), data=tmp_path).status == 0
        if kind == "newer.db":
            with closing(sqlite3.connect(given)) as db:
                db.execute("PRAGMA user_version = 99")
        elif kind == "cut.zip":
            given.write_bytes(given.read_bytes()[:-1])
        elif kind == "book.db":
            bundle_path(given, BOOK).unlink()
            shutil.copy(given, bundle_path(given, BOOK))
    refused(pubdice("restore", str(given), data=other), FAULTS[kind])
    assert not other.exists() or list(other.iterdir()) == [], "no lock either"


OVER = "(SELECT min(id) FROM tables WHERE stage = 'over')"
FORGED_TABLES = [
    f"UPDATE tables SET names = '[\"' || printf('%.*c', 1000000, 'x') || '\"]' WHERE id = {OVER}",
    f"UPDATE tables SET names = '[\"Mallory\"]' WHERE id = {OVER}",
    f"UPDATE tables SET names = (SELECT json_group_array('x') FROM log) WHERE id = {OVER}",
    f"UPDATE tables SET code = 5 WHERE id = {OVER}",
    f"UPDATE tables SET code = '<b>' WHERE id = {OVER}",
    f"UPDATE tables SET code = '' WHERE id = {OVER}",
    f"UPDATE tables SET code = 'mdnght' WHERE id = {OVER}",
    f"UPDATE tables SET stage = 'gone' WHERE id = {OVER}",
    f"UPDATE tables SET stage = 'playing' WHERE id = {OVER}",
    f"DELETE FROM log WHERE table_id = {OVER} AND seq > (SELECT max(seq) FROM log WHERE table_id = {OVER}) - 6",
    f"UPDATE tables SET game = 'mexico' WHERE id = {OVER}",
    f"UPDATE tables SET game = 'backgammon' WHERE id = {OVER}",
    f"UPDATE tables SET listed = 1 - listed WHERE id = {OVER}",
    f"UPDATE tables SET updated = updated + 7200000 WHERE id = {OVER}",
    f"UPDATE log SET answer = x'7b7d' WHERE table_id = {OVER}",
    f"UPDATE log SET answer = CAST('[1]' AS BLOB) WHERE table_id = {OVER}",
    f"UPDATE log SET answer = CAST(printf('%.*c', 90000, '[') AS BLOB) WHERE table_id = {OVER}",
    f"UPDATE log SET answer = CAST('{{\"seq\":99999}}' AS BLOB) WHERE table_id = {OVER}",
    f"UPDATE log SET answer = CAST('{{\"seq\":-1}}' AS BLOB) WHERE table_id = {OVER}",
    *(
        f'UPDATE log SET answer = CAST(\'{{"seq":1,"go":"{go}"}}\' AS BLOB) WHERE table_id = {OVER}'
        for go in (
            "//evil.example/",
            "http://evil.example/",
            "t/MDNGHT",
            "",
            "/\\\\evil.example",
            "/\\t/evil.example",
            "/\\u00e4",
        )
    ),
]
FORGED_FILES = [
    f"UPDATE log SET answer = zeroblob(50000000) WHERE id = (SELECT max(id) FROM log WHERE table_id = {OVER})",
    f"UPDATE log SET answer = 'x' WHERE table_id = {OVER}",
    'UPDATE log SET answer = CAST(printf(\'{"seq":1,"said":"%.*c"}\', 5000000, \'x\') AS BLOB) WHERE id = 1',
    "UPDATE log SET body = zeroblob(5000000) WHERE id = 2",
    "UPDATE orders SET key = key || printf('%.*c', 5000000, 'x')",
    "INSERT INTO house VALUES ('night KORBUMTAL', x'7b')",
    "INSERT INTO house VALUES ('night KORBUMTAL', CAST('[]' AS BLOB))",
    "INSERT INTO house VALUES ('night KORBUMTAL', CAST(printf('%.*c', 90000, '[') AS BLOB))",
    *(
        f"INSERT INTO house VALUES ('night {code}', CAST('{json.dumps(facts)}' AS BLOB))"
        for code, facts in (
            ("KORBUMTAL", {"rules": {"game": "midnight"}, "seats": "x", "begun": 1}),
            ("<b>", {"rules": {"game": "midnight"}, "seats": 2, "begun": 1}),
        )
    ),
    "INSERT INTO house VALUES (x'00', x'00')",
]

BY_NIGHT = (FORGED_FILES[0], FORGED_FILES[4], *FORGED_TABLES[-6:-2])
"""Statements whose fault another statement has too, or that write 50 MB."""


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        *((statement, "all.zip") for statement in FORGED_TABLES + FORGED_FILES if statement not in BY_NIGHT),
        *(pytest.param(statement, "all.zip", marks=pytest.mark.nightly) for statement in BY_NIGHT),
        (FORGED_TABLES[0], "tables.db"),
        pytest.param(FORGED_FILES[0], "tables.db", marks=pytest.mark.nightly),
    ],
)
def test_rows_that_no_house_writes_are_not_restored(file: Path, tmp_path: Path, statement: str, kind: str) -> None:
    with closing(sqlite3.connect(file)) as db, db:
        number = db.execute(f"SELECT {OVER}").fetchone()[0]
        assert db.execute(statement).rowcount > 0
    assert pubdice("backup", str(tmp_path / kind), data=tmp_path).status == 0
    told = f"Table {number} in that file is damaged." if statement in FORGED_TABLES else "That file is damaged, or"
    refused(pubdice("restore", str(tmp_path / kind), data=tmp_path / "other"), told)
    assert list((tmp_path / "other").iterdir()) == [], "no lock either"


SUMS = "INSERT INTO sums VALUES (1, 'midnight', 'win', 3, 1.0, '{}')"
ENTRY = "INSERT INTO entries VALUES (1, 'KORBUM', 5, 0, '{}', 'rounds 5', 2, 1.0, '{}', 0, 'win', '{}')"
PLAYED = '{"matches":1,"decisions":4,"lost":0.5,"luck":-1.5,"variance":2.0,"rated":1,"at_stake":3.0,"skill":-0.5}'
WORTHS = [
    "{", "[]", '{"decisions":"x"}', '{"lost":NaN}', '{"lost":1e999}', '{"skill":"x"}', '{"variance":-1}', "[" * 90_000,
    '{"matches":0,"variance":1}', '{"rated":-4}', f'{{"lost":1{"0" * 400}}}', f'{{"lost":{"9" * 5000}}}', '{"x":null}',
    '{"matches":1,"rated":1,"lost":1e14,"variance":1e-300,"at_stake":0}',
]  # fmt: skip
FORGED_BOOKS = [
    *(SUMS.format(worth) for worth in WORTHS),
    *(ENTRY.format("midnight", state, WORTHS[at]) for state in ("worked", "new", "out") for at in (0, 2)),
    ENTRY.format("{x}", "worked", PLAYED),
]


@pytest.mark.parametrize("statement", FORGED_BOOKS, ids=lambda statement: statement[:120])
def test_a_book_that_its_pages_could_not_show_is_refused(file: Path, tmp_path: Path, statement: str) -> None:
    with closing(sqlite3.connect(bundle_path(file, BOOK))) as db, db:
        assert db.execute(statement).rowcount > 0
    assert pubdice("backup", str(tmp_path / "all.zip"), data=tmp_path).status == 0
    refused(pubdice("restore", str(tmp_path / "all.zip"), data=tmp_path / "other"), "That file is damaged, or")
    assert list((tmp_path / "other").iterdir()) == []


def test_a_book_with_matches_and_sums_is_taken(file: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(bundle_path(file, BOOK))) as db, db:
        for game, statement in enumerate(
            (SUMS.format(PLAYED), *(ENTRY.format(game, "worked", PLAYED) for game in GAMES))
        ):
            db.execute(statement.replace("KORBUM", f"KORBU{game}"))
        db.execute(ENTRY.format("a game of a later house", "bare", "{}"))
    assert pubdice("backup", str(tmp_path / "all.zip"), data=tmp_path).status == 0
    assert pubdice("restore", str(tmp_path / "all.zip"), data=tmp_path / "other").status == 0
    with closing(PlayersFile(tmp_path / "other" / "house.db.players")) as book:
        assert len(book.export(1)["matches"]) == len(GAMES) + 1


def test_a_refused_restore_leaves_an_open_houses_lock(file: Path, tmp_path: Path) -> None:
    pubdice("backup", str(tmp_path / "all.zip"), data=tmp_path)
    other = tmp_path / "other" / "house.db"
    with only_house(other):
        refused(pubdice("restore", str(tmp_path / "all.zip"), data=other.parent), "Another pubdice has")
        assert [path.name for path in other.parent.iterdir()] == ["house.db.lock"]
        with pytest.raises(NotStored, match="store-in-use"), only_house(other):
            pass
    assert pubdice("restore", str(tmp_path / "all.zip"), data=other.parent).status == 0


def test_a_night_that_a_house_wrote_is_taken(file: Path, tmp_path: Path) -> None:
    stored = {"rules": {"game": "backgammon"}, "seats": 2, "begun": 1_763_640_000_000}
    with closing(SqliteStore(file)) as store:
        store.settle("night KORBUMTAL", json.dumps(stored).encode())
    assert pubdice("backup", str(tmp_path / "all.zip"), data=tmp_path).status == 0
    assert pubdice("restore", str(tmp_path / "all.zip"), data=tmp_path / "other").status == 0


def test_a_full_disk_is_one_sentence_and_leaves_nothing(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    pubdice("backup", str(tmp_path / "all.zip"), data=tmp_path)
    before = names(tmp_path)
    for place, name in ((Bundle, "write"), (StagedFiles, "commit")):
        with monkeypatch.context() as patched:
            patched.setattr(place, name, full)
            refused(pubdice("restore", str(tmp_path / "all.zip"), data=tmp_path / "other"), "No space left on device")
            assert names(tmp_path / "other") == set()
    monkeypatch.setattr(backups, "pack", full)
    refused(pubdice("backup", str(tmp_path / "more.zip"), data=tmp_path), "No space left on device")
    assert names(tmp_path) == {*before, "other"}


def test_a_restore_that_was_killed_is_finished_by_the_next_start(file: Path, tmp_path: Path) -> None:
    """The kill comes right after the new files count; ``serve`` puts them in place before it opens anything."""
    pubdice("backup", str(tmp_path / "all.zip"), data=tmp_path)
    other = tmp_path / "other" / "house.db"
    with (tmp_path / "all.zip").open("rb") as source:
        staged = backups.stage(source, other, GAMES, leave=(COOKIES,))
    staged.commit()
    assert not other.exists()
    with House(other.parent):
        assert logs(other) == logs(file)
    assert not [name for name in names(other.parent) if ".new." in name or "replacing" in name]


def test_a_house_too_large_for_a_zip_is_told_what_to_do(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pubdice.store.bundle.MOST_BYTES", 100_000)
    refused(pubdice("backup", str(tmp_path / "all.zip"), data=tmp_path), "Leave .zip off the name.")
    assert not (tmp_path / "all.zip").exists()


def test_a_book_of_its_own_is_no_house(file: Path, tmp_path: Path) -> None:
    with pytest.raises(NotStored, match="store-unreadable"):
        backups.save_all(bundle_path(file, BOOK), tmp_path / "all.zip", key=False)
    assert not (tmp_path / "all.zip").exists()
