"""A browser for the tests that play in real pages, kept as long as such tests follow, and a house for each module."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import Browser, BrowserContext

from support.browser import BEHIND, Proxy, chromium_running, context_of
from support.house_process import House

Visitor = Callable[..., BrowserContext]


HERE = Path(__file__).parent
_open = ExitStack()
_chromium: list[Browser] = []


@pytest.fixture
def chromium() -> Browser:
    if not _chromium:
        _chromium.append(_open.enter_context(chromium_running()))
    return _chromium[0]


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One a module: beyond 100 tables a house gives longer codes, and a page would depend on the tests before."""
    with House(tmp_path_factory.mktemp("house"), *BEHIND) as house:
        yield house


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """It is closed before a test without it: Playwright leaves its event loop running in this thread."""
    if nextitem is None or HERE not in nextitem.path.parents:
        _chromium.clear()
        _open.close()


@pytest.fixture
def visitor(request: pytest.FixtureRequest, chromium: Browser, inn: House) -> Iterator[Visitor]:
    """Makes browsers of their own, closed after the test. A file's USUAL says what its browsers have in common."""
    made: list[BrowserContext] = []
    usual = getattr(request.module, "USUAL", {})

    def visitor(**settings: Any) -> BrowserContext:
        made.append(context_of(chromium, inn, **{**usual, **settings}))
        return made[-1]

    yield visitor
    for context in made:
        context.close()


@pytest.fixture
def wire(inn: House) -> Iterator[Proxy]:
    wire = Proxy(inn.port)
    yield wire
    wire.close()
