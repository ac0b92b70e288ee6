"""Where the folders of one host keep their files in the browser: each has its own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import Page

import pubdice
from support.browser import phone_running
from support.static_host import StaticHost

STATIC = Path(pubdice.__file__).parent / "pocket/static"
PLACE = "async folder => (await import(`/${folder}/pocket/places.js`)).filesPlace()"
BOTH = "async () => Promise.all(['b', 'a'].map(async each => (await import(`/${each}/pocket/places.js`)).filesPlace()))"
BEFORE = """async () => {
  const root = await navigator.storage.getDirectory();
  for (const name of ['pubdice', 'pubdice-start'])
    await (await root.getDirectoryHandle(name, { create: true })).getFileHandle('x', { create: true });
}"""
NAMES = """async () => {
  const found = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) found.push(name);
  return found;
}"""


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    for folder in ("a", "b", "a b"):
        (tmp_path / "site" / folder / "pocket").mkdir(parents=True)
        shutil.copy(STATIC / "places.js", tmp_path / "site" / folder / "pocket")
    (tmp_path / "site/index.html").write_text("<!doctype html><title>Places</title>")
    with StaticHost(tmp_path / "site") as host, phone_running(tmp_path / "phone") as context:
        page = context.new_page()
        page.goto(host.address)
        yield page


def test_each_folder_has_files_of_its_own(page: Page) -> None:
    assert page.evaluate(PLACE, "a") == "pubdice files %2Fa%2F"
    assert page.evaluate(PLACE, "b") == "pubdice files %2Fb%2F"
    assert page.evaluate(PLACE, "a b") == "pubdice files %2Fa%2520b%2F"


def test_what_all_folders_shared_goes_to_the_first_that_asks(page: Page) -> None:
    page.evaluate(BEFORE)
    assert page.evaluate(PLACE, "b") == "pubdice"
    for _ in range(2):
        assert page.evaluate(PLACE, "a") == "pubdice files %2Fa%2F"
        assert page.evaluate(PLACE, "b") == "pubdice"
    assert "pubdice-start" not in page.evaluate(NAMES), "38 MB that nobody reads any more"
    assert "pubdice" in page.evaluate(NAMES)


def test_of_two_that_ask_at_once_one_gets_it(page: Page) -> None:
    page.evaluate(BEFORE)
    assert sorted(page.evaluate(BOTH))[0] == "pubdice"
    assert len(set(page.evaluate(BOTH))) == 2
