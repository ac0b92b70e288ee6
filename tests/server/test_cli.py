"""A house's commands as a host types them: real processes, the place that is meant, a sentence for each fault."""

import os
import pty
import signal
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import httpx
import pytest

from databases.every_event import spend
from pubdice.server.banner import address_of, lan_address
from pubdice.store import SqliteReader
from pubdice.store.sqlite.book_file import book_path
from pubdice.store.sqlite.players import PlayersFile
from support.console import Told, pubdice
from support.house_process import House
from support.ports import free_port
from support.started import Started

TABLES = 13
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
    failed(pubdice("check", "--data", str(file), data=file.parent), "Couldn't read tables from")


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


def failed(told: Told, said: str) -> None:
    assert told.status in (1, 2)
    assert said in told.err
    assert told.err.count("\n") == 1
    assert "Traceback" not in told.err


def test_faults_are_one_sentence(file: Path) -> None:
    folder = file.parent
    failed(pubdice("check", "--data", str(folder / "none.db"), data=folder), "Couldn't read tables from")
    (folder / "text.db").write_text("no database " * 100)
    failed(pubdice("check", "--data", str(folder / "text.db"), data=folder), "Couldn't read tables from")
    failed(pubdice("serve", "--data", str(folder / "text.db"), data=folder), "Couldn't read tables from")
    proxy = pubdice("serve", "--proxy", "foo", data=folder)
    why = '--proxy is an address, or a block of them such as 10.0.0.0/8, and not "foo".'
    assert (proxy.status, proxy.err) == (2, f"pubdice serve: {why}\n")
    address = pubdice("serve", "--address", "http://", data=folder)
    failed(address, 'no such address as "http://"')
    assert address.status == 2
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA user_version = 99")
    failed(pubdice("serve", data=folder), "newer pubdice")


def test_two_houses_do_not_share_a_file(tmp_path: Path) -> None:
    with House(tmp_path):
        failed(pubdice("serve", "--port", "0", data=tmp_path), "Another pubdice has")


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
    with House(tmp_path, *words) as house, httpx.Client(base_url=f"http://127.0.0.1:{house.port}", timeout=60) as ann:
        order = {"game": "midnight", "name": "Ann", "key": "a-key-of-mine"}
        go = ann.post("/tables", json=order, headers={"host": host}).json()["go"]
        page = ann.get(go, headers={"host": host, "accept": "text/html"}).text
        place = address_of("0.0.0.0", house.port).rstrip("/") + "/t/" if shown == "network" else shown
        assert f'href="{place}' in page


FOLDER = "pubdice {command}: There's no folder {folder}: make it first, or check the name.\n"


def environment(home: Path, store: str, data: str) -> dict[str, str]:
    """A command's environment. home: the folder of the default tables."""
    others = {key: value for key, value in os.environ.items() if not key.startswith(("PUBDICE_D", "PUBDICE_S", "XDG_"))}
    named = {"PUBDICE_STORE": store, "PUBDICE_DATA": data}
    return others | {"HOME": str(home), **{name: place for name, place in named.items() if place}}


def served(*words: str, home: Path, store: str = "", data: str = "") -> Told:
    """Run a house that should refuse to start. Return its output and exit status."""
    process = Started("serve", *words, environ=environment(home, store, data))
    out, err = process.communicate(timeout=60)
    return Told(process.wait(), out, err)


def typed(*words: str, home: Path, store: str = "", data: str = "") -> Told:
    """The output and the status of a command that ends by itself."""
    with patch.dict(os.environ, environment(home, store, data), clear=True):
        return pubdice(*words)


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of a house after an evening."""
    spend(tmp_path / "house.db")
    assert typed("backup", str(tmp_path / "b.zip"), "--data", str(tmp_path / "house.db"), home=tmp_path).status == 0
    return tmp_path / "b.zip"


def test_restore_writes_where_check_and_backup_read(backup: Path, tmp_path: Path) -> None:
    home, named = tmp_path / "home", tmp_path / "named.db"
    told = typed("restore", str(backup), home=home, store=str(named))
    assert (told.status, told.err) == (0, "")
    assert f"Everything is in {named} now." in told.out
    assert not home.exists(), "nothing is at home"
    assert typed("check", home=home, store=str(named)).out == told.out.splitlines()[0] + "\n"
    again = typed("restore", str(backup), "--store", str(tmp_path / "third.db"), home=home, store=str(named))
    assert (again.status, (tmp_path / "third.db").exists()) == (0, True), "what is typed goes before the environment"
    both = typed("restore", str(backup), "--store", "a.db", "--data", "b.db", home=home)
    assert both.status == 2


def test_restore_without_a_name_writes_to_the_house_at_home(backup: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    told = typed("restore", str(backup), home=home)
    assert (told.status, (home / ".local/share/pubdice/house.db").is_file()) == (0, True)


@pytest.mark.parametrize("how", ["--data", "--store", "PUBDICE_STORE", "PUBDICE_DATA"])
def test_a_house_is_not_opened_in_a_folder_that_nobody_made(tmp_path: Path, how: str) -> None:
    folder = tmp_path / "no" / "such"
    words = ("--port", "0", *((how, str(folder / "x.db")) if how.startswith("-") else ()))
    store, data = (
        (str(folder / "x.db") if how == "PUBDICE_STORE" else ""),
        (str(folder) if how == "PUBDICE_DATA" else ""),
    )
    told = served(*words, home=tmp_path, store=store, data=data)
    assert (told.status, told.out, told.err) == (2, "", FOLDER.format(command="serve", folder=folder))
    assert not (tmp_path / "no").exists()


def test_a_command_that_reads_a_house_makes_no_folder(tmp_path: Path) -> None:
    lost, good = str(tmp_path / "no" / "x.db"), tmp_path / "good.db"
    spend(good)
    before = sorted(tmp_path.iterdir())
    for words in (
        ("check", "--data", lost),
        ("check", "--data", str(good), "--against", lost),
        ("backup", str(tmp_path / "copy.zip"), "--data", lost),
        ("backup", str(tmp_path / "no" / "copy.zip"), "--data", str(good)),
        ("restore", str(tmp_path / "none.zip"), "--data", lost),
    ):
        told = typed(*words, home=tmp_path)
        assert (told.status, told.err.count("\n")) == (1, 1), (words, told.err)
        assert told.err.startswith(f"pubdice {words[0]}: Couldn't "), told.err
        assert sorted(tmp_path.iterdir()) == before, words


def test_restore_makes_no_folder_that_nobody_said_yes_to(backup: Path, tmp_path: Path) -> None:
    """In a script, too: a house in a folder with a typo in its name would be an empty one to everybody."""
    folder = tmp_path / "no" / "such"
    told = typed("restore", str(backup), "--data", str(folder / "x.db"), home=tmp_path)
    assert (told.status, told.out, told.err) == (2, "", FOLDER.format(command="restore", folder=folder))
    assert not (tmp_path / "no").exists()
    folder.mkdir(parents=True)
    assert typed("restore", str(backup), "--data", str(folder / "x.db"), home=tmp_path).status == 0


def test_a_command_that_writes_makes_its_folder(tmp_path: Path) -> None:
    """Play, for its saved games."""
    new = tmp_path / "new"
    words = ("play", "midnight", "--seats", "bot:tip,bot:tip", "--format", "rounds:1")
    told = typed(*words, home=tmp_path, data=str(new))
    assert (told.status, told.err, new.is_dir()) == (0, "", True)


@pytest.mark.parametrize("words", [(), ("--data", "here.db")], ids=["at home", "named"])
def test_a_first_start_makes_the_folder_at_home_and_its_file(tmp_path: Path, words: tuple[str, ...]) -> None:
    """A first evening and a container rely on the one, the unit with its state folder on the other."""
    home = tmp_path / "not yet"
    words = ("serve", "--port", str(free_port()), "--no-qr", *words)
    with Started(*words, environ=environment(home, "", ""), folder=tmp_path) as process:
        assert any("Ctrl+C" in line for line in process.stdout), "it opened"
        process.send_signal(signal.SIGTERM)
    assert process.returncode == 0
    assert (home / ".local/share/pubdice/house.db").is_file() == ("--data" not in words)
    assert (tmp_path / "here.db").is_file() == ("--data" in words)


ASKED = {
    "en": "There's no folder {folder}. Make it? y or n: ",
    "de": "Den Ordner {folder} gibt es nicht. Soll ich ihn anlegen? j oder n: ",
}


@pytest.mark.parametrize(
    ("code", "answer", "status"), [("en", "n", 2), ("en", "", 2), ("en", "j", 2), ("en", "y", 0), ("de", "j", 0)]
)
def test_at_a_keyboard_a_folder_that_is_not_there_is_asked_about(
    backup: Path, tmp_path: Path, code: str, answer: str, status: int
) -> None:
    folder, (ours, theirs) = tmp_path / "no" / "such", pty.openpty()
    environ = environment(tmp_path, "", "") | {"LC_ALL": f"{code}.UTF-8"}
    process = Started("restore", backup, "--data", folder / "x.db", environ=environ, stdin=theirs)
    os.write(ours, f"{answer}\n".encode())
    _, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    question = "pubdice: " + ASKED[code].format(folder=folder)
    assert err == question + ("" if status == 0 else FOLDER.format(command="restore", folder=folder))
    assert (process.returncode, (folder / "x.db").is_file()) == (status, status == 0)
