"""All data of a pocket house in one file: saved, restored by a pocket or by a house with a server, and vice versa."""

import asyncio
import base64
import importlib
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest

from pocket.pockets import GOES_ON, at, content, in_node, live, opened, page, records
from pubdice.core.errors import NotStored
from pubdice.games import GAMES
from pubdice.match.sealed_record import check_dice
from pubdice.server.backups import refused_file
from pubdice.store import SqliteReader
from pubdice.store.bundle import BOOK, COOKIES, KEY, OPENED, TABLES, Bundle
from pubdice.store.sqlite.house_files import bundle_path
from pubdice.store.staged_files import StagedFiles
from pubdice.text.catalogues import language
from pubdice_pocket.browser import pocket
from pubdice_pocket.browser.cookie_jar import CookieJar
from pubdice_pocket.browser.pocket import Pocket
from support.console import pubdice, snapshot
from support.house_process import House, Phone, run
from support.paths import PATHS
from support.profiles import NIGHTLY


async def save(of: Pocket) -> bytes:
    return of.save()


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return live(tmp_path_factory.mktemp("lived") / "pocket").parent


@pytest.fixture
def folder(lived: Path, tmp_path: Path) -> Path:
    return shutil.copytree(lived, tmp_path / "pocket")


@pytest.fixture(scope="module")
def file(lived: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    copied = shutil.copytree(lived, tmp_path_factory.mktemp("saving") / "pocket")

    content: bytes = at(copied, save)
    return content


def begun(data: Path) -> list[str]:
    with closing(SqliteReader(data)) as reader:
        return [
            code for code, number in reader.codes().items() if any(" started" in line for line in reader.read(number))
        ]


def test_a_pocket_goes_to_another_phone(folder: Path, file: bytes, tmp_path: Path) -> None:
    codes, other = begun(folder / TABLES), tmp_path / "other"

    async def look(of: Pocket) -> tuple[dict[str, str], str, str]:
        return (
            await records(of, codes),
            (await page(of, "/t/MDNGHT/evening/records")).text,
            (await page(of, "/book/export")).text,
        )

    async def move(of: Pocket) -> Any:
        assert (await page(of, "/t/SHYPPP/record")).status == 404
        await of.restore(file)
        return await look(of)

    before = at(folder, look)
    assert at(other, move) == before
    assert content(other / TABLES) == content(folder / TABLES)
    assert at(other, look) == before, "also when it is opened next"
    assert all(any(f"game: {game}" in text for text in before[0].values()) for game in GAMES), "every game"
    assert check_dice(before[0]["SEALED"]).fault is None
    assert json.loads(before[2])["matches"][0]["code"] == "SHYPPP"


def test_a_pocket_goes_to_a_house_and_back(folder: Path, file: bytes, tmp_path: Path) -> None:
    codes, house = begun(folder / TABLES), tmp_path / "house"
    house.mkdir()
    before = at(folder, lambda of: records(of, codes))
    whole = content(folder / TABLES)
    (tmp_path / "pocket.zip").write_bytes(file)
    told = pubdice("restore", str(tmp_path / "pocket.zip"), data=house)
    assert (told.status, told.err) == (0, "")
    assert content(house / TABLES) == {name: kept for name, kept in whole.items() if name != COOKIES}
    checked = pubdice("check", data=house)
    assert (checked.status, checked.out) == (0, told.out.splitlines(keepends=True)[0])
    assert pubdice("backup", str(tmp_path / "house.zip"), data=house).status == 0
    assert KEY not in Bundle(io.BytesIO((tmp_path / "house.zip").read_bytes())).files, "unless the owner asks for it"

    async def back(of: Pocket) -> dict[str, str]:
        await of.restore((tmp_path / "house.zip").read_bytes())
        return await records(of, codes)

    assert at(folder, back) == before
    assert content(folder / TABLES) == whole, "the phone has kept its key, and who it is"
    assert pubdice("backup", "--with-key", str(tmp_path / "key.zip"), data=house).status == 0
    assert Bundle(io.BytesIO((tmp_path / "key.zip").read_bytes())).files[KEY].size == 65


def test_people_play_on_in_a_house_by_the_words_of_their_seats(file: bytes, tmp_path: Path) -> None:
    (tmp_path / "pocket.zip").write_bytes(file)
    told = pubdice("restore", str(tmp_path / "pocket.zip"), data=tmp_path).out.splitlines()
    start = next(at for at, line in enumerate(told) if f"/t/{GOES_ON}-" in line)
    table = told[start].removeprefix("To play on from another browser, open /t/").partition(" ")[0]
    assert told[start].endswith(" there and enter the four words of your seat.")
    words = dict(line.split(": ") for line in told[start + 1 : start + 3])
    assert sorted(words) == ["Ann", "Bob"]

    async def play_on(house: House) -> None:
        told = []
        for name, four in words.items():
            browser = Phone(house.port, f"somebody-{name.encode().hex()}")  # a browser that this house has never seen
            assert (await browser.do(table, do="roll")).data["code"] == "not-seated"
            assert (await browser.do(table, do="join", words="wrong words are these")).data["code"] == "wrong-words"
            assert (await browser.do(table, do="join", words=four)).status == 200, name
            told += [(await browser.do(table, do="roll", marks=marks)).data for marks in ([], [0], [0, 1], [0, 1, 2])]
        assert any("seq" in each for each in told), told

    with House(tmp_path) as house:
        run(play_on(house))


async def test_a_pocket_plays_on_after_it_was_saved_or_restored(folder: Path) -> None:
    async with opened(folder) as of:
        codes = []
        for number in range(3):
            order = {"game": "threes", "name": "Ann", "people": 1, "key": f"a-key-of-mine-{number}"}
            answer = await page(of, "/tables", order)
            assert answer.status == 201, answer.body
            codes.append(answer.data["code"])
            if number == 0:
                saved_then = of.save()
            if number == 1:
                await of.restore(saved_then)
        assert (await page(of, f"/t/{codes[0]}/state")).status == 200
        assert (await page(of, f"/t/{codes[1]}/state")).status == 404, "it came after the file was saved"
        assert (await page(of, f"/t/{codes[2]}/state")).status == 200


def test_a_look_counts_tables_and_changes_nothing(folder: Path, file: bytes, tmp_path: Path) -> None:
    whole, other = content(folder / TABLES), tmp_path / "other"
    here, there = at(folder, lambda of: of.look(file))
    assert here == there > 5
    assert at(other, lambda of: of.look(file)) == (0, there)
    with pytest.raises(NotStored):
        at(folder, lambda of: of.look(file[1:]))
    assert content(folder / TABLES) == whole


def test_seals_opened_since_the_file_was_saved_stay_opened(folder: Path, file: bytes) -> None:
    with bundle_path(folder / TABLES, OPENED).open("a") as opened:
        opened.write("ffeeddccbbaa9988/2\n")
    at(folder, lambda of: of.restore(file))
    assert "ffeeddccbbaa9988/2\n" in bundle_path(folder / TABLES, OPENED).read_text()


async def test_a_page_that_asks_meanwhile_is_answered_afterwards(folder: Path, file: bytes) -> None:
    async with opened(folder) as of:
        restoring = asyncio.ensure_future(of.restore(file))
        await asyncio.sleep(0)
        asked = [asyncio.ensure_future(page(of, target)) for target in ("/", "/t/SHYPPP/record", "/book/export")]
        assert [(await each).status for each in asked] == [200, 200, 200]
        await restoring


async def test_two_files_at_once_are_taken_one_after_the_other(folder: Path, file: bytes) -> None:
    whole = content(folder / TABLES)
    async with opened(folder) as of:
        taken = await asyncio.gather(of.restore(file), of.restore(file[1:]), of.restore(file), return_exceptions=True)
        assert [getattr(each, "code", None) for each in taken] == [None, "bundle-damaged", None]
    assert content(folder / TABLES) == whole


REFUSED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "bundle-damaged": (lambda file: file[:-100], "That file is damaged, or Pubdice didn't save it. Nothing changed."),
    "bundle-large": (lambda file: file, "That file holds more than 0 MB. That's too much here. Nothing changed."),
    "bundle-log": (lambda file: file, "Table 1 in that file is damaged. Nothing changed."),
    "no-space": (lambda file: file, "There's no room to save that. Nothing changed."),
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_refusal_is_one_sentence_and_changes_nothing(
    folder: Path, file: bytes, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, sentence = REFUSED[why]

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def impossible(*_: object) -> None:
        raise NotStored("log-impossible", event=3)

    if why == "bundle-large":
        monkeypatch.setattr("pubdice_pocket.browser.pocket.MOST_BYTES", 100_000)
    if why == "bundle-log":
        monkeypatch.setattr("pubdice.server.backups.replayed", impossible)
    if why == "no-space":
        monkeypatch.setattr(StagedFiles, "commit", full)
    before = content(folder / TABLES)

    async def work(of: Pocket) -> NotStored:
        with pytest.raises(NotStored) as caught:
            await of.restore(change(file))
        assert (await page(of, "/t/SHYPPP/record")).status == 200, "it goes on"
        return caught.value

    error = at(folder, work)
    assert refused_file(language("en", strict=True), error) == sentence
    german = refused_file(language("de", strict=True), error)
    assert german != sentence
    assert german.endswith(".")
    assert content(folder / TABLES) == before
    assert not [path for path in folder.iterdir() if ".new." in path.name or "replacing" in path.name]


def test_a_disk_that_is_full_while_unpacking_is_no_space(
    folder: Path, file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Bundle, "write", full)
    before = snapshot(folder)

    async def work(of: Pocket) -> str:
        with pytest.raises(NotStored) as caught:
            await of.restore(file)
        return caught.value.code

    assert at(folder, work) == "no-space"
    assert snapshot(folder).keys() == {*before, "house.db.lock"}


def test_a_log_that_cannot_have_come_about_is_not_taken(folder: Path, tmp_path: Path) -> None:
    other = live(tmp_path / "other")
    with closing(sqlite3.connect(other)) as db, db:
        db.execute("UPDATE log SET lines = '1763640009000 roll 666666' WHERE table_id = 1 AND seq = 21")

    async def take(of: Pocket) -> str:
        with pytest.raises(NotStored) as caught:
            await of.restore(damaged)
        return caught.value.code

    damaged = at(other.parent, save)
    assert at(folder, take) == "bundle-log"


def test_a_kill_at_any_step_leaves_the_old_pocket_or_the_new_one(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"

    async def save(of: Pocket) -> bytes:
        await page(of, "/tables", {"game": "threes", "name": "Ann", "people": 1, "key": "a-key-of-mine"})
        return of.save()

    (tmp_path / "new.zip").write_bytes(at(other, save))
    (tmp_path / "scratch").mkdir()
    stride = "1" if NIGHTLY else "7"
    script = Path(__file__).with_name("killed_restore.py")
    words = [str(script), str(folder), str(tmp_path / "new.zip"), str(tmp_path / "scratch")]
    told = subprocess.run(
        [sys.executable, *words, stride],
        env={"PYTHONPATH": f"{PATHS}{os.pathsep}{script.parents[1]}"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found = json.loads(told)
    kinds = [kind for _, kind, _ in found]
    assert kinds == sorted(kinds, reverse=True), "old ones, and then new ones"
    assert set(kinds) == {"old", "new"}
    assert [status for status, _, _ in found] == [9] * (len(found) - 1) + [0]
    assert len(found) > (30 if NIGHTLY else 6)
    assert not [name for _, _, files in found for name in files if ".new." in name or "replacing" in name]


class Bytes:
    """A stand-in for the bytes that JavaScript passes to Python (``to_py``)."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def to_py(self) -> memoryview:
        return memoryview(self._data)


async def test_a_page_gets_bytes_or_a_sentence_in_its_language(
    folder: Path, file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    ffi = ModuleType("pyodide.ffi")
    ffi.to_js = ffi.create_proxy = lambda value: value  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", ffi)
    monkeypatch.delitem(sys.modules, "pubdice_pocket.browser.js_engine", raising=False)
    engine = importlib.import_module("pubdice_pocket.browser.js_engine").JsEngine
    async with opened(folder) as of:
        page = engine(of)
        content, read_back = page.save("de")
        assert Bundle(io.BytesIO(content)).files.keys() >= {TABLES, BOOK, KEY, OPENED, COOKIES}
        assert read_back
        assert (await page.look(Bytes(file), "de"))[0] > 5
        assert await page.restore(Bytes(file), "de-AT") == ""
        assert (await page.look(Bytes(file[1:]), "en")).startswith("That file is damaged")
        said = await page.restore(Bytes(file[1:]), "de-AT")
        assert said == "Diese Datei ist beschädigt, oder sie stammt nicht von Pubdice. Nichts hat sich geändert."
        assert (await page.restore(Bytes(b""), "fr")).startswith("That file is damaged")
        of.engine.store.close()
        assert page.save("en").startswith("Some tables here are damaged")


def test_the_page_takes_files_as_large_as_the_engine_does() -> None:
    script = (Path(pocket.__file__).parents[1] / "static/shell_device.js").read_text("utf-8")
    found = re.search(r"const MOST_BYTES = (\d+e\d+);", script)
    assert found
    assert float(found[1]) == pocket.MOST_BYTES


def test_a_house_takes_a_file_too_large_for_phones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = live(tmp_path / "pocket").parent
    file = at(folder, save)
    assert pocket.can_be_read_back(file)
    held = sum(part.size for part in Bundle(io.BytesIO(file)).files.values())
    monkeypatch.setattr(pocket, "MOST_BYTES", held - 1)
    before = content(folder / TABLES)

    async def save_and_read_back(of: Pocket) -> bytes:
        large = of.save()
        assert not pocket.can_be_read_back(large), "which the page says as it saves it"
        with pytest.raises(NotStored, match="bundle-large"):
            await of.restore(large)
        return large

    (tmp_path / "large.zip").write_bytes(at(folder, save_and_read_back))
    assert content(folder / TABLES) == before
    (tmp_path / "house").mkdir()
    assert pubdice("restore", str(tmp_path / "large.zip"), data=tmp_path / "house").status == 0
    assert content(tmp_path / "house" / TABLES) == {name: kept for name, kept in before.items() if name != COOKIES}


@pytest.mark.nightly
def test_the_shipped_engine_takes_a_file_and_saves_it_again(pocket_folder: Path, tmp_path: Path) -> None:
    """Run the Python that the pocket's folder ships, in Node. It has no threads, truncates SQLite's journal, and keeps
    files in memory, not on a phone's disk.
    """
    folder = live(tmp_path / "pocket").parent
    before = content(folder / TABLES)
    file = base64.b64encode(at(folder, save)).decode()
    script = Path(__file__).with_name("saved_in_browser.py").read_text("utf-8")
    (tmp_path / "script.py").write_text(script.replace('FILE = ""', f'FILE = "{file}"'))
    told = in_node(pocket_folder, tmp_path / "engine", tmp_path / "script.py")
    assert told["record"] == at(folder, lambda of: records(of, ["SHYPPP"]))["SHYPPP"]
    assert told["why"] == "bundle-damaged"
    assert not [name for name in told["files"] if ".new." in name or "replacing" in name]
    other = tmp_path / "other"
    at(other, lambda of: of.restore(base64.b64decode(told["saved"])))
    assert content(other / TABLES) == before


def test_cookies_are_there_again(tmp_path: Path) -> None:
    jar = CookieJar(tmp_path / "cookies.json")
    jar.take("pubdice=AAAA; Path=/; Max-Age=99")
    jar.take("theme=dark; Path=/")
    jar.take("theme=; Max-Age=0")
    assert CookieJar(tmp_path / "cookies.json").header == "pubdice=AAAA"


@pytest.mark.parametrize("step", ["write_text", "replace"])
def test_a_phone_that_dies_has_its_old_or_its_new_cookies(tmp_path: Path, step: str) -> None:
    file = tmp_path / "cookies.json"
    CookieJar(file).take("pubdice=AAAA")
    with patch.object(Path, step, side_effect=BlockingIOError), pytest.raises(BlockingIOError):
        CookieJar(file).take("name=Ann")
    assert json.loads(file.read_text("utf-8")) == {"pubdice": "AAAA"}
    CookieJar(file).take("name=Ann")
    assert CookieJar(file).header == "pubdice=AAAA; name=Ann"
