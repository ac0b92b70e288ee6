"""The code of another phone, read by a camera: a browser whose camera sees a film of it."""

from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import expect

from pocket.phones import EN, IN_MS, Host, answer, camera_sees, phone, with_camera
from support.static_host import StaticHost


def test_the_host_reads_the_code_by_camera(quick_folder: Path, tmp_path: Path) -> None:
    picture = tmp_path / "seen.y4m"
    camera_sees(picture, "nothing yet")
    with StaticHost(quick_folder) as static, with_camera(picture) as browser:
        ours, theirs = phone(browser, permissions=["camera"]), phone(browser)
        host = Host.open(ours, static.address)
        page = theirs.new_page()
        camera_sees(picture, answer(page, host.let_in()))
        host.page.locator("#phones").get_by_role("button", name=EN["phones_read_it"]).tap()
        expect(page.locator("iframe:not(.waits)")).to_be_visible(timeout=IN_MS)
        expect(host.page.locator("#phones-status")).to_have_text(EN["phones_in"])
