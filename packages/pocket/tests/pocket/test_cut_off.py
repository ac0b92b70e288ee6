"""A first visit whose network goes before everything has come, with the real engine: one sentence, then it goes on."""

from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")

from pocket.real_tab import EN, order, play, ready, told
from support.browser import phone_running
from support.static_host import StaticHost

pytestmark = pytest.mark.nightly
LAST = "house.zip.lzma"
"""What comes last: the front page is shown by then."""


def test_the_last_file_does_not_come(pocket_folder: Path, tmp_path: Path) -> None:
    with StaticHost(pocket_folder) as host:
        host.cut = {LAST}
        with phone_running(tmp_path / "phone") as context:
            page = context.new_page()
            page.goto(host.address)
            told(page, "no_network")
            host.cut = set()
            page.get_by_role("button", name=EN["again"]).click()
            assert play(page, order(ready(page)), 3) > 0


def test_the_phone_is_opened_again_without_a_network(pocket_folder: Path, tmp_path: Path) -> None:
    with StaticHost(pocket_folder) as host:
        host.cut = {LAST}
        with phone_running(tmp_path / "phone") as context:
            page = context.new_page()
            page.goto(host.address)
            told(page, "no_network")
        host.stop()
        with phone_running(tmp_path / "phone") as context:
            page = context.new_page()
            page.goto(host.address)
            told(page, "no_network")
            host.cut = set()
            host.start()
            page.get_by_role("button", name=EN["again"]).click()
            assert play(page, order(ready(page)), 3) > 0
