"""A browser and a house for the tests that play in real pages: one of each a module."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="SKIPPED: playwright is not installed")
from playwright.sync_api import Browser, BrowserContext

from browser.house import BEHIND, Proxy, chromium_running, context_of
from faults.webhouse import House

Visitor = Callable[..., BrowserContext]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with chromium_running() as browser:
        yield browser


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house"), *BEHIND) as house:
        yield house


@pytest.fixture
def visitor(chromium: Browser, inn: House) -> Iterator[Visitor]:
    """Makes browsers of their own, closed after the test."""
    made: list[BrowserContext] = []

    def visitor(**settings: Any) -> BrowserContext:
        made.append(context_of(chromium, inn, **settings))
        return made[-1]

    yield visitor
    for context in made:
        context.close()


@pytest.fixture
def wire(inn: House) -> Iterator[Proxy]:
    wire = Proxy(inn.port)
    yield wire
    wire.close()
