"""The page round the house, for tests. It is in a folder of a host, and a script replaces its engine."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Locator, Page, expect

from pocket.clean_phone import clean
from pocket.test_shell_words import words
from support.browser import DESKTOP, QUICK, chromium_running
from support.static_host import StaticHost

BELOW = "pub/dice/"
EN, DE = words()["en"], words()["de"]
WITHIN_MS = 60_000
HERE = Path(__file__).parent
RUNS = "for (const stage of ['files', 'interpreter', 'imports', 'house', 'ready']) this.tell({ stage });"
SAID = """
  window.said = [];
  addEventListener('DOMContentLoaded', () => {
    const status = document.getElementById('status');
    if (status) new MutationObserver(() => said.push(status.textContent)).observe(status, { childList: true });
  });
"""

SOONER = """(later => {
  window.setTimeout = (done, ms, ...more) => later(done, ms > 3000 ? 500 : ms, ...more);
})(setTimeout);"""
"""An init script that lets a page wait half a second where it would wait more than three."""


def engine(starts: str = RUNS, prefix: str = f"/{BELOW[:-1]}") -> str:
    """Return a script that replaces the engine. ``starts`` is run when the engine is started, and ``prefix`` is the
    path of its folder.
    """
    script = (HERE / "stand_in_engine.js").read_text("utf-8")
    return f"{{{script.replace('STARTS', f'{{ {starts} }}').replace('PREFIX', prefix)}}}"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with chromium_running(*QUICK) as browser:
        yield browser


@pytest.fixture(scope="module")
def host(shell_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticHost]:
    """A host that has the page in a folder, without an engine."""
    root = tmp_path_factory.mktemp("host")
    copied(shell_folder, root)
    with StaticHost(root, BELOW) as host:
        yield host


def copied(folder: Path, root: Path) -> Path:
    below = root / BELOW
    below.parent.mkdir(parents=True)
    return shutil.copytree(folder, below, copy_function=os.link)


def context_on(browser: Browser, address: str, **settings: Any) -> BrowserContext:
    context = browser.new_context(
        **{"base_url": address, "viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce", **settings}
    )
    context.set_default_timeout(WITHIN_MS)
    return context


@pytest.fixture(scope="module")
def home(chromium: Browser, host: StaticHost) -> Iterator[BrowserContext]:
    """A browser that has the house installed already. There is no engine, so the house's storage is empty."""
    context = context_on(chromium, host.address)
    visit(context, engine())
    clean(context, host.address).close()
    yield context
    context.close()


@pytest.fixture(autouse=True)
def closed(request: pytest.FixtureRequest) -> Iterator[None]:
    """After a test, make the shared browser clean, so the next test gets the engine. A ``shell`` stays."""
    yield
    if "home" in request.fixturenames and "shell" not in request.fixturenames:
        clean(request.getfixturevalue("home"), request.getfixturevalue("host").address).close()


def visit(context: BrowserContext, script: str = "", path: str = "./", *, ready: bool = True) -> Page:
    page = context.new_page()
    page.add_init_script(SAID + script)
    page.goto(path)
    if ready:
        expect(page.locator("iframe:not(.waits, .early)")).to_be_visible(timeout=WITHIN_MS)
        expect(page.locator("#start")).to_be_hidden()
    return page


def house(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


def status(page: Page) -> Locator:
    return page.locator("#status")


def path_of(page: Page) -> str:
    return str(page.evaluate("location.pathname + location.search + location.hash"))


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.nodeName"))
