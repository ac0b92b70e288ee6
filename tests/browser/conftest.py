"""A browser and a house for tests in real pages. They stay open while such tests follow each other."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

pytest.importorskip("playwright.sync_api", reason="no Playwright: make .venv/.dev installs it")
from playwright.sync_api import Browser, BrowserContext

from browser.page_players import listen
from browser.scene import WITH_AN_EAR, Visitor
from support.browser import BEHIND, Proxy, chromium_running, context_of, left
from support.house_process import House
from support.metrics import metric

HERE = Path(__file__).parent
MOST_TABLES = 20
"""With more tables, the next module gets a new house. A module sets up at most 80, and beyond 100 the tables' codes are
longer.
"""
OWN = {"port", "permissions", "storage_state"}
"""Settings with which a browser is not kept for other tests."""
_open = ExitStack()
_chromium: list[Browser] = []
_house: list[House] = []
_kept: dict[str, list[BrowserContext]] = defaultdict(list)


@pytest.fixture(scope="module")
def chromium() -> Browser:
    if not _chromium:
        _chromium.append(_open.enter_context(chromium_running()))
    return _chromium[0]


def _tables(house: House) -> float:
    with urlopen(f"http://127.0.0.1:{house.port}/metrics") as page:
        return metric(page.read().decode(), "pubdice_tables")


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A house, kept like the browser, as opening one costs 1.4 s of processor."""
    if _house and _tables(_house[0]) > MOST_TABLES:
        _close_house()
    if not _house:
        _house.append(House(tmp_path_factory.mktemp("house"), *BEHIND))
        _house[0].open()
    return _house[0]


def _close_house() -> None:
    for context in chain(*_kept.values()):
        context.close()
    _kept.clear()
    while _house:
        _house.pop().clear()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close browser and house before other tests, as Playwright leaves its event loop running in this thread."""
    if nextitem is None or HERE not in nextitem.path.parents:
        _close_house()
        _chromium.clear()
        _open.close()


@pytest.fixture
def visitor(request: pytest.FixtureRequest, chromium: Browser, inn: House) -> Iterator[Visitor]:
    """A function that makes a new browser context. The ``USUAL`` of a test file has the settings of all its browsers.

    With ``keep`` the context is reset after the test, and kept under that name for the next test with the same
    settings. It is for contexts to which a test adds nothing lasting. A context kept as ``WITH_AN_EAR`` has an ear from
    its start.
    """
    with _visits(request, chromium, inn) as visitor:
        yield visitor


@pytest.fixture(scope="module")
def standing(request: pytest.FixtureRequest, chromium: Browser, inn: House) -> Iterator[Visitor]:
    """A function that makes a browser context for all tests of a file, for a page that many of them use."""
    with _visits(request, chromium, inn) as visitor:
        yield visitor


@contextmanager
def _visits(request: pytest.FixtureRequest, chromium: Browser, inn: House) -> Iterator[Visitor]:
    made: list[tuple[BrowserContext, str, dict[str, Any]]] = []
    usual = getattr(request.module, "USUAL", {})

    def visitor(*, keep: str = usual.get("keep", ""), **settings: Any) -> BrowserContext:
        settings = {name: value for name, value in {**usual, **settings}.items() if name != "keep"}
        shelf = repr((keep, inn.port, sorted(settings.items()))) if keep and not OWN & settings.keys() else ""
        if shelf and _kept[shelf]:
            context = _kept[shelf].pop()
        else:
            context = context_of(chromium, inn, **settings)
            if keep == WITH_AN_EAR:
                listen(context)
        made.append((context, shelf, settings))
        return context

    yield visitor
    for context, shelf, settings in made:
        if shelf and not request.session.testsfailed and left(context, **settings):
            _kept[shelf].append(context)
        else:
            context.close()


@pytest.fixture
def wire(inn: House) -> Iterator[Proxy]:
    wire = Proxy(inn.port)
    yield wire
    wire.close()
