"""Where the folders of one host keep their files in the browser: each has its own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

import pubdice_pocket
from support.browser import phone_running
from support.static_host import StaticHost

STATIC = Path(pubdice_pocket.__file__).parent / "static"
PLACE = "async folder => (await import(`/${folder}/pocket/places.js`)).FILES"


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
