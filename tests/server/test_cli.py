"""``serve``, ``backup`` and ``check`` as somebody types them: real processes and files, a sentence for each fault."""

import json
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from databases.every_event import spend
from pubdice.server.banner import address_of, lan_address
from pubdice.store import SqliteReader
from pubdice.store.sqlite.book_file import book_path
from pubdice.store.sqlite.players import PlayersFile
from support.console import Told, pubdice
from support.house_process import House

TABLES = 12
OWN = lan_address() or socket.gethostname()
"""By which others in the same network find this machine."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A house after an evening."""
    spend(tmp_path / "house.db")
    return tmp_path / "house.db"


def test_check_replays_every_log(file: Path) -> None:
    told = pubdice("check", "--data", str(file), data=file.parent)
    assert (told.status, told.err) == (0, "")
    with closing(SqliteReader(file)) as reader:
        events = sum(len(reader.read(number)) - 1 for number in reader.tables())
    assert told.out == f"{TABLES} tables are sound, {events} events replayed.\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE log SET lines = '1763640009000 roll 666666' WHERE table_id = 1 AND seq = 21", "Table 1: event 2"),
        ("UPDATE log SET lines = '1763640009000 sat 99 x y' WHERE table_id = 3 AND seq = 3", "Table 3: event 2 of"),
        ("UPDATE log SET lines = 'nonsense' WHERE table_id = 4 AND seq = 1", "Table 4: event 1 of"),
        ("DELETE FROM log WHERE table_id = 1 AND seq = 8", "Table 1: "),
        ("UPDATE log SET lines = lines || printf('%*s', 9000000, ' ') WHERE table_id = 1 AND seq = 10", "Table 1: The"),
    ],
)
def test_check_names_the_table_whose_log_cannot_have_come_about(file: Path, change: str, said: str) -> None:
    with closing(sqlite3.connect(file)) as db, db:
        db.execute(change)
    told = pubdice("check", "--data", str(file), data=file.parent)
    assert told.status == 1
    assert told.out.startswith(said), told.out
    assert "{" not in told.out
    assert f"{TABLES - 1} tables are sound" in told.out
    assert "Traceback" not in told.err


def test_check_refuses_a_file_whose_log_would_never_end(file: Path) -> None:
    endless = "WITH RECURSIVE n (at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n)"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("ALTER TABLE log RENAME TO lines")
        db.execute(f"CREATE VIEW log AS {endless} SELECT 1 AS table_id, at AS seq, 'x' AS lines FROM n")
    failed(pubdice("check", "--data", str(file), data=file.parent), "Can't read tables from")


def test_check_runs_beside_an_open_house(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        told = pubdice("check", data=tmp_path)
        assert (told.status, told.out) == (0, "0 tables are sound, 0 events replayed.\n")
        assert house.process is not None


def test_a_backup_holds_the_players_book_too(file: Path) -> None:
    book = PlayersFile(book_path(file))
    book.begin("the Queen of Diamonds' phone", 5)
    book.close()
    copied = file.parent / "with book.db"
    assert pubdice("backup", str(copied), data=file.parent).status == 0
    assert PlayersFile(book_path(copied)).player_of("the Queen of Diamonds' phone") is not None
    copied.unlink()
    told = pubdice("backup", str(copied), data=file.parent)
    assert (told.status, copied.exists()) == (1, False), "the book of an earlier one is there still"
    assert "never overwrites" in told.err


def test_a_backup_never_overwrites(file: Path) -> None:
    (file.parent / "there.db").write_text("precious")
    told = pubdice("backup", str(file.parent / "there.db"), data=file.parent)
    assert told.status == 1
    assert "never overwrites" in told.err
    assert (file.parent / "there.db").read_text() == "precious"


def failed(told: Told, said: str) -> None:
    assert told.status in (1, 2)
    assert said in told.err
    assert told.err.count("\n") == 1
    assert "Traceback" not in told.err


def test_faults_are_one_sentence(file: Path) -> None:
    folder = file.parent
    failed(pubdice("check", "--data", str(folder / "none.db"), data=folder), "Can't read tables from")
    (folder / "text.db").write_text("no database " * 100)
    failed(pubdice("check", "--data", str(folder / "text.db"), data=folder), "Can't read tables from")
    failed(pubdice("serve", "--data", str(folder / "text.db"), data=folder), "Can't read tables from")
    proxy = pubdice("serve", "--proxy", "foo", data=folder)
    why = '--proxy is an address, or a block of them such as 10.0.0.0/8, and not "foo".'
    assert (proxy.status, proxy.err) == (2, f"pubdice: {why}\n")
    address = pubdice("serve", "--address", "http://", data=folder)
    failed(address, 'no such address as "http://"')
    assert address.status == 2
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA user_version = 99")
    failed(pubdice("serve", data=folder), "newer pubdice")


def test_two_houses_do_not_share_a_file(tmp_path: Path) -> None:
    with House(tmp_path):
        failed(pubdice("serve", "--port", "0", data=tmp_path), "Another pubdice has")


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        failed(pubdice("serve", "--port", str(taken.getsockname()[1]), data=tmp_path), "port")


def test_the_log_of_a_house_is_json_without_names(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.stop()
    for line in house.errors().splitlines():
        assert "event" in json.loads(line)


@pytest.mark.parametrize(
    ("words", "host", "shown"),
    [
        ((), "localhost", "http://localhost/t/"),
        (("--address", "https://dice.example"), "localhost", "https://dice.example/t/"),
        (("--address", "dice.example"), "dice.example", "http://dice.example/t/"),
        (("--host", "0.0.0.0"), "127.0.0.1", "network"),
        (("--host", "0.0.0.0"), OWN, f"http://{OWN}/t/"),
    ],
)
def test_a_table_is_shared_under_an_address_that_others_can_use(
    tmp_path: Path, words: tuple[str, ...], host: str, shown: str
) -> None:
    with House(tmp_path, *words) as house, httpx.Client(base_url=f"http://127.0.0.1:{house.port}") as ann:
        order = {"game": "midnight", "name": "Ann", "key": "a-key-of-mine"}
        go = ann.post("/tables", json=order, headers={"host": host}).json()["go"]
        page = ann.get(go, headers={"host": host, "accept": "text/html"}).text
        place = address_of("0.0.0.0", house.port).rstrip("/") + "/t/" if shown == "network" else shown
        assert f'href="{place}' in page
