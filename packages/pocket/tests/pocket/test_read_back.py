"""Everything saved to a file by the button, and read back elsewhere: with the real engine."""

import io
import json
import shutil
import urllib.request
import zipfile
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import BrowserContext, Page, expect

from pocket.pockets import GOES_ON, live
from pocket.real_tab import BEGIN_BOOK, EN, READY_MS, ask, do, finish, opened, order, panel, play, reopened, seq
from pubdice.match.sealed_record import check_dice
from pubdice.store.bundle import BOOK, CONTENTS, KEY, OPENED, TABLES
from support.browser import phone_running
from support.console import pubdice
from support.house_process import House

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def installed(pocket_host: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a browser in which the house was opened once."""
    folder = tmp_path_factory.mktemp("installed")
    with phone_running(folder) as context:
        opened(context, pocket_host).wait_for_timeout(3000)
    return folder


class Lived:
    """What a phone had when it was saved. over, sealed: a table finished, one under way; file: the file."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.over = order(page)
        finish(page, self.over)
        self.tables = 1
        while True:  # some matches of 420 are over after a roll
            self.sealed = order(page, dice="sealed")
            self.tables += 1
            assert do(page, self.sealed, do="seed", seed="heads7")[0] == 200
            self.seq = play(page, self.sealed, 2)
            if ask(page, f"{self.sealed}/state")[1]["view"]["stage"] != "over":
                break
        assert page.evaluate(BEGIN_BOOK) == 200
        self.record = ask(page, f"{self.over}/record")[1]["text"]
        panel(page)
        with page.expect_download() as saved:
            page.get_by_role("button", name=EN["save"]).click()
        name = saved.value.suggested_filename
        self.file = folder / name
        saved.value.save_as(self.file)
        expect(page.locator("#answer")).to_have_text(EN["saved"].format(name=name))

    def is_on(self, page: Page) -> None:
        """All of it is on this phone, and goes on."""
        assert ask(page, f"{self.over}/record")[1]["text"] == self.record
        assert ask(page, f"{self.over}/evening")[0] == 200
        assert ask(page, "/book/export")[0] == 200
        assert seq(page, self.sealed) >= self.seq
        finish(page, self.sealed)
        assert check_dice(ask(page, f"{self.sealed}/record")[1]["text"]).fault is None


@pytest.fixture(scope="module")
def lived(installed: Path, pocket_host: str, tmp_path_factory: pytest.TempPathFactory) -> Lived:
    folder = tmp_path_factory.mktemp("lived")
    with phone(installed, folder) as context:
        return Lived(opened(context, pocket_host), folder)


def phone(installed: Path, folder: Path) -> AbstractContextManager[BrowserContext]:
    """A phone with the house on it, and no table."""
    return phone_running(
        shutil.copytree(installed, folder / "phone", ignore=shutil.ignore_patterns("Singleton*")), accept_downloads=True
    )


def choose(page: Page, file: Path) -> None:
    """Choose a file to be read back, by the button."""
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name=EN["read_back"]).click()
    chosen.value.set_files(file)


def read_back(page: Page, file: Path, here: int, there: int) -> None:
    """Read a file back, and say yes to the question, by keys alone."""
    choose(page, file)
    asked = EN["sure" if here else "sure_empty"].format(name=file.name, here=here, there=there)
    expect(page.locator("#question")).to_have_text(asked, timeout=READY_MS)
    assert page.locator("#sure .refusal").count() == bool(here), "nothing warns where nothing is lost"
    expect(page.locator("#sure .main")).to_be_focused()
    expect(page.locator("#sure .main")).to_have_text(EN["stay" if here else "take"])
    if here:
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#answer")).to_have_text(EN["restored"].format(name=file.name), timeout=READY_MS)


def test_a_file_goes_to_another_phone(lived: Lived, installed: Path, pocket_host: str, tmp_path: Path) -> None:
    with phone(installed, tmp_path) as context:
        page = opened(context, pocket_host)
        own = order(page)
        panel(page)
        read_back(page, lived.file, here=1, there=lived.tables)
        assert ask(page, f"{own}/state")[0] == 404, "it was replaced, as was said"
        page = reopened(context, page, pocket_host)
        lived.is_on(page)
        assert lived.over.removeprefix("/t/").partition("-")[0] in ask(page, "/")[1]["text"]


def newer(file: Path) -> bytes:
    """The file as a later version would write it."""
    out = io.BytesIO()
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            if name == CONTENTS:
                content = json.dumps({**json.loads(content), "format": 2}).encode()
            target.writestr(name, content)
    return out.getvalue()


def test_a_bad_file_is_refused_in_a_sentence_and_changes_nothing(
    lived: Lived, installed: Path, pocket_host: str, tmp_path: Path
) -> None:
    whole = lived.file.read_bytes()
    damaged = "That file is damaged, or Pubdice didn't save it. Nothing changed."
    bad = {
        "words.zip": (b"no zip at all", damaged),
        "cut.zip": (whole[: len(whole) // 2], damaged),
        "newer.zip": (newer(lived.file), "A newer Pubdice saved that file. Update this one first. Nothing changed."),
        "large.zip": (whole + bytes(200_000_000 - len(whole)), EN["too_large"].format(of="100.0")),
        "empty.zip": (b"", damaged),
    }
    with phone(installed, tmp_path) as context:
        page = opened(context, pocket_host)
        table = order(page)
        last = play(page, table, 1)
        panel(page)
        for name, (content, sentence) in bad.items():
            (tmp_path / name).write_bytes(content)
            choose(page, tmp_path / name)
            expect(page.locator("#answer")).to_have_text(sentence, timeout=READY_MS)
            expect(page.locator("#sure")).to_be_hidden()
        choose(page, lived.file)
        expect(page.locator("#question")).to_be_visible(timeout=READY_MS)
        page.keyboard.press("Enter")
        expect(page.locator("#answer")).to_have_text(EN["stayed"])
        assert seq(page, table) >= last
        play(page, table, 1)


def test_a_phones_file_goes_to_a_house(lived: Lived, tmp_path: Path) -> None:
    told = pubdice("restore", str(lived.file), data=tmp_path)
    assert (told.status, told.err) == (0, "")
    assert f"open {lived.sealed} there" in told.out.replace("\n", " ")
    with House(tmp_path) as house:
        with urllib.request.urlopen(f"http://127.0.0.1:{house.port}{lived.over}/record") as answer:
            assert answer.read().decode() == lived.record
        with urllib.request.urlopen(f"http://127.0.0.1:{house.port}{lived.sealed}/state") as answer:
            assert json.loads(answer.read())["seq"] >= lived.seq


def test_a_houses_file_goes_to_a_phone(installed: Path, pocket_host: str, tmp_path: Path) -> None:
    data = live(tmp_path / "house")
    file = tmp_path / "house.zip"
    assert pubdice("backup", "--with-key", str(file), data=data.parent).status == 0
    with zipfile.ZipFile(file) as zipped:
        assert set(zipped.namelist()) == {CONTENTS, TABLES, BOOK, KEY, OPENED}
    with phone(installed, tmp_path) as context:
        page = opened(context, pocket_host)
        own = order(page)
        panel(page)
        choose(page, file)
        expect(page.locator("#question")).to_contain_text("Tables here: 1.", timeout=READY_MS)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#answer")).to_have_text(EN["restored"].format(name=file.name), timeout=READY_MS)
        assert ask(page, f"{own}/state")[0] == 404
        assert ask(page, f"/t/{GOES_ON}/state")[0] == 200
        record = ask(page, "/t/SEALED/record")
        assert record[0] == 200
        assert check_dice(record[1]["text"]).fault is None
