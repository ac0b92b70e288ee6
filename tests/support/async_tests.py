"""Tests that are coroutines: each runs in a loop of its own, at an open house if it asks for one as ``pub``."""

import asyncio
import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from support.house import Pub


@pytest.fixture
def pub(request: pytest.FixtureRequest, tmp_path: Path) -> "Pub":
    """A house, with the games and limits that ``at_the_pub`` names; it is open while the test runs, and sound after."""
    from support.house import Pub  # noqa: PLC0415 - most tests need no house

    given = request.node.get_closest_marker("at_the_pub")
    return Pub(tmp_path / "house.db", **(given.kwargs if given else {}))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    asyncio.run(_evening(pyfuncitem.obj, given))
    return True


async def _evening(test: Any, given: dict[str, Any]) -> None:
    house: Pub | None = given.get("pub")
    if house is None:
        await test(**given)
        return
    await house.open()
    try:
        await test(**given)
        await house.settle()
    finally:
        house.disk.open.set()
        if house.is_open:
            await house.close()
    house.sound()
