"""Which place ``serve`` and ``restore`` take: the one that is named, and none that nobody made. A house that opens, or
should not, has a process of its own; what ends by itself is asked in this one.
"""

import os
import pty
import signal
from pathlib import Path
from unittest.mock import patch

import pytest

from databases.every_event import spend
from support.console import Told, pubdice
from support.ports import free_port
from support.started import Started

FOLDER = "pubdice: There's no folder {folder}: make it first, or check the name.\n"


def environment(home: Path, store: str, data: str) -> dict[str, str]:
    """What a command finds there. home: whose tables are where pubdice keeps them by default."""
    others = {key: value for key, value in os.environ.items() if not key.startswith(("PUBDICE_D", "PUBDICE_S", "XDG_"))}
    named = {"PUBDICE_STORE": store, "PUBDICE_DATA": data}
    return others | {"HOME": str(home), **{name: place for name, place in named.items() if place}}


def served(*words: str, home: Path, store: str = "", data: str = "") -> Told:
    """What a house says that is not to open, and how it leaves."""
    process = Started("serve", *words, environ=environment(home, store, data))
    out, err = process.communicate(timeout=60)
    return Told(process.wait(), out, err)


def typed(*words: str, home: Path, store: str = "", data: str = "") -> Told:
    """What a command says that ends by itself, and how it leaves."""
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
    assert (told.status, told.out, told.err) == (2, "", FOLDER.format(folder=folder))
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
        assert (told.status, told.err.count("\n"), told.err[:15]) == (1, 1, "pubdice: Can't "), (words, told.err)
        assert sorted(tmp_path.iterdir()) == before, words


def test_restore_makes_no_folder_that_nobody_said_yes_to(backup: Path, tmp_path: Path) -> None:
    """In a script, too: a house in a folder with a typo in its name would be an empty one to everybody."""
    folder = tmp_path / "no" / "such"
    told = typed("restore", str(backup), "--data", str(folder / "x.db"), home=tmp_path)
    assert (told.status, told.out, told.err) == (2, "", FOLDER.format(folder=folder))
    assert not (tmp_path / "no").exists()
    folder.mkdir(parents=True)
    assert typed("restore", str(backup), "--data", str(folder / "x.db"), home=tmp_path).status == 0


def test_a_command_that_writes_makes_its_folder(tmp_path: Path) -> None:
    """docs/pocket-files.md names it: play, for its saved games."""
    new = tmp_path / "new"
    words = ("play", "midnight", "--seats", "bot:tip,bot:tip", "--format", "rounds:1")
    told = typed(*words, home=tmp_path, data=str(new))
    assert (told.status, told.err, new.is_dir()) == (0, "", True)


@pytest.mark.parametrize("words", [(), ("--data", "here.db")], ids=["at home", "named"])
def test_a_first_start_makes_the_folder_at_home_and_a_file_in_a_folder_that_is_there(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
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
    assert err == question + ("" if status == 0 else FOLDER.format(folder=folder))
    assert (process.returncode, (folder / "x.db").is_file()) == (status, status == 0)
