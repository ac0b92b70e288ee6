"""A damaged, full or forbidden disk under a terminal's games and under a house: said, and nothing is lost."""

import asyncio
import errno
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from faults.plan import Plan, kept
from faults.terminal_process import play, start
from faults.test_kill import GAMES, planned
from pubdice.room.events import public
from pubdice.store import FileStore
from pubdice.store.sqlite.store import SqliteReader
from support.by_day import each_once
from support.console import COMMAND, one_sentence, pubdice, snapshot
from support.house_process import Ear, House, Phone, run


def _typed(*lines: str) -> str:
    return "".join(line + "\n" for line in lines)


@pytest.fixture
def game(tmp_path: Path) -> Plan:
    return planned(GAMES["midnight in rounds against a bot"], 5, tmp_path / "scratch")


@pytest.fixture
def half(game: Plan, tmp_path: Path) -> Path:
    """A data folder with the game half played."""
    data = tmp_path / "half"
    assert pubdice(*game.words, data=data, typed=_typed(*game.lines[: len(game.lines) // 2])).status == 0
    return data


def _goes_on(game: Plan, data: Path) -> None:
    """The rest of the game is played, and its record is the one that was planned."""
    rest = game.lines[kept(data / "1.log").typed :]
    assert pubdice("resume", "1", data=data, typed=_typed(*rest)).err == ""
    assert pubdice("record", "1", data=data).out == game.record


def test_a_last_append_torn_at_any_byte_was_never_made(game: Plan, half: Path, tmp_path: Path) -> None:
    data = (half / "1.log").read_bytes()
    last = data.rstrip(b"\n").rfind(b"\n") + 1
    without = FileStore(half).read(1)
    for cut in range(last, len(data) + 1):
        folder = tmp_path / f"torn {cut}"
        folder.mkdir()
        (folder / "1.log").write_bytes(data[:cut])
        lines = FileStore(folder).read(1)
        assert lines == without if cut == len(data) else len(lines) < len(without)
        assert pubdice("games", data=folder).out.startswith("1. Midnight")
        assert (folder / "1.log").read_bytes() == data[:cut], "looking changes nothing"
        _goes_on(game, folder)


def test_a_setup_torn_at_any_byte_is_never_written_over(tmp_path: Path) -> None:
    assert pubdice("play", "420", data=tmp_path / "whole").status == 0
    setup = (tmp_path / "whole" / "1.log").read_bytes().splitlines(keepends=True)[0]
    for cut in range(0, len(setup), 7):
        folder = tmp_path / f"torn {cut}"
        folder.mkdir()
        (folder / "1.log").write_bytes(setup[:cut])
        assert "No game is saved" in pubdice("games", data=folder).out
        assert "no game 1" in one_sentence(pubdice("resume", "1", data=folder), "resume")
        assert "game 2" in pubdice("play", "420", "--seats", "bot,bot", data=folder).out
        assert (folder / "1.log").read_bytes() == setup[:cut]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "a row that is cut short": lambda row: row[:-3] + b"\n",
    "a row that is no JSON": lambda row: b"roll 344512\n",
    "a row of NULs": lambda row: b"\0" * len(row.rstrip()) + b"\n",
    "an empty row": lambda row: b"\n",
    "an empty list": lambda row: b"[]\n",
    "a list of numbers": lambda row: b"[1, 2]\n",
    "an object": lambda row: b'{"roll": 1}\n',
    "a row that is not UTF-8": lambda row: b'["0 roll \xff"]\n',
    "an event nobody knows": lambda row: b'["0 fly"]\n',
    "an event without a time": lambda row: b'["roll 344512"]\n',
    "somebody new at a seat": lambda row: b'["0 sat 1 eve Eve"]\n',
    "an event of the web": lambda row: b'["0 paused 0"]\n',
    "a match begun twice": lambda row: b'["0 started"]\n',
    "a roll of a 7": lambda row: b'["0 roll 777777"]\n',
    "too many dice": lambda row: b'["0 roll 1111111"]\n',
    "a keep of dice not there": lambda row: b'["0 play k666666"]\n',
    "a mark of a place not there": lambda row: b'["0 mark 77"]\n',
    "a mark below zero": lambda row: b'["0 mark -1"]\n',
    "a draw of a seat not there": lambda row: b'["0 draw 9"]\n',
    "dice taken back that were not typed": lambda row: b'["0 back"]\n',
    "a roll where none is due": lambda row: b'["0 roll 344512"]\n["0 roll 344512"]\n',
    "deep brackets": lambda row: b"[" * 100_000 + b"\n",
    "a huge number": lambda row: b'["0 roll ' + b"9" * 5000 + b'"]\n',
}


@pytest.mark.parametrize(("damage", "at"), each_once(tuple(DAMAGE), (1, 4)))
def test_a_damaged_row_is_said_and_the_file_is_left_alone(damage: str, at: int, half: Path) -> None:
    log = half / "1.log"
    rows = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*rows[:at], DAMAGE[damage](rows[at]), *rows[at + 1 :]]))
    before = snapshot(half)
    for command in (("resume", "1"), ("record", "1"), ("replay", "1")):
        told = pubdice(*command, data=half, typed="r\nr\n")
        assert told.status == 1
        assert "damaged" in one_sentence(told, command[0])
    assert "damaged" in one_sentence(pubdice("resume", data=half), "resume")
    listed = pubdice("games", data=half)
    assert (listed.status, listed.err) == (0, "")
    assert "damaged" in listed.out
    assert snapshot(half) == before


def test_a_damaged_game_does_not_stand_in_the_way_of_others(game: Plan, half: Path) -> None:
    shutil.copy(half / "1.log", half / "2.log")
    (half / "2.log").write_bytes((half / "2.log").read_bytes().replace(b"roll", b"rule"))
    assert "game 2 is damaged" in one_sentence(pubdice("resume", data=half), "resume")
    _goes_on(game, half)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_what_cannot_be_written_is_not_played(
    number: int, game: Plan, half: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(half)
    rest = game.lines[kept(half / "1.log").typed :]

    def fails(handle: int) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fails)
        told = pubdice("resume", "1", data=half, typed=_typed(*rest))
        assert told.status == 1
        assert told.err.count("\n") == 1
        assert "nothing was played" in told.err
        new = pubdice("play", "420", data=half)
        assert new.status == 1
        assert os.strerror(number) in one_sentence(new, "play")
    assert {name: data for name, data in snapshot(half).items() if data} == before
    _goes_on(game, half)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    told = pubdice("play", "420", data=tmp_path / "file" / "games", typed="r\n")
    assert told.status == 1
    assert "nothing was played" in one_sentence(told, "play")
    assert "Couldn't read" in one_sentence(pubdice("games", data=tmp_path / "file" / "games"), "games")
    assert snapshot(tmp_path) == {"file": b"mine"}


def test_a_folder_that_may_not_be_written_is_said(game: Plan, half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Path.open

    def forbidden(path: Path, mode: str = "r", **facts: Any) -> Any:
        if mode in ("r", "rb"):
            return opened(path, mode, **facts)
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    half.chmod(0o500)
    (half / "1.log").chmod(0o400)
    with monkeypatch.context() as patch:
        if os.geteuid() == 0:  # root may write everywhere
            patch.setattr(Path, "open", forbidden)
        told = pubdice("resume", "1", data=half, typed=_typed(*game.lines))
    half.chmod(0o700)
    (half / "1.log").chmod(0o600)
    assert told.status == 1
    assert "nothing was played" in told.err
    _goes_on(game, half)


@pytest.mark.parametrize(
    "room", [5, *(pytest.param(room, marks=pytest.mark.nightly) for room in (0, 1, 17, 30, 60, 100))]
)
def test_a_disk_that_fills_up_keeps_all_that_was_told(room: int, game: Plan, half: Path) -> None:
    had = kept(half / "1.log")
    limit = (half / "1.log").stat().st_size + room
    done = subprocess.run(
        [COMMAND, "resume", "1"],
        input=_typed(*game.lines[had.typed :]).encode(),
        capture_output=True,
        env={**os.environ, "PUBDICE_DATA": str(half)},
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert b"nothing was played" in done.stderr
    have = kept(half / "1.log")
    assert have.told[: len(had.told)] == had.told
    news = sum(b" rolled " in line or b" kept " in line for line in done.stdout.splitlines()[3:] if b":" not in line)
    assert news == len(have.told) - len(had.told)
    _goes_on(game, half)


def test_the_second_of_two_terminals_to_move_is_told(game: Plan, half: Path) -> None:
    rest = game.lines[kept(half / "1.log").typed :]
    with start(("resume", "1"), half) as (first, typed):
        while (line := first.stdout.readline()) and "r rolls" not in line and "eep which" not in line:
            pass
        assert play(("resume", "1"), rest[:3], half).status == 0
        between = snapshot(half)
        typed.write(_typed(*rest).encode())
        typed.close()
        out, status, err = first.stdout.read(), first.wait(), first.errors()
    assert status == 1
    assert "went on somewhere else" in err
    assert err.count("\n") == 1
    assert "rolled" not in out
    assert "kept" not in out
    assert snapshot(half) == between
    _goes_on(game, half)


if sys.platform != "linux":
    pytest.skip("prlimit is Linux's", allow_module_level=True)

UNLIMITED = resource.RLIM_INFINITY


async def fill_and_free(folder: Path) -> None:
    house = House(folder)
    house.open()
    ann, bob = Phone(house.port, "Ann"), Phone(house.port, "Bob")
    try:
        code = await ann.open_table(people=1, pace_ms=0)
        ear = Ear(bob, code)
        listening = asyncio.ensure_future(ear.listen())
        await ear.began.wait()
        assert (await ann.do(code, do="roll")).status == 200
        before = await ann.view(code)
        await ear.until(before["seq"])
        asked = {"key": ann.key(), "do": "mark", "marks": [0]}

        resource.prlimit(house.pid, resource.RLIMIT_FSIZE, (1, UNLIMITED))
        for _ in range(3):
            answer = await ann.ask("POST", f"/t/{code}", asked)
            assert answer.status == 503
            assert answer.data == {
                "code": "store-unwritable",
                "why": "Couldn't save that. Nothing changed. Try again.",
            }
            page = await ann.ask(
                "POST",
                f"/t/{code}",
                f"key={asked['key']}&mark=0".encode(),
                {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"},
            )
            assert page.status == 503
            assert b"Nothing changed. Try again." in page.body
        order = {"game": "midnight", "name": "Bob", "people": 1, "key": bob.key()}
        assert (await bob.ask("POST", "/tables", order)).status == 503
        assert await ann.view(code) | {"now": 0} == before | {"now": 0}
        assert (await ann.ask("GET", "/")).status == 200
        assert (await ann.ask("GET", f"/t/{code}/state")).status == 200
        assert ear.seq == before["seq"]

        resource.prlimit(house.pid, resource.RLIMIT_FSIZE, (UNLIMITED, UNLIMITED))
        answer = await ann.ask("POST", f"/t/{code}", asked)
        assert (answer.status, answer.data["seq"]) == (200, before["seq"] + 1)
        assert (await bob.ask("POST", "/tables", order)).status == 201
        await ear.until(before["seq"] + 1)
        reader = SqliteReader(house.file)
        assert ear.lines == [public(line) for line in reader.read(reader.codes()[code])[1:]]
        assert reader.damage() == []
        reader.close()
        house.stop()
        await listening
        assert '"error"' not in house.errors()
        assert "Traceback" not in house.errors()
    finally:
        house.clear()


def test_a_full_disk_is_said_changes_nothing_and_is_got_over(tmp_path: Path) -> None:
    run(fill_and_free(tmp_path))
