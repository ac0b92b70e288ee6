"""Templates are compiled when the house opens, one at a time, so that no page has to wait for one."""

import asyncio

import pytest

from pubdice.server import app
from pubdice.server.web import render


def test_all_are_compiled_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    render._house.cache_clear()
    monkeypatch.setattr(app, "APART_S", 0.001)
    compiled: list[int] = []

    async def opening() -> None:
        cache = render._house().cache
        assert cache is not None
        app.load_templates(render.templates())
        while len(cache) < len(render.templates()):
            compiled.append(len(cache))
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(opening(), 30))
    assert {name for name in render.templates() if name.startswith(("front", "table", "play"))}
    assert compiled[0] == 1, "others have their turn after the first"
    assert sorted(set(compiled)) == list(range(1, len(render.templates())))
